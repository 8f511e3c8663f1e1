// fence-objects.c - Loads of a variable-length array stay before its end.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Code generation does not know that the array ends where the stack pointer is
// restored.  Assembly without an instruction keeps accesses in front of that.
// RUN: cilk2chan -O2 -Werror -S -emit-llvm %s -o - | FileCheck %s
// RUN: cilk2chan -O0 -Werror -S -emit-llvm %s -o - | FileCheck --check-prefix=OFF %s

// CHECK-LABEL: define {{.*}} @last(
// CHECK: call void asm sideeffect "", "~{memory}"()
// CHECK-NEXT: call void @llvm.stackrestore
// OFF-LABEL: define {{.*}} @last(
// OFF-NOT: asm sideeffect
// OFF: call void @llvm.stackrestore

void fill(int *, int);
int last(int n, int rounds) {
  int sum = 0;
  for (int i = 1; i < rounds; ++i) {
    int array[n];
    fill(array, i);
    sum += array[n - 1];
  }
  return sum;
}
