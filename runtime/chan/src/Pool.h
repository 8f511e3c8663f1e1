//===- Pool.h - The workers of the process ----------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_POOL_H
#define CHAN_SRC_POOL_H

#include "TaskBlock.h"
#include "Worker.h"

#include <atomic>

namespace chan {

/// All workers of the process: those of threads that entered by themselves, and
/// CHAN_WORKERS - 1 threads of its own that run what is offered.  The threads
/// start when something is offered for the first time, sleep when there is
/// nothing, and are joined at exit.  They also end a while after the last of
/// the program's threads that entered has ended, since a process ends with its
/// last thread, and start again when they are needed.  An offer wakes one of
/// them only while fewer workers are awake than there are processors; what is
/// on offer beyond that waits for the first worker that has nothing left, or
/// for the worker that watches.
///
/// Thread safety: any thread may call any function.
class Pool {
public:
  /// A worker for the calling thread, which is `thread` if it is the pool's.
  /// Its failure ends the process.
  static Worker *join(PoolThread *thread = nullptr);
  /// The calling thread ends: frees what hangs from its worker.
  static void leave(Worker *worker);

  /// True when somebody would take work.  The one thing a busy worker looks at.
  static bool wanted() {
    // relaxed: a hint; what is shared is published by the steal queue it goes
    // through.
    return demand.load(std::memory_order_relaxed) > 0;
  }
  /// The same for Worker::refreshLimit, which says why it is seq_cst.
  static bool wantedNow() { return demand.load(std::memory_order_seq_cst) > 0; }
  /// How many would take work.
  static uint32_t demanded() {
    int now = demand.load(std::memory_order_relaxed); // as in wanted()
    return now > 0 ? static_cast<uint32_t>(now) : 0;
  }
  /// Threads that work on one tree at most; 0 before anybody has joined.
  static uint32_t workers() {
    return count.load(std::memory_order_relaxed); // a bound, not an invariant
  }

  /// How many beside the caller can be at work at one time: one, if there are
  /// others, where all share a processor, as any may be blocked.
  static uint32_t othersAtOnce();

  /// The same also when the process ends; not while others may set it.
  static uint32_t finalWorkers() { return options.workers; }

  /// Sets that number.  False, and nothing has changed, if it is too late: a
  /// thread of the pool has been started, or one that is not the caller has
  /// joined.
  static bool setWorkers(uint32_t number);

  /// A task block whose parent is `parent` went into the steal queue of
  /// `worker`, the caller's: sees to it that somebody takes it.
  static void offered(Worker &worker, TaskBlock *parent);
  /// A task block is no longer on offer, since somebody runs it, or since its
  /// owner takes it back.
  static void claimed();
  /// `useless`: so were others, that is, nobody gets here in time.
  static void takenBack(bool useless);
  /// The calling worker ignores those who want work, or leaves them to older
  /// activations: somebody is to remind it of them.
  static void watchBackOff();
  /// Something inside `parent` is reserved: sees to it that somebody looks.
  static void noteReservation(TaskBlock *parent);
  /// The calling worker waits in awaitTaskBlocks: after this look for something
  /// to do it sleeps, and may be rung. `helps`: for what descends from what it
  /// waits for.
  static void beginSleep(Worker &worker, bool helps);
  /// Sleeps until the worker's alarm is not `before`, or less.  True: a period
  /// is over, and it is to look at the reservations.
  static bool sleep(Worker &worker, uint32_t before);
  /// It does not sleep any more, as its thread says, or who rings.  False if
  /// the other has said so.
  static bool endSleep(Worker &worker);
  /// Wakes a worker between those two, once: of a task block's ancestors
  /// thousands may be one worker's.  False if it was not to be woken.
  static bool ringIfAsleep(Worker &worker);
  /// The same for work that it might take.
  static bool ringIfHelpful(Worker &worker);
  /// Who was rung goes on with something else than what it may have been rung
  /// for: somebody else is to take that.
  static void wentOn();
  /// A tree of the caller's, which is no thread of the pool, is over.
  static void treeEnded(Worker &worker) {
    if (worker.isCounted)
      countEnded(worker);
  }

  /// Task blocks remember when they were offered, in periods of who watches.
  static uint32_t period();

