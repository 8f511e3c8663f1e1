//===- Pool.cpp - The workers of the process ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pool.h"
#include "Futex.h"
#include "Overflow.h"
#include "Placement.h"
#include "Profile.h"
#include "Sharing.h"
#include "Signals.h"
#include "Tuning.h"

#include <algorithm>
#include <errno.h>
#include <limits.h>
#include <new>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <utility>

extern "C" int __cxa_atexit(void (*)(void *), void *, void *);

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

constinit std::atomic<int> Pool::demand{0};
constinit std::atomic<uint32_t> Pool::count{0};
constinit Options Pool::options{1, 1, 1, 0};

namespace {

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t threadEnded = PTHREAD_COND_INITIALIZER;

// Guarded by `lock`.
bool configured = false;
/// When the pool was configured, until the tick rate is known.
Moment configuredAt{};
bool isTickRateKnown = false;
bool stopping = false;
Worker *freeWorkers = nullptr;
/// Workers of threads that remained in the parent after a fork.
Worker *lostWorkers = nullptr;
Worker *parked = nullptr;
PoolThread *threads = nullptr;
uint32_t threadPlaces = 0;
/// Threads that live; and these together with those that are about to end.
uint32_t startedThreads = 0;
uint32_t liveThreads = 0;
/// The thread that ended last. Each ending thread joins the one before it. So
/// no code of any of them runs when the last has been joined.
pthread_t lastEnded;
bool hasEnded = false;
/// The pool's threads are detached: no thread joins them any more.
bool areDetached = false;
/// The signal mask of the program thread that left last.
SignalMask lastSignals = 0;

// Written under `lock`, read without it.
/// Threads of the program that have entered and not ended.
std::atomic<uint32_t> entered{0};
std::atomic<Worker *> slots[kMaxWorkers];
std::atomic<uint32_t> usedSlots{0};
/// Threads that could be woken or started.
std::atomic<uint32_t> available{0};
/// Workers that are neither parked nor asleep in awaitTaskBlocks, or have been
/// rung. It is lower for a moment while a thread rings. Program threads count
/// from the first offer of a tree to its end.
std::atomic<int> awake{0};
/// Threads of the pool between two task blocks, or between the last one and
/// parking. They look at the withheld demand before they go to work or sleep.
std::atomic<uint32_t> searching{0};
/// Processors that the process may use; 0 before the first use.
std::atomic<uint32_t> processors{0};
std::atomic<bool> forkedInTask{false};

/// The number of workers that can be awake with a processor each.
int mostAwake() {
  return static_cast<int>(
      processors.load(std::memory_order_relaxed)); // a number
}

/// Removes a worker from the parked ones; false if it is not among them.
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

/// How often the calling thread has blocked in what it ran.
int64_t blockings(const Worker &worker) {
  rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw - worker.naps;
}

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
    if (!worker->watches.load(std::memory_order_relaxed)) // a hint
      return worker;
  return parked;
}

/// Sets what the worker holds of its thread, which is the calling one.
void setThread(Worker &worker) {
  // relaxed, both: numbers.
  worker.threadNumber.store(static_cast<pid_t>(syscall(SYS_gettid)),
                            std::memory_order_relaxed);
  worker.signals.store(blockedSignals(), std::memory_order_relaxed);
  clockid_t clock{};
  pthread_getcpuclockid(pthread_self(), &clock);
  // relaxed: an outdated clock belongs to another thread or to none.
  worker.clock.store(clock, std::memory_order_relaxed);
}

void takeSlot(Worker *worker) {
  // relaxed: writers are ordered by `lock`.
  uint32_t used = usedSlots.load(std::memory_order_relaxed);
  uint32_t index = 0;
  while (index != used && slots[index].load(std::memory_order_relaxed))
    ++index;
  if (index == kMaxWorkers) {
    // There are more threads than can share work: this one works alone.
    worker->sharable = false;
    worker->slot = 0;
    return;
  }
  worker->slot = index;
  worker->tree = index;
  // Publishes the worker's members to threads that find it. seq_cst: a worker
  // that announced its sleep before this one looks for sleepers finds this one.
  slots[index].store(worker, std::memory_order_seq_cst);
  if (index == used)
    usedSlots.store(used + 1, std::memory_order_seq_cst);
}

} // namespace

struct PoolExit {
  static void run() { Pool::stop(); }
};

