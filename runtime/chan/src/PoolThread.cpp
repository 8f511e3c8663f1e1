//===- PoolThread.cpp - The threads of the pool ---------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clock.h"
#include "Demand.h"
#include "Joining.h"
#include "Pool.h"
#include "PoolState.h"
#include "Profile.h"
#include "Stealing.h"
#include "Tuning.h"

#include <errno.h>
#include <new>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

namespace chan {
using namespace pool;

namespace {

/// How often the calling thread has blocked in what it ran.
int64_t blockings(const Worker &worker) {
  rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw - worker.wakeup.naps;
}

} // namespace

PoolThread *Pool::startThread() {
  if (!threads) {
    threads = static_cast<PoolThread *>(
        calloc(options.workers - 1, sizeof(PoolThread)));
    threadPlaces = threads ? options.workers - 1 : 0;
  }
  PoolThread *thread = nullptr;
  for (uint32_t i = 0; i != threadPlaces && !thread; ++i)
    if (!threads[i].lives)
      thread = new (&threads[i]) PoolThread;
  int error = thread ? 0 : ENOMEM;
  if (!error) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kThreadStack);
    // The new thread has this mask from its first instruction on. The caller
    // keeps its own: another thread may be reading it, see ThreadStatus.
    sigset_t idle = setOf(kIdleSignals);
    error = pthread_attr_setsigmask_np(&attributes, &idle);
    if (!error)
      error = pthread_create(&thread->handle, &attributes, threadMain, thread);
    pthread_attr_destroy(&attributes);
  }
  // relaxed: `lock` orders it.
  if (!error) {
    thread->lives = true;
    ++startedThreads;
    ++liveThreads;
    available.fetch_sub(1, std::memory_order_relaxed);
    awake.fetch_add(1, std::memory_order_relaxed); // see countAwake
    searching.fetch_add(1, std::memory_order_relaxed);
    return thread;
  }
  // The running threads do the work, or the caller alone.
  uint32_t missing = options.workers - 1 - startedThreads;
  available.fetch_sub(missing, std::memory_order_relaxed);
  Demand::lose(missing);
  options.workers = startedThreads + 1;
  count.store(options.workers, std::memory_order_relaxed);
  (Message() << "cannot start a worker thread (" << strerror(error)
             << "): going on with " << uint64_t(options.workers))
      .print();
  return nullptr;
}

/// The life of a thread of the pool. It takes task blocks as long as it finds
/// some, parks, and looks again when it is woken. It ends when the pool stops,
/// or when no thread of the program has been in the runtime for a while.
class PoolThreadLife {
public:
  explicit PoolThreadLife(PoolThread &self) : self(self) {}

  void begin();
  void run();
  void end();

private:
  TaskBlock *find();
  TaskBlock *park();
  /// These are its steps: the thread counts as available before it looks once
  /// more, and no longer once it is awake.
  void announceParking();
  Pool::Wake sleep(uint32_t alarm, TaskBlock *&found);
  bool leaveParking(Pool::Wake wake);
  void runTask(TaskBlock *taskBlock);
  void stopCounting();

  PoolThread &self;
  Worker *worker = nullptr;
  bool isStopped = false, retires = false;
  /// Whether the last task block was blocked, and whether there was one since
  /// the thread looked last.
  bool wasBlocked = false, hasWorked = false;
  /// Whether an awake worker more has a processor.
  bool mayRun = false;
  /// By stop(), which detaches threads that `lives` marks.
  bool isDetached = false;
  /// Task blocks in turn that took less than durations.worthTaking.
  uint32_t smallBlocks = 0;
};

void PoolThreadLife::begin() {
  // The owner of a task block waits for the thread that runs it, so that thread
  // must not be cancelled.
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  // It began with this mask, but AddressSanitizer replaces it by its creator's.
  blockSignals(kIdleSignals);
  pthread_mutex_lock(&lock);
  self.placement.arrive();
  self.beganOn = sched_getcpu();
  pthread_mutex_unlock(&lock);
  worker = Pool::join(&self);
  Worker::adopt(worker);
  worker->thread.isCounted = true;
  worker->thread.lastProcessor.store(sched_getcpu(), std::memory_order_relaxed);
  pthread_mutex_lock(&lock);
  self.worker = worker;
  pthread_mutex_unlock(&lock);
}

void PoolThreadLife::run() {
  while (!isStopped && !retires) {
    TaskBlock *taskBlock = find();
    if (!taskBlock)
      taskBlock = park();
    if (taskBlock)
      runTask(taskBlock);
  }
}

TaskBlock *PoolThreadLife::find() {
  // A surplus thread leaves the offers to other workers, unless its last task
  // block was blocked and so did not need a processor for long.
  TaskBlock *taskBlock =
      !wasBlocked && Pool::isSurplus() ? nullptr : takeAny(*worker);
  if (!taskBlock && hasWorked)
    taskBlock = takeAnyAwake(*worker);
  wasBlocked = hasWorked = false;
  return taskBlock;
}

