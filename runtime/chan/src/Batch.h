//===- Batch.h - Many activations in place ----------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_BATCH_H
#define CHAN_SRC_BATCH_H

#include "chan/abi.h"

#include <stdint.h>

namespace chan {

struct Worker;

/// The form by which the worker's processor runs elements of `channel` as a
/// batch. Null if there is none.
const chan_batch_form *formFor(const Worker &worker,
                               const chan_channel *channel);

/// Whether elements of `channel` can be run as a batch now.
bool mayBatch(const Worker &worker, const chan_channel *channel);

/// Runs the elements [begin, end) of `block`, and all their descendants, as a
/// batch. What thieves take goes through the level below the worker's own. If
/// that level was empty before, it is empty when this returns. REQUIRES:
/// mayBatch.
void runBatch(Worker &worker, chan_block *block, uint32_t begin, uint32_t end);

} // namespace chan

#endif
