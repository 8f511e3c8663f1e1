// address-space.c - Many workers get by with the address space that is enough for one.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workers reserve half of what a limit leaves them, together.  The rest is the program's.

// RUN: cilk2chan -w -O2 %s -o %t
// RUN: for kilobytes in 500000 1100000 1600000 2200000 4000000; do for workers in 1 2 8; do (ulimit -v $kilobytes && CHAN_WORKERS=$workers %t > %t.out 2>&1); echo "256 100000" | diff - %t.out || exit 1; done; done

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long tree(int depth) {
  if (depth == 0) {
    size_t bytes = 100000;
    char *memory = malloc(bytes);
    if (!memory)
      return 0;
    memset(memory, 1, bytes);
    long result = memory[bytes / 2];
    free(memory);
    return result;
  }
  long a = cilk_spawn tree(depth - 1), b = cilk_spawn tree(depth - 1);
  cilk_sync;
  return a + b;
}

static long deep(int n) {
  if (n == 0)
    return 0;
  long below = cilk_spawn deep(n - 1);
  cilk_sync;
  return below + 1;
}

int main(void) {
  char *volatile own = malloc(200u << 20);
  if (!own)
    return 1;
  own[0] = 1;
  printf("%ld ", tree(8));
  printf("%ld\n", deep(100000));
}
