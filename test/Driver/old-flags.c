// old-flags.c - Switches work by the names that they had before.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cilk2chan -O2 -march=x86-64-v3 -c %s -o default.o
// RUN: cilk2chan -O2 -march=x86-64-v3 -fno-chan-simd -c %s -o old.o
// RUN: cilk2chan -O2 -march=x86-64-v3 -fno-chan-batch -c %s -o new.o && cmp old.o new.o
// RUN: for pair in light:below-grain arrays:by-value promote:call-promotion trees:clone-batches \
// RUN:     results:combine-results compact:compaction peel:hoist order:positional \
// RUN:     accumulate:reductions serial:serial-clones iterations:spawn-iterations; do \
// RUN:   cilk2chan -O2 -march=x86-64-v3 -fno-chan-${pair%:*} -c %s -o old.o && \
// RUN:   cilk2chan -O2 -march=x86-64-v3 -fno-chan-${pair#*:} -c %s -o new.o && cmp old.o new.o || exit 1; \
// RUN:   cilk2chan -O2 -march=x86-64-v3 -fno-chan-${pair%:*} -fchan-${pair%:*} -c %s -o both.o && \
// RUN:   cmp both.o default.o || exit 1; \
// RUN:   cmp -s new.o default.o || echo ${pair#*:}; \
// RUN: done > changed
// RUN: FileCheck --implicit-check-not={{.}} %s < changed
// Most change the code of this file.
// CHECK: below-grain
// CHECK: by-value
// CHECK: call-promotion
// CHECK: clone-batches
// CHECK: hoist
// CHECK: positional
// CHECK: reductions
// CHECK: serial-clones

// RUN: not cilk2chan -fno-chan-lights -c %s -o x.o 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: error: unknown argument: '-fno-chan-lights'
// They are in no document.
// RUN: not grep -E "fno.{1,2}chan.{1,2}(light|peel|accumulate|compact|order|promote|trees)\b" %source/docs/Tuning.md %source/docs/cilk2''chan.1

static long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static int queens(int n, int row, const char *above) {
  char board[8];
  int found = 0;
  if (row == n)
    return 1;
  for (int i = 0; i < row; i++)
    board[i] = above[i];
  for (int column = 0; column < n; column++) {
    int free = 1;
    for (int i = 0; i < row; i++)
      free &= board[i] != column && board[i] - column != row - i && column - board[i] != row - i;
    board[row] = column;
    if (free)
      found += cilk_spawn queens(n, row + 1, board);
  }
  cilk_sync;
  return found;
}

typedef long task(int);
long by_pointer(task *f, int n) {
  long x = cilk_spawn f(n);
  long y = f(n + 1);
  cilk_sync;
  return x + y;
}

void scale(double *data, double factor) {
  cilk_for (int i = 0; i < 100; i++)
    data[i] *= factor;
}

long all(int n) { return fib(n) + queens(8, 0, "") + by_pointer(fib, n); }
