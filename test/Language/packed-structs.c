// packed-structs.c - Bytes of an array of small fields that are not its own.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The slow path of a clone takes such an array over by words: none beyond its
// end, and what another member of a union has in its padding.
// SANITIZE: yes
// VGIW-ARGS: 12

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <stdio.h>

static unsigned char bytes(int n) {
  if (n < 1)
    return n * 3 + 5;
  unsigned char results[3];
  for (int i = 0; i < 3; i++)
    results[2 - i] = cilk_spawn bytes(n - 2 - i);
  cilk_sync;
  return results[0] * 9 + results[1] * 3 + results[2];
}

struct five {
  unsigned char a, b, c, d, e;
};

static struct five fives(int n) {
  struct five sum = {n, n + 1, n + 2, 0, 0};
  if (n <= 0)
    return sum;
  struct five results[3];
  for (int i = 0; i < 3; i++)
    results[i] = cilk_spawn fives(n - 1 - i);
  cilk_sync;
  for (int i = 0; i < 3; i++) {
    sum.a += results[i].b;
    sum.b ^= results[i].c;
    sum.c += results[i].a;
  }
  return sum;
}

union padded {
  struct {
    char a;
    long b;
    int c, d;
  } fields;
  unsigned char bytes[24];
};

static unsigned padding(int n) {
  if (n < 2)
    return n;
  union padded results;
  for (int i = 0; i < 24; i++)
    results.bytes[i] = i + 1;
  for (int i = 0; i < 3; i++)
    results.bytes[i * 8] = cilk_spawn padding(n - 1 - i);
  cilk_sync;
  unsigned hash = 0;
  for (int i = 0; i < 24; i++)
    hash = hash * 31 + results.bytes[i];
  return hash;
}

int main(int argc, char **argv) {
  int size = argument(argc, argv, 1, 20);
  unsigned hash = 0;
  for (int n = 0; n < 2 * size; n++)
    hash = hash * 31 + bytes(size - 4 + n % 5);
  printf("%u\n", hash);
  struct five sum = fives(size);
  printf("%d %d %d\n", sum.a, sum.b, sum.c);
  printf("%u\n", padding(size));
  return 0;
}
