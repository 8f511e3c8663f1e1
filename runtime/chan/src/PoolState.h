//===- PoolState.h - What the files of the pool share -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_POOLSTATE_H
#define CHAN_SRC_POOLSTATE_H

#include "Clock.h"
#include "ExitNotice.h"
#include "Placement.h"
#include "Signals.h"
#include "Worker.h"

#include <atomic>
#include <pthread.h>
#include <stdint.h>

namespace chan {

/// A thread of the pool, or a free entry for one. Guarded by `lock`.
struct PoolThread {
  bool lives = false;
  pthread_t handle;
  /// Null until the thread has a worker. From then on the worker knows where
  /// the thread runs.
  Worker *worker = nullptr;
  int beganOn = -1;
  Placement placement;
};

/// Only Pool.cpp, PoolThread.cpp and PoolEnd.cpp use these.
namespace pool {

extern ExitNotice exitNotice;
extern pthread_mutex_t lock;
extern pthread_cond_t threadEnded;

// Guarded by `lock`.
extern bool configured;
/// When the pool was configured, until the tick rate is known.
extern Moment configuredAt;
extern bool isTickRateKnown;
extern bool stopping;
extern Worker *freeWorkers;
/// Workers of threads that remained in the parent after a fork.
extern Worker *lostWorkers;
extern Worker *parked;
extern PoolThread *threads;
extern uint32_t threadPlaces;
/// Threads that live; and these together with those that are about to end.
extern uint32_t startedThreads;
extern uint32_t liveThreads;
/// The thread that ended last. Each ending thread joins the one before it. So
/// no code of any of them runs when the last has been joined.
extern pthread_t lastEnded;
extern bool hasEnded;
/// The pool's threads are detached: no thread joins them any more.
extern bool areDetached;
/// The signal mask of the program thread that left last.
extern SignalMask lastSignals;

// Written under `lock`, read without it.
/// Threads of the program that have entered and not ended.
extern std::atomic<uint32_t> entered;
/// Threads that could be woken or started.
extern std::atomic<uint32_t> available;
/// Workers that are neither parked nor asleep in awaitTaskBlocks, or have been
/// rung. It is lower for a moment while a thread rings. Program threads count
/// from the first offer of a tree to its end.
extern std::atomic<int> awake;
/// Threads of the pool between two task blocks, or between the last one and
/// parking. They look at the withheld demand before they go to work or sleep.
extern std::atomic<uint32_t> searching;
/// Processors that the process may use; 0 before the first use.
extern std::atomic<uint32_t> processors;
extern std::atomic<bool> forkedInTask;

/// The number of workers that can be awake with a processor each.
inline int mostAwake() {
  return static_cast<int>(
      processors.load(std::memory_order_relaxed)); // a number
}

/// Removes a worker from the parked ones; false if it is not among them.
/// REQUIRES: the lock.
bool unpark(Worker *worker);

} // namespace pool

} // namespace chan

#endif // CHAN_SRC_POOLSTATE_H
