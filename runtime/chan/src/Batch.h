//===- Batch.h - Many activations in place ----------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_BATCH_H
#define CHAN_SRC_BATCH_H

#include "SparseBatches.h"
#include "Tuning.h"
#include "chan/abi.h"

#include <stddef.h>

namespace chan {

struct Context;
struct Worker;

struct Batch : chan_batch {
  Batch *outer;
  const chan_batch_form *form;
  /// The context and level of the kernel call that began the batch.
  Context *context;
  chan_level *level;
  /// Elements [next, end) have not begun.
  uint32_t next, end;
  /// Whether some of its elements went into a task block.
  bool isShared;
  /// Whether its first phase runs, and not children in the middle of that
  /// phase. How far the phase has come is known only when it returns.
  bool isBeginning;
  /// Larger than the numbers of all batches around it.
  uint32_t number;
  /// For how many levels in turn there have been few elements.
  uint32_t narrow;
  /// How many batches of the same kernel call are around it.
  uint32_t depth;

  uint32_t unbegun() const { return end - next; }
};

/// The batches that a worker has begun and not finished, one inside another,
/// and their memory, by depth.
struct Batches {
  Batch *innermost = nullptr;
  uint32_t depth = 0;
  /// Batches with lower numbers have no elements left to offer, and get none.
  uint32_t exhausted = 0;
  /// How many elements all batches of this worker have had.
  uint64_t elements = 0;
  SparseBatches sparse;
  struct Memory {
    void *begin;
    size_t bytes;
    /// All pages of these bytes are mapped, see mapResults.
    size_t mappedFrom, mappedTo;
  };
  Memory memory[kMostBatchDepth] = {};
};

/// The outermost batch with elements to offer; null if there is none. The
/// innermost batch keeps one element.
Batch *outermostUnbegun(Worker &worker);

/// Makes the last `count` un-started elements of `batch` complete elements of a
/// level: all fields are present, and the address of the result.
void completeUnbegun(Batch &batch, uint32_t count);

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