TaskBlock *PoolThreadLife::park() {
  // A ring after the announcement changes the alarm.
  uint32_t alarm = worker->wakeup.alarmNow();
  announceParking();
  TaskBlock *taskBlock = mayRun ? takeAny(*worker) : nullptr;
  Pool::Wake wake = Pool::Wake::rung;
  if (!taskBlock && !isStopped)
    wake = sleep(alarm, taskBlock);
  // The ring may have been for another task block than the one found meanwhile.
  if (leaveParking(wake) && taskBlock)
    Pool::passRingOn();
  return taskBlock;
}

void PoolThreadLife::announceParking() {
  pthread_mutex_lock(&lock);
  isStopped = stopping;
  worker->thread.lastProcessor.store(-1, std::memory_order_relaxed);
  self.placement.leave();
  worker->nextFree = parked;
  parked = worker;
  // seq_cst: the announcement comes before the last look, see Pool::offered.
  available.fetch_add(1, std::memory_order_seq_cst);
  mayRun = awake.fetch_sub(1, std::memory_order_seq_cst) <= mostAwake();
  // seq_cst: before it looks at the withheld demand, see Pool::withholdAlways.
  searching.fetch_sub(1, std::memory_order_seq_cst);
  pthread_mutex_unlock(&lock);
}

Pool::Wake PoolThreadLife::sleep(uint32_t alarm, TaskBlock *&found) {
  Mark parking(worker->profile, Event::parked);
  Pool::Wake wake = Pool::sleepParked(*worker, alarm);
  if (wake == Pool::Wake::period)
    found = Pool::takeNeglected(*worker);
  return wake;
}

/// Returns whether another thread has rung this one.
bool PoolThreadLife::leaveParking(Pool::Wake wake) {
  pthread_mutex_lock(&lock);
  bool isRung = !unpark(worker);
  self.placement.arrive();
  // Decided under the lock: from here on another thread may be started in the
  // place of this one, which counts as available.
  retires = wake == Pool::Wake::unneeded && !isRung && !Pool::isEntered() &&
            !stopping;
  if (retires) {
    stopCounting();
    available.fetch_add(1, std::memory_order_relaxed); // `lock` orders it
  }
  pthread_mutex_unlock(&lock);
  return isRung;
}

void PoolThreadLife::runTask(TaskBlock *taskBlock) {
  struct Task {
    Worker *worker;
    TaskBlock *taskBlock;
    uint64_t took;
  };
  Demand::busy();
  // seq_cst: before it looks at the withheld demand, see Pool::withholdAlways.
  searching.fetch_sub(1, std::memory_order_seq_cst);
  Pool::passWatch(*worker);
  bool isSurplus = Pool::isSurplus();
  int64_t before = isSurplus ? blockings(*worker) : 0;
  Task task{worker, taskBlock, 0};
  worker->stack.call(
      [](void *taken) {
        auto *task = static_cast<Task *>(taken);
        task->took = runTaskBlock(*task->worker, task->taskBlock);
      },
      &task);
  // While all processors are in use, the thread may have blocked on a lock of
  // the system.
  wasBlocked =
      isSurplus && Pool::isProcessorIdle() && blockings(*worker) > before;
  searching.fetch_add(1, std::memory_order_relaxed);
  hasWorked = true;
  smallBlocks = task.took < durations.worthTaking ? smallBlocks + 1 : 0;
  if (smallBlocks >= kMostSmallBlocks)
    Pool::withholdAlways();
  else if (Demand::idle(); !Demand::wanted())
    Pool::releaseWithheld(1);
  isStopped = false;
}

/// The thread no longer counts as living. REQUIRES: the lock.
void PoolThreadLife::stopCounting() {
  self.lives = false;
  isDetached = areDetached;
  --startedThreads;
}

void PoolThreadLife::end() {
  searching.fetch_sub(1, std::memory_order_relaxed);
  Pool::passWatch(*worker);
  worker->thread.isCounted = false;
  worker->thread.lastProcessor.store(-1, std::memory_order_relaxed);
  awake.fetch_sub(1, std::memory_order_relaxed);
  Worker::adopt(nullptr);
  if (!retires) {
    pthread_mutex_lock(&lock);
    stopCounting();
    pthread_mutex_unlock(&lock);
  }
  Pool::leave(worker);
  pthread_mutex_lock(&lock);
  SignalMask signals = lastSignals;
  --liveThreads;
  bool follows = hasEnded && !areDetached;
  pthread_t previous = lastEnded;
  lastEnded = pthread_self();
  hasEnded = !areDetached;
  // The pool stopped between the moments when this thread no longer counted as
  // living and when it counted as ended.
  if (areDetached && !isDetached)
    pthread_detach(pthread_self());
  pthread_cond_broadcast(&threadEnded);
  pthread_mutex_unlock(&lock);
  if (follows)
    pthread_join(previous, nullptr);
  // This may be the last thread of the process, which then runs the exit
  // handlers. Signals must be able to end it like any other.
  if (retires && ThreadStatus(getpid()).hasEnded())
    blockSignals(signals);
}

void *Pool::threadMain(void *argument) {
  PoolThreadLife life(*static_cast<PoolThread *>(argument));
  life.begin();
  life.run();
  life.end();
  return nullptr;
}

} // namespace chan
