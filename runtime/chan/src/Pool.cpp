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

/// A thread of the pool, or a place for one.  Guarded by `lock`.
struct PoolThread {
  bool lives = false;
  pthread_t handle;
  /// Null until it has one; then it is the worker that knows where it runs.
  Worker *worker = nullptr;
  int beganOn = -1;
  Placement placement;
};

constinit std::atomic<int> Pool::demand{0};
constinit std::atomic<uint32_t> Pool::count{0};
constinit Options Pool::options{1, 1, 1, 0, false, nullptr, nullptr};

namespace {

/// Of these, so many end the search for more for a period.
constexpr uint32_t kMostSmallBlocks = 8;
/// A search for one who waits goes so far: of a task block's ancestors there
/// may be thousands.
constexpr int kNearAncestors = 16;
constexpr size_t kThreadStack = size_t(512) << 10;
/// How long a normal exit waits for threads that are about to fall idle.
constexpr long kPatienceNanoseconds = 200'000'000;

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t threadEnded = PTHREAD_COND_INITIALIZER;

// Guarded by `lock`.
bool configured = false;
bool stopping = false;
Worker *freeWorkers = nullptr;
/// Workers of threads that a fork left behind in the parent.
Worker *lostWorkers = nullptr;
Worker *parked = nullptr;
PoolThread *threads = nullptr;
uint32_t threadPlaces = 0;
/// Those that live, and with them those that are about to end.
uint32_t startedThreads = 0;
uint32_t liveThreads = 0;
/// The one that has ended last.  Each waits for the one before it, so that
/// nothing of them runs when this one has been waited for.
pthread_t lastEnded;
bool hasEnded = false;
/// The pool's threads are detached: no thread joins them any more.
bool areDetached = false;
/// What the thread of the program blocked that left last.
SignalMask lastSignals = 0;

// Written under `lock`, read without.
/// Threads of the program that have entered and not ended.
std::atomic<uint32_t> entered{0};
std::atomic<Worker *> slots[kMaxWorkers];
std::atomic<uint32_t> usedSlots{0};
/// Threads that could be woken or started.
std::atomic<uint32_t> available{0};
/// Workers that are neither parked nor asleep in awaitTaskBlocks, or have been
/// rung; for a moment less, while somebody rings.  Those of other threads than
/// the pool's count from the first offer of a tree to its end.
std::atomic<int> awake{0};
/// Threads of the pool between two task blocks, or between one and the bed:
/// they look at what is withheld before they go to work or sleep.
std::atomic<uint32_t> searching{0};
/// Processors that the process may use; 0 until somebody asks.
std::atomic<uint32_t> processors{0};
std::atomic<bool> forkedInTask{false};

/// Of the workers awake, those for whom there are processors.
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
    searching.fetch_add(1, std::memory_order_relaxed); // see isAnyoneSearching
    return true;
  }
  return false;
}

/// How often the calling thread has gone to sleep in what it runs.
int64_t blockings(const Worker &worker) {
  rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw - worker.naps;
}

/// Wakes the nearest of those who wait for an ancestor of what a caller inside
/// `parent` has made.  False if it has not found one.
bool ringAncestor(TaskBlock *parent) {
  // relaxed: the caller runs inside `parent`, so that none of them is finished.
  for (int i = 0; parent && i != kNearAncestors; ++i) {
    if (Pool::ringIfHelpful(*parent->owner.load(std::memory_order_relaxed)))
      return true;
    parent = parent->parent.load(std::memory_order_relaxed);
  }
  return false;
}

/// Whom to wake: rather not who watches, or somebody else has to.
Worker *nextParked() {
  for (Worker *worker = parked; worker; worker = worker->nextFree)
    if (!worker->watches.load(std::memory_order_relaxed)) // a hint
      return worker;
  return parked;
}

/// Of the calling thread, which is the worker's.
void setThread(Worker &worker) {
  // relaxed, both: numbers.
  worker.threadNumber.store(static_cast<pid_t>(syscall(SYS_gettid)),
                            std::memory_order_relaxed);
  worker.signals.store(blockedSignals(), std::memory_order_relaxed);
  clockid_t clock{};
  pthread_getcpuclockid(pthread_self(), &clock);
  // relaxed: an earlier one is one of another thread, or of none.
  worker.clock.store(clock, std::memory_order_relaxed);
}

