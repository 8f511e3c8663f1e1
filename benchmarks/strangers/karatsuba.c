//===- karatsuba.c - Multiplies polynomials -----------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multiplies two polynomials by Karatsuba's method: three products of half the
// length, which are spawned, instead of four. Temporary arrays are on the
// stack; short polynomials are multiplied as in school. The argument is the
// number of coefficients, a power of two.
//
// grain: coarse
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"
#include <alloca.h>

typedef uint32_t coeff; // modulo 2^32

#define SHORT 64

static void multiply_short(const coeff *a, const coeff *b, coeff *product,
                           int n) {
  for (int i = 0; i < 2 * n; i++)
    product[i] = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      product[i + j] += a[i] * b[j];
}

/// `product` has 2n elements, of which the last is 0.
void multiply(const coeff *a, const coeff *b, coeff *product, int n) {
  if (n <= SHORT) {
    multiply_short(a, b, product, n);
    return;
  }
  int half = n / 2;
  coeff *sum_a = alloca(half * sizeof(coeff));
  coeff *sum_b = alloca(half * sizeof(coeff));
  coeff *middle = alloca(n * sizeof(coeff));
  for (int i = 0; i < half; i++) {
    sum_a[i] = a[i] + a[half + i];
    sum_b[i] = b[i] + b[half + i];
  }
  cilk_spawn multiply(a, b, product, half);
  cilk_spawn multiply(a + half, b + half, product + n, half);
  multiply(sum_a, sum_b, middle, half);
  cilk_sync;

  for (int i = 0; i < n; i++)
    middle[i] -= product[i] + product[n + i];
  for (int i = 0; i < n; i++)
    product[half + i] += middle[i];
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 262144, 256);
  CHECK((n & (n - 1)) == 0);
  coeff *a = malloc(n * sizeof(coeff)), *b = malloc(n * sizeof(coeff));
  coeff *product = malloc(2 * n * sizeof(coeff));
  CHECK(a && b && product);
  for (int i = 0; i < n; i++) {
    a[i] = (coeff)scramble(i);
    b[i] = (coeff)scramble(n + i);
  }

  stopwatch watch = stopwatch_start();
  multiply(a, b, product, n);
  stopwatch_stop(watch);

  report("karatsuba", product, 2 * n * sizeof(coeff));
  free(a);
  free(b);
  free(product);
  return 0;
}
