//===- fft.c - Fourier transform of any length --------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A length is divided by its smallest prime factor p: p interleaved parts are
// transformed by spawns, then combined by a recursion over ranges of the
// result; roots of unity come from a table that spawns fill. Complex numbers
// are passed by value and returned. Checked against the sum that defines the
// transform, and by transforming back.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// BENCH-ARGS: 200000
// LIBS: -lm
// VGIW-ARGS: 420

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>
#include <complex.h>
#include <math.h>
#include <string.h>

enum { Leaf = 16, MaxFactor = 31 };

typedef double complex number;

/* The transform's length, and exp(-2 pi i k / length) for k below it. */
static long length;
static number *roots;

static number root(long index) { return roots[index % length]; }

static void fill_roots(long first, long last) {
  if (last - first <= Leaf) {
    for (long k = first; k < last; ++k) {
      double angle = -2 * acos(-1.0) * (double)k / (double)length;
      roots[k] = cos(angle) + sin(angle) * I;
    }
    return;
  }
  long middle = first + (last - first) / 2;
  cilk_spawn fill_roots(first, middle);
  fill_roots(middle, last);
}

/* Term by term: the sum of in[i * stride] * w^(i * k). */
static number term_by_term(const number *in, long stride, long n, long k) {
  number sum = 0;
  for (long i = 0; i < n; ++i)
    sum += in[i * stride] * root(i * k % n * (length / n));
  return sum;
}

static long smallest_factor(long n) {
  for (long p = 2; p <= MaxFactor && p * p <= n; ++p)
    if (n % p == 0)
      return p;
  return n;
}

/* Entries first..last of each of the p parts become p entries of the result. */
static void combine(number *out, long n, long p, long first, long last) {
  if (last - first > Leaf) {
    long middle = first + (last - first) / 2;
    cilk_spawn combine(out, n, p, first, middle);
    cilk_spawn combine(out, n, p, middle, last);
    cilk_sync;
    return;
  }
  long m = n / p, step = length / n;
  for (long k = first; k < last; ++k) {
    number part[MaxFactor];
    for (long r = 0; r < p; ++r)
      part[r] = out[r * m + k] * root(r * k * step);
    for (long s = 0; s < p; ++s) {
      number sum = 0;
      for (long r = 0; r < p; ++r)
        sum += part[r] * root(r * s % p * (length / p));
      out[s * m + k] = sum;
    }
  }
}

static void transform(const number *in, number *out, long n, long stride) {
  long p = smallest_factor(n);
  if (n <= Leaf || p == n) {
    for (long k = 0; k < n; ++k)
      out[k] = term_by_term(in, stride, n, k);
    return;
  }
  long m = n / p;
  for (long r = 0; r < p; ++r)
    cilk_spawn transform(in + r * stride, out + r * m, m, stride * p);
  cilk_sync;
  combine(out, n, p, 0, m);
}

static void conjugate_all(number *data, long first, long last, double scale) {
  if (last - first > 4 * Leaf) {
    long middle = first + (last - first) / 2;
    cilk_spawn conjugate_all(data, first, middle, scale);
    conjugate_all(data, middle, last, scale);
    cilk_sync;
    return;
  }
  for (long i = first; i < last; ++i)
    data[i] = conj(data[i]) * scale;
}

/* Transforms, checks, transforms back; the checksum of the transform. */
static uint64_t there_and_back(long n, int is_timed) {
  length = n;
  roots = malloc(n * sizeof *roots);
  number *in = malloc(n * sizeof *in), *out = malloc(n * sizeof *out);
  CHECK(roots && in && out);
  stopwatch watch = stopwatch_start();
  fill_roots(0, n);
  for (long i = 0; i < n; ++i)
    in[i] = (double)(scramble(i) % 1000) / 1000 +
            (double)(scramble(i + n) % 1000) / 1000 * I;
  transform(in, out, n, 1);
  if (is_timed)
    stopwatch_stop(watch);
  for (long k = 0; k < n; k += 1 + n / 256)
    CHECK(cabs(out[k] - term_by_term(in, 1, n, k)) < 1e-9 * (double)n);
  uint64_t sum = checksum(out, n * sizeof *out);

  number *back = malloc(n * sizeof *back);
  CHECK(back);
  conjugate_all(out, 0, n, 1);
  transform(out, back, n, 1);
  conjugate_all(back, 0, n, 1 / (double)n);
  for (long i = 0; i < n; ++i)
    CHECK(cabs(back[i] - in[i]) < 1e-12 * (double)n);
  free(roots), free(in), free(out), free(back);
  return sum;
}

int main(int argc, char **argv) {
  static const long lengths[] = {1, 2, 13, 37, 64, 240, 961, 1001, 2048};
  uint64_t sum = 0;
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i)
    sum ^= there_and_back(lengths[i], 0);
  long n = argument(argc, argv, 1, 2 * 3 * 5 * 7 * 11 * 4);
  sum ^= there_and_back(n, 1);
  printf("fft %ld: checksum %016llx\n", n, (unsigned long long)sum);
  return 0;
}
