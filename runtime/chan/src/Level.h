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

// A block's `reserved` word.  Low half: elements [0, started) have been given
// to the kernel.  High half: what the block takes of its worker's memory, 0 if
// it belongs to somebody else (the C stack of chan_run's caller, another
// worker); sizes are multiples of 16, and the lowest bit tells that the kernel
// runs on it.

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
/// Elements that have not started.
inline uint32_t waiting(const chan_block *block) {
  return block->count - started(block);
}

/// What all workers remember of a channel, in its chan_channel_state.
struct Memories {
  enum Pace : uint32_t { unknown, belowGrain, aboveGrain };
  /// relaxed throughout: a hint, rarely written.
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

/// A level with what the runtime keeps behind the visible part.  64 bytes: with
/// a block of one entry, a block of one continuation and a frame it stays below
/// 256.
///
/// Lists: every block but the first of a list has elements that have not
/// started or is being run; a first block without any has no successor unless
/// it is being run.  So `waiting(first) != 0` tells whether a list has work.
struct Level : chan_level {
  /// Blocks of this level's entries that were given away and not yet joined.
  TaskBlock *taskBlocks;
  /// Position below the first level of its context, for messages.
  uint32_t depth;
  /// The tree during which `slice[CHAN_ENTRY]` was last measured.
  uint32_t measuredIn;
  /// Elements per kernel call, by kind, and per call of clones, which do not
  /// leave their children to later; 0: never measured.
  uint16_t slice[2], cloneSlice;
  /// Capacity to begin with when a list is empty, by kind.
  uint32_t expected[2];

  Level *next() const { return static_cast<Level *>(deeper); }
  Level *previous() const { return static_cast<Level *>(shallower); }
  chan_block *&list(uint32_t kind) {
    return kind == CHAN_ENTRY ? entries : continuations;
  }
  /// Elements per call while it is not known which of both will run them: of
  /// clones, which take longer, if any has run.
  uint32_t sliceOf(uint32_t kind) const {
    return kind == CHAN_ENTRY && cloneSlice ? cloneSlice : slice[kind];
  }
  bool hasWork() const {
    return waiting(entries) != 0 || waiting(continuations) != 0;
  }
};
static_assert(sizeof(Level) <= 64, "a level with one element must stay small");

/// Entries of `level` that have not started.
inline uint32_t unstarted(const Level *level) {
  uint32_t sum = 0;
  for (chan_block *block = level->entries; block != noBlock();
       block = block->next)
    sum += waiting(block);
  return sum;
}

// What assertions of the invariants ask.

/// I5 holds at `level`.
inline bool hasLists(const Level *level) {
  return level->entries && level->continuations;
}

/// Nothing of `level` and what is below it waits or is in other hands.  Levels
/// empty from the top down, so the first three tell of a mistake.
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
