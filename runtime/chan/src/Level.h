//===- Level.h - Levels and blocks as the runtime sees them -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_LEVEL_H
#define CHAN_SRC_LEVEL_H

#include "SmallTaskPredictor.h"
#include "Support.h"
#include "chan/abi.h"

#include <atomic>

/// The empty list of I5.  Constant: a store into it faults.
extern "C" const chan_block chan_no_block;

namespace chan {

struct TaskBlock;

inline chan_block *noBlock() {
  return const_cast<chan_block *>(&chan_no_block);
}

// A block's `reserved` word. Low half: elements [0, started) have been given to
// the kernel. High half: the size of the block in its worker's memory. It is 0
// if the block lies elsewhere: on the C stack of chan_run's caller, or in
// another worker's memory. Sizes are multiples of 16; the lowest bit says that
// the kernel runs on the block.

inline uint32_t started(const chan_block *block) {
  return static_cast<uint32_t>(block->reserved);
}
inline void setStarted(chan_block *block, uint32_t value) {
  block->reserved = (block->reserved >> 32 << 32) | value;
}
inline uint32_t blockBytes(const chan_block *block) {
  return static_cast<uint32_t>(block->reserved >> 32) & ~1u;
}
inline bool isRunning(const chan_block *block) {
  return block->reserved >> 32 & 1;
}
inline void setRunning(chan_block *block, bool value) {
  block->reserved = (block->reserved & ~(uint64_t(1) << 32)) | uint64_t(value)
                                                                   << 32;
}
inline void setBlockBytes(chan_block *block, uint32_t bytes) {
  block->reserved = uint64_t(bytes) << 32 | started(block);
}
/// Number of elements that have not started.
inline uint32_t waiting(const chan_block *block) {
  return block->count - started(block);
}

/// What all workers remember of a channel, in its chan_channel_state.
struct Memories {
  enum Pace : uint32_t { unknown, belowGrain, aboveGrain };
  /// All accesses are relaxed: a hint that is rarely written.
  std::atomic<uint32_t> pace;
  SmallTaskPredictor smallTasks;
};
static_assert(sizeof(Memories) <= CHAN_CHANNEL_STATE_SIZE);

inline Memories &memoriesOf(const chan_channel *channel) {
  return *reinterpret_cast<Memories *>(channel->state);
}
inline bool isBelowGrain(const chan_channel *channel) {
  return memoriesOf(channel).pace.load(std::memory_order_relaxed) ==
         Memories::belowGrain;
}
inline void setPace(const chan_channel *channel, Memories::Pace pace) {
  std::atomic<uint32_t> &known = memoriesOf(channel).pace;
  if (known.load(std::memory_order_relaxed) != pace)
    known.store(pace, std::memory_order_relaxed);
}

/// A level, with the runtime's fields after those that compiled code sees. 64
/// bytes: with a block of one entry, a block of one continuation and a frame it
/// stays below 256.
///
/// Lists: every block of a list but the first has elements that have not
/// started, or a kernel runs on it. If the first block has none, it has no
/// successor unless a kernel runs on it. So `waiting(first) != 0` tells whether
/// a list has work.
struct Level : chan_level {
  /// Task blocks of this level's entries that have not been joined.
  TaskBlock *taskBlocks;
  /// Number of levels between this one and the first of its context, for
  /// messages.
  uint32_t depth;
  /// The tree during which `slice[CHAN_ENTRY]` was last measured.
  uint32_t measuredIn;
  /// Elements per kernel call, by kind, and per call of clones, whose times
  /// include their children's. 0: never measured.
  uint16_t slice[2], cloneSlice;
  /// Initial capacity when a list is empty, by kind.
  uint32_t expected[2];

  Level *next() const { return static_cast<Level *>(deeper); }
  Level *previous() const { return static_cast<Level *>(shallower); }
  chan_block *&list(uint32_t kind) {
    return kind == CHAN_ENTRY ? entries : continuations;
  }
  /// Elements per call while it is not known whether kernels or clones will run
  /// them. If clones have run, theirs: they take longer.
  uint32_t sliceOf(uint32_t kind) const {
    return kind == CHAN_ENTRY && cloneSlice ? cloneSlice : slice[kind];
  }
  bool hasWork() const {
    return waiting(entries) != 0 || waiting(continuations) != 0;
  }
};
static_assert(sizeof(Level) <= 64, "a level with one element must stay small");

/// Whether entries of `level` have not started.
inline bool hasUnstarted(const Level *level) {
  for (chan_block *block = level->entries; block != noBlock();
       block = block->next) {
    CHAN_ASSERT(block == level->entries || waiting(block) || isRunning(block),
                "a block behind the first has some, or runs");
    if (waiting(block))
      return true;
  }
  return false;
}

/// Entries of `level` that have not started.
inline uint32_t unstarted(const Level *level) {
  uint32_t sum = 0;
  for (chan_block *block = level->entries; block != noBlock();
       block = block->next)
    sum += waiting(block);
  return sum;
}

// What assertions of the invariants check.

/// I5 holds at `level`.
inline bool hasLists(const Level *level) {
  return level->entries && level->continuations;
}

/// Nothing of `level` and of deeper levels waits or is on offer. Levels become
/// empty from the deepest up, so three levels suffice to find a mistake.
inline bool isEmptyFrom(const Level *level) {
  for (int i = 0; i != 3 && level; ++i, level = level->next()) {
    CHAN_ASSERT(hasLists(level), "I5: lists are never null");
    if (level->hasWork() || level->taskBlocks)
      return false;
  }
  return true;
}

} // namespace chan

#endif
