//===- ThreadRecord.h - What is known of a worker's thread ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_THREADRECORD_H
#define CHAN_SRC_THREADRECORD_H

#include "Clock.h"
#include "Signals.h"

#include <atomic>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

namespace chan {

struct PoolThread;

/// What the runtime holds of the thread that a worker belongs to.
///
/// Thread safety: its own thread writes it, and any thread reads what is
/// atomic, except where it says otherwise.
struct ThreadRecord {
  /// The thread, if it belongs to the pool.
  PoolThread *ofPool = nullptr;
  /// Whether the pool counts the worker when it is awake.
  bool isCounted = false;
  /// Whether it is the pool thread that watches (Watch.cpp).
  std::atomic<bool> watches{false};
  /// The processor that the thread used when a slice began last. Negative if
  /// the pool does not count the worker, or if it has slept since.
  std::atomic<int> lastProcessor{-1};
  /// The processor clock of the thread.
  std::atomic<clockid_t> clock{};
  /// The system's number of the thread, and its signal mask. A program thread
  /// notes its mask when it offers elements; a pool thread always knows its
  /// own.
  std::atomic<pid_t> number{0};
  std::atomic<SignalMask> signals{0};
  /// Set by another worker: note the mask when elements are next reserved.
  std::atomic<bool> notesSignals{false};

  /// Sets number, signals and clock to those of the calling thread.
  void readCalling();
  /// Nanoseconds of processor time that the thread has used; 0 if it has ended.
  uint64_t processorTime() const {
    // relaxed: see readCalling.
    return nanosecondsOf(clock.load(std::memory_order_relaxed));
  }
};

/// While it lives, a thread of the pool has the mask of a task block. A thread
/// of the program keeps its mask: what it runs while it waits belongs to its
/// own tree.
class TaskSignals {
public:
  TaskSignals(ThreadRecord &thread, SignalMask mask);
  ~TaskSignals();
  TaskSignals(const TaskSignals &) = delete;
  TaskSignals &operator=(const TaskSignals &) = delete;

private:
  ThreadRecord &thread;
  const SignalMask before;
  const bool changes;
};

} // namespace chan

#endif // CHAN_SRC_THREADRECORD_H
