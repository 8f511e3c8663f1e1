//===- simpson.c - Adaptive integration ---------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integrates functions by Simpson's rule, and halves an interval until both
// halves together give the same as the whole within a tolerance. Functions are
// called through a pointer. The argument is where the intervals end.
//
// grain: fine
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"
#include <math.h>

typedef double (*function)(double);

static double simpson(double a, double b, double fa, double fm, double fb) {
  return (b - a) / 6 * (fa + 4 * fm + fb);
}

static double integrate_between(function f, double a, double b, double fa,
                                double fm, double fb, double whole,
                                double tolerance, int depth) {
  double m = (a + b) / 2;
  double fl = f((a + m) / 2), fr = f((m + b) / 2);
  double left = simpson(a, m, fa, fl, fm);
  double right = simpson(m, b, fm, fr, fb);
  double error = left + right - whole;
  if (depth == 0 || fabs(error) <= 15 * tolerance)
    return left + right + error / 15;

  double x = cilk_spawn integrate_between(f, a, m, fa, fl, fm, left,
                                          tolerance / 2, depth - 1);
  double y =
      integrate_between(f, m, b, fm, fr, fb, right, tolerance / 2, depth - 1);
  cilk_sync;
  return x + y;
}

static double integrate(function f, double a, double b, double tolerance) {
  double fa = f(a), fm = f((a + b) / 2), fb = f(b);
  return integrate_between(f, a, b, fa, fm, fb, simpson(a, b, fa, fm, fb),
                           tolerance, 40);
}

static double needle(double x) { return 1 / (1e-4 + (x - 0.3) * (x - 0.3)); }
static double root(double x) { return sqrt(fabs(x * x - 2)); }
static double wave(double x) { return sin(x * x); }
static double cubic(double x) { return x * x * x / (1 + x * x) - x / 3; }

int main(int argc, char **argv) {
  double end = (double)first_argument(argc, argv, 300, 3);
  const function functions[] = {needle, root, cubic, wave};
  double results[4];

  stopwatch watch = stopwatch_start();
  for (int i = 0; i < 4; i++)
    results[i] = integrate(functions[i], -1, end, 1e-10);
  stopwatch_stop(watch);

  for (int i = 0; i < 4; i++)
    printf("%.5f%c", results[i], i < 3 ? ' ' : '\n');
  return 0;
}
