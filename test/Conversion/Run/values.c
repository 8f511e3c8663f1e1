/*===- values.c - Values of odd types live across a sync ------------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -fcilk-serialize -w -O1 %s -o %t.serial
// RUN: cilk2chan -w -O0 %s -o %t.0 && cilk2chan -w -O2 %s -o %t.2
// RUN: %t.serial > %t.want
// RUN: %t.0 | diff %t.want -
// RUN: %t.2 | diff %t.want -
// RUN: CHAN_WIDTH=1 CHAN_WORKERS=3 %t.2 | diff %t.want -

// All these values go through the frame.
// RUN: cilk2chan -w -O2 --emit=mlir %s | FileCheck %s
// CHECK: chan.kernel @packed.1 consumes @packed.after1 frame
// CHECK: chan.kernel @vector.1 consumes @vector.after1 frame
// CHECK-LABEL: chan.kernel @values.1 consumes @values.after1 frame
// CHECK: %[[FRAME:.*]] = chan.get "frame"
// CHECK-DAG: llvm.load {{.*}} -> vector<4xi64>
// CHECK-DAG: llvm.load {{.*}} -> i200
// CHECK-DAG: llvm.load {{.*}} -> f80
// CHECK-DAG: llvm.load {{.*}} -> i128
// CHECK-DAG: llvm.load {{.*}} -> i1{{$}}
// CHECK: llvm.br

#include <immintrin.h>
#include <stdio.h>

typedef _BitInt(24) small;
typedef _BitInt(200) large;

// An AVX vector wants more alignment than a frame has.
__attribute__((target("avx2"))) static int values(int n) {
  __m256i v = _mm256_set1_epi32(n);
  small s = n * 3;
  large l = (large)n << 150;
  long double d = n * 1.5L;
  __int128 i = (__int128)n << 70;
  _Bool b = n & 1;
  int x = 0, y = 0;
  if (n > 0) {
    x = cilk_spawn values(n - 1);
    y = cilk_spawn values(n - 1);
  }
  cilk_sync;
  v = _mm256_add_epi32(v, _mm256_set1_epi32(x));
  int r[8];
  _mm256_storeu_si256((__m256i *)r, v);
  return r[5] + (int)s + (int)(l >> 150) + (int)d + (int)(i >> 70) + y + b;
}

// Delivered into a frame, and into memory by a spawn.
__attribute__((target("avx2"))) static __m256i vector(int n) {
  __m256i r = _mm256_set1_epi32(n), s;
  if (n < 1)
    return r;
  s = cilk_spawn vector(n - 1);
  __m256i t = vector(n - 1);
  cilk_sync;
  return _mm256_add_epi32(r, _mm256_add_epi32(s, t));
}

__attribute__((target("avx2"))) static void avx(void) {
  int r[8];
  _mm256_storeu_si256((__m256i *)r, vector(6));
  printf("%d %d\n", values(6), r[7]);
}

// A destination aligned to one byte.
struct __attribute__((packed)) packed {
  char c;
  int x;
  double d;
};

static int packed(int n) {
  struct packed p[2] = {{0}};
  if (n < 1)
    return 1;
  p[0].x = cilk_spawn packed(n - 1);
  p[1].x = cilk_spawn packed(n - 1);
  cilk_sync;
  return p[0].x + p[1].x + p[0].c;
}

int main(void) {
  if (__builtin_cpu_supports("avx2"))
    avx();
  printf("%d\n", packed(8));
}
