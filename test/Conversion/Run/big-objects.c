// big-objects.c - Locals of more bytes than MLIR's indices and C's int count
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: for bits in 28 31; do for level in 0 1 2; do cilk2chan -w -O$level -DBITS=$bits %s -o %t && CHAN_WORKERS=2 %t | FileCheck %s || exit 1; done; done
// RUN: cilk2chan -w -O2 -fno-chan-serial-clones -DBITS=31 %s -o %t && CHAN_WORKERS=2 %t | FileCheck %s
// RUN: cilk2chan -w -O2 -fcilk-serialize -DBITS=31 %s -o %t && (ulimit -s unlimited && %t) | FileCheck %s
// RUN: cilk2chan -w -O2 -DBITS=33 -c %s -o %t.o
// RUN: cilk2chan -w -O2 -DBITS=31 --emit=mlir %s | FileCheck --check-prefix=FRAME %s
// CHECK: 3 4 5 6 7

// The objects are in the frame, which has more bytes than 32 bits count.
// FRAME: chan.kernel @work.1 consumes @work.after1 frame 6442{{[0-9]+}} source

#include <stdio.h>

#define SIZE (1L << BITS)

struct large {
  char before[SIZE];
  int member;
  char after[SIZE];
};

/* Long enough to be spawned. */
static void fill(int *p, long n, int v) {
  for (long i = 0; i < n; i++)
    p[i] = v;
}

static int work(int n) {
  _Alignas(int) char first[SIZE];
  struct large large;
  int last[4];
  int small;
  cilk_spawn fill((int *)first, n + 1000, 3);
  cilk_spawn fill((int *)(first + SIZE - 4 * n), n, 4);
  cilk_spawn fill(&large.member, n - 3, 5);
  small = 6;
  fill(&last[n - 4], 4, 7);
  cilk_sync;
  printf("%d %d %d %d %d\n", ((int *)first)[n], *(int *)(first + SIZE - 4),
         large.member, small, last[n - 4]);
  return n;
}

int main(void) { return work(4) - 4; }
