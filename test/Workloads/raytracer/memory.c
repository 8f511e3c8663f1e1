//===- memory.c - Allocation that is counted ----------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "memory.h"

#include "../../Support/check.h"
#include <stdatomic.h>
#include <string.h>

static atomic_long live;

void *allocate(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  CHECK(memory);
  atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
  return memory;
}

void *grow(void *array, size_t old_count, size_t count, size_t size) {
  void *larger = allocate(count, size);
  if (array)
    memcpy(larger, array, old_count * size);
  release(array);
  return larger;
}

char *copy_text(const char *text, size_t length) {
  char *copy = allocate(length + 1, 1);
  memcpy(copy, text, length);
  return copy;
}

void release(void *memory) {
  if (!memory)
    return;
  atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
  free(memory);
}

long live_allocations(void) { return atomic_load(&live); }
