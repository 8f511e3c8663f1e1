//===- counted.h - Has Callgrind count what is timed --------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included before a program's own headers by counters.py.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_COUNTED_H
#define BENCHMARKS_COUNTED_H

#include "../test/Support/stopwatch.h"
#include <valgrind/callgrind.h>

static inline stopwatch counted_start(void) {
  CALLGRIND_TOGGLE_COLLECT;
  return stopwatch_start();
}

static inline void counted_stop(stopwatch start) {
  CALLGRIND_TOGGLE_COLLECT;
  stopwatch_stop(start);
}

#define stopwatch_start counted_start
#define stopwatch_stop counted_stop

#endif
