//===- check.h - How test programs check their answers ------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that finds a wrong answer says which and exits with status 1. The
// failure functions may be called from any thread and from inside a task, and
// so leave without running exit handlers.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_SUPPORT_CHECK_H
#define TEST_SUPPORT_CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/// Ends the program with status 1 when `condition` is false.
#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition))                                                          \
      check_failed(#condition, __FILE__, __LINE__);                            \
  } while (0)

/// Ends the program with status 1 when two integers differ, and prints both.
#define CHECK_EQUAL(actual, expected)                                          \
  do {                                                                         \
    long long check_actual = (long long)(actual);                              \
    long long check_expected = (long long)(expected);                          \
    if (check_actual != check_expected)                                        \
      check_unequal(#actual, check_actual, check_expected, __FILE__,           \
                    __LINE__);                                                 \
  } while (0)

static inline _Noreturn void check_failed(const char *what, const char *file,
                                          int line) {
  fprintf(stderr, "%s:%d: not true: %s\n", file, line, what);
  fflush(NULL);
  _Exit(1);
}

static inline _Noreturn void check_unequal(const char *what, long long actual,
                                           long long expected, const char *file,
                                           int line) {
  fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", file, line, what, actual,
          expected);
  fflush(NULL);
  _Exit(1);
}

/// The program's argument number `index` as a number, or `otherwise` when there
/// are fewer.
static inline long argument(int argc, char **argv, int index, long otherwise) {
  return index < argc ? strtol(argv[index], NULL, 10) : otherwise;
}

/// A well mixed function of `x`: the tests' source of irregular numbers.
static inline uint64_t scramble(uint64_t x) {
  x = (x + 0x632be59bd9b4e019u) * 0xd1342543de82ef95u;
  x ^= x >> 29;
  x *= 0xaf251af3b0f025b5u;
  return x ^ (x >> 32);
}

/// A number that tells blocks of memory apart. `size` is in bytes; padding
/// counts.
static inline uint64_t checksum(const void *data, size_t size) {
  const unsigned char *bytes = (const unsigned char *)data;
  uint64_t sum = size;
  for (size_t i = 0; i < size; ++i)
    sum = (sum ^ bytes[i]) * 0x9e3779b97f4a7c15u + (sum >> 47);
  return sum;
}

#endif
