//===- ReductionVariables.h - Shared reduction variables --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Batches of a tree may all count in one place.  Workers that did so with each
// batch would take the cache line from each other each time: with two, one
// eighth of the time of a search that counts its nodes.
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_REDUCTIONVARIABLES_H
#define CHAN_SRC_REDUCTIONVARIABLES_H

#include "chan/abi.h"

#include <stddef.h>

namespace chan {

/// What makes no difference to a chan_combination of integers of `size` bytes,
/// in the low bytes.
uint64_t identityOf(uint32_t combination, size_t size);

/// Combines `value` with what is in `place`, both of `size` bytes.
void combine(uint32_t combination, size_t size, void *place, const void *value);

/// Has all totals of the worker where they belong.
void flushReductions(chan_worker &worker);

} // namespace chan

#endif // CHAN_SRC_REDUCTIONVARIABLES_H