/// Distinguishes a destructor that runs because the library is closed from one
/// that runs because the process ends.
///
/// exit() calls what was registered with it before it runs destructors. A
/// closed library removes its own functions from that list. So a function of
/// the C library is registered, without an owning library, with a semaphore on
/// the heap. Both still exist when this library does not.
class ExitNotice {
public:
  void order() {
    auto *space = static_cast<sem_t *>(malloc(sizeof(sem_t)));
    if (!space || sem_init(space, 0, 0) != 0)
      return free(space);
    // The C library ignores its result.
    auto *untyped = reinterpret_cast<void (*)()>(sem_post);
    if (__cxa_atexit(reinterpret_cast<void (*)(void *)>(untyped), space,
                     /*library=*/space) == 0)
      notice = space;
    else
      free(space);
  }
  /// Also false if it is not known.
  bool isOfLibrary() const {
    int posted = 1;
    return notice && sem_getvalue(notice, &posted) == 0 && posted == 0;
  }

private:
  sem_t *notice = nullptr;
};
static constinit ExitNotice exitNotice;

uint32_t Pool::slotCount() {
  return usedSlots.load(std::memory_order_seq_cst); // see takeSlot
}

Worker *Pool::slot(uint32_t index) {
  return slots[index].load(std::memory_order_seq_cst); // see takeSlot
}

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
  exitNotice.order();
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
  demand.store(static_cast<int>(number - 1), std::memory_order_relaxed);
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
  uint32_t used = slotCount();
  for (uint32_t i = 0; i != used; ++i)
    if (Worker *worker = slot(i))
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
  setThread(*worker);
  worker->thread = thread;
  if (!thread) {
    entered.fetch_add(1, std::memory_order_relaxed); // `lock` orders it
    // This may be a pool thread that ended as the last of the process and runs
    // the exit handlers. It goes on, so it must not be joined.
    hasEnded = hasEnded && !pthread_equal(lastEnded, pthread_self());
  }
  takeSlot(worker);
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
  // relaxed: a thread that still has the pointer finds an empty steal queue.
  if (slots[worker->slot].load(std::memory_order_relaxed) == worker)
    slots[worker->slot].store(nullptr, std::memory_order_relaxed);
  // Threads that sleep without a limit check again whether they are needed. A
  // thread that parks later does so under the lock, and reads the number before
  // it sleeps.
  if (!worker->thread && entered.fetch_sub(1, std::memory_order_seq_cst) == 1) {
    lastSignals = blockedSignals();
    for (Worker *sleeper = parked; sleeper; sleeper = sleeper->nextFree)
      sleeper->ring();
  }
  worker->thread = nullptr;
  worker->nextFree = freeWorkers;
  freeWorkers = worker;
  pthread_mutex_unlock(&lock);
}

void Pool::offered(Worker &worker, TaskBlock *parent) {
  if (!worker.isCounted) {
    worker.isCounted = true;
    countAwake();
  }
  // seq_cst, here and where a worker announces its sleep: this comes after the
  // task block was enqueued, and the announcement before the last look at the
  // steal queues. At least one of the two sees the other. The same holds for a
  // worker that is no longer awake, or no longer watches.
  demand.fetch_sub(1, std::memory_order_seq_cst);
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
    thread = sleeper->thread;
  } else if (!stopping && startedThreads != options.workers - 1) {
    thread = startThread();
  }
  if (thread && !callerSleeps)
    thread->placement.keepOff(thread->handle);
  if (thread)
    thread->placement.call();
  pthread_mutex_unlock(&lock);
  if (sleeper)
    sleeper->ring();
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
  // relaxed: a hint. A worker that leaves something to others looks again when
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
  worker.lastProcessor.store(-1, std::memory_order_relaxed);
  // seq_cst, both: see offered and TaskBlock::isFinished. In this order;
  // otherwise a thread that rings would count the worker first.
  if (worker.isCounted)
    awake.fetch_sub(1, std::memory_order_seq_cst);
  worker.asleep.store(Worker::isAsleep |
                          (worker.isCounted ? Worker::wasCounted : 0) |
                          (helps ? Worker::helps : 0),
                      std::memory_order_seq_cst);
  if (helps)
    idle();
}

bool Pool::endSleep(Worker &worker) {
  // seq_cst: a thread that has rung did so after the task block was enqueued.
  // One that comes later rings another worker.
  uint8_t before = worker.asleep.exchange(0, std::memory_order_seq_cst);
  if (before & Worker::wasCounted)
    countAwake();
  if (before & Worker::helps)
    busy();
  return before != 0;
}

