//===- many-live-values.c - Loops that carry many values ----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// More values go round a loop than a machine loads and stores at once: all
// change places in each iteration, in one cycle, in two, and by other ways at
// its end.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-SAMPLE: yes

#include "../Support/check.h"

// clang-format off
#define EACH(M)                                                                \
  M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9)                            \
  M(10) M(11) M(12) M(13) M(14) M(15) M(16) M(17) M(18) M(19)
// clang-format on

static long rotate(long count, long seed) {
#define DECLARE(N) long v##N = seed + N * N;
  EACH(DECLARE)
  for (long i = 0; i < count; i++) {
    long first = v0;
    v0 = v1, v1 = v2, v2 = v3, v3 = v4, v4 = v5, v5 = v6, v6 = v7, v7 = v8;
    v8 = v9, v9 = v10, v10 = v11, v11 = v12, v12 = v13, v13 = v14, v14 = v15;
    v15 = v16, v16 = v17, v17 = v18, v18 = v19, v19 = first;
    if (v3 % 3 == 0) {
      // Halves change places, so that iterations differ.
      long a = v0, b = v1, c = v2, d = v3, e = v4;
      v0 = v10, v1 = v11, v2 = v12, v3 = v13, v4 = v14;
      v10 = e, v11 = d, v12 = c, v13 = b, v14 = a;
    }
  }
  long hash = 0;
#define ADD(N) hash = (long)((unsigned long)hash * 31 + (unsigned long)v##N);
  EACH(ADD)
  return hash;
}

/* The same in memory. */
static long rotate_in_memory(long count, long seed) {
  long v[20], hash = 0;
  for (int i = 0; i < 20; i++)
    v[i] = seed + i * i;
  for (long i = 0; i < count; i++) {
    long first = v[0];
    for (int j = 0; j < 19; j++)
      v[j] = v[j + 1];
    v[19] = first;
    if (v[3] % 3 == 0) {
      long old[5];
      for (int j = 0; j < 5; j++) {
        old[j] = v[j];
        v[j] = v[10 + j];
      }
      for (int j = 0; j < 5; j++)
        v[10 + j] = old[4 - j];
    }
  }
  for (int i = 0; i < 20; i++)
    hash = (long)((unsigned long)hash * 31 + (unsigned long)v[i]);
  return hash;
}

int main(void) {
  long answers[30];
  cilk_for (int i = 0; i < 30; i++)
    answers[i] = rotate(i * 3, i);
  for (int i = 0; i < 30; i++)
    CHECK_EQUAL(answers[i], rotate_in_memory(i * 3, i));
  printf("%ld\n", answers[29]);
  return 0;
}
