//===- Pool.cpp - The workers of the process ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pool.h"
#include "Clock.h"
#include "Demand.h"
#include "Overflow.h"
#include "PoolState.h"
#include "Profile.h"
#include "Slots.h"
#include "Stealing.h"
#include "Tuning.h"

#include <algorithm>
#include <new>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <utility>

namespace chan {

constinit std::atomic<uint32_t> Pool::count{0};
constinit Options Pool::options{1, 1, 1, 0};

namespace pool {

constinit ExitNotice exitNotice;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t threadEnded = PTHREAD_COND_INITIALIZER;
bool configured = false;
Moment configuredAt{};
bool isTickRateKnown = false;
bool stopping = false;
Worker *freeWorkers = nullptr;
Worker *lostWorkers = nullptr;
Worker *parked = nullptr;
PoolThread *threads = nullptr;
uint32_t threadPlaces = 0;
uint32_t startedThreads = 0;
uint32_t liveThreads = 0;
pthread_t lastEnded;
bool hasEnded = false;
bool areDetached = false;
SignalMask lastSignals = 0;
std::atomic<uint32_t> entered{0};
std::atomic<uint32_t> available{0};
std::atomic<int> awake{0};
std::atomic<uint32_t> searching{0};
std::atomic<uint32_t> processors{0};
std::atomic<bool> forkedInTask{false};

bool unpark(Worker *worker) {
  for (Worker **link = &parked; *link; link = &(*link)->nextFree) {
    if (*link != worker)
      continue;
    *link = worker->nextFree;
    worker->nextFree = nullptr;
    available.fetch_sub(1, std::memory_order_relaxed); // `lock` orders it
    awake.fetch_add(1, std::memory_order_relaxed);     // see countAwake
    searching.fetch_add(1,
                        std::memory_order_relaxed); // see isAnyThreadSearching
    return true;
  }
  return false;
}

} // namespace pool

using namespace pool;

namespace {

/// Wakes the nearest worker that waits for an ancestor of the task block that
/// the caller, inside `parent`, has made. False if it has found none.
bool ringAncestor(TaskBlock *parent) {
  // relaxed: the caller runs inside `parent`, so no ancestor is finished.
  for (int i = 0; parent && i != kNearAncestors; ++i) {
    if (Pool::ringIfHelpful(*parent->owner.load(std::memory_order_relaxed)))
      return true;
    parent = parent->parent.load(std::memory_order_relaxed);
  }
  return false;
}

/// The worker to wake. Not the watching one if possible, since another would
/// have to watch.
Worker *nextParked() {
  for (Worker *worker = parked; worker; worker = worker->nextFree)
    if (!worker->thread.watches.load(std::memory_order_relaxed)) // a hint
      return worker;
  return parked;
}

} // namespace

/// To be called without the lock: a bad value ends the process, and the end of
/// the process takes the lock.
static Options readOptions() {
  Options parsed = parseOptions();
  Profile::prepare(parsed);
  return parsed;
}

void Pool::configure(const Options &parsed) {
  if (configured)
    return;
  options = parsed;
  configuredAt = Moment::now();
  if (options.durations)
    setDurations(options.durations);
  // relaxed: a number, and `lock` orders it for threads that rely on it.
  if (!processors.load(std::memory_order_relaxed))
    processors.store(options.processors, std::memory_order_relaxed);
  installOverflowHandler();
  pool::exitNotice.order();
  // Other threads may be anywhere in the runtime. For example, a thief releases
  // its task block after the owner's tree is over.
  pthread_atfork(
      [] {
        pthread_mutex_lock(&lock);
        TaskBlock::beginFork();
      },
      [] {
        TaskBlock::endFork();
        pthread_mutex_unlock(&lock);
      },
      [] {
        TaskBlock::endFork();
        afterForkInChild();
      });
  resize(options.workers);
  configured = true;
}

/// To be called before a thread of the pool runs.
void Pool::resize(uint32_t number) {
  options.workers = number;
  // relaxed: `lock` orders it, and no other thread reads it yet.
  available.store(number - 1, std::memory_order_relaxed);
  Demand::set(static_cast<int>(number - 1));
  count.store(number, std::memory_order_relaxed);
}

bool Pool::setWorkers(uint32_t number) {
  Options parsed = readOptions();
  Worker *self = Worker::currentIfAny();
  pthread_mutex_lock(&lock);
  configure(parsed);
  // A thread that could not be started has set `threads` as well.
  bool early = !stopping && !threads &&
               !forkedInTask.load(std::memory_order_relaxed); // as in checkFork
  uint32_t used = Slots::count();
  for (uint32_t i = 0; i != used; ++i)
    if (Worker *worker = Slots::at(i))
      early &= worker == self;
  if (early) {
    resize(number);
    if (self) {
      self->sharable = number > 1;
      self->refreshLimit();
    }
  }
  pthread_mutex_unlock(&lock);
  return early;
}

bool Pool::isEntered() {
  // seq_cst: see leave.
  return entered.load(std::memory_order_seq_cst);
}

Worker *Pool::join(PoolThread *thread) {
  Options parsed = thread ? options : readOptions();
  pthread_mutex_lock(&lock);
  configure(parsed);
  Worker *worker = freeWorkers;
  if (worker) {
    freeWorkers = worker->nextFree;
    worker->nextFree = nullptr;
  } else if (void *space = aligned_alloc(
                 alignof(Worker), (sizeof(Worker) + alignof(Worker) - 1) /
                                      alignof(Worker) * alignof(Worker))) {
    worker = new (space) Worker;
  }
  size_t most = Stack::mostBytes(options.workers);
  if (!worker || !worker->stack.reserve(std::min(options.stackBytes, most))) {
    pthread_mutex_unlock(&lock);
    (Message() << "out of memory: no stack of " << uint64_t(options.stackBytes)
               << " bytes (CHAN_STACK) for another thread")
        .print();
    fail();
  }
  worker->clone_limit = worker->stack.cloneLimit();
  // Kept for the next thread that the worker serves.
  if (!worker->profile)
    worker->profile = Profile::make();
  worker->width = options.width;
  worker->sharable = workers() > 1;
  worker->thread.readCalling();
  worker->thread.ofPool = thread;
  if (!thread) {
    entered.fetch_add(1, std::memory_order_relaxed); // `lock` orders it
    // This may be a pool thread that ended as the last of the process and runs
    // the exit handlers. It goes on, so it must not be joined.
    hasEnded = hasEnded && !pthread_equal(lastEnded, pthread_self());
  }
  Slots::take(*worker);
  worker->endBackOff();
  worker->refreshLimit();
  // No thread reads the durations before its worker has joined.
  if (!std::exchange(isTickRateKnown, true))
    setTickRate(tickRate(configuredAt, Moment::now()));
  pthread_mutex_unlock(&lock);
  return worker;
}

void Pool::leave(Worker *worker) {
  clearStealQueue(*worker);
  worker->dispose();
  pthread_mutex_lock(&lock);
  Slots::leave(*worker);
  // Threads that sleep without a limit check again whether they are needed. A
  // thread that parks later does so under the lock, and reads the number before
  // it sleeps.
  if (!worker->thread.ofPool &&
      entered.fetch_sub(1, std::memory_order_seq_cst) == 1) {
    lastSignals = blockedSignals();
    for (Worker *sleeper = parked; sleeper; sleeper = sleeper->nextFree)
      sleeper->wakeup.ring();
  }
  worker->thread.ofPool = nullptr;
  worker->nextFree = freeWorkers;
  freeWorkers = worker;
  pthread_mutex_unlock(&lock);
}

void Pool::offered(Worker &worker, TaskBlock *parent) {
  if (!worker.thread.isCounted) {
    worker.thread.isCounted = true;
    countAwake();
  }
  // seq_cst, here and where a worker announces its sleep: this comes after the
  // task block was enqueued, and the announcement before the last look at the
  // steal queues. At least one of the two sees the other. The same holds for a
  // worker that is no longer awake, or no longer watches.
  Demand::offered();
  // A worker that waits for an ancestor has precedence for the last processor.
  // A pool thread might take another tree.
  if ((isLastProcessor() && ringAncestor(parent)) || findThief())
    return;
  // relaxed: as in ringAncestor.
  for (; parent; parent = parent->parent.load(std::memory_order_relaxed))
    ringIfHelpful(*parent->owner.load(std::memory_order_relaxed));
}

bool Pool::mayWakeThread() {
  // seq_cst: see offered and noteReservation.
  return available.load(std::memory_order_seq_cst);
}

bool Pool::wakeThread(bool callerSleeps) {
  if (!mayWakeThread())
    return false;
  pthread_mutex_lock(&lock);
  Worker *sleeper = nextParked();
  PoolThread *thread = nullptr;
  if (sleeper) {
    unpark(sleeper);
    thread = sleeper->thread.ofPool;
  } else if (!stopping && startedThreads != options.workers - 1) {
    thread = startThread();
  }
  if (thread && !callerSleeps)
    thread->placement.keepOff(thread->handle);
  if (thread)
    thread->placement.call();
  pthread_mutex_unlock(&lock);
  if (sleeper)
    sleeper->wakeup.ring();
  return thread;
}

bool Pool::hasIdleProcessor() {
  // seq_cst: see offered.
  return awake.load(std::memory_order_seq_cst) < mostAwake();
}

bool Pool::isLastProcessor() {
  // relaxed: a hint.
  return awake.load(std::memory_order_relaxed) + 1 >= mostAwake();
}

bool Pool::findThief() {
  return hasIdleProcessor() ? wakeThread() : ensureWatch();
}

bool Pool::isSurplus() {
  // relaxed: a hint. A worker that leaves something on offer looks again when
  // it is no longer awake.
  return awake.load(std::memory_order_relaxed) > mostAwake();
}

void Pool::countAwake() {
  // relaxed: a thread that still reads the lower number wakes one worker too
  // many.
  awake.fetch_add(1, std::memory_order_relaxed);
}

void Pool::passRingOn() {
  if (areOffers() && !findThief())
    ringWaiters();
}

void Pool::beginSleep(Worker &worker, bool helps) {
  worker.thread.lastProcessor.store(-1, std::memory_order_relaxed);
  // seq_cst, both: see offered and TaskBlock::isFinished. In this order;
  // otherwise a thread that rings would count the worker first.
  if (worker.thread.isCounted)
    awake.fetch_sub(1, std::memory_order_seq_cst);
  worker.wakeup.asleep.store(
      Wakeup::isAsleep | (worker.thread.isCounted ? Wakeup::wasCounted : 0) |
          (helps ? Wakeup::helps : 0),
      std::memory_order_seq_cst);
  if (helps)
    Demand::idle();
}

bool Pool::endSleep(Worker &worker) {
  // seq_cst: a thread that has rung did so after the task block was enqueued.
  // One that comes later rings another worker.
  uint8_t before = worker.wakeup.asleep.exchange(0, std::memory_order_seq_cst);
  if (before & Wakeup::wasCounted)
    countAwake();
  if (before & Wakeup::helps)
    Demand::busy();
  return before != 0;
}

bool Pool::ringIfAsleep(Worker &worker) {
  // Counted here, not when the worker runs, which takes a while. Meanwhile a
  // worker that offers something would wake another thread for the same
  // processor. And a worker that spawns would see a request that this one no
  // longer makes.
  bool wakes =
      worker.wakeup.asleep.load(std::memory_order_seq_cst) && endSleep(worker);
  if (wakes)
    worker.wakeup.ring();
  return wakes;
}

bool Pool::ringIfHelpful(Worker &worker) {
  // seq_cst: see TaskBlock::isFinished.
  return worker.wakeup.asleep.load(std::memory_order_seq_cst) & Wakeup::helps &&
         ringIfAsleep(worker);
}

void Pool::wakeForOffers() {
  if (hasIdleProcessor() && mayWakeThread() && areOffers())
    wakeThread(/*callerSleeps=*/true);
}

void Pool::countEnded(Worker &worker) {
  worker.thread.isCounted = false;
  worker.thread.lastProcessor.store(-1, std::memory_order_relaxed);
  // seq_cst, before the look at the steal queues: see offered.
  awake.fetch_sub(1, std::memory_order_seq_cst);
  wakeForOffers();
}

void Pool::setProcessors(uint32_t number) {
  processors.store(number, std::memory_order_relaxed); // as in configure
}

bool Pool::isAnyThreadSearching() {
  return searching.load(std::memory_order_seq_cst); // see withholdAlways
}

void Pool::noticeProcessor(Worker &worker) {
  // relaxed, here and elsewhere: a hint that only the worker's own thread
  // writes.
  int now = sched_getcpu();
  if (worker.thread.lastProcessor.load(std::memory_order_relaxed) == now)
    return;
  worker.thread.lastProcessor.store(now, std::memory_order_relaxed);
  keepApart(worker);
}

void Pool::keepApart(Worker &worker) {
  auto processorOf = [](const Worker &of) {
    return of.thread.lastProcessor.load(std::memory_order_relaxed);
  };
  int here = processorOf(worker);
  pthread_mutex_lock(&lock);
  // If there are not enough processors, Linux distributes the threads.
  bool areEnough = !isSurplus();
  if (PoolThread *own = worker.thread.ofPool) {
    bool isShared = false;
    for (uint32_t i = 0, used = Slots::count(); i != used; ++i)
      if (Worker *other = Slots::at(i); other && other != &worker)
        isShared |= processorOf(*other) == here;
    if (isShared && areEnough)
      own->placement.sendOff(own->handle);
  } else {
    // A thread of the program stays where it is.
    for (uint32_t i = 0; areEnough && i != threadPlaces; ++i) {
      PoolThread &other = threads[i];
      if (other.lives &&
          (other.worker ? processorOf(*other.worker) : other.beganOn) == here)
        other.placement.sendOff(other.handle);
    }
  }
  pthread_mutex_unlock(&lock);
}

void Pool::moveWoken() {
  // relaxed: a hint.
  if (!searching.load(std::memory_order_relaxed))
    return;
  pthread_mutex_lock(&lock);
  for (uint32_t i = 0; i != threadPlaces; ++i)
    if (threads[i].lives)
      threads[i].placement.moveWoken(threads[i].handle);
  pthread_mutex_unlock(&lock);
}

void Pool::takenBack(bool useless) {
  moveWoken();
  if (useless)
    withholdAlways();
  else if (!withhold())
    Demand::raise(1);
}

uint32_t Pool::availableProcessors() {
  return processors.load(std::memory_order_relaxed); // a number
}

uint32_t Pool::othersAtOnce() {
  uint32_t all = workers(), most = availableProcessors();
  uint32_t atOnce = all < most ? all : most;
  return all < 2 ? 0 : atOnce < 2 ? 1 : atOnce - 1;
}

uint32_t Pool::spareWorkers() {
  uint32_t all = workers(), most = availableProcessors();
  return all > most ? all - most : 0;
}

} // namespace chan
