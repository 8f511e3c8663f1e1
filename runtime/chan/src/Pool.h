//===- Pool.h - The workers of the process ----------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_POOL_H
#define CHAN_SRC_POOL_H

#include "Options.h"
#include "TaskBlock.h"
#include "Worker.h"

#include <atomic>

namespace chan {

/// All workers of the process: those of threads that entered by themselves, and
/// CHAN_WORKERS - 1 threads of the pool that run what is offered. The pool's
/// threads start when something is offered for the first time, sleep when there
/// is nothing to do, and are joined at exit. They also end a while after the
/// last program thread that entered has ended, since a process ends with its
/// last thread. They start again when they are needed. An offer wakes one of
/// them only while fewer workers are awake than there are processors. Further
/// offers wait for the first worker that has nothing left, or for the worker
/// that watches.
///
/// Thread safety: any thread may call any function.
class Pool {
public:
  /// Makes a worker for the calling thread, which is `thread` if it belongs to
  /// the pool. Ends the process if it fails.
  static Worker *join(PoolThread *thread = nullptr);
  /// The calling thread ends: frees the memory of its worker.
  static void leave(Worker *worker);

  /// Most threads that work on one tree. 0 before the first thread has joined.
  static uint32_t workers() {
    return count.load(std::memory_order_relaxed); // a bound, not an invariant
  }

  /// How many workers beside the caller can run at one time. It is one if all
  /// share a processor, since any of them may be blocked.
  static uint32_t othersAtOnce();

  /// The same number, also valid when the process ends. Not to be called while
  /// another thread may set it.
  static uint32_t finalWorkers() { return options.workers; }

  /// Sets the number of workers. False, without a change, if it is too late: a
  /// thread of the pool has started, or another thread than the caller has
  /// joined.
  static bool setWorkers(uint32_t number);

  /// A task block whose parent is `parent` went into the steal queue of
  /// `worker`, the caller's. Makes sure that a worker takes it.
  static void offered(Worker &worker, TaskBlock *parent);
  /// The owner took a task block back. `useless`: many in turn came back or
  /// were finished at once, so thieves come too late here.
  static void takenBack(bool useless);
  /// The calling worker backs off, or lets only older frames poll. Makes sure
  /// that a watching worker reminds it of requests.
  static void watchBackOff();
  /// Something inside `parent` is reserved. Makes sure that a worker watches
  /// it.
  static void noteReservation(TaskBlock *parent);
  /// The calling worker waits in awaitTaskBlocks. It looks for something to do
  /// once more and then sleeps; from now on it may be rung. `helps`: also for
  /// descendants of what it waits for.
  static void beginSleep(Worker &worker, bool helps);
  /// Sleeps until the worker's alarm is no longer `before`, or for a shorter
  /// time. True if a period is over and the worker is to check the
  /// reservations.
  static bool sleep(Worker &worker, uint32_t before);
  /// The worker no longer sleeps. Its own thread calls this, or a thread that
  /// rings it. False if the other of the two did so first.
  static bool endSleep(Worker &worker);
  /// Wakes a worker between beginSleep and endSleep, once. A single worker may
  /// own thousands of a task block's ancestors. False if it was not asleep.
  static bool ringIfAsleep(Worker &worker);
  /// As ringIfAsleep, if the worker may take descendants.
  static bool ringIfHelpful(Worker &worker);
  /// The calling worker was rung but goes on with something else. Makes sure
  /// that another worker takes what the ring was for.
  static void passRingOn();
  /// A tree of the caller, which is not a thread of the pool, is over.
  static void treeEnded(Worker &worker) {
    if (worker.thread.isCounted)
      countEnded(worker);
  }

  /// The current period. Task blocks remember in which one they were offered.
  /// The watching worker counts the periods.
  static uint32_t period();

  /// For tests: how many processors the process may use, and how long a period
  /// takes.
  static void setProcessors(uint32_t number);
  static void setPeriod(long nanoseconds);