bool Pool::ringIfAsleep(Worker &worker) {
  // Counted here, not when the worker runs, which takes a while. Meanwhile a
  // worker that offers something would wake another thread for the same
  // processor. And a worker that spawns would see a request that this one no
  // longer makes.
  bool wakes =
      worker.asleep.load(std::memory_order_seq_cst) && endSleep(worker);
  if (wakes)
    worker.ring();
  return wakes;
}

bool Pool::ringIfHelpful(Worker &worker) {
  // seq_cst: see TaskBlock::isFinished.
  return worker.asleep.load(std::memory_order_seq_cst) & Worker::helps &&
         ringIfAsleep(worker);
}

void Pool::wakeForOffers() {
  if (hasIdleProcessor() && mayWakeThread() && areOffers())
    wakeThread(/*callerSleeps=*/true);
}

void Pool::countEnded(Worker &worker) {
  worker.isCounted = false;
  worker.lastProcessor.store(-1, std::memory_order_relaxed);
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
  if (worker.lastProcessor.load(std::memory_order_relaxed) == now)
    return;
  worker.lastProcessor.store(now, std::memory_order_relaxed);
  keepApart(worker);
}

void Pool::keepApart(Worker &worker) {
  auto processorOf = [](const Worker &of) {
    return of.lastProcessor.load(std::memory_order_relaxed);
  };
  int here = processorOf(worker);
  pthread_mutex_lock(&lock);
  // If there are not enough processors, Linux distributes the threads.
  bool areEnough = !isSurplus();
  if (PoolThread *own = worker.thread) {
    bool isShared = false;
    for (uint32_t i = 0, used = slotCount(); i != used; ++i)
      if (Worker *other = slot(i); other && other != &worker)
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
    raiseDemand(1);
}

void Pool::claimed() { raiseDemand(1); }
void Pool::idle() { raiseDemand(1); }

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

void Pool::raiseDemand(uint32_t number) {
  // seq_cst, with Worker::refreshLimit; else a hint, see wanted().
  int rise = static_cast<int>(number);
  if (demand.fetch_add(rise, std::memory_order_seq_cst) + rise <= 0)
    return;
  for (uint32_t i = 0, count = slotCount(); i != count; ++i)
    if (Worker *worker = slot(i))
      std::atomic_ref(worker->poll_from)
          .store(Worker::kAnywhere, std::memory_order_seq_cst);
}

void Pool::busy() {
  demand.fetch_sub(1, std::memory_order_relaxed); // a hint, see wanted()
}

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
  demand.fetch_sub(static_cast<int>(missing), std::memory_order_relaxed);
  options.workers = startedThreads + 1;
  count.store(options.workers, std::memory_order_relaxed);
  (Message() << "cannot start a worker thread (" << strerror(error)
             << "): going on with " << uint64_t(options.workers))
      .print();
  return nullptr;
}

