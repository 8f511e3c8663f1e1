//===- wild-serial-tail.c - Work after the last sync --------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Long serial tails after the last sync": loops, calls and early returns
// there, with values computed before the spawns.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static unsigned crunch(unsigned seed, int n) {
  unsigned before[8], a = 0, b = 0;
  for (int i = 0; i < 8; ++i)
    before[i] = seed * 2654435761u + (unsigned)i;
  if (n > 0) {
    a = cilk_spawn crunch(seed + 1, n - 1);
    b = cilk_spawn crunch(seed * 3, n - 1);
  }
  cilk_sync;

  unsigned hash = a ^ (b << 1);
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 8; ++i) {
      hash = (hash ^ before[i]) * 16777619u;
      if (hash % 5 == 0)
        before[i] += hash >> 3;
    }
    if (hash % 1021 == 7)
      return hash;
  }
  switch (hash % 3) {
  case 0:
    return hash / 3;
  case 1:
    hash += seed;
    break;
  default:
    hash -= before[seed % 8];
  }
  return hash;
}

static unsigned crunch_serially(unsigned seed, int n) {
  unsigned before[8], a = 0, b = 0;
  for (int i = 0; i < 8; ++i)
    before[i] = seed * 2654435761u + (unsigned)i;
  if (n > 0) {
    a = crunch_serially(seed + 1, n - 1);
    b = crunch_serially(seed * 3, n - 1);
  }
  unsigned hash = a ^ (b << 1);
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 8; ++i) {
      hash = (hash ^ before[i]) * 16777619u;
      if (hash % 5 == 0)
        before[i] += hash >> 3;
    }
    if (hash % 1021 == 7)
      return hash;
  }
  if (hash % 3 == 0)
    return hash / 3;
  return hash % 3 == 1 ? hash + seed : hash - before[seed % 8];
}

int main(void) {
  for (unsigned seed = 0; seed < 20; ++seed)
    CHECK_EQUAL(crunch(seed, 6), crunch_serially(seed, 6));
  printf("%u\n", crunch(99, 8));
  return 0;
}