void takeSlot(Worker *worker) {
  // relaxed: writers are ordered by `lock`.
  uint32_t used = usedSlots.load(std::memory_order_relaxed);
  uint32_t index = 0;
  while (index != used && slots[index].load(std::memory_order_relaxed))
    ++index;
  if (index == kMaxWorkers) {
    // More threads than anyone shares work among: this one works alone.
    worker->sharable = false;
    worker->slot = 0;
    return;
  }
  worker->slot = index;
  worker->tree = index;
  // Releases the worker's members to who finds it.  seq_cst: a sleeper that
  // announced itself before this worker looks for sleepers finds the worker.
  slots[index].store(worker, std::memory_order_seq_cst);
  if (index == used)
    usedSlots.store(used + 1, std::memory_order_seq_cst);
}

} // namespace

struct PoolExit {
  static void run() { Pool::stop(); }
};

/// Tells a destructor that runs since the library is closed from one that runs
/// since the process ends.
///
/// exit() calls what was registered with it before it runs destructors; a
/// closed library takes its own functions off that list.  So one of the C
/// library's is registered, as no library's own, with a semaphore of the heap,
/// both of which are still there when this library is not.
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
  /// False, too, if it cannot be told.
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

/// Before the lock: a bad value ends the process, and the end takes the lock.
static Options readOptions() {
  Options parsed = parseOptions();
  Profile::prepare(parsed);
  return parsed;
}

void Pool::configure(const Options &parsed) {
  if (configured)
    return;
  options = parsed;
  // relaxed: a number, and `lock` orders it for who waits for that.
  if (!processors.load(std::memory_order_relaxed))
    processors.store(options.processors, std::memory_order_relaxed);
  installOverflowHandler();
  exitNotice.order();
  // Other threads may be anywhere in the runtime: a thief still releases its
  // task block when the tree of the task block's owner is over.
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

/// Before a thread of the pool runs.
void Pool::resize(uint32_t number) {
  options.workers = number;
  // relaxed: `lock` orders it, and nobody else looks yet.
  available.store(number - 1, std::memory_order_relaxed);
  demand.store(static_cast<int>(number - 1), std::memory_order_relaxed);
  count.store(number, std::memory_order_relaxed);
}

bool Pool::setWorkers(uint32_t number) {
  Options parsed = readOptions();
  Worker *self = Worker::currentIfAny();
  pthread_mutex_lock(&lock);
  configure(parsed);
  // A thread that could not be started has been waited for, too.
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
    // A thread of the pool that ends as the last of the process runs the exit
    // handlers: it goes on, and is not to be waited for.
    hasEnded = hasEnded && !pthread_equal(lastEnded, pthread_self());
  }
  takeSlot(worker);
  worker->endBackOff();
  worker->refreshLimit();
  pthread_mutex_unlock(&lock);
  return worker;
}

void Pool::leave(Worker *worker) {
  clearStealQueue(*worker);
  worker->dispose();
  pthread_mutex_lock(&lock);
  // relaxed: whoever still has the pointer finds an empty steal queue.
  if (slots[worker->slot].load(std::memory_order_relaxed) == worker)
    slots[worker->slot].store(nullptr, std::memory_order_relaxed);
  // Those who sleep for good look again whether they are needed.  Who parks
  // later does so under the lock, and sees the number before it sleeps.
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
  // seq_cst, here and where sleep is announced: after the task block was
  // enqueued. Who announces that it sleeps does so before its last look at the
  // steal queues; one of the two sees the other.  So does who is no longer
  // awake, and who no longer watches.
  demand.fetch_sub(1, std::memory_order_seq_cst);
  // The last processor is rather for one who waits than for another tree.
  if ((isLastProcessor() && ringAncestor(parent)) || findTaker())
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
  // relaxed: advice.
  return awake.load(std::memory_order_relaxed) + 1 >= mostAwake();
}

bool Pool::findTaker() {
  return hasIdleProcessor() ? wakeThread() : ensureWatch();
}