void *Pool::threadMain(void *argument) {
  auto &self = *static_cast<PoolThread *>(argument);
  // The owner of a task block waits for the thread that runs it, so that thread
  // must not be cancelled.
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  // It began with this mask, but AddressSanitizer replaces it by its creator's.
  blockSignals(kIdleSignals);
  pthread_mutex_lock(&lock);
  self.placement.arrive();
  self.beganOn = sched_getcpu();
  pthread_mutex_unlock(&lock);
  Worker &worker = *join(&self);
  Worker::adopt(&worker);
  struct Task {
    Worker *worker;
    TaskBlock *taskBlock;
    uint64_t took;
  };
  worker.isCounted = true;
  worker.lastProcessor.store(sched_getcpu(), std::memory_order_relaxed);
  pthread_mutex_lock(&lock);
  self.worker = &worker;
  pthread_mutex_unlock(&lock);
  bool stopped = false, retires = false, blocks = false, worked = false;
  bool isDetached = false; // by stop(), which detaches threads that `lives`
                           // marks
  // Task blocks in turn that took less than durations.worthTaking.
  uint32_t smallBlocks = 0;
  while (!stopped && !retires) {
    // A surplus thread leaves the offers to other workers, unless its last task
    // block was blocked and so did not need a processor for long.
    TaskBlock *taskBlock = !blocks && isSurplus() ? nullptr : takeAny(worker);
    blocks = false;
    if (!taskBlock && worked)
      taskBlock = takeAnyAwake(worker);
    worked = false;
    if (!taskBlock) {
      // A ring after the announcement changes the alarm.
      uint32_t before = worker.alarmNow();
      pthread_mutex_lock(&lock);
      stopped = stopping;
      worker.lastProcessor.store(-1, std::memory_order_relaxed);
      self.placement.leave();
      worker.nextFree = parked;
      parked = &worker;
      // seq_cst: the announcement comes before the last look, see offered().
      available.fetch_add(1, std::memory_order_seq_cst);
      bool mayRun =
          awake.fetch_sub(1, std::memory_order_seq_cst) <= mostAwake();
      // seq_cst: before it looks at the withheld demand, see withholdAlways.
      searching.fetch_sub(1, std::memory_order_seq_cst);
      pthread_mutex_unlock(&lock);
      if (mayRun)
        taskBlock = takeAny(worker);
      Wake wake = Wake::rung;
      if (!taskBlock && !stopped) {
        Mark parking(worker.profile, Event::parked);
        wake = sleepParked(worker, before);
        if (wake == Wake::period)
          taskBlock = takeNeglected(worker);
      }
      pthread_mutex_lock(&lock);
      bool rung = !unpark(&worker);
      self.placement.arrive();
      // Decided under the lock: from here on another thread may be started in
      // the place of this one, which counts as available.
      retires = wake == Wake::unneeded && !rung && !isEntered() && !stopping;
      if (retires) {
        self.lives = false;
        isDetached = areDetached;
        --startedThreads;
        available.fetch_add(1, std::memory_order_relaxed); // `lock` orders it
      }
      pthread_mutex_unlock(&lock);
      // The ring may have been for another task block than the one found
      // meanwhile.
      if (rung && taskBlock)
        passRingOn();
    }
    if (taskBlock) {
      busy();
      // seq_cst: before it looks at the withheld demand, see withholdAlways.
      searching.fetch_sub(1, std::memory_order_seq_cst);
      passWatch(worker);
      bool surplus = isSurplus();
      int64_t before = surplus ? blockings(worker) : 0;
      Task task{&worker, taskBlock, 0};
      worker.stack.call(
          [](void *taken) {
            auto *task = static_cast<Task *>(taken);
            task->took = runTaskBlock(*task->worker, task->taskBlock);
          },
          &task);
      // While all processors are in use, the thread may have blocked on a lock
      // of the system.
      blocks = surplus && isProcessorIdle() && blockings(worker) > before;
      searching.fetch_add(1, std::memory_order_relaxed);
      worked = true;
      smallBlocks = task.took < durations.worthTaking ? smallBlocks + 1 : 0;
      if (smallBlocks >= kMostSmallBlocks)
        withholdAlways();
      else if (idle(); !wanted())
        releaseWithheld(1);
      stopped = false;
    }
  }
  searching.fetch_sub(1, std::memory_order_relaxed);
  passWatch(worker);
  worker.isCounted = false;
  worker.lastProcessor.store(-1, std::memory_order_relaxed);
  awake.fetch_sub(1, std::memory_order_relaxed);
  Worker::adopt(nullptr);
  if (!retires) {
    pthread_mutex_lock(&lock);
    self.lives = false;
    isDetached = areDetached;
    --startedThreads;
    pthread_mutex_unlock(&lock);
  }
  leave(&worker);
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
  return nullptr;
}

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
    sleeper->ring();
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
  entered.store(worker && !worker->thread ? 1 : 0, std::memory_order_relaxed);
  forgetWatch();
  if (worker)
    setThread(*worker);
  for (std::atomic<Worker *> &entry : slots)
    if (Worker *gone = entry.load(std::memory_order_relaxed);
        gone && gone != worker) {
      gone->nextFree = lostWorkers;
      lostWorkers = gone;
      entry.store(nullptr, std::memory_order_relaxed);
    }
  if (worker && worker->isInTask()) {
    forkedInTask.store(true, std::memory_order_relaxed);
    // Makes every later step check.
    demand.store(INT_MAX / 2, std::memory_order_relaxed);
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
  for (uint32_t i = 0, used = slotCount(); i != used; ++i)
    if (Worker *worker = slot(i))
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
  for (std::atomic<Worker *> &entry : slots)
    if (Worker *worker = entry.exchange(nullptr, std::memory_order_relaxed))
      freeOne(worker);
  for (Worker **list : {&freeWorkers, &lostWorkers})
    while (Worker *worker = *list) {
      *list = worker->nextFree;
      freeOne(worker);
    }
  pthread_mutex_unlock(&lock);
  TaskBlock::freeAll();
}

/// Ends the pool with the process, or with the library that holds it.
__attribute__((destructor)) static void endPool() {
  PoolExit::run();
  Profile::report();
  Worker::forgetThreads();
  removeOverflowHandler();
  // When the process ends, other threads may be anywhere.
  if (exitNotice.isOfLibrary())
    Pool::freeAll();
}

} // namespace chan
