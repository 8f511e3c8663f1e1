//===- TaskBlock.h - Elements on offer to other workers ---------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_TASKBLOCK_H
#define CHAN_SRC_TASKBLOCK_H

#include "chan/abi.h"

#include <atomic>
#include <stdint.h>

namespace chan {

struct Level;
struct Worker;

/// Elements that have not started, offered to other workers, and the one join
/// counter they share (docs/Runtime.md, "Sharing").
///
///   queued ──claim──▶ taken ──finish──▶ finished
///
/// claim: whoever runs it, or its owner, who takes it back; exactly one wins.
/// finish: the thread that ran it and all its descendants.
///
/// A task block is referred to by its owner's level and by its owner's steal
/// queue, and is recycled when both have let go.  Its memory is never unmapped:
/// a worker that looks at the front of a steal queue may read a task block
/// that has just been recycled, and finds out when it fails to take it.  What
/// it reads that way is atomic.
struct TaskBlock {
  enum State : uint32_t { queued, taken, finished };

  std::atomic<uint32_t> state{queued};
  std::atomic<uint32_t> references{0};
  /// The task block during which this one was made; null if in a tree from C.
  std::atomic<TaskBlock *> parent{nullptr};
  std::atomic<Worker *> owner{nullptr};
  /// The owner's level that waits for it.
  std::atomic<Level *> origin{nullptr};
  /// When it was offered (Pool::period).
  std::atomic<uint32_t> period{0};

  // Written by the owner before it is queued, read by who claimed it.
  chan_block *block = nullptr;
  /// What `block` takes of the owner's memory; 0 if it is the heap's.
  uint32_t bytes = 0;
  /// The tree it belongs to, and how deep its elements are in that.
  uint32_t tree = 0;
  uint32_t depth = 0;
  /// Which signals its tasks block.
  uint64_t signals = 0;
  /// What running it took; written by who ran it before it is finished, read by
  /// the owner afterwards.
  uint64_t took = 0;
  /// For a trace: its number; 0 if there is none.
  uint64_t number = 0;

  /// Next task block of `origin`, for the owner.
  TaskBlock *next = nullptr;

  /// Frees the memory of all task blocks.  REQUIRES: no worker is left.
  static void freeAll();

  /// Around a fork, so that the child does not find their lock taken.
  static void beginFork();
  static void endFork();

  /// Makes a task block with two references; null if memory is exhausted.
  static TaskBlock *make();

  /// Frees the block of a finished task block.
  void freeBlock(Worker &owner);

  /// Drops one reference.
  void drop();

  bool claim() {
    uint32_t expected = queued;
    // acquire: with the release of the steal queue, the block and its elements
    // are visible to who runs them.  relaxed on failure: nothing is read.
    return state.compare_exchange_strong(
        expected, taken, std::memory_order_acquire, std::memory_order_relaxed);
  }

  bool isFinished() const {
    // acquire: what the thief delivered into frames is visible after it.
    // seq_cst: an owner that announces its sleep and then looks here, and a
    // thief that stores here and then looks for sleepers, cannot both miss the
    // other.
    return state.load(std::memory_order_seq_cst) == finished;
  }
};

} // namespace chan

#endif
