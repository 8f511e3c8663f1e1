//===- loops.h - What the programs of this folder share -----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program's first argument is a size or a number of repetitions; without one
// it takes a fifth of a second or so, and with "quick" next to no time. The
// checksum on standard output is the same for every schedule.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_LOOPS_H
#define BENCHMARKS_LOOPS_H

#include "../../test/Support/check.h"
#include "../../test/Support/stopwatch.h"
#include <cilk/cilk.h>
#include <string.h>

/// The first argument, which is a positive number or "quick", or else `usual`.
static inline long first_argument(int argc, char **argv, long usual,
                                  long quick) {
  if (argc < 2)
    return usual;
  if (!strcmp(argv[1], "quick"))
    return quick;
  char *end;
  long value = strtol(argv[1], &end, 10);
  if (argc > 2 || *end || value < 1) {
    fprintf(stderr, "usage: %s [NUMBER | quick]; the default is %ld\n", argv[0],
            usual);
    exit(2);
  }
  return value;
}

/// How often to do what is the faster by far the wider vectors are.
static inline unsigned repetitions(unsigned usual, unsigned with_wide_vectors) {
#if defined(__AVX512BW__)
  return with_wide_vectors;
#else
  (void)with_wide_vectors;
  return usual;
#endif
}

/// The last line of a program.
static inline int report(const char *name, const void *data, size_t bytes) {
  printf("%s: checksum %016llx\n", name,
         (unsigned long long)checksum(data, bytes));
  return 0;
}

#endif
