// tested.c - Base cases that no parent has tested for.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kernel skips its test for the base case where the parents have made it
// (`chan.base_cases_hoisted`).  Children of `outer` and of a loop come without.
// RUN: cilk2chan -O2 -fchan-batch -fchan-lanes=4 --emit=mlir %s | FileCheck %s --implicit-check-not=chan.base_cases_hoisted
// CHECK-LABEL: chan.kernel @less.batch.0
// CHECK: %[[TESTED:.*]] = chan.base_cases_hoisted
// CHECK: llvm.cond_br %[[TESTED]]
// CHECK-LABEL: chan.kernel @less.batch.reduce
// CHECK: = chan.base_cases_hoisted
// CHECK-LABEL: chan.kernel @most.batch.reduce
// CHECK: = chan.base_cases_hoisted
// CHECK-LABEL: chan.kernel @highest.batch.reduce
// CHECK: = chan.base_cases_hoisted
// CHECK-LABEL: chan.kernel @ways.batch.0
// CHECK: %[[TESTED:.*]] = chan.base_cases_hoisted
// CHECK: llvm.cond_br %[[TESTED]]
// CHECK-LABEL: chan.kernel @ways.batch.reduce
// CHECK: = chan.base_cases_hoisted
// CHECK-LABEL: chan.kernel @outer.batch.0
// CHECK-LABEL: chan.kernel @inner.batch.0
// CHECK: %[[TESTED:.*]] = chan.base_cases_hoisted
// CHECK: llvm.cond_br %[[TESTED]]

// RUN: cilk2chan -fcilk-serialize -O2 %s -o %t.serial && %t.serial > %t.expected
// RUN: cilk2chan -O2 -fchan-batch -fchan-lanes=4 %s -o %t && for w in 1 2 8; do CHAN_WORKERS=$w %t > %t.out && cmp %t.expected %t.out || exit 1; done
// RUN: cilk2chan -O2 -fchan-batch -fchan-lanes=16 -fchan-block=64 %s -o %t && for w in 1 2 8; do CHAN_WORKERS=$w %t > %t.out && cmp %t.expected %t.out || exit 1; done
// RUN: cilk2chan -O2 -fchan-batch -fchan-lanes=8 -fno-chan-reductions %s -o %t && for w in 1 2; do CHAN_WORKERS=$w %t > %t.out && cmp %t.expected %t.out || exit 1; done
#include <stdio.h>
#include <stdlib.h>

// Two ways to end in front of the spawns, one behind what only they pass.
static long ways(int depth, int room, int value) {
  if (room < 0)
    return 1000;
  if (depth == 0 || value == 77)
    return value;
  long with = cilk_spawn ways(depth - 1, room - value % 7, value * 3 + 1);
  long without = ways(depth - 1, room, value + 5);
  cilk_sync;
  return with + without;
}

// The first to spawn it are the elements of a loop's batch, some of which end
// at once, and no parent of theirs tests that.
static long all(int count) {
  long *sums = malloc(count * sizeof *sums), sum = 0;
  cilk_for (int i = 0; i < count; ++i)
    sums[i] = ways(i % 9, i % 23 - 3, i);
  for (int i = 0; i < count; ++i)
    sum = sum * 31 + sums[i];
  free(sums);
  return sum;
}

// Children of a function that tests them, and of one that does not.
static int inner(int n, unsigned key) {
  if ((key & 3) == 0 || n == 0)
    return (int)(key & 15);
  int a = cilk_spawn inner(n - 1, key * 5 + 1);
  int b = cilk_spawn inner(n - 1, key ^ 0x55);
  cilk_sync;
  return a ^ (3 * b);
}
static int outer(int n, unsigned key) {
  int a = cilk_spawn inner(n, key);
  int b = cilk_spawn inner(n - 1, key + 1);
  cilk_sync;
  return a - b;
}

// One child of two that its parent tests: of the other, whose argument is not
// known after the sync, nobody knows then that it was none.
static unsigned *table;
static unsigned mixed(int n, unsigned key) {
  if ((key & 3) == 0 || n == 0)
    return key & 15;
  unsigned found = 1;
  found += cilk_spawn mixed(n - 1, table[key & 63]);
  found ^= cilk_spawn mixed(n - 1, key * 5 + 1);
  cilk_sync;
  return found;
}

// Of those that look into the table, parents do not know that they end.
static long looks(int n, unsigned key) {
  unsigned own = key & 15;
  if (key & 1)
    own = table[key >> 1 & 63];
  if ((key & 6) == 4 || n == 0)
    return own;
  long a = cilk_spawn looks(n - 1, key * 5 + 2);
  long b = cilk_spawn looks(n - 1, key >> 1);
  cilk_sync;
  return a + b + (own & 3);
}

// What children return is nothing to this kernel; what is taken from it is not.
static long less(int n, long own) {
  if (n <= 0)
    return 3;
  long a = cilk_spawn less(n - 1, own + 1);
  long b = cilk_spawn less(n - 2, own * 2);
  cilk_sync;
  return a + b - own;
}

// A maximum is a comparison and a choice: three times the same two values.
static int most(int n, int key) {
  if (key < 0 || n == 0)
    return 0;
  int a = cilk_spawn most(n - 1, key * 3 - 100);
  int b = most(n - 1, key / 2 + n);
  cilk_sync;
  int more = a > b ? a : b;
  return more > key ? more : key;
}
static int highest(int n, int key) {
  if (key < 0)
    return 0;
  if (n == 0)
    return key;
  int a = cilk_spawn highest(n - 1, key * 3 - 100);
  int b = highest(n - 1, key / 2 + n);
  cilk_sync;
  return a > b ? a : b;
}

int main(void) {
  table = malloc(64 * sizeof *table);
  for (unsigned i = 0; i < 64; ++i)
    table[i] = i * 2654435761u >> 7;
  printf("%u %u\n", mixed(12, 7), mixed(9, 4));
  printf("%ld\n", less(16, 3));
  printf("%ld\n", looks(12, 12345));
  printf("%d %d\n", most(13, 77), highest(14, 76));
  printf("%ld\n", ways(0, 5, 9));
  printf("%ld\n", ways(3, -1, 9));
  printf("%ld\n", ways(17, 30, 2));
  printf("%ld\n", all(3000));
  int found = 0;
  for (unsigned key = 0; key < 300; ++key)
    found = found * 7 + outer(1 + key % 11, key);
  printf("%d\n", found);
}
