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
#include <stddef.h>
#include <stdint.h>

namespace chan {

struct Level;
struct Worker;

/// Elements that have not started, on offer to other workers. They share one
/// join counter (docs/architecture/Scheduling.md, "Sharing").
///
///   queued ──claim──▶ taken ──finish──▶ finished
///
/// claim: by a thief that runs them, or by the owner, which takes them back.
/// Exactly one of them wins. finish: by the thread that ran them and all their
/// descendants.
///
/// The owner's level and the owner's steal queue refer to a task block. It is
/// recycled when both have let go. Its memory is never unmapped: a worker that
/// reads the front of a steal queue may read a task block that has just been
/// recycled. It learns this when its dequeue fails. All that it reads before
/// that is atomic.
struct TaskBlock {
  enum State : uint32_t { queued, taken, finished };

  std::atomic<uint32_t> state{queued};
  std::atomic<uint32_t> references{0};
  /// The task block that ran when this one was made. Null in a tree entered
  /// from C.
  std::atomic<TaskBlock *> parent{nullptr};
  std::atomic<Worker *> owner{nullptr};
  /// The level of the owner that waits for it.
  std::atomic<Level *> origin{nullptr};
  /// The period in which it was offered (Pool::period).
  std::atomic<uint32_t> period{0};

  // Written by the owner before it is queued, read by the thread that claimed
  // it.
  chan_block *block = nullptr;
  /// Size of `block` in the owner's memory. 0 if the heap holds it.
  uint32_t bytes = 0;
  /// The tree of the elements, and their depth in it.
  uint32_t tree = 0;
  uint32_t depth = 0;
  /// The signals that its tasks block.
  uint64_t signals = 0;
  /// How long it ran, in ticks. The thread that ran it writes this before it is
  /// finished; the owner reads it afterwards.
  uint64_t took = 0;
  /// Its number in a trace, else 0.
  uint64_t number = 0;

  /// Next task block of `origin`, for the owner.
  TaskBlock *next = nullptr;

  /// Frees the memory of all task blocks.  REQUIRES: no worker is left.
  static void freeAll();

  /// To be called before and after a fork, so that the child does not find the
  /// lock of the task blocks taken.
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
    // acquire, with the release of the steal queue: the claiming thread sees
    // the block and its elements. relaxed on failure: nothing is read.
    return state.compare_exchange_strong(
        expected, taken, std::memory_order_acquire, std::memory_order_relaxed);
  }

  bool isFinished() const {
    // acquire: afterwards the owner sees what the thief stored into frames.
    // seq_cst: an owner announces its sleep and then reads the state here; a
    // thief stores the state and then looks for sleepers. They cannot both miss
    // each other.
    return state.load(std::memory_order_seq_cst) == finished;
  }
};

/// Bytes of a block for `count` elements like those of `from`.
size_t bytesFor(const chan_block *from, uint32_t count);
/// Copies the `count` elements of `from` before `end` into a new block at
/// `space`.
chan_block *copyTail(void *space, chan_block *from, uint32_t end,
                     uint32_t count);

} // namespace chan

#endif
