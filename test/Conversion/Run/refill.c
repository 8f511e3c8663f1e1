/*===- refill.c - Lanes that take the next elements -----------------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// Only with AVX-512 lanes are refilled, so nothing of this is run for another
// processor; that it would be is seen everywhere.
// RUN: cilk2chan -w -O2 -march=x86-64-v4 -fchan-batch %s -Rpass=chan-simd -c -o %t.o 2> %t.remarks
// RUN: FileCheck %s < %t.remarks
// RUN: cilk2chan -w -fcilk-serialize -O1 %s -o %t.serial
// RUN: %t.serial > %t.want
// RUN: cilk2chan -w -O2 -march=native -fchan-batch %s -o %t.native
// RUN: CHAN_WORKERS=1 %t.native | diff %t.want -
// RUN: CHAN_WORKERS=1 CHAN_WIDTH=65 %t.native | diff %t.want -
// RUN: CHAN_WORKERS=2 CHAN_WIDTH=300 %t.native | diff %t.want -
// RUN: CHAN_WORKERS=8 %t.native | diff %t.want -
// RUN: cilk2chan -w -O1 -march=native -fchan-batch -fchan-lanes=2 %s -o %t.2
// RUN: CHAN_WORKERS=1 CHAN_WIDTH=1 %t.2 | diff %t.want -
// RUN: CHAN_WORKERS=8 CHAN_WIDTH=64 %t.2 | diff %t.want -
// RUN: cilk2chan -w -O2 -march=native -fchan-batch -fchan-lanes=64 -fno-chan-serial-clones %s -o %t.64
// RUN: CHAN_WORKERS=2 %t.64 | diff %t.want -
// RUN: cilk2chan -w -O2 -march=native -fchan-batch -fchan-lanes=8 -g -fsanitize=address %s -o %t.asan
// RUN: CHAN_WORKERS=1 %t.asan | diff %t.want -
// RUN: cilk2chan -w -O1 -march=native -fchan-batch -g -fsanitize=thread %s -o %t.tsan
// RUN: CHAN_WORKERS=4 %t.tsan | diff %t.want -

#include <stdint.h>
#include <stdio.h>

static uint32_t mix(uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

/* Bits of a word, of words of each width. */
#define BITS(type, name)                                                       \
  static int name(type all, type taken, type key) {                            \
    if (taken == all)                                                          \
      return 1;                                                                \
    int sum = 0;                                                               \
    type open = (type)(all & ~(taken | key));                                  \
    while (open) {                                                             \
      type bit = (type)(open & -open);                                         \
      open ^= bit;                                                             \
      sum += cilk_spawn name(all, (type)(taken | bit),                         \
                             (type)((key | bit) << 1));                        \
    }                                                                          \
    cilk_sync;                                                                 \
    return sum;                                                                \
  }
// CHECK-DAG: iterations of 'bits8.batch.reduce' are compacted where lanes leave its loop one after another, and these take the next elements
BITS(uint8_t, bits8)
// CHECK-DAG: iterations of 'bits16.batch.reduce' {{.*}} take the next elements
BITS(uint16_t, bits16)
// CHECK-DAG: iterations of 'bits32.batch.reduce' {{.*}} take the next elements
BITS(uint32_t, bits32)
// CHECK-DAG: iterations of 'bits64.batch.reduce' {{.*}} take the next elements
BITS(uint64_t, bits64)

/* The children of a node are a list. */
struct node {
  struct node *first, *next;
  int value;
};
static struct node nodes[60000];
static int made;

static struct node *make(uint32_t name, int depth) {
  struct node *node = &nodes[made++];
  node->value = (int)(name >> 9);
  uint32_t children = depth ? name % 5 : 0;
  for (uint32_t i = 0; i < children && made < 59000; ++i) {
    struct node *child = make(mix(name + i), depth - 1);
    child->next = node->first;
    node->first = child;
  }
  return node;
}

// CHECK-DAG: iterations of 'siblings.batch.reduce' {{.*}} take the next elements
static int siblings(struct node *node) {
  int sum = 1;
  for (struct node *child = node->first; child; child = child->next) {
    sum += child->value;
    sum += cilk_spawn siblings(child);
  }
  cilk_sync;
  return sum;
}

/* What all have the same of is passed on, and most have no iteration. */
// CHECK-DAG: iterations of 'alike.batch.reduce' {{.*}} take the next elements
static unsigned alike(uint32_t name, uint32_t base, int depth) {
  unsigned sum = name & 3;
  uint32_t key = base * base + 7;
  uint32_t left = depth && name % 3 == 0 ? name & 0xfff : 0;
  for (; left; left >>= 2) {
    sum += left % 7;
    sum += cilk_spawn alike(mix(left * key), base, depth - 1);
  }
  cilk_sync;
  return sum + 1;
}

int main(void) {
  printf("%d %d %d %d\n", bits8(255, 0, 0), bits16(1023, 0, 0),
         bits32(2047, 0, 0), bits64(4095, 0, 0));
  for (uint32_t seed = 1; seed < 9; ++seed) {
    made = 0;
    for (int i = 0; i < 60000; ++i)
      nodes[i] = (struct node){0};
    struct node *root = make(mix(seed) / 5 * 5 + 4, 14);
    int sum = siblings(root);
    unsigned all = alike(mix(seed) / 3 * 3, mix(seed), 11);
    printf("%d nodes, %d %u\n", made, sum, all);
  }
  return 0;
}
