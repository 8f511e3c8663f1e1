//===- fermi.h - What the kernels beside GPGPU-Sim share ----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each program runs kernels of which logs of GPGPU-Sim are published; validate.py
// says which. Its argument is the number of launches that run on the machine. A
// run of one launch less takes what the program does besides.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_FERMI_H
#define BENCHMARKS_FERMI_H

#include "../rodinia/rodinia.h"
#include <stdbool.h>

enum { Line = 128 };

/// A copy to the card, after which GPGPU-Sim 4.0 has the data in its L2
/// (-gpgpu_perf_sim_memcpy): each line is loaded once.
static inline void copied(const void *array, size_t bytes) {
  const char *begin = array;
  cilk_for (size_t line = 0; line < bytes / Line; ++line)
    (void)*(const volatile int *)(begin + Line * line);
}

/// Whether two values are equal but for the order of additions.
static inline void check_near(float actual, float expected) {
  CHECK(fabsf(actual - expected) <= 1e-5f * fabsf(expected) + 1e-5f);
}

#endif
