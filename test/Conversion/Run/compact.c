/*===- compact.c - Iterations of many activations -------------------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -w -fcilk-serialize -O1 %s -o %t.serial
// RUN: %t.serial > %t.want
// RUN: cilk2chan -w -O2 -march=x86-64-v2 -fchan-batch -fchan-lanes=2 %s -Rpass=chan-simd -Rpass-missed=chan-simd -o %t.2 2> %t.remarks
// RUN: FileCheck %s < %t.remarks
// RUN: CHAN_WORKERS=1 %t.2 | diff %t.want -
// RUN: CHAN_WORKERS=8 CHAN_WIDTH=1 %t.2 | diff %t.want -
// RUN: cilk2chan -w -O1 -march=native -fchan-batch -fchan-lanes=16 %s -o %t.16
// RUN: CHAN_WORKERS=1 CHAN_WIDTH=65 %t.16 | diff %t.want -
// RUN: CHAN_WORKERS=8 %t.16 | diff %t.want -
// RUN: cilk2chan -w -O2 -march=native -fchan-batch -fchan-lanes=64 -fno-chan-serial-clones %s -o %t.64
// RUN: CHAN_WORKERS=1 %t.64 | diff %t.want -
// RUN: CHAN_WORKERS=4 CHAN_WIDTH=100 %t.64 | diff %t.want -
// RUN: cilk2chan -w -O2 -march=native -fchan-batch %s -o %t.native
// RUN: CHAN_WORKERS=1 %t.native | diff %t.want -
// RUN: CHAN_WORKERS=2 CHAN_WIDTH=300 %t.native | diff %t.want -
// RUN: cilk2chan -w -O2 -fchan-batch %s -o %t.chosen
// RUN: CHAN_WORKERS=1 %t.chosen | diff %t.want -
// RUN: CHAN_WORKERS=2 %t.chosen | diff %t.want -
// RUN: cilk2chan -w -O2 -march=native -fchan-batch -fchan-lanes=8 -g -fsanitize=address %s -o %t.asan
// RUN: CHAN_WORKERS=1 %t.asan | diff %t.want -

#include <stdint.h>
#include <stdio.h>

static uint32_t mix(uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

/* As many children as the name says; which of them it is, is uniform. */
// CHECK-DAG: iterations of 'ask_first.batch.reduce' are compacted
static int ask_first(uint32_t name, int depth) {
  int all = 1;
  int children = depth ? (int)(name % 5) : 0;
  for (int i = 0; i < children; ++i)
    all += cilk_spawn ask_first(mix(name + i), depth - 1);
  cilk_sync;
  return all;
}

/* The question comes after the iteration. */
// CHECK-DAG: iterations of 'ask_last.batch.reduce' are compacted
static int ask_last(uint32_t name, int depth) {
  if (depth == 0)
    return (int)(name & 3);
  int all = 0, i = 0;
  do {
    all += cilk_spawn ask_last(mix(name + i), depth - 1);
    name = mix(name ^ 3);
    ++i;
  } while (name & 6);
  cilk_sync;
  return all + 2;
}

/* Several ways out, and another part of the result on each. */
// CHECK-DAG: iterations of 'ways_out.batch.reduce' are compacted
static unsigned ways_out(uint32_t name, int depth) {
  unsigned all = name & 15, part = 0;
  if (depth == 0)
    return all;
  for (int i = 0;; ++i) {
    if (i > 6) {
      part = 1000;
      break;
    }
    name = mix(name + i);
    if (name % 7 == 0) {
      part = name % 11;
      break;
    }
    if (name % 3 == 0)
      continue;
    all += cilk_spawn ways_out(name, depth - 1);
    if (name % 5 == 0) {
      part = 3 * i;
      break;
    }
  }
  cilk_sync;
  return all + part;
}

/* What is known before and changed in the loop is needed after it. */
// CHECK-DAG: iterations of 'used_after.batch.reduce' are compacted
static unsigned long used_after(uint32_t name, short depth) {
  unsigned long all = 0, seen = name;
  unsigned char step = (unsigned char)(name >> 8 | 1);
  _Bool odd = name & 1;
  uint32_t last = name, before = 0;
  if (depth > 0)
    for (uint32_t left = name & 63; left; left &= left - 1) {
      before = last;
      last = mix(left * step);
      odd ^= last >> 5 & 1;
      step += 2;
      seen = seen * 3 + last;
      if (last % 4)
        all += cilk_spawn used_after(last, (short)(depth - 1));
    }
  cilk_sync;
  return all + (odd ? seen : before) + step;
}

