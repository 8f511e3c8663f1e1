/*===- variables.c - What gdb shows of a kernel -----------------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// REQUIRES: gdb
// RUN: cilk2chan -g %s -o %t
// RUN: CHAN_WORKERS=1 gdb -q -batch -nx -x %S/Inputs/variables.gdb %t 2>&1 | FileCheck %s
// RUN: cilk2chan -g -fno-chan-serial-clones %s -o %t.kernels
// RUN: CHAN_WORKERS=1 gdb -q -batch -nx -x %S/Inputs/variables.gdb %t.kernels 2>&1 | FileCheck --check-prefix=KERNELS %s
// RUN: cilk2chan -g -O2 %s -o %t.2
// RUN: CHAN_WORKERS=1 gdb -q -batch -nx -x %S/Inputs/lines.gdb %t.2 2>&1 | FileCheck --check-prefix=FAST %s

#include <stdio.h>

struct pair {
  int first;
  long second;
};

static int spread(int n, struct pair given) {
  char text[8] = "channel";
  int squares[n + 1];
  for (int i = 0; i <= n; i++)
    squares[i] = i * i;
  if (n < 2)
    return squares[n];
  int left = cilk_spawn spread(n - 1, given);
  {
    int n = given.first + 1; // BEFORE
    given.first = n;
  }
  int right = spread(n - 2, given);
  given.second += right; // AFTER CALL
  cilk_sync;
  int sum = left + right;
  text[0] = 'C';
  return sum + squares[0] * text[0]; // AFTER SYNC
}

int main(void) {
  printf("%d\n", spread(3, (struct pair){40, 2}));
  return 0;
}

// The serial clone calls its child first, as the elision does, and so breakpoints
// stop in spread(2); who called it is there as well.
// CHECK: Breakpoint 1.{{[0-9]}}, spread (n=2, given=...)
// CHECK: #0  spread (n=2, given=...)
// CHECK-NEXT: #1 {{.*}} spread (n=3, given=...)
// CHECK: in main ()
// CHECK: text = "channel"
// CHECK: squares = {0, 1, 4}
// CHECK: {first = 40, second = 2}
// CHECK: = {0, 1, 4}
// CHECK: Breakpoint 2.{{[0-9]}}, spread (n=2, given=...)
// CHECK: left = 1
// CHECK: right = 0
// CHECK: squares = {0, 1, 4}
// CHECK: {first = 41, second = 2}
// CHECK: Breakpoint 3.{{[0-9]}}, spread (n=2, given=...)
// CHECK: #0  spread (n=2, given=...)
// CHECK: text = "Channel"
// CHECK: sum = 1
// CHECK: squares = {0, 1, 4}

// In kernels: in the root; after the call in spread(2), the first whose children
// are all done; at its end.
// KERNELS: Breakpoint 1, spread (n=3, given=...)
// KERNELS: #0  spread (n=3, given=...)
// KERNELS: in main ()
// KERNELS: text = "channel"
// KERNELS: squares = {0, 1, 4, 9}
// KERNELS: {first = 40, second = 2}
// KERNELS: {0, 1, 4, 9}
// KERNELS: Breakpoint 2, spread (n=2, given=...)
// KERNELS: right = 0
// KERNELS: left = 1
// KERNELS: squares = {0, 1, 4}
// KERNELS: {first = 41, second = 2}
// KERNELS: Breakpoint 3, spread (n=2, given=...)
// KERNELS: #0  spread (n=2, given=...)
// KERNELS: sum = 1
// KERNELS: text = "Channel"
// KERNELS: squares = {0, 1, 4}

// Optimised: lines, functions and what is left of parameters; the serial clone
// calls its child.
// FAST: Breakpoint 1.{{[0-9]}}, spread ({{(n=.*, )?}}given=...)
// FAST: #0  spread ({{(n=.*, )?}}given=...)
// FAST-NEXT: #1 {{.*}} spread ({{(n=.*, )?}}given=...)
// FAST: main ()
// FAST: Breakpoint 2.{{[0-9]}}, spread (
// FAST: #0  spread (
// FAST-NEXT: #1 {{.*}} spread ({{(n=.*, )?}}given=...)
// FAST: main ()
