// sanitize.c - Sanitizers instrument children, kernels and apply functions.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all %s -o %t && %t | FileCheck %s
// RUN: cilk2chan -g -O1 -fsanitize=undefined -fsanitize-trap=all %s -o %t && %t | FileCheck %s
// RUN: cilk2chan -g -fsanitize=thread %s -o %t && %t | FileCheck %s
// RUN: cilk2chan -g -fsanitize=undefined %s -o %t && env NARROW=1 %t 2>&1 | FileCheck --check-prefix=UB %s
// RUN: cilk2chan -g -fsanitize=address %s -o %t && not env OUT=1 %t 2>&1 | FileCheck --check-prefix=OUT %s
// CHECK: 3 21 7
// UB: sanitize.c:{{[0-9]+}}:{{[0-9]+}}: runtime error: signed integer overflow
// OUT: heap-buffer-overflow
// OUT: sanitize.c

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

struct Pair {
  long first, second, third;
};
static int number(int n) { return n; }
static struct Pair pair(int n) { return (struct Pair){n, 3 * n, 5 * n}; }
static int past(int *end) { return *end; }

int main(void) {
  int *cell = malloc(sizeof *cell), sum = getenv("NARROW") ? INT_MAX : 0;
  struct Pair p;
  *cell = cilk_spawn number(3);
  p = cilk_spawn pair(7);
  sum += cilk_spawn number(7);
  if (getenv("OUT"))
    cilk_spawn past(cell + 1);
  cilk_sync;
  printf("%d %ld %d\n", *cell, p.second, sum);
  free(cell);
  return 0;
}
