/*===- narrow.c - Lanes with fewer bits than C ----------------------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -w -fcilk-serialize -O1 %s -o %t.serial
// RUN: %t.serial > %t.want
// RUN: cilk2chan -w -O2 -march=native -fchan-batch %s -Rpass-analysis=chan-simd -o %t.native 2> %t.remarks
// RUN: FileCheck %s < %t.remarks
// RUN: CHAN_WORKERS=1 %t.native | diff %t.want -
// RUN: cilk2chan -w -O2 -march=x86-64-v2 -fchan-batch -fchan-lanes=8 %s -o %t.8
// RUN: CHAN_WORKERS=1 %t.8 | diff %t.want -
// RUN: cilk2chan -w -O1 -march=native -fchan-batch -fchan-lanes=64 -fno-chan-serial-clones %s -o %t.64
// RUN: CHAN_WORKERS=2 %t.64 | diff %t.want -
// RUN: cilk2chan -w -O2 -march=native -fchan-batch -fno-chan-narrow -Rpass-analysis=chan-simd %s -o %t.wide 2> %t.remarks
// RUN: not grep 'fewer bits' %t.remarks
// RUN: CHAN_WORKERS=1 %t.wide | diff %t.want -

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ALL(l, r) \
  (((l) == (r)) + 2 * ((l) != (r)) + 4 * ((l) < (r)) + 8 * ((l) <= (r)) + \
   16 * ((l) > (r)) + 32 * ((l) >= (r)))
#define ADD(l, r) sum = sum * 37 + ALL(l, r)

/* All comparisons of narrow values, of what is computed of these, and of what
   all activations have the same of. */
static inline __attribute__((always_inline)) uint32_t
compare(int8_t a, uint8_t b, int16_t c, uint16_t d, int u,
                        long w) {
  uint32_t sum = 0;
  ADD(a, b);
  ADD(a, c);
  ADD(b, d);
  ADD(a, u);
  ADD(b, u);
  ADD(c, u);
  ADD(u, d);
  ADD((long)a, w);
  ADD(w, (long)d);
  ADD((unsigned)a, (unsigned)c);
  ADD((unsigned)b, (unsigned)u);
  ADD((unsigned)a, (unsigned)b);
  ADD(a - b, u);
  ADD(a - b, c);
  ADD(a * b, d);
  ADD(a * 3 + b, c - u);
  ADD(b << 3, d);
  ADD(c << 9, u);
  ADD(c >> 2, a);
  ADD((a - b) >> 1, a);
  ADD((unsigned)d >> 3, (unsigned)b);
  ADD((a * (b >> 2)) >> 6, a);
  ADD((b & 127) - ((a & 127) | -128), a);
  ADD((unsigned)(b - a) >> 3, (unsigned)d);
  ADD((a < b ? a : 7) - 5, u);
  ADD((a < u ? b : -b) + 1, c);
  ADD((a & b) | 64, d ^ 5);
  ADD((long)a * b, (long)d);
  ADD((long)c * 65537, w);
  ADD((int8_t)(c + u), a);
  ADD((uint8_t)(u - d), b);
  return sum;
}

/* Values that choices and loops yield. */
static inline __attribute__((always_inline)) uint32_t
carry(int8_t a, uint8_t b, int u) {
  int way = 0, low = -3;
  unsigned high = 250;
  for (int i = 0; i < (b & 7); ++i) {
    if ((a + i) % 3 == 0) {
      way = 2;
      low = a;
      break;
    }
    if (i == 4)
      way = u > 9 ? -1 : 300;
    high = b;
  }
  switch (a & 3) {
  case 0:
    low = b;
    break;
  case 1:
    low = -b;
    break;
  }
  return way * 5 + (way == 2) + (low < -3) * 11 + low * 13u + high * 17 +
         (high > 249) + (low == u);
}

/* Differences of elements, compared with those of their indices, which the
   arrays' sizes bound: all pairs until one fits, as queens are tested. */
#define PAIR(type, size) \
  static inline __attribute__((always_inline)) uint32_t \
  pair_##type##_##size(uint32_t seed, int n) { \
    type a[size]; \
    for (int i = 0; i < n; ++i) \
      a[i] = (seed >> i % 29) & 1 ? INT8_MAX - i * (int)(seed % 3) \
                                  : INT8_MIN + (int)(seed % 5) * i; \
    for (int i = 0; i < n; ++i) { \
      type p = a[i]; \
      for (int j = i + 1; j < n; ++j) { \
        type q = a[j]; \
        if (q == p - (j - i) || p + (j - i) * 2 == q || q - p == 130 - j) \
          return i * 1000 + j; \
        if (q - p + i != j && abs(p - q) == j + 3) \
          return i * 1000 + j + 500; \
        if (p - q == (int)((seed ^ j) & 7) + 70) \
          return i * 1000 + j + 600; \
      } \
    } \
    return 7; \
  }
PAIR(int8_t, 16)
PAIR(uint8_t, 16)
PAIR(int16_t, 16)
PAIR(int8_t, 64)
PAIR(uint8_t, 127)
PAIR(int8_t, 200)

// CHECK-DAG: lanes of 'pairs.batch.0' compare or carry {{[0-9][0-9]+}} values in fewer bits than C
static uint32_t pairs(int depth, uint32_t seed) {
  uint32_t own = pair_int8_t_16(seed, 9) + pair_uint8_t_16(seed, 12) * 3 +
                 pair_int16_t_16(seed, 7) * 5 + pair_int8_t_64(seed, 40) * 7 +
                 pair_uint8_t_127(seed, 127) * 9 + pair_int8_t_200(seed, 170);
  if (depth == 0)
    return own;
  uint32_t x = _Cilk_spawn pairs(depth - 1, seed * 1664525 + 1013904223);
  uint32_t y = _Cilk_spawn pairs(depth - 1, seed * 22695477 + 1);
  _Cilk_sync;
  return own * 31 + x * 3 + y;
}

// CHECK-DAG: lanes of 'walk.batch.0' compare or carry {{[0-9][0-9]+}} values in fewer bits than C
static uint32_t walk(int depth, int8_t a, uint8_t b, int16_t c, uint16_t d,
                     int u, long w) {
  uint32_t own = compare(a, b, c, d, u, w) ^ carry(a, b, u);
  if (depth == 0)
    return own;
  uint32_t x = _Cilk_spawn walk(depth - 1, a * 5 + 1, b * 7 + 3, c * 9 + d,
                                d * 13 + 5, u, w);
  uint32_t y = _Cilk_spawn walk(depth - 1, a + 77, b - 51, c / 3 - 1, d / 5 + 1,
                                u, w);
  _Cilk_sync;
  return own + x + y;
}

int main(void) {
  static const int common[] = {0,   1,    -1,    127,   128,   -128,    -129,
                               255, 256,  -256,  32767, 32768, -32768,  -32769,
                               65535, 65536, 1000, INT_MAX, INT_MIN};
  for (unsigned i = 0; i < sizeof common / sizeof *common; ++i)
    printf("%d: %u\n", common[i],
           walk(9, i * 19 - 100, i * 31, common[i] * 3, i * 3001, common[i],
                (long)common[i] * (i & 1 ? 1 : 65536)));
  printf("%u\n", pairs(8, 12345));
  return 0;
}
