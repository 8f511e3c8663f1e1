//===- memory.h - Allocation that is counted ----------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef RAYTRACER_MEMORY_H
#define RAYTRACER_MEMORY_H

#include <stddef.h>

/// Zeroed memory; ends the program when there is none. From any thread.
void *allocate(size_t count, size_t size);

/// The array with room for `count` elements, zeroed from `old_count` on.
void *grow(void *array, size_t old_count, size_t count, size_t size);

/// A copy of the first `length` characters as a string.
char *copy_text(const char *text, size_t length);

void release(void *memory);

/// How many allocations have not been released.
long live_allocations(void);

#endif