bool Pool::isSurplus() {
  // relaxed: advice.  Who leaves something to the others looks again when it is
  // no longer awake.
  return awake.load(std::memory_order_relaxed) > mostAwake();
}

void Pool::countAwake() {
  // relaxed: who still sees the lower number wakes one more than need be.
  awake.fetch_add(1, std::memory_order_relaxed);
}

void Pool::wentOn() {
  if (areOffers() && !findTaker())
    ringWaiters();
}

void Pool::beginSleep(Worker &worker, bool helps) {
  worker.whereabouts.store(-1, std::memory_order_relaxed);
  // seq_cst, both: see offered and TaskBlock::isFinished.  In this order, or
  // who rings would count it first.
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
  // seq_cst: who has rung did so after the task block was enqueued; who comes
  // later rings somebody else.
  uint8_t before = worker.asleep.exchange(0, std::memory_order_seq_cst);
  if (before & Worker::wasCounted)
    countAwake();
  if (before & Worker::helps)
    busy();
  return before != 0;
}

bool Pool::ringIfAsleep(Worker &worker) {
  // Now, not when it runs, which takes a while: meanwhile who offers something
  // would wake a thread for the processor that it is about to use, and who
  // spawns would take it for one that wants work.
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
  worker.whereabouts.store(-1, std::memory_order_relaxed);
  // seq_cst, before the look at the steal queues: see offered.
  awake.fetch_sub(1, std::memory_order_seq_cst);
  wakeForOffers();
}

void Pool::setProcessors(uint32_t number) {
  processors.store(number, std::memory_order_relaxed); // as in configure
}

bool Pool::isAnyoneSearching() {
  return searching.load(std::memory_order_seq_cst); // see keepBack
}

void Pool::noticeProcessor(Worker &worker) {
  // relaxed, here and elsewhere: advice; only its own thread writes it.
  int now = sched_getcpu();
  if (worker.whereabouts.load(std::memory_order_relaxed) == now)
    return;
  worker.whereabouts.store(now, std::memory_order_relaxed);
  keepApart(worker);
}

void Pool::keepApart(Worker &worker) {
  auto processorOf = [](const Worker &of) {
    return of.whereabouts.load(std::memory_order_relaxed);
  };
  int here = processorOf(worker);
  pthread_mutex_lock(&lock);
  // Where there are not enough processors, Linux is to share them out.
  bool areEnough = !isSurplus();
  if (PoolThread *own = worker.thread) {
    bool isShared = false;
    for (uint32_t i = 0, used = slotCount(); i != used; ++i)
      if (Worker *other = slot(i); other && other != &worker)
        isShared |= processorOf(*other) == here;
    if (isShared && areEnough)
      own->placement.sendOff(own->handle);
  } else {
    // A thread of the program's stays where it is.
    for (uint32_t i = 0; areEnough && i != threadPlaces; ++i) {
      PoolThread &other = threads[i];
      if (other.lives &&
          (other.worker ? processorOf(*other.worker) : other.beganOn) == here)
        other.placement.sendOff(other.handle);
    }
  }
  pthread_mutex_unlock(&lock);
}

void Pool::hurry() {
  // relaxed: advice.
  if (!searching.load(std::memory_order_relaxed))
    return;
  pthread_mutex_lock(&lock);
  for (uint32_t i = 0; i != threadPlaces; ++i)
    if (threads[i].lives)
      threads[i].placement.hurry(threads[i].handle);
  pthread_mutex_unlock(&lock);
}