  /// Whether other workers are enough to use all processors.
  static bool isSurplus();

  /// The worker's thread is about to run something. If Linux has moved it to a
  /// processor that another worker uses, one of the two threads moves to a
  /// processor that is free.
  static void noticeProcessor(Worker &worker);

  /// Ends the process with a message if it is the child of a fork inside a
  /// task.
  static void checkFork();

  /// The library that holds the pool is closed. Frees the remaining workers,
  /// also those of threads that live on. REQUIRES: no thread runs code of the
  /// library.
  static void freeAll();

private:
  static void *threadMain(void *);
  static void configure(const Options &parsed);
  static void resize(uint32_t number);
  /// Wakes or starts a thread of the pool. It is placed on another processor
  /// than the caller's, unless the caller is going to sleep. False if no thread
  /// is available.
  static bool wakeThread(bool callerSleeps = false);
  /// Whether wakeThread may succeed.
  static bool mayWakeThread();
  static uint32_t availableProcessors();
  /// Number of workers beyond the number of processors.
  static uint32_t spareWorkers();
  /// Whether fewer workers are awake than there are processors.
  static bool hasIdleProcessor();
  /// Whether one more awake worker would use the last processor.
  static bool isLastProcessor();
  /// For a task block on offer: wakes a thread of the pool, or makes sure that
  /// one watches. False if all are at work.
  static bool findThief();
  /// One more worker is awake; or one less, after a tree.
  static void countAwake();
  static void countEnded(Worker &worker);
  /// The caller is no longer awake, and wakes a worker for what is on offer.
  static void wakeForOffers();
  static PoolThread *startThread();
  /// The worker's thread has come to another processor.
  static void keepApart(Worker &worker);
  /// A thread that was woken for an offer has not come. It may wait for the
  /// caller's processor, so it is moved to another one.
  static void moveWoken();
  // Watch.cpp
  /// Rings every waiting worker that is not going to check by itself.
  static void ringWaiters();
  /// If a worker wants work, makes the workers that back off poll again.
  static void remindBackingOff();
  /// Makes sure that a thread of the pool watches. False if all are at work.
  static bool ensureWatch();
  /// As ensureWatch, when no thread watches.
  static bool appoint();
  static void leavePost(Worker &worker);
  /// The calling thread of the pool goes to work, so another one is to watch.
  static void passWatch(Worker &worker);
  enum class Wake { rung, period, unneeded };
  /// As sleep, for a parked thread of the pool. Unneeded: no thread of the
  /// program has been in the runtime for a while.
  static Wake sleepParked(Worker &worker, uint32_t before);
  /// Whether a thread of the program has entered and not ended.
  static bool isEntered();
  /// Takes something that has been offered or reserved for longer than thieves
  /// should need, if there is any. Called when a period is over.
  static TaskBlock *takeNeglected(Worker &worker);
  /// Whether one more worker could run. Either fewer are awake than there are
  /// processors, or a processor has been idle for the last periods.
  static bool isProcessorIdle();
  /// After how many periods the watching worker takes what was offered or
  /// reserved, or releases withheld demand.
  static uint32_t patience();
  /// Resets the state of the watch in a forked process.
  static void forgetWatch();
  static void stop();
  static void afterForkInChild();
  friend class PoolThreadLife;
  friend struct PoolExit;
  /// Withholds the demand for one task block for a period. False if the demand
  /// is to be raised at once.
  static bool withhold();
  /// As withhold, regardless of the number of workers.
  static void withholdAlways();
  /// Whether a thread of the pool is about to take something or to park.
  static bool isAnyThreadSearching();
  /// Raises the demand by what was withheld, at most by `most`.
  static void releaseWithheld(uint32_t most = UINT32_MAX);

  static std::atomic<uint32_t> count;
  static Options options;
};

} // namespace chan

#endif
