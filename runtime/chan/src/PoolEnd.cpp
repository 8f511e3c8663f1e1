//===- PoolEnd.cpp - The end of the pool, and forks -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Demand.h"
#include "Overflow.h"
#include "Pool.h"
#include "PoolState.h"
#include "Profile.h"
#include "Slots.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <utility>

namespace chan {
using namespace pool;

void Pool::stop() {
  Worker *worker = Worker::currentIfAny();
  bool inTask = worker && worker->isInTask();
  pthread_mutex_lock(&lock);
  stopping = true;
  // Threads that enter from here on work alone.
  count.store(1, std::memory_order_relaxed);
  uint32_t idleThreads = 0;
  for (Worker *sleeper = parked; sleeper; sleeper = sleeper->nextFree) {
    ++idleThreads;
    sleeper->wakeup.ring();
  }
  // exit() inside a task does not wait for threads that run tasks, including
  // its own.
  uint32_t remaining = inTask ? liveThreads - idleThreads : 0;
  timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_nsec += kExitPatienceNanoseconds;
  if (deadline.tv_nsec >= 1'000'000'000) {
    ++deadline.tv_sec;
    deadline.tv_nsec -= 1'000'000'000;
  }
  while (liveThreads > remaining &&
         pthread_cond_timedwait(&threadEnded, &lock, &deadline) == 0)
    ;
  for (uint32_t i = 0; i != threadPlaces; ++i)
    if (threads[i].lives)
      pthread_detach(threads[i].handle);
  if (liveThreads == 0) {
    free(threads);
    threads = nullptr;
    threadPlaces = 0;
  }
  areDetached = true;
  bool isAny = std::exchange(hasEnded, false);
  pthread_t last = lastEnded;
  pthread_mutex_unlock(&lock);
  // The last pool thread may also be the last thread of the process, and end
  // it. What the program does at the end of a thread may take long.
  if (isAny && !pthread_equal(last, pthread_self())) {
    NoCancellation noCancellation;
    if (pthread_timedjoin_np(last, nullptr, &deadline) != 0)
      pthread_detach(last);
  }
}

void Pool::afterForkInChild() {
  // Only the forking thread exists in the child.
  pthread_mutex_init(&lock, nullptr);
  pthread_cond_init(&threadEnded, nullptr);
  Worker *worker = Worker::currentIfAny();
  parked = nullptr;
  free(threads);
  threads = nullptr;
  threadPlaces = startedThreads = liveThreads = 0;
  hasEnded = false;
  // relaxed: the only thread.
  entered.store(worker && !worker->thread.ofPool ? 1 : 0,
                std::memory_order_relaxed);
  forgetWatch();
  if (worker)
    worker->thread.readCalling();
  for (uint32_t i = 0, used = Slots::count(); i != used; ++i)
    if (Slots::at(i) && Slots::at(i) != worker) {
      Worker *gone = Slots::empty(i);
      gone->nextFree = lostWorkers;
      lostWorkers = gone;
    }
  if (worker && worker->isInTask()) {
    forkedInTask.store(true, std::memory_order_relaxed);
    // Makes every later step check.
    Demand::set(INT_MAX / 2);
    worker->promotionOrder.stop();
    worker->stack_limit = UINTPTR_MAX;
    worker->requestPolls();
    return;
  }
  awake.store(0, std::memory_order_relaxed);
  searching.store(0, std::memory_order_relaxed);
  resize(options.workers);
  Profile::forget();
}

void Pool::checkFork() {
  // relaxed: set by this very thread.
  if (!forkedInTask.load(std::memory_order_relaxed))
    return;
  (Message() << "a process forked in a function that spawns, syncs or has a "
                "cilk_for can only exec or _exit; to run tasks in the child, "
                "fork in a function that does none of these and is called by "
                "none that does")
      .print();
  _exit(1);
}

void Pool::freeAll() {
  pthread_mutex_lock(&lock);
  bool isAny = liveThreads != 0;
  for (uint32_t i = 0, used = Slots::count(); i != used; ++i)
    if (Worker *worker = Slots::at(i))
      isAny |= worker->isInTask();
  if (isAny) {
    pthread_mutex_unlock(&lock);
    return;
  }
  auto freeOne = [](Worker *worker) {
    worker->memory.unmapAll();
    worker->stack.releaseOfOther();
    worker->~Worker();
    free(worker);
  };
  for (uint32_t i = 0, used = Slots::count(); i != used; ++i)
    if (Worker *worker = Slots::empty(i))
      freeOne(worker);
  for (Worker **list : {&freeWorkers, &lostWorkers})
    while (Worker *worker = *list) {
      *list = worker->nextFree;
      freeOne(worker);
    }
  pthread_mutex_unlock(&lock);
  TaskBlock::freeAll();
}

struct PoolExit {
  static void run() { Pool::stop(); }
};

/// Ends the pool with the process, or with the library that holds it.
__attribute__((destructor)) static void endPool() {
  PoolExit::run();
  Profile::report(Pool::finalWorkers());
  Worker::forgetThreads();
  removeOverflowHandler();
  // When the process ends, other threads may be anywhere.
  if (exitNotice.isOfLibrary())
    Pool::freeAll();
}

} // namespace chan
