//===- lu.c - LU decomposition, portable --------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See peer.h.
//
//===----------------------------------------------------------------------===//

#define WIDE_TASKS
#include "../peers/peer.h"

#define main elided_main
#include "../../test/Workloads/lu.c"
#undef main

PROCEDURE_3(update_task, view, c, view, a, view, b) {
  if (c.rows <= Leaf && c.columns <= Leaf) {
    SERIAL(update_serially, c, a, b);
    LEAVE_VOID;
  }
  GROUP;
  if (c.rows > Leaf) {
    int half = c.rows / 2, rest = c.rows - half;
    FORK_VOID(update_task, part(c, 0, 0, half, c.columns),
              part(a, 0, 0, half, a.columns), b);
    CALL_VOID(update_task, part(c, half, 0, rest, c.columns),
              part(a, half, 0, rest, a.columns), b);
  } else {
    int half = c.columns / 2, rest = c.columns - half;
    FORK_VOID(update_task, part(c, 0, 0, c.rows, half), a,
              part(b, 0, 0, b.rows, half));
    CALL_VOID(update_task, part(c, 0, half, c.rows, rest), a,
              part(b, 0, half, b.rows, rest));
  }
  WAIT;
  JOIN_VOID(update_task);
  RETURN_VOID;
}

PROCEDURE_2(solve_lower_task, view, b, view, lower) {
  int n = lower.rows;
  if (b.columns > Leaf) {
    int half = b.columns / 2;
    GROUP;
    FORK_VOID(solve_lower_task, part(b, 0, 0, n, half), lower);
    CALL_VOID(solve_lower_task, part(b, 0, half, n, b.columns - half), lower);
    WAIT;
    JOIN_VOID(solve_lower_task);
    RETURN_VOID;
  } else if (n > Leaf) {
    int half = n / 2, rest = n - half;
    view top = part(b, 0, 0, half, b.columns);
    view bottom = part(b, half, 0, rest, b.columns);
    CALL_VOID(solve_lower_task, top, part(lower, 0, 0, half, half));
    CALL_VOID(update_task, bottom, part(lower, half, 0, rest, half), top);
    CALL_VOID(solve_lower_task, bottom, part(lower, half, half, rest, rest));
  } else {
    SERIAL(solve_lower_serially, b, lower);
  }
  LEAVE_VOID;
}

PROCEDURE_2(solve_upper_task, view, b, view, upper) {
  int n = upper.rows;
  if (b.rows > Leaf) {
    int half = b.rows / 2;
    GROUP;
    FORK_VOID(solve_upper_task, part(b, 0, 0, half, n), upper);
    CALL_VOID(solve_upper_task, part(b, half, 0, b.rows - half, n), upper);
    WAIT;
    JOIN_VOID(solve_upper_task);
    RETURN_VOID;
  } else if (n > Leaf) {
    int half = n / 2, rest = n - half;
    view left = part(b, 0, 0, b.rows, half);
    view right = part(b, 0, half, b.rows, rest);
    CALL_VOID(solve_upper_task, left, part(upper, 0, 0, half, half));
    CALL_VOID(update_task, right, left, part(upper, 0, half, half, rest));
    CALL_VOID(solve_upper_task, right, part(upper, half, half, rest, rest));
  } else {
    SERIAL(solve_upper_serially, b, upper);
  }
  LEAVE_VOID;
}

PROCEDURE_1(factor_task, view, m) {
  int n = m.rows;
  if (n <= Leaf) {
    SERIAL(factor_serially, m);
    LEAVE_VOID;
  }
  int half = n / 2, rest = n - half;
  view first = part(m, 0, 0, half, half), right = part(m, 0, half, half, rest);
  view below = part(m, half, 0, rest, half);
  view last = part(m, half, half, rest, rest);
  CALL_VOID(factor_task, first);
  GROUP;
  FORK_VOID(solve_lower_task, right, first);
  CALL_VOID(solve_upper_task, below, first);
  WAIT;
  JOIN_VOID(solve_lower_task);
  CALL_VOID(update_task, last, below, right);
  CALL_VOID(factor_task, last);
  RETURN_VOID;
}

int main(int argc, char **argv) {
  START;
  int n = (int)argument(argc, argv, 1, 150);
  double *given = make_numbers(n), *factors = make_numbers(n);
  view m = {factors, n, n, n};
  stopwatch watch = stopwatch_start();
  RUN_VOID(factor_task, m);
  stopwatch_stop(watch);
  report(n, given, m);
  STOP;
  return 0;
}
