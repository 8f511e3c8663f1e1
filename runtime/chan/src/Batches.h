//===- Batches.h - Batches that a worker has begun --------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_BATCHES_H
#define CHAN_SRC_BATCHES_H

#include "SparseBatches.h"
#include "Tuning.h"
#include "chan/abi.h"

#include <stddef.h>
#include <stdint.h>

namespace chan {

struct Context;

/// A batch that runs.
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
Batch *outermostUnbegun(Batches &batches);

/// Makes the last `count` un-started elements of `batch` complete elements of a
/// level: all fields are present, and the address of the result.
void completeUnbegun(Batch &batch, uint32_t count);

/// Makes elements of a batch complete elements of a level: each has all fields
/// and the address of its result.
void complete(chan_block *block, const chan_batch_form *form, uint32_t begin,
              uint32_t end, void *results);

/// Calls body(number) for the fields whose numbers are set in `fields`.
template <typename Body> void forEachField(uint64_t fields, Body body) {
  for (; fields; fields &= fields - 1)
    body(uint32_t(__builtin_ctzll(fields)));
}

/// Where a field of an element lies.
inline void *fieldOf(chan_block *block, uint32_t number, uint32_t index) {
  const chan_field &field = block->channel->fields[number];
  return chan_block_data(block) + size_t(field.offset) * block->capacity +
         size_t(field.size) * index;
}

} // namespace chan

#endif // CHAN_SRC_BATCHES_H