void Pool::takenBack(bool useless) {
  hurry();
  if (useless)
    keepBack();
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
    // It is to have this mask from its first instruction on.
    SignalMask before = blockedSignals();
    blockSignals(kIdleSignals);
    error = pthread_create(&thread->handle, &attributes, threadMain, thread);
    blockSignals(before);
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
  // Those that run do the work, if need be the caller alone.
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
  // The owner of a task block waits for the thread that runs it.
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
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
  worker.whereabouts.store(sched_getcpu(), std::memory_order_relaxed);
  pthread_mutex_lock(&lock);
  self.worker = &worker;
  pthread_mutex_unlock(&lock);
  bool stopped = false, retires = false, blocks = false, worked = false;
  bool isDetached = false; // by stop(), which detaches those that `lives`
  // Task blocks in turn that were over at once.
  uint32_t smallBlocks = 0;
  while (!stopped && !retires) {
    // One too many leaves what is on offer to the others, unless it needs no
    // processor for long.
    TaskBlock *taskBlock = !blocks && isSurplus() ? nullptr : takeAny(worker);
    blocks = false;
    if (!taskBlock && worked)
      taskBlock = takeAnyAwake(worker);
    worked = false;
    if (!taskBlock) {
      // A ring that comes after the announcement changes it.
      uint32_t before = worker.alarmNow();
      pthread_mutex_lock(&lock);
      stopped = stopping;
      worker.whereabouts.store(-1, std::memory_order_relaxed);
      self.placement.leave();
      worker.nextFree = parked;
      parked = &worker;
      // seq_cst: announced before the last look, see offered().
      available.fetch_add(1, std::memory_order_seq_cst);
      bool mayRun =
          awake.fetch_sub(1, std::memory_order_seq_cst) <= mostAwake();
      // seq_cst: before it looks at what is withheld, see keepBack.
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
      // Now, under the lock: from here on another thread may be started in this
      // one's place, as one that is available.
      retires = wake == Wake::unneeded && !rung && !isEntered() && !stopping;
      if (retires) {
        self.lives = false;
        isDetached = areDetached;
        --startedThreads;
        available.fetch_add(1, std::memory_order_relaxed); // `lock` orders it
      }
      pthread_mutex_unlock(&lock);
      // Perhaps for another task block than the one it has found meanwhile.
      if (rung && taskBlock)
        wentOn();
    }
    if (taskBlock) {
      busy();
      // seq_cst: before it looks at what is withheld, see keepBack.
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
      // Where all processors are in use, it may have been a lock of the
      // system's.
      blocks = surplus && isOneIdle() && blockings(worker) > before;
      searching.fetch_add(1, std::memory_order_relaxed);
      worked = true;
      smallBlocks =
          task.took < StealBackoff::kWorthTaking ? smallBlocks + 1 : 0;
      if (smallBlocks >= kMostSmallBlocks)
        keepBack();
      else if (idle(); !wanted())
        releaseWithheld(1);
      stopped = false;
    }
  }
  searching.fetch_sub(1, std::memory_order_relaxed);
  passWatch(worker);
  worker.isCounted = false;
  worker.whereabouts.store(-1, std::memory_order_relaxed);
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
  // The pool stopped when this thread no longer counted as one that lives, and
  // did not yet count as one that has ended.
  if (areDetached && !isDetached)
    pthread_detach(pthread_self());
  pthread_cond_broadcast(&threadEnded);
  pthread_mutex_unlock(&lock);
  if (follows)
    pthread_join(previous, nullptr);
  // It may be the last thread of the process, which then runs the exit
  // handlers, and has to be as easy to end as any.
  if (retires && hasFirstThreadEnded())
    blockSignals(signals);
  return nullptr;
}

void Pool::stop() {
  Worker *worker = Worker::currentIfAny();
  bool inTask = worker && worker->isInTask();
  pthread_mutex_lock(&lock);
  stopping = true;
  // From here on who enters works alone.
  count.store(1, std::memory_order_relaxed);
  uint32_t idleThreads = 0;
  for (Worker *sleeper = parked; sleeper; sleeper = sleeper->nextFree) {
    ++idleThreads;
    sleeper->ring();
  }
  // exit() inside a task waits for nobody that runs one, least of all for
  // itself.
  uint32_t remaining = inTask ? liveThreads - idleThreads : 0;
  timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_nsec += kPatienceNanoseconds;
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
  // The last thread of the process may be one of them, and end it.
  // What the program does at the end of a thread may last.
  if (isAny && !pthread_equal(last, pthread_self())) {
    NoCancellation noCancellation;
    if (pthread_timedjoin_np(last, nullptr, &deadline) != 0)
      pthread_detach(last);
  }
}

void Pool::afterForkInChild() {
  // Only the forking thread lives on.
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
    // Makes every later step look.
    demand.store(INT_MAX / 2, std::memory_order_relaxed);
    worker->promotionOrder.stop();
    worker->stack_limit = UINTPTR_MAX;
    worker->demandWork();
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
