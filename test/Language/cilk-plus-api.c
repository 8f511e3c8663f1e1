//===- cilk-plus-api.c - What Cilk Plus programs ask the runtime --*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The number of workers may be set until they are there; each has a number.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// ELISION: no

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>

static int fib(int n) {
  int self = __cilkrts_get_worker_number();
  CHECK(self >= 0 && self < 3);
  CHECK(__cilkrts_get_total_workers() > self);
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) {
  CHECK(__cilkrts_get_nworkers() >= 1);
  CHECK(__cilkrts_get_total_workers() >= __cilkrts_get_nworkers());
  CHECK_EQUAL(__cilkrts_get_force_reduce(), 0);
  CHECK_EQUAL(__cilkrts_get_worker_number(), 0);
  __cilkrts_end_cilk();
  CHECK_EQUAL(__cilkrts_set_param("nworkers", "3"),
              __CILKRTS_SET_PARAM_SUCCESS);
  CHECK_EQUAL(__cilkrts_set_param("nworkers", "none"),
              __CILKRTS_SET_PARAM_XRANGE);
  CHECK_EQUAL(__cilkrts_set_param("nworkers", "0"), __CILKRTS_SET_PARAM_XRANGE);
  CHECK_EQUAL(__cilkrts_set_param("colour", "3"), __CILKRTS_SET_PARAM_UNIMP);
  CHECK_EQUAL(__cilkrts_set_param(0, 0), __CILKRTS_SET_PARAM_INVALID);
  CHECK_EQUAL(__cilkrts_get_nworkers(), 3);
  __cilkrts_init();
  printf("%d\n", fib(20));
  CHECK_EQUAL(__cilkrts_get_nworkers(), 3);
  CHECK(__cilkrts_running_on_workers() == 0 ||
        __cilkrts_running_on_workers() == 1);
  int late = __cilkrts_set_param("nworkers", "2");
  // The serial elision has no workers.
  CHECK(late == __CILKRTS_SET_PARAM_LATE || late == 0);
  return 0;
}
