//===- Watch.cpp - Taking what no worker has come for ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reservation wakes no worker. Instead an idle worker checks the reservations
// every period. One thread of the pool does this for all workers. If all of the
// pool's threads are at work, each waiting worker does it, for descendants of
// what it waits for. test/Models/reservation.pml is a model of this.
//
// An offer wakes no worker either while as many workers are awake as there are
// processors. They may be blocked, or run something long. So the watching
// thread of the pool takes the task block after one or several periods, and
// another thread watches. test/Models/processors.pml is a model of that.
//===----------------------------------------------------------------------===//

#include "Demand.h"
#include "Futex.h"
#include "Options.h"
#include "Pool.h"
#include "Reserving.h"
#include "Slots.h"
#include "Stealing.h"
#include "Tuning.h"

#include <algorithm>
#include <time.h>

namespace chan {
namespace {

/// The post of the watching thread of the pool.
enum Watch : uint32_t { vacant, appointed, onDuty };
std::atomic<uint32_t> watch{vacant};
/// Periods until watching can stop, if no reservation is open then.
std::atomic<uint32_t> recentReservations{0};
/// Withheld demand: the number of task blocks that were taken back. Their
/// owners would offer them again at once, but no processor is free for a thief.
std::atomic<uint32_t> withheld{0};
std::atomic<long> periodNanoseconds{kPeriodNanoseconds};
/// How many periods the watching thread of the pool has waited for.
std::atomic<uint32_t> periods{0};
/// For how many of these periods no withheld demand has been released.
std::atomic<uint32_t> silentPeriods{0};
std::atomic<uint32_t> idlePeriods{kConvincingPeriods};
/// The last period in which an offer or a reservation was taken that had waited
/// for too long.
std::atomic<uint32_t> lastNeglected{0};

/// Whether `worker` must be reminded of requests, because it backs off or lets
/// only older frames poll. After the reminder its activations poll, if it is in
/// a tree.
bool needsReminder(Worker &worker) {
  // seq_cst, both: see Pool::ensureWatch.
  uintptr_t from =
      std::atomic_ref(worker.poll_from).load(std::memory_order_seq_cst);
  return from != Worker::kAnywhere &&
         (from != Worker::kNowhere ||
          worker.backOff.isOn.load(std::memory_order_seq_cst));
}

/// Whether a worker is to watch: there is a reservation, or was one recently,
/// or a worker must be reminded.
bool areReservations() {
  if (recentReservations.load(
          std::memory_order_relaxed)) // see Pool::noteReservation
    return true;
  uint32_t count = Slots::count();
  for (uint32_t i = 0; i != count; ++i)
    if (Worker *worker = Slots::at(i);
        worker && (worker->reservation.isOpen() || needsReminder(*worker)))
      return true;
  return false;
}

/// Whether a thread of the pool is to watch because of offers or withheld
/// demand.
bool areUntaken() {
  // seq_cst: see Pool::ensureWatch.
  return withheld.load(std::memory_order_seq_cst) || areOffers();
}

void ringUnlessDozing(Worker &worker) {
  // seq_cst: see Pool::noteReservation and Pool::sleep.
  if (!worker.wakeup.dozes.load(std::memory_order_seq_cst))
    Pool::ringIfHelpful(worker);
}

/// The processor time of all workers' threads from now on. The clock of the
/// process is not precise enough: for running threads it holds the value of
/// their last tick, which may be several periods ago.
class Usage {
public:
  Usage() {
    for (uint32_t i = 0; i != count; ++i)
      used[i] = usedBy(i);
  }

  /// Whether most of one of `processors` processors has been idle. The time of
  /// threads that are not workers counts as idle.
  bool leavesProcessorIdle(uint32_t processors) const {
    int64_t passed = int64_t(nanosecondsNow()) - began, all = 0;
    for (uint32_t i = 0; i != count; ++i)
      // The slot may belong to another worker by now.
      all += std::clamp(usedBy(i) - used[i], int64_t(0), passed);
    return all < processors * passed - passed / 2;
  }

private:
  static int64_t usedBy(uint32_t slot) {
    Worker *worker = Slots::at(slot);
    return worker ? int64_t(worker->thread.processorTime()) : 0;
  }

