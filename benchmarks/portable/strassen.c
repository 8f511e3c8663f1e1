//===- strassen.c - Strassen's product, portable ------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See peer.h. A task makes the two factors as well, so that one task is enough
// for the recursion.
//
//===----------------------------------------------------------------------===//

#include "../peers/peer.h"

#define main elided_main
#include "../../test/Workloads/strassen.c"
#undef main

/* (a1 + sa * a2) * (b1 + sb * b2) */
typedef struct {
  matrix a1, a2, b1, b2;
  double sa, sb;
} factors;

typedef struct {
  matrix out, p, q, r, s;
  const double *signs;
} four;

PROCEDURE_2(add_task, int, n, const four *, sum) {
  SERIAL(add_four, n, sum->out, sum->p, sum->q, sum->r, sum->s, sum->signs);
  LEAVE_VOID;
}

FUNCTION_2(matrix, product_task, int, n, const factors *, of) {
  matrix a = SERIAL(combination, n, of->a1, of->sa, of->a2);
  matrix b = SERIAL(combination, n, of->b1, of->sb, of->b2), c = fresh(n);
  if (n <= leaf) {
    SERIAL(multiply_small, n, a, b, c);
    free(a.at);
    free(b.at);
    LEAVE(c);
  }
  int h = n / 2;
  matrix a11 = quadrant(a, h, 0, 0), a12 = quadrant(a, h, 0, 1);
  matrix a21 = quadrant(a, h, 1, 0), a22 = quadrant(a, h, 1, 1);
  matrix b11 = quadrant(b, h, 0, 0), b12 = quadrant(b, h, 0, 1);
  matrix b21 = quadrant(b, h, 1, 0), b22 = quadrant(b, h, 1, 1);
  const factors all[7] = {
      {a11, a22, b11, b22, 1, 1},  {a21, a22, b11, b11, 1, 0},
      {a11, a11, b12, b22, 0, -1}, {a22, a22, b21, b11, 0, -1},
      {a11, a12, b22, b22, 1, 0},  {a21, a11, b11, b12, -1, 1},
      {a12, a22, b21, b22, -1, 1}};
  matrix m[7];
  GROUP;
  for (int i = 0; i < 7; ++i)
    FORK(m[i], product_task, h, &all[i]);
  WAIT;
  for (int i = 7; i-- > 0;)
    JOIN(m[i], product_task);

  static const double upper_left[] = {1, 1, -1, 1}, sum[] = {1, 1, 0, 0},
                      lower_right[] = {1, -1, 1, 1};
  const four sums[4] = {
      {quadrant(c, h, 0, 0), m[0], m[3], m[4], m[6], upper_left},
      {quadrant(c, h, 0, 1), m[2], m[4], m[0], m[0], sum},
      {quadrant(c, h, 1, 0), m[1], m[3], m[0], m[0], sum},
      {quadrant(c, h, 1, 1), m[0], m[1], m[2], m[5], lower_right}};
  for (int i = 0; i < 4; ++i)
    FORK_VOID(add_task, h, &sums[i]);
  WAIT;
  for (int i = 0; i < 4; ++i)
    JOIN_VOID(add_task);
  for (int i = 0; i < 7; ++i)
    free(m[i].at);
  free(a.at);
  free(b.at);
  RETURN(c);
}

int main(int argc, char **argv) {
  START;
  int n = (int)argument(argc, argv, 1, 64);
  leaf = (int)argument(argc, argv, 2, 8);
  matrix a = fresh(n), b = fresh(n), c;
  fill(a, b, n);
  const factors given = {a, a, b, b, 0, 0}, *both = &given;
  stopwatch watch = stopwatch_start();
  RUN(c, product_task, n, both);
  stopwatch_stop(watch);
  report(n, a, b, c);
  STOP;
  return 0;
}
