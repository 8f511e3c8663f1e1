// exit-status.c - A refused program: exit status 1, and no output file, whatever
// is asked for.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: for stage in -c -S '-S -emit-llvm' --emit=mlir --emit=dot --emit=llvm -fsyntax-only '' '-c -fcilk-serialize'; do status=0; cilk2chan $stage %s 2> log || status=$?; test $status = 1 || exit 1; FileCheck %s < log; rm log; done
// RUN: ls | count 0

int f(int);
int main(void) {
  // CHECK: exit-status.c:[[@LINE+2]]:7: error: 'spawn' within a condition is not allowed
  // CHECK-NEXT: if (spawn f(1))
  if (spawn f(1))
    return 1;
  return 0;
}
// CHECK: 1 error generated.
