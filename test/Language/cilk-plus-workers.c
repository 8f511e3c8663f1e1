//===- cilk-plus-workers.c - A spawning main sets its workers -----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs for Cilk Plus set the number in a main that spawns itself, which the
// runtime has been entered for by then.  It counts until a thread has started.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// ELISION: no

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>

static volatile int helped;

static int fib(int n) {
  int self = __cilkrts_get_worker_number();
  CHECK(self >= 0 && self < 3);
  if (self)
    __atomic_store_n(&helped, 1, __ATOMIC_RELAXED);
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

static void set(const char *workers, int expected) {
  CHECK_EQUAL(__cilkrts_set_param("nworkers", workers), expected);
}

int main(void) {
  // Alone nobody helps, whatever CHAN_WORKERS says.
  set("1", __CILKRTS_SET_PARAM_SUCCESS);
  CHECK_EQUAL(__cilkrts_get_nworkers(), 1);
  int alone = cilk_spawn fib(20);
  cilk_sync;
  CHECK(!helped);

  set("1025", __CILKRTS_SET_PARAM_XRANGE);
  set("3", __CILKRTS_SET_PARAM_SUCCESS);
  CHECK_EQUAL(__cilkrts_get_nworkers(), 3);
  // In the serial elision nobody ever does.
  for (int i = 0; i < 2000 && !__atomic_load_n(&helped, __ATOMIC_RELAXED);
       i++) {
    int x = cilk_spawn fib(16), y = cilk_spawn fib(16);
    cilk_sync;
    CHECK_EQUAL(x, y);
  }
  int result = __cilkrts_set_param("nworkers", "2");
  CHECK(result == __CILKRTS_SET_PARAM_LATE ||
        (result == __CILKRTS_SET_PARAM_SUCCESS && !helped));
  CHECK_EQUAL(__cilkrts_get_nworkers(),
              result == __CILKRTS_SET_PARAM_LATE ? 3 : 2);
  printf("%d\n", alone);
  return 0;
}
