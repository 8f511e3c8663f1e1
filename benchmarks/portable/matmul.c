//===- matmul.c - Product of matrices by halves, portable ---------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See peer.h.
//
//===----------------------------------------------------------------------===//

#include "../peers/peer.h"

#define main elided_main
#include "../programs/matmul.c"
#undef main

PROCEDURE_4(multiply_task, double *, c, const double *, a, const double *, b,
            long, n) {
  if (n <= Leaf) {
    SERIAL(multiply_serially, c, a, b, n);
    LEAVE_VOID;
  }
  long h = n / 2, right = h, down = h * side;
  GROUP;
  FORK_VOID(multiply_task, c, a, b, h);
  FORK_VOID(multiply_task, c + right, a, b + right, h);
  FORK_VOID(multiply_task, c + down, a + down, b, h);
  CALL_VOID(multiply_task, c + down + right, a + down, b + right, h);
  WAIT;
  for (int i = 0; i < 3; ++i)
    JOIN_VOID(multiply_task);
  FORK_VOID(multiply_task, c, a + right, b + down, h);
  FORK_VOID(multiply_task, c + right, a + right, b + down + right, h);
  FORK_VOID(multiply_task, c + down, a + down + right, b + down, h);
  CALL_VOID(multiply_task, c + down + right, a + down + right, b + down + right,
            h);
  WAIT;
  for (int i = 0; i < 3; ++i)
    JOIN_VOID(multiply_task);
  RETURN_VOID;
}

int main(int argc, char **argv) {
  START;
  long n = argument(argc, argv, 1, 128);
  side = n + 8;
  double *a = make_matrix(n, 1), *b = make_matrix(n, 2), *c = make_matrix(n, 0);
  const double *left = a, *right = b;
  stopwatch watch = stopwatch_start();
  RUN_VOID(multiply_task, c, left, right, n);
  stopwatch_stop(watch);
  printf("matmul %ld: checksum %016llx\n", n,
         (unsigned long long)checksum(c, sizeof *c * n * side));
  STOP;
  return 0;
}
