// What is reached by two pointers is one object, whichever part of an activation
// made them: its guard, the rest of its serial clone, or a phase of its batch.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -w -O1 -fcilk-serialize %s -o %t.serial && %t.serial > %t.want
// RUN: cilk2chan -w -O1 %s -o %t.1 && for n in 1 2; do CHAN_WORKERS=$n %t.1 | diff %t.want - || exit 1; done
// RUN: cilk2chan -w -O2 -fno-chan-batch %s -o %t.2 && for n in 1 2; do CHAN_WORKERS=$n %t.2 | diff %t.want - || exit 1; done
// RUN: cilk2chan -w -O3 -march=native %s -o %t.3 && CHAN_WORKERS=1 %t.3 | diff %t.want -

// All these parts are made: of `inside` an outlined body, of `stored` a slow
// path in the clone, of `loaded` two phases.
// RUN: cilk2chan -w -O2 -fno-chan-batch --emit=mlir %s | FileCheck %s --check-prefixes=PARTS,CLONES
// RUN: cilk2chan -w -O2 -fchan-batch -fchan-lanes=4 --emit=mlir %s | FileCheck %s --check-prefixes=PARTS,PHASES
// PHASES: chan.kernel @loaded.batch.1
// PARTS: chan.kernel @loaded.1
// CLONES: llvm.func internal @stored.serial(
// CLONES: call @chan_late_close(
// CLONES: llvm.func internal @inside.serial.{{[a-z]+}}(

// The runtime's questions leave registers as they were even if they are found
// only when they are called.
// RUN: cilk2chan -w -O2 -shared-libchan %s -o %t.4 -Wl,-z,lazy -Wl,-rpath,%build/lib
// RUN: for n in 1 2 2 2 4; do CHAN_WORKERS=$n %t.4 2>/dev/null | diff %t.want - || exit 1; done

#include <stdio.h>
#include <stdlib.h>

typedef struct {
  long v[5];
} result;

/* A pointer out of memory points to a local. */
static long loaded(int n, int j, int k) {
  int x;
  int *places[4];
  places[k & 3] = &x;
  int *place = places[j & 3];
  if (n <= 0)
    return j;
  long a = cilk_spawn loaded(n - 1, j, k);
  long b = loaded(n - 2, j, k);
  *place = n * 3 + 1;
  cilk_sync;
  return a * 3 + b + x;
}

/* The guard stores by way of it. */
static result stored(int n, int j, int k, int value) {
  result sum = {{value, 1}};
  int x;
  int *places[4];
  places[k & 3] = &x;
  *places[j & 3] = value;
  if (n <= 0)
    return sum;
  result part[16];
  for (int i = 0; i < n; ++i)
    part[i] = cilk_spawn stored(n - 1 - i, j, k, value + i);
  cilk_sync;
  sum.v[1] += x * 3;
  for (int i = 0; i < n; ++i) {
    sum.v[0] += part[i].v[1] * (i + 1);
    sum.v[1] += part[i].v[0];
  }
  return sum;
}

/* Into the result, which nothing else points to but this. */
static result inside(int n, int k) {
  result r;
  long *place = &r.v[k];
  r = (result){{n, 0, 5, 3, 7}};
  if (n <= 0)
    return r;
  result part[16];
  for (int i = 0; i < n; ++i)
    part[i] = cilk_spawn inside(n - 1 - i, k);
  cilk_sync;
  r.v[3] = n;
  r.v[0] += *place;
  r.v[3] = n + 1;
  r.v[1] += 3 * *place;
  for (int i = 0; i < n; ++i) {
    r.v[0] += part[i].v[0];
    r.v[1] += part[i].v[1] ^ part[i].v[k];
    r.v[3] += part[i].v[3] + part[i].v[2];
    r.v[2] += part[i].v[4];
  }
  return r;
}

/* Based on a parameter that is restrict. */
static result based(int *restrict p, int n, int k) {
  int *q = p + k;
  result r = {{k, n}};
  if (n <= 0)
    return r;
  result a = cilk_spawn based(p + 4, n - 1, k);
  p[2] = n;
  long t = q[0];
  p[2] = n + 1;
  t += 3 * q[0];
  cilk_sync;
  r.v[0] = a.v[0] * 3 + t;
  return r;
}

/* More values than registers, across the questions. */
static result many(int n, long *p, long a, long b, long c, long d, long e, long g, long h, long i, long j) {
  result r = {{a ^ b * 3 ^ c * 5 ^ d * 7 ^ e * 9 ^ g * 11, h * 13 ^ i * 15 ^ j * 17, n}};
  if (n <= 0)
    return r;
  result part[8];
  for (int k = 0; k < n; ++k) {
    long s = p[k], t = p[k + 1], u = p[k + 2], v = p[k + 3], w = p[k + 4];
    long x = p[k + 5], y = p[k + 6], z = p[k + 7], o = p[k + 8];
    part[k] = cilk_spawn many(n - 1 - k, p + 1, s, t, u, v, w, x, y, z, o);
    r.v[0] += s + 2 * t + 3 * u + 4 * v + 5 * w + 6 * x + 7 * y + 8 * z + 9 * o;
  }
  cilk_sync;
  for (int k = 0; k < n; ++k)
    for (int m = 0; m < 3; ++m)
      r.v[m] += part[k].v[m] * (k + 1);
  return r;
}

int main(int argc, char **argv) {
  static int room[1 << 12];
  long p[64];
  for (int i = 0; i < 64; ++i)
    p[i] = (long)i * 0x123456789abcdef;
  result a = stored(9, argc, argc, 5), b = inside(9, 2 + argc);
  room[2] = 100;
  result c = based(room, 9, 2 * argc), d = many(7, p, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  printf("%ld\n%ld %ld\n", loaded(9, argc, argc), a.v[0], a.v[1]);
  printf("%ld %ld %ld %ld\n", b.v[0], b.v[1], b.v[2], b.v[3]);
  printf("%ld\n%ld %ld %ld\n", c.v[0], d.v[0], d.v[1], d.v[2]);
  return 0;
}
