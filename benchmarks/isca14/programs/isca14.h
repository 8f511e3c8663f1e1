//===- isca14.h - What the programs of this folder share ----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The workloads of Orr et al., "Fine-grain Task Aggregation and Coordination on
// GPUs", ISCA 2014 (section 7.1, Tables 3 and 4). A program takes its size from
// the command line, computes, and checks its answer by other means. Its last
// line is `ok`, or `WRONG` and what is wrong, with exit status 1:
//
//   $ cilk2chan -O2 fibonacci.c -o fibonacci && ./fibonacci 10
//   fibonacci 10: 55
//   ok
//
// A program needs no header of Cilk, so any C compiler compiles its serial
// elision:
//
//   $ cc -O2 -Dcilk_spawn= -Dcilk_sync= -Dcilk_for=for fibonacci.c
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_ISCA14_PROGRAMS_ISCA14_H
#define BENCHMARKS_ISCA14_PROGRAMS_ISCA14_H

#include "../../../test/Support/check.h"
#include <string.h>

/// Prints the line that says what is wrong, and ends the program with status 1.
#define WRONG(...)                                                             \
  do {                                                                         \
    printf("WRONG " __VA_ARGS__);                                              \
    printf("\n");                                                              \
    exit(1);                                                                   \
  } while (0)

/// Argument number `index` of the program, a whole number in [least, most], or
/// `usual` if the program has fewer arguments. Any other argument ends the
/// program with status 2.
static inline int size_argument(int argc, char **argv, int index, int usual,
                                int least, int most) {
  if (index >= argc)
    return usual;
  char *end;
  long size = strtol(argv[index], &end, 10);
  if (end == argv[index] || *end || size < least || size > most) {
    fprintf(stderr, "%s: argument %d is '%s', not a number from %d to %d\n",
            argv[0], index, argv[index], least, most);
    exit(2);
  }
  return (int)size;
}

/// Zeroed memory for `count` objects of `size` bytes, at a multiple of 256
/// bytes as buffers of a GPU are. If there is none, the program ends.
static inline void *allocate(size_t count, size_t size) {
  const size_t alignment = 256;
  size_t bytes = (count * size + alignment - 1) / alignment * alignment;
  void *memory = aligned_alloc(alignment, bytes);
  CHECK(memory);
  return memset(memory, 0, bytes);
}

/// The last line of a program that found its answer right. Returns the exit
/// status.
static inline int report_ok(void) {
  printf("ok\n");
  return 0;
}

#endif
