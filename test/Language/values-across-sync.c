//===- values-across-sync.c - What lives across a sync ------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values of every kind computed before a sync and used after it: flags, bytes,
// vectors, pointers into locals, structs, loop counters, values merged from
// branches, and values that only one of two paths needs.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

typedef int vec4 __attribute__((vector_size(16)));
struct small {
  char a;
  short b;
  float c;
};

static int id(int n) { return n; }

static long values(int n) {
  int local[8], *middle = &local[n % 8];
  _Bool big = n > 20;
  unsigned char byte = (unsigned char)(n * 37);
  vec4 v = {n, n + 1, n + 2, n + 3};
  struct small s = {(char)n, (short)(n * 2), n * 0.5f};
  __int128 wide = (__int128)n << 70;
  float f = big ? n * 1.5f : n - 1.5f;
  const char *text = n % 2 ? "odd" : "even";
  int (*function)(int) = n % 2 ? id : abs;
  for (int i = 0; i < 8; ++i)
    local[i] = cilk_spawn id(i * n);
  cilk_sync;
  v += (vec4){1, 1, 1, 1};
  long sum = *middle + byte + v[n % 4] + s.a + s.b + (long)s.c;
  sum += (long)(wide >> 70) + (long)f + text[1] + function(-n);
  if (big) {
    local[0] = cilk_spawn id(7);
    cilk_sync;
    return sum + local[0] + s.b;
  }
  return sum + v[0];
}

static long values_serially(int n) {
  long sum = n % 8 * n + (unsigned char)(n * 37) + n + n % 4 + 1;
  sum += (char)n + n * 2 + (long)(n * 0.5f) + n;
  sum += (long)(n > 20 ? n * 1.5f : n - 1.5f) + (n % 2 ? 'd' : 'v');
  sum += n % 2 ? -n : n;
  return sum + (n > 20 ? 7 + 2 * n : n + 1);
}

/* Two values that swap in each round, a counter and a running maximum. */
static long carried(int n) {
  long a = 1, b = 2, best = 0;
  for (int i = 0; i < n; ++i) {
    int x = cilk_spawn id(i);
    long old = a;
    cilk_sync;
    a = b + x;
    b = old;
    if (a > best)
      best = a;
  }
  return a * 1000003 + b * 1009 + best;
}

static long carried_serially(int n) {
  long a = 1, b = 2, best = 0;
  for (int i = 0; i < n; ++i) {
    long old = a;
    a = b + i;
    b = old;
    best = a > best ? a : best;
  }
  return a * 1000003 + b * 1009 + best;
}

int main(void) {
  for (int n = 0; n < 100; ++n) {
    CHECK_EQUAL(values(n), values_serially(n));
    CHECK_EQUAL(carried(n), carried_serially(n));
  }
  printf("%ld\n", carried(50));
  return 0;
}
