// profile.c - Profiles are written and used.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Counters that Clang's CodeGen puts in:
// RUN: rm -rf %t && mkdir %t
// RUN: cilk2chan -O2 -fprofile-instr-generate %s -o %t/main
// RUN: env CHAN_WORKERS=1 LLVM_PROFILE_FILE=%t/raw %t/main
// RUN: llvm-profdata merge %t/raw -o %t/data
// RUN: cilk2chan -O2 -fprofile-instr-use=%t/data %s -o %t/main && %t/main
// RUN: cilk2chan -fprofile-instr-use=%t/data --emit=llvm %s | FileCheck %s
//
// The function has its entries, the kernel the weights of its branches.
// CHECK: define {{.*}}@fib({{.*}}) {{.*}}!prof ![[ENTRIES:[0-9]+]]
// CHECK: define internal void @fib.0(
// CHECK: br i1 {{.*}}!prof ![[WEIGHTS:[0-9]+]]
// CHECK-DAG: ![[ENTRIES]] = !{!"function_entry_count", i64 15}
// CHECK-DAG: ![[WEIGHTS]] = !{!"branch_weights", i32 9, i32 8}

// and those of LLVM's optimiser:
// RUN: cilk2chan -O2 -fprofile-generate=%t/ir %s -o %t/main
// RUN: env CHAN_WORKERS=1 %t/main
// RUN: llvm-profdata merge %t/ir -o %t/data
// RUN: cilk2chan -O2 -Werror=backend-plugin -fprofile-use=%t/data %s -o %t/main && %t/main

int fib(int n) {
  if (n < 2)
    return n;
  int x = spawn fib(n - 1);
  int y = spawn fib(n - 2);
  sync;
  return x + y;
}

int main(void) { return fib(5) != 5; }