  int64_t began = int64_t(nanosecondsNow());
  uint32_t count = Slots::count();
  int64_t used[kMaxWorkers];
};

/// True if the period is over and the worker was not rung.
bool sleepForPeriod(Worker &worker, uint32_t before) {
  // relaxed: a number.
  futexWaitFor(worker.wakeup.alarm, before,
               periodNanoseconds.load(std::memory_order_relaxed));
  // A later ring ends the next sleep.
  if (worker.wakeup.alarmNow() != before)
    return false;
  // If a new reservation sets it meanwhile, it stays set.
  if (uint32_t recent = recentReservations.load(std::memory_order_relaxed))
    recentReservations.compare_exchange_strong(recent, recent - 1,
                                               std::memory_order_relaxed);
  return true;
}

} // namespace

void Pool::ringWaiters() {
  uint32_t count = Slots::count();
  for (uint32_t i = 0; i != count; ++i)
    if (Worker *worker = Slots::at(i))
      ringUnlessDozing(*worker);
}

void Pool::noteReservation(TaskBlock *parent) {
  // relaxed, here and elsewhere: it only prevents watchers from stopping and
  // starting too often. The open reservation itself must not be missed.
  if (recentReservations.load(std::memory_order_relaxed) != kRecentPeriods)
    recentReservations.store(kRecentPeriods, std::memory_order_relaxed);
  if (ensureWatch())
    return;
  // relaxed: as in offered.
  for (; parent; parent = parent->parent.load(std::memory_order_relaxed))
    ringUnlessDozing(*parent->owner.load(std::memory_order_relaxed));
}

void Pool::watchBackOff() {
  // A waiting worker that sleeps can watch. If all workers run, none wants
  // work; one that begins to want it tells all of them.
  if (!ensureWatch() && Demand::wanted())
    ringWaiters();
}

void Pool::remindBackingOff() {
  if (!Demand::wanted())
    return;
  for (uint32_t i = 0, count = Slots::count(); i != count; ++i)
    if (Worker *worker = Slots::at(i); worker && needsReminder(*worker))
      worker->requestPolls();
}

bool Pool::ensureWatch() {
  // seq_cst, here, in appoint and in ringUnlessDozing. This look comes after
  // the reservation was opened, the task block enqueued or its demand withheld.
  // A worker that will not watch announces this before its last look for any of
  // these: it leaves the post, becomes available, or sleeps without dozing. At
  // least one of the two sees the other.
  return watch.load(std::memory_order_seq_cst) != vacant || appoint();
}

bool Pool::withhold() {
  // relaxed: at worst the demand is raised a period later.
  uint32_t seen = withheld.load(std::memory_order_relaxed);
  do
    if (seen >= spareWorkers())
      return false;
  // seq_cst: before the look for a watching worker, see ensureWatch.
  while (!withheld.compare_exchange_weak(seen, seen + 1,
                                         std::memory_order_seq_cst));
  if (!ensureWatch())
    releaseWithheld();
  return true;
}

void Pool::withholdAlways() {
  // seq_cst: as above. And a thread that stops searching announces it before it
  // looks at the withheld demand. If it parks, it watches; if it goes to work,
  // it releases the demand.
  withheld.fetch_add(1, std::memory_order_seq_cst);
  if (!ensureWatch() && !isAnyThreadSearching())
    releaseWithheld();
}

void Pool::releaseWithheld(uint32_t most) {
  // relaxed: nothing is ordered by it.
  uint32_t seen = withheld.load(std::memory_order_relaxed), number;
  do {
    number = std::min(seen, most);
    if (!number)
      return;
  } while (!withheld.compare_exchange_weak(seen, seen - number,
                                           std::memory_order_relaxed));
  Demand::raise(number);
}

bool Pool::appoint() {
  if (!mayWakeThread())
    return false;
  uint32_t seen = vacant;
  if (!watch.compare_exchange_strong(seen, appointed,
                                     std::memory_order_seq_cst) ||
      wakeThread())
    return true;
  seen = appointed;
  watch.compare_exchange_strong(seen, vacant, std::memory_order_seq_cst);
  // For workers that saw the post as appointed.
  releaseWithheld();
  ringWaiters();
  return true;
}

void Pool::passWatch(Worker &worker) {
  uint32_t seen = appointed;
  bool left =
      worker.thread.watches.load(std::memory_order_relaxed); // the worker's
                                                             // own
  if (left)
    leavePost(worker);
  else
    // This thread may have been the appointed one. If not, an idle thread is
    // rung without need.
    left =
        watch.compare_exchange_strong(seen, vacant, std::memory_order_seq_cst);
  // Of the task blocks, those offered while the post was taken.
  if ((areReservations() || (left && areUntaken()) ||
       withheld.load(std::memory_order_seq_cst)) &&
      !ensureWatch()) {
    releaseWithheld();
    ringWaiters();
  }
}

void Pool::leavePost(Worker &worker) {
  worker.thread.watches.store(false,
                              std::memory_order_relaxed); // a hint to other
                                                          // threads
  watch.store(vacant, std::memory_order_seq_cst);         // see ensureWatch
}

Pool::Wake Pool::sleepParked(Worker &worker, uint32_t before) {
  // See ensureWatch. The worker is available. Before it sleeps without a limit,
  // it looks again after it has left the post, or has given the post up.
  for (;;) {
    bool needed = areReservations() || areUntaken();
    // relaxed: the worker's own.
    bool watches = worker.thread.watches.load(std::memory_order_relaxed);
    if (watches && needed) {
      Usage usage;
      if (!sleepForPeriod(worker, before))
        return Wake::rung;
      // relaxed, both: hints.
      if (!usage.leavesProcessorIdle(availableProcessors()))
        idlePeriods.store(0, std::memory_order_relaxed);
      else if (idlePeriods.load(std::memory_order_relaxed) !=
               kConvincingPeriods)
        idlePeriods.fetch_add(1, std::memory_order_relaxed);
      remindBackingOff();
      // relaxed: task blocks only become older.
      periods.fetch_add(1, std::memory_order_relaxed);
      // relaxed: only one thread at a time watches.
      uint32_t silent = silentPeriods.load(std::memory_order_relaxed) + 1;
      if (silent >= patience()) {
        releaseWithheld();
        silent = 0;
      }
      silentPeriods.store(silent, std::memory_order_relaxed);
      return Wake::period;
    }
    if (watches) {
      leavePost(worker);
      continue;
    }
    uint32_t post = watch.load(std::memory_order_seq_cst);
    if (post == onDuty || (post == vacant && !needed))
      break;
    if (watch.compare_exchange_strong(post, needed ? onDuty : vacant,
                                      std::memory_order_seq_cst) &&
        needed)
      worker.thread.watches.store(true,
                                  std::memory_order_relaxed); // a hint to other
                                                              // threads
  }
  if (isEntered()) {
    futexWait(worker.wakeup.alarm, before);
    return Wake::rung;
  }
  futexWaitFor(worker.wakeup.alarm, before, kRetirementNanoseconds);
  return worker.wakeup.alarmNow() == before ? Wake::unneeded : Wake::rung;
}

bool Pool::sleep(Worker &worker, uint32_t before) {
  // A worker that is not counted has offered nothing in this tree.
  if (worker.thread.isCounted)
    wakeForOffers();
  ++worker.wakeup.naps;
  bool over = false;
  // seq_cst: the worker has announced that it is asleep, see ensureWatch.
  if (watch.load(std::memory_order_seq_cst) == onDuty || !areReservations()) {
    futexWait(worker.wakeup.alarm, before);
  } else {
    // seq_cst: a thread that reads it relies on this worker's look at the
    // reservations after the period.
    worker.wakeup.dozes.store(true, std::memory_order_seq_cst);
    over = sleepForPeriod(worker, before);
    worker.wakeup.dozes.store(false, std::memory_order_seq_cst);
    if (over)
      remindBackingOff();
  }
  return over;
}

bool Pool::isProcessorIdle() {
  return hasIdleProcessor() || idlePeriods.load(std::memory_order_relaxed) >=
                                   kConvincingPeriods; // a hint
}

uint32_t Pool::patience() {
  return isProcessorIdle() ? kPatience : kPatienceWithBusy;
}

TaskBlock *Pool::takeNeglected(Worker &worker) {
  // relaxed, both: only one thread watches.
  uint32_t now = period();
  if (now - lastNeglected.load(std::memory_order_relaxed) < patience())
    return nullptr;
  TaskBlock *taskBlock = takeReservation(worker, patience());
  if (!taskBlock)
    taskBlock = takeOld(worker, now, patience());
  if (taskBlock)
    lastNeglected.store(now, std::memory_order_relaxed);
  return taskBlock;
}

uint32_t Pool::period() {
  return periods.load(std::memory_order_relaxed); // a hint about ages
}

void Pool::setPeriod(long nanoseconds) {
  periodNanoseconds.store(nanoseconds, std::memory_order_relaxed); // a number
}

void Pool::forgetWatch() {
  // relaxed: the only thread.
  watch.store(vacant, std::memory_order_relaxed);
  recentReservations.store(0, std::memory_order_relaxed);
  withheld.store(0, std::memory_order_relaxed);
  idlePeriods.store(kConvincingPeriods, std::memory_order_relaxed);
}

} // namespace chan
