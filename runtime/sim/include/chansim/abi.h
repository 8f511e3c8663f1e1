/*===- chansim/abi.h - What programs and libchansim agree on ------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * Called by code that cilk2chan emits for a simulated machine: chansim_load by
 * a constructor, the rest by kernels, as system-level operations.
 */
#ifndef CHANSIM_ABI_H
#define CHANSIM_ABI_H

#include "chan/abi.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Adds a configuration (docs/Configuration.md), with the text of the machine
 * file that it is for and the addresses of its symbols.  Both are read when a
 * kernel is to run for the first time; what is wrong with them ends the program
 * then. */
void chansim_load(const char *configuration, const char *machine,
                  const void *const *symbols, uint64_t symbol_count);

/* Where to enqueue a child of `function`, which the program has the address of:
 * the control words of its channel one level below the tile that the kernel's
 * parameter `level` stands for, or `otherwise`. */
void *chansim_resolve(void *launch, void (*function)(void), uint64_t signature,
                      void *otherwise);

/* As chan_arena_alloc, chan_arena_free, chan_defer and chan_apply. */
void *chansim_arena_alloc(void **arena, size_t size, size_t alignment);
void chansim_arena_free(void **arena);
void *chansim_defer(chan_pending *pending,
                    void (*apply)(void *destination, void *result),
                    void *destination, size_t size, size_t alignment);
void chansim_apply(chan_pending *pending);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
