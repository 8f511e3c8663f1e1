//===- ReductionVariables.h - Shared reduction variables --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Batches of a tree may all combine with one variable. If workers did so with
// each batch, they would take the cache line from each other each time. With
// two workers this cost one eighth of the time of a search that counts its
// nodes. So each worker combines into a value of its own first.
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_REDUCTIONVARIABLES_H
#define CHAN_SRC_REDUCTIONVARIABLES_H

#include "chan/abi.h"

#include <stddef.h>

namespace chan {

/// The identity of a chan_combination of integers of `size` bytes, in the low
/// bytes.
uint64_t identityOf(uint32_t combination, size_t size);

/// Combines `value` with the value at `place`, both of `size` bytes.
void combine(uint32_t combination, size_t size, void *place, const void *value);

/// Combines all of the worker's values with their variables in memory.
void flushReductions(chan_worker &worker);

} // namespace chan

#endif // CHAN_SRC_REDUCTIONVARIABLES_H
