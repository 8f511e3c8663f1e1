//===- Talloc.h - Elements from a block -------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_TALLOC_H
#define CHAN_SRC_TALLOC_H

#include "chan/abi.h"

namespace chan {

/// Enqueues copies of the elements [begin, end) of `from`, `relative` levels
/// deeper than the worker's level, as if each had been tallocated.
void enqueueFrom(chan_worker &worker, const chan_block *from, uint32_t begin,
                 uint32_t end, uint32_t relative = 1);

} // namespace chan

#endif
