//===- fft.c - Fourier transform by halves ------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Even and odd numbers are transformed beside each other, out of place, then
// combined, which splits too. Small ones are serial. The length is a power of
// two. Checked by the parts that a sum of two waves is made of.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// LIBS: -lm

#include "../../test/Support/check.h"
#include "../../test/Support/stopwatch.h"
#include <cilk/cilk.h>

#include <math.h>

enum { Leaf = 1024 };

typedef struct {
  double real, imaginary;
} number;

/* exp(-2 pi i k / length) for k below length / 2. */
static long length;
static number *roots;

static void combine_serially(number *out, long half, long first, long last) {
  long step = length / (2 * half);
  for (long k = first; k < last; ++k) {
    number w = roots[k * step], even = out[k], odd = out[half + k];
    number turned = {odd.real * w.real - odd.imaginary * w.imaginary,
                     odd.real * w.imaginary + odd.imaginary * w.real};
    out[k].real = even.real + turned.real;
    out[k].imaginary = even.imaginary + turned.imaginary;
    out[half + k].real = even.real - turned.real;
    out[half + k].imaginary = even.imaginary - turned.imaginary;
  }
}

static void transform_serially(const number *in, number *out, long n,
                               long stride) {
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  long half = n / 2;
  transform_serially(in, out, half, 2 * stride);
  transform_serially(in + stride, out + half, half, 2 * stride);
  combine_serially(out, half, 0, half);
}

static void combine(number *out, long half, long first, long last) {
  if (last - first <= Leaf) {
    combine_serially(out, half, first, last);
    return;
  }
  long middle = first + (last - first) / 2;
  cilk_spawn combine(out, half, first, middle);
  combine(out, half, middle, last);
  cilk_sync;
}

static void transform(const number *in, number *out, long n, long stride) {
  if (n <= Leaf) {
    transform_serially(in, out, n, stride);
    return;
  }
  long half = n / 2;
  cilk_spawn transform(in, out, half, 2 * stride);
  transform(in + stride, out + half, half, 2 * stride);
  cilk_sync;
  combine(out, half, 0, half);
}

/* Two waves of `length` numbers, of 3 and of 5 periods. */
static number *make_waves(void) {
  const double turn = 2 * acos(-1.0) / (double)length;
  number *in = (number *)malloc(length * sizeof *in);
  roots = (number *)malloc(length / 2 * sizeof *roots);
  CHECK(in && roots);
  for (long k = 0; k < length / 2; ++k) {
    roots[k].real = cos(turn * (double)k);
    roots[k].imaginary = -sin(turn * (double)k);
  }
  for (long i = 0; i < length; ++i) {
    in[i].real = cos(turn * (double)(3 * i % length));
    in[i].imaginary = cos(turn * (double)(5 * i % length));
  }
  return in;
}

static void report(const number *out) {
  double half = (double)length / 2, most = 0;
  for (long k = 0; k < length; ++k) {
    double real = k == 3 || k == length - 3 ? half : 0;
    double imaginary = k == 5 || k == length - 5 ? half : 0;
    most = fmax(most, fmax(fabs(out[k].real - real),
                           fabs(out[k].imaginary - imaginary)));
  }
  CHECK(most < 1e-12 * half);
  printf("fft of %ld: the waves found\n", length);
}

int main(int argc, char **argv) {
  length = 1l << argument(argc, argv, 1, 12);
  number *in = make_waves();
  number *out = (number *)malloc(length * sizeof *out);
  stopwatch watch = stopwatch_start();
  transform(in, out, length, 1);
  stopwatch_stop(watch);
  report(out);
  free(in);
  free(out);
  free(roots);
  return 0;
}
