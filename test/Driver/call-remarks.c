// call-remarks.c - Where a spawn would gain something, and what copies of functions do not repeat.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O1 -Rpass-missed=chan-call -c %s -o %t.o 2>&1 | grep -o "call-remarks.c:.* remark.*" | FileCheck --implicit-check-not=remark: %s
// RUN: cilk2chan -O2 -Rpass=chan -Rpass-missed=chan -c %s -o %t.o 2> %t.remarks
// RUN: grep -o "^.*remark: .*" %t.remarks | sort | uniq -d | count 0
// RUN: grep "remark: " %t.remarks | FileCheck --check-prefix=NAMES %s
// Remarks name functions of the source, not copies of them.
// NAMES-NOT: {{(byval|fallback)'}}
// NAMES: activations of 'queens' pass arrays by value: parameter 3 (16 times 1 bytes); where these have more than 16 parts, it passes them by address
// NAMES-NOT: {{(byval|fallback)'}}

#include <alloca.h>

// Nothing follows the call before the sync: it runs beside the spawn as it is.
long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

// The second call would run beside the first.
long both(int n) {
  // CHECK: [[@LINE+1]]:12: remark: the caller waits here for 'fib'; with cilk_spawn
  long x = fib(n);
  long y = fib(n - 1);
  return x + y;
}
long all(int n) {
  long x = cilk_spawn both(n);
  cilk_sync;
  return x;
}

// The second one needs the result of the first.
long chain(int n) {
  long x = fib(n);
  long y = cilk_spawn fib((int)x % 20);
  cilk_sync;
  return y;
}

// Calls in a loop would run beside each other, but not if each needs the last one's result.
long loop(int n) {
  long sum = cilk_spawn fib(n);
  cilk_sync;
  for (int i = 0; i < n; i++)
    // CHECK: [[@LINE+1]]:12: remark: the caller waits here for 'fib'
    sum += fib(i);
  return sum;
}
long again(int n) {
  long sum = cilk_spawn fib(n);
  cilk_sync;
  for (int i = 0; i < n; i++)
    sum = fib((int)sum % 20);
  return sum;
}

int queens(int n, int row, const char *above) {
  if (row == n)
    return 1;
  char *board = alloca(row + 1);
  int found = 0;
  for (int i = 0; i < row; i++)
    board[i] = above[i];
  for (int column = 0; column < n; column++) {
    int free = 1;
    for (int i = 0; i < row; i++)
      free &= board[i] != column && board[i] - column != row - i && column - board[i] != row - i;
    board[row] = (char)column;
    if (free)
      found += cilk_spawn queens(n, row + 1, board);
  }
  cilk_sync;
  return found;
}
