// math.c - Math functions in lanes: for each lane its own, or for vectors.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// However many lanes there are, results are those of the elision, bit for bit.
// RUN: for flags in "-O2 -fno-math-errno" "-O2 -fno-math-errno -march=native" "-O1 -fno-math-errno -march=x86-64-v2" "-O2"; do \
// RUN:   cilk2chan -fcilk-serialize $flags %s -o %t.serial -lm && %t.serial > %t.want || exit 1; \
// RUN:   for form in "" -fno-chan-batch -fchan-lanes=2 "-fchan-lanes=64 -fno-chan-serial-clones"; do \
// RUN:     cilk2chan $flags $form %s -o %t -lm || exit 1; \
// RUN:     for workers in 1 2; do CHAN_WORKERS=$workers %t | diff %t.want - || exit 1; done; \
// RUN:   done; \
// RUN: done

// A library's functions for vectors may round otherwise: they are there only if
// they are asked for, even with -ffast-math.
// RUN: for flags in -fno-math-errno -ffast-math; do \
// RUN:   cilk2chan -O2 $flags -fchan-lanes=8 -c %s -o %t.o && llvm-nm -u %t.o | FileCheck --check-prefix=SCALAR %s && \
// RUN:   cilk2chan -O2 $flags -fveclib=libmvec -fchan-lanes=8 -c %s -o %t.o && llvm-nm -u %t.o | FileCheck --check-prefix=VECTOR %s || exit 1; \
// RUN: done
// SCALAR-NOT: _ZGV
// VECTOR-DAG: _ZGVbN2v_sin
// VECTOR-DAG: _ZGVbN2vv_pow
// VECTOR-DAG: _ZGVbN4v_expf
// VECTOR-DAG: _ZGVdN4v_sin
// VECTOR-DAG: _ZGVdN4vv_pow
// VECTOR-DAG: _ZGVdN8v_expf

// They differ in the last bits.
// RUN: cilk2chan -fcilk-serialize -O2 %s -o %t.serial -lm
// RUN: %t.serial roughly > %t.want
// RUN: for flags in "" -march=native -march=x86-64-v2 -fchan-lanes=2 -fchan-lanes=4 -fchan-lanes=64; do \
// RUN:   cilk2chan -O2 -fno-math-errno -fveclib=libmvec $flags %s -o %t -lm && %t roughly | diff %t.want - || exit 1; \
// RUN: done

// With them, there are batches.
// RUN: cilk2chan -O2 -march=x86-64-v3 -fno-math-errno -fveclib=libmvec -Rpass=chan-simd -Rpass-missed=chan -c %s -o %t.o 2>&1 | FileCheck --check-prefix=BATCH %s
// BATCH-DAG: 'area.batch.0' treats 4 elements at a time
// BATCH-DAG: 'grow.batch.0' treats {{[48]}} elements at a time
// RUN: cilk2chan -O2 -march=x86-64-v3 -Rpass-missed=chan-simd -c %s -o %t.o 2>&1 | FileCheck --check-prefix=ERRNO %s
// ERRNO: 'area.batch.0' is not used for batches: it calls 'exp', which may set errno; -fno-math-errno says that it need not [

// A function that lanes call one after the other, each for an element of its
// own, chooses otherwise each time: with little else to do, lanes lose.
// RUN: cilk2chan -O2 -march=x86-64-v4 -fno-math-errno -Rpass-missed=chan-simd -c %s -o %t.o 2>&1 | FileCheck --check-prefix=CALLS %s

#include <math.h>
#include <stdio.h>

static double waves(int n, double a, double b) {
  double m = (a + b) * 0.5;
  // CALLS: 'waves.batch.0' is not used for batches: {{.*}}; they lose most by what they do one after the other, as in line [[# @LINE + 1]] [
  double wave = sin(m * m);
  wave += (a * b + m) / (1 + wave * wave) + sqrt(a * a + b * b) / (2 + b);
  if (n == 0)
    return wave * (b - a);
  double x = cilk_spawn waves(n - 1, a, m);
  double y = waves(n - 1, m, b);
  cilk_sync;
  return x + y + wave / 8;
}

static double area(int n, double a, double b) {
  if (n == 0)
    return (b - a) * sin(exp(-a) + pow(b, 1.7)) + cbrt(a) * log(1 + b);
  double m = a + (b - a) * 0.5;
  double x = cilk_spawn area(n - 1, a, m);
  double y = cilk_spawn area(n - 1, m, b);
  cilk_sync;
  return x + y;
}

// Where lanes go different ways, some have no number to take the root of, and
// all have one in common.
static float grow(int n, float x, double y) {
  if (n < 2)
    return expf(-x) + (float)atan2(y, x);
  float third = x / 3;
  if (x > 0.5f)
    third += powf(x, 2.5f) * (float)tanh(y);
  float a = cilk_spawn grow(n - 1, third, y * 0.7);
  float b = cilk_spawn grow(n - 2, 1 - third, y + fabs(sin(n)) + log10(1 + y));
  cilk_sync;
  return a * 0.5f + b;
}

// No parent computes what its children may not need.
// BATCH-DAG: math.c:[[# @LINE + 4]]:14: remark: base cases of 'decay' create tasks: the parent cannot evaluate them by a little arithmetic on the arguments
static double decay(int n, double x) {
  if (n == 0)
    return exp(-x);
  double a = cilk_spawn decay(n - 1, x * 0.3);
  double b = cilk_spawn decay(n - 1, x * 0.7 + 0.1);
  cilk_sync;
  return a - b * 0.5;
}

int main(int argc, char **argv) {
  const char *format = argc > 1 ? "%.5g %.4g %.5g %.5g\n" : "%a %a %a %a\n";
  // Few and many: in clones and in batches, one after the other.
  for (int n = 1; n < 15; n++)
    printf(format, area(n, 0.1, 3 + n), grow(n, 0.9f, 0.3), decay(n, 2),
           waves(n, 0, n));
}
