//===- stopwatch.h - Times a part of a program --------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What benchmarks compare: the time of a computation without its input and its
// checks, and the memory that was needed until then. They go to standard error,
// as standard output has to be equal each time. Also for C++.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_SUPPORT_STOPWATCH_H
#define TEST_SUPPORT_STOPWATCH_H

#include <stdio.h>
#include <time.h>

/// Seconds at some moment: of a clock, and of all the process's threads.
typedef struct {
  double wall, processors;
} stopwatch;

static inline double stopwatch_read(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline stopwatch stopwatch_start(void) {
  stopwatch watch = {stopwatch_read(CLOCK_MONOTONIC),
                     stopwatch_read(CLOCK_PROCESS_CPUTIME_ID)};
  return watch;
}

/// The most memory that the process has had so far; 0 if nobody knows.
/// (getrusage's figure includes what the process was before it was executed.)
static inline long stopwatch_peak_kib(void) {
  FILE *status = fopen("/proc/self/status", "r");
  char line[256];
  long peak = 0;
  while (status && !peak && fgets(line, sizeof line, status))
    sscanf(line, "VmHWM: %ld", &peak);
  if (status)
    fclose(status);
  return peak;
}

/// Prints the seconds since `start`.
static inline void stopwatch_stop(stopwatch start) {
  stopwatch now = stopwatch_start();
  fprintf(stderr,
          "seconds: %.9f by the clock, %.9f of processors\n"
          "peak: %ld KiB\n",
          now.wall - start.wall, now.processors - start.processors,
          stopwatch_peak_kib());
}

#endif