/* Loops in the loop, and one in front. */
// CHECK-DAG: iterations of 'inner.batch.reduce' are compacted
static int inner(uint32_t name, int depth) {
  int all = 0, digits = 0;
  for (uint32_t left = name & 0xfff; left; left /= 3)
    ++digits;
  for (int i = 0; depth && i < digits; i += 2) {
    int sum = 0;
    for (uint32_t left = mix(name + i) & 0xff; left; left >>= 2)
      sum += (int)(left & 3);
    all += cilk_spawn inner(mix(name + sum), depth - 1);
  }
  cilk_sync;
  return all + digits;
}

static const signed char table[8] = {3, -1, 4, 1, -5, 9, 2, -6};
static int bound = 3;

/* Memory, by addresses that lanes have each and by such that they share. */
// CHECK-DAG: iterations of 'reads.batch.reduce' are compacted
static int reads(const signed char *at, uint32_t name, int depth) {
  int all = *at, limit = bound;
  const signed char *next = table + name % 8;
  for (int i = 0; depth && i < limit + *next; ++i) {
    next = table + mix(name + i) % 8;
    all += cilk_spawn reads(next, mix(name - i), depth - 1);
  }
  cilk_sync;
  return all + *next;
}

/* What some have the same of, and others have none of. */
// CHECK-DAG: iterations of 'some_have.batch.reduce' are compacted
static int some_have(uint32_t name, int depth) {
  int key, all = 0;
  _Bool has = name % 64 == 5;
  if (has)
    key = (bound * depth + 77) / (depth + 3) % (bound + 2) * (depth | 5);
  for (uint32_t i = 0; depth && i < 1 + name % 3; ++i) {
    if (has)
      all += key + (int)i;
    all += cilk_spawn some_have(mix(name + i), depth - 1);
  }
  cilk_sync;
  return all + 1;
}

/* Nothing is the same in all lanes, and all is wide. */
// CHECK-DAG: iterations of 'wide.batch.reduce' are compacted
static uint64_t wide(uint64_t name, uint64_t depth) {
  uint64_t all = name >> 60;
  for (uint64_t left = name % 7; depth && left; --left) {
    name = name * 6364136223846793005u + 1442695040888963407u;
    all ^= cilk_spawn wide(name ^ name >> 31, depth - 1);
  }
  cilk_sync;
  return all;
}

/* Another combination, at depths that lanes have each. */
// CHECK-DAG: iterations of 'bits.batch.reduce' are compacted
static uint8_t bits(uint32_t name, int depth) {
  uint8_t all = name % 1021 == 0 ? (uint8_t)(1u << depth % 8) : 0;
  for (uint32_t i = name % 4; i && depth < 14; --i)
    all |= cilk_spawn bits(mix(name - i), depth + 1 + (int)(i & 1));
  cilk_sync;
  return all;
}

/* All leave together, so none waits. */
// CHECK-DAG: lanes of 'together.batch.reduce' wait for each other: all
static int together(uint32_t name, int depth) {
  int all = (int)(name & 1);
  for (int i = 0; i < depth; ++i)
    all += cilk_spawn together(mix(name + i), depth - 1);
  cilk_sync;
  return all;
}

/* Two loops that spawn. */
// CHECK-DAG: lanes of 'twice.batch.reduce' wait for each other: it has
static int twice(uint32_t name, int depth) {
  int all = 1;
  for (uint32_t i = name % 3; depth && i; --i)
    all += cilk_spawn twice(mix(name + i), depth - 1);
  for (uint32_t i = name % 4; depth && i; --i)
    all += cilk_spawn twice(mix(name - i), depth - 1);
  cilk_sync;
  return all;
}

int main(void) {
  for (uint32_t seed = 1; seed < 7; ++seed) {
    int first = ask_first(mix(seed) * 5 + 4, 11);
    int last = ask_last(mix(seed), 6);
    unsigned ways = ways_out(mix(seed) + 1, 7);
    unsigned long after = used_after(mix(seed) | 63, 5);
    int in = inner(mix(seed), 5);
    int read = reads(table, mix(seed), 5);
    unsigned long long all = wide(mix(seed) * 7ull + 6, 8);
    int some = bits(mix(seed) | 3, 0);
    int same = together(mix(seed), 7);
    int having = some_have(mix(seed), 13);
    int two = twice(mix(seed) | 3, 7);
    printf("%d %d %u %lu %d %d %llu %d %d %d %d\n", first, last, ways, after,
           in, read, all, some, same, having, two);
  }
  return 0;
}
