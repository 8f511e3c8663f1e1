//===- rodinia.h - What the kernels' programs share ---------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program's inputs come from `uniform` alone, so equal sizes give equal
// checksums. Its kernels are functions of the names in Table 2 of MICRO'15,
// each a cilk_for whose iterations are the table's threads; the function
// `reference` computes the same serially, where possible in another way.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_RODINIA_H
#define BENCHMARKS_RODINIA_H

#include "../../test/Support/check.h"
#include <cilk/cilk.h>
#include <math.h>
#include <string.h>

/// The problem's size: the first argument, which is a number in [least, most]
/// or "quick", or else `usual`.
static inline int problem_size(int argc, char **argv, int usual, int quick,
                               int least, int most) {
  if (argc < 2)
    return usual;
  if (!strcmp(argv[1], "quick"))
    return quick;
  char *end;
  long size = strtol(argv[1], &end, 10);
  if (argc > 2 || *end || size < least || size > most) {
    fprintf(stderr, "usage: %s [SIZE | quick]; SIZE is %d to %d, default %d\n",
            argv[0], least, most, usual);
    exit(2);
  }
  return (int)size;
}

/// Number `index` of sequence `seed`, evenly distributed in [0, 1).
static inline float uniform(uint32_t seed, uint64_t index) {
  return (float)(scramble(index ^ ((uint64_t)seed << 40)) >> 40) * 0x1p-24f;
}

/// The same in 0 to bound - 1.
static inline int uniform_int(uint32_t seed, uint64_t index, int bound) {
  return (int)(scramble(index ^ ((uint64_t)seed << 40)) % (uint64_t)bound);
}

/// Zeroed memory for `count` objects of `size` bytes, or the end of the
/// program. It is aligned as cudaMalloc aligns it, so that neighbouring threads
/// have their words in as few lines as in Rodinia.
static inline void *allocate(size_t count, size_t size) {
  const size_t alignment = 256;
  size_t bytes = (count * size + alignment - 1) / alignment * alignment;
  void *memory = aligned_alloc(alignment, bytes);
  CHECK(memory);
  return memset(memory, 0, bytes);
}

/// An array of numbers between `low` and `high`.
static inline float *random_floats(uint32_t seed, size_t count, float low,
                                   float high) {
  float *values = allocate(count, sizeof(float));
  for (size_t i = 0; i < count; ++i)
    values[i] = low + (high - low) * uniform(seed, i);
  return values;
}

/// Inline, as the fabric's units have no exponential function: e^x to six
/// digits, for x in [-87, 88].
static inline float exponential(float x) {
  float whole = floorf(x * 1.44269504f + 0.5f);
  float rest = x - whole * 0.693359375f + whole * 2.12194440e-4f;
  float sum = 1.0f / 720;
  sum = sum * rest + 1.0f / 120;
  sum = sum * rest + 1.0f / 24;
  sum = sum * rest + 1.0f / 6;
  sum = sum * rest + 0.5f;
  sum = sum * rest + 1;
  sum = sum * rest + 1;
  uint32_t bits = (uint32_t)((int)whole + 127) << 23;
  float power;
  memcpy(&power, &bits, sizeof power);
  return sum * power;
}

/// Ends the program unless the two arrays agree: each pair within `tolerance`,
/// relative to the larger one or to 1.
static inline void check_floats(const char *what, const float *actual,
                                const float *expected, size_t count,
                                float tolerance) {
  for (size_t i = 0; i < count; ++i) {
    float scale = fmaxf(1, fmaxf(fabsf(actual[i]), fabsf(expected[i])));
    if (!(fabsf(actual[i] - expected[i]) <= tolerance * scale)) {
      fprintf(stderr, "%s[%zu] is %.9g, not %.9g\n", what, i, (double)actual[i],
              (double)expected[i]);
      exit(1);
    }
  }
}

static inline void check_ints(const char *what, const int *actual,
                              const int *expected, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (actual[i] != expected[i]) {
      fprintf(stderr, "%s[%zu] is %d, not %d\n", what, i, actual[i],
              expected[i]);
      exit(1);
    }
}

/// The last line of a program that found no difference.
static inline int report(const char *name, int size, uint64_t sum) {
  printf("%s %d: checksum %016llx, ok\n", name, size, (unsigned long long)sum);
  return 0;
}

#endif