  /// For tests: how many processors the process may use, and how long a period
  /// takes.
  static void setProcessors(uint32_t number);
  static void setPeriod(long nanoseconds);

  /// The calling worker waits for work, or has some again.
  static void idle();
  static void busy();

  /// Whether there are workers enough for all processors without the caller.
  static bool isSurplus();

  /// Workers are numbered; slot(i) for i < slotCount() may be null.
  static uint32_t slotCount();
  static Worker *slot(uint32_t index);

  /// The worker's thread is about to run something.  If Linux has brought it to
  /// another processor, where another worker is, one of the two goes elsewhere.
  static void noticeProcessor(Worker &worker);

  /// Ends the process with a message if it is the child of a fork inside a
  /// task.
  static void checkFork();

  /// The library that holds the pool is closed: frees what is left of the
  /// workers, those of threads that live on among them.
  /// REQUIRES: no thread runs anything of the library.
  static void freeAll();

private:
  static void *threadMain(void *);
  static void configure(const Options &parsed);
  static void resize(uint32_t number);
  /// Wakes or starts a thread of the pool, on another processor than the
  /// caller's unless that is going to sleep.  False if there is none to be had.
  static bool wakeThread(bool callerSleeps = false);
  /// Whether it is worth an attempt.
  static bool mayWakeThread();
  static uint32_t availableProcessors();
  /// Workers for whom there is no processor.
  static uint32_t spareWorkers();
  /// Whether a processor lies idle, as far as workers go.
  static bool hasIdleProcessor();
  /// Whether all are in use once somebody is woken.
  static bool isLastProcessor();
  /// For a task block on offer: wakes a thread of the pool, or sees to it that
  /// one watches.  False if all are at work.
  static bool findTaker();
  /// One more is awake, or, after a tree, one less.
  static void countAwake();
  static void countEnded(Worker &worker);
  /// Who is no longer awake wakes somebody for what is on offer.
  static void wakeForOffers();
  static PoolThread *startThread();
  /// The worker's thread has come to another processor.
  static void keepApart(Worker &worker);
  /// Who was woken for something on offer and has not come to take it may wait
  /// for the caller's processor: he is to go to another.
  static void hurry();
  // Watch.cpp
  /// Rings everybody who waits and is not going to look at anything.
  static void ringWaiters();
  /// If somebody wants work, has those asked that ignore it.
  static void remindBackingOff();
  /// Sees to it that a thread of the pool watches.  False if all are at work.
  static bool ensureWatch();
  /// The same when nobody does.
  static bool appoint();
  static void leavePost(Worker &worker);
  /// The calling thread of the pool goes to work: somebody else watches.
  static void passWatch(Worker &worker);
  enum class Wake { rung, period, unneeded };
  /// The same as sleep, for a thread of the pool that is parked.  Unneeded:
  /// for a while no thread of the program has been in the runtime.
  static Wake sleepParked(Worker &worker, uint32_t before);
  /// Whether a thread of the program has entered and not ended.
  static bool isEntered();
  /// A period later: something that has been on offer or reserved for longer
  /// than others could be expected to take it, if there is.
  static TaskBlock *takeNeglected(Worker &worker);
  /// Whether one more could be at work: fewer are awake than there are
  /// processors, or one of these has been idle for the last periods.
  static bool isOneIdle();
  /// For how many periods what is on offer, reserved or withheld stays so.
  static uint32_t patience();
  /// In a forked process.
  static void forgetWatch();
  static void stop();
  static void afterForkInChild();
  friend struct PoolExit;
  /// So many more would take work: serial clones are to know.
  static void raiseDemand(uint32_t number);
  /// Keeps the demand for one task block back for a period.  False if it is to
  /// be known at once.
  static bool withhold();
  /// The same without regard to how many workers there are.
  static void keepBack();
  /// Whether a thread of the pool is about to take something or to park.
  static bool isAnyoneSearching();
  /// Makes known what of that there is, up to so much.
  static void releaseWithheld(uint32_t most = UINT32_MAX);

  static std::atomic<int> demand;
  static std::atomic<uint32_t> count;
  static Options options;
};

} // namespace chan

#endif
