// attributes.c - Kernels are compiled as their function; what is untrue goes.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan --dump-after=import -c %s -o %t.o 2>&1 | FileCheck --implicit-check-not=memory_effects --implicit-check-not=lifetime --implicit-check-not=will_return %s
// RUN: cilk2chan -fno-chan-serial-clones --dump-after=chan -c %s -o %t.o 2>&1 | FileCheck --check-prefix=STACK %s
// STACK: chan.kernel @pure.0
// STACK-NOT: stacksave
// STACK-NOT: stackrestore
// RUN: cilk2chan -O1 --emit=llvm %s | FileCheck --check-prefix=CLONE %s
// CLONE: define internal void @each.serial(ptr{{[^,]*}}, ptr noalias {{[^,]*}}, ptr noalias
// RUN: cilk2chan -O1 -fsanitize=thread -fstack-protector-strong -mavx2 --emit=llvm %s | FileCheck --check-prefix=KERNEL %s
// RUN: cilk2chan -O0 --emit=llvm %s | FileCheck --check-prefix=O0 %s
// CHECK: llvm.func @pure(%
// CHECK: llvm.alloca %{{.*}} x i32 {{.*}}: (i64)
// KERNEL: define internal void @pure.0({{.*}} #[[KERNEL:[0-9]+]]
// KERNEL: attributes #[[KERNEL]] = {
// KERNEL-SAME: nounwind sanitize_thread sspstrong uwtable
// KERNEL-SAME: "target-features"="{{[^"]*}}+avx2
// O0-NOT: optnone

int work(int *p);
__attribute__((pure)) int pure(int n) {
  int sum = 0, x;
  for (int i = 0; i < n; i++) {
    int board[n];
    x = cilk_spawn work(board);
    cilk_sync;
    sum += x;
  }
  return sum;
}
void each(int *restrict to, int *restrict from) {
  *to = 1;
  cilk_spawn work(from);
}
int twice(int n) { return pure(n) + pure(n); }
