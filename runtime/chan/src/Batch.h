//===- Batch.h - Many activations in place ----------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_BATCH_H
#define CHAN_SRC_BATCH_H

#include "SparseBatches.h"

#include "chan/abi.h"

#include <stddef.h>

namespace chan {

struct Context;
struct Worker;

struct Batch : chan_batch {
  Batch *outer;
  const chan_batch_form *form;
  /// Of the kernel call that began it.
  Context *context;
  chan_level *level;
  /// Elements [next, end) have not begun.
  uint32_t next, end;
  /// Whether some of its elements were given away.
  bool isShared;
  /// Whether its first phase runs, and not children in the midst of that: it
  /// tells afterwards how far it came.
  bool isBeginning;
  /// More than those of all around it.
  uint32_t number;
  /// For how many levels there have been few elements.
  uint32_t narrow;
  /// How many batches of that kernel call are around it.
  uint32_t depth;

  uint32_t unbegun() const { return end - next; }
};

/// The batches that a worker has begun and not finished, one inside another,
/// and the memory that they use by depth.
struct Batches {
  /// Deeper recursion goes through channels, whose memory does not grow with
  /// it.
  static constexpr uint32_t kMostDepth = 256;

  Batch *innermost = nullptr;
  uint32_t depth = 0;
  /// Those of lower numbers have nothing to give away, nor will they.
  uint32_t exhausted = 0;
  /// How many elements all of them have had.
  uint64_t elements = 0;
  SparseBatches sparse;
  struct Memory {
    void *begin;
    size_t bytes;
    /// Of these bytes all pages are there, see mapResults.
    size_t mappedFrom, mappedTo;
  };
  Memory memory[kMostDepth] = {};
};

/// The outermost batch with elements to give away; null if there is none.  The
/// innermost one keeps an element.
Batch *outermostUnbegun(Worker &worker);

/// Makes the last `count` elements of `batch` that have not begun what elements
/// of a level are: they have all fields, and the address of their result.
void completeUnbegun(Batch &batch, uint32_t count);

/// How the worker's processor runs elements of `channel` as a batch; null if it
/// does not.
const chan_batch_form *formFor(const Worker &worker,
                               const chan_channel *channel);

/// Whether elements of `channel` can be run as a batch now.
bool mayBatch(const Worker &worker, const chan_channel *channel);

/// Runs the elements [begin, end) of `block`, and all their descendants, as a
/// batch.  What others take of it goes through the level below the worker's
/// own, which is empty when this returns if it was before.
/// REQUIRES: mayBatch.
void runBatch(Worker &worker, chan_block *block, uint32_t begin, uint32_t end);

} // namespace chan

#endif
