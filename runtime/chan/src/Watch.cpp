//===- Watch.cpp - Who looks after what nobody has taken ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nobody is told of a reservation, but somebody idle looks every period: one
// thread of the pool for all, or, when those are at work, each who waits, for
// what he waits for.  test/Models/reservation.pml is a model of this.
//
// Nor is anybody woken for a task block while as many workers are awake as
// there are processors.  Should these be blocked or in something long, the
// thread of the pool takes it after a period, or after several, and another
// watches. test/Models/processors.pml is a model of that.
//
//===----------------------------------------------------------------------===//

#include "Futex.h"
#include "Pool.h"
#include "Sharing.h"

#include <algorithm>
#include <time.h>

namespace chan {
namespace {

/// The post of the thread.
enum Watch : uint32_t { vacant, appointed, onDuty };
std::atomic<uint32_t> watch{vacant};
/// Periods until nobody needs to watch, if no reservation is open then.
std::atomic<uint32_t> recentReservations{0};
constexpr uint32_t kRecent = 2;
/// Task blocks that were taken back, and would be offered again at once but
/// that there is no processor for who might take them.
std::atomic<uint32_t> withheld{0};
std::atomic<long> periodNanoseconds{1'000'000};
/// How long the threads of the pool are kept for the next thread of the program
/// that enters, when there is none any more.
constexpr long kRetirementNanoseconds = 100'000'000;
/// How many a thread of the pool on duty has waited for.
std::atomic<uint32_t> periods{0};
/// For how many of them nothing withheld has become known.
std::atomic<uint32_t> silentPeriods{0};
/// For how many of them what is on offer, reserved or withheld stays so at
/// least while a processor is idle, and while all are in use.
constexpr uint32_t kPatience = 1;
constexpr uint32_t kPatienceWithBusy = 256;
/// In how many of them in turn one was idle, up to so many.  In fewer, those at
/// work may have waited for one another, or for another process to run.
constexpr uint32_t kConvincing = 4;
std::atomic<uint32_t> idlePeriods{kConvincing};
/// In which of them something was taken that was left for too long.
std::atomic<uint32_t> lastNeglected{0};

/// Whether `worker` ignores who wants work, or has only its older activations
/// hear him, and does not ask of itself.  Once it has been reminded it does, if
/// it is in a tree at all.
bool isToBeReminded(Worker &worker) {
  // seq_cst, both: see Pool::ensureWatch.
  uintptr_t from =
      std::atomic_ref(worker.poll_from).load(std::memory_order_seq_cst);
  return from != Worker::kAnywhere &&
         (from != Worker::kNowhere ||
          worker.backsOff.load(std::memory_order_seq_cst));
}

/// Whether somebody is to watch: there is a reservation, or was of late, or one
/// who is to be reminded.
bool areReservations() {
  if (recentReservations.load(
          std::memory_order_relaxed)) // see Pool::noteReservation
    return true;
  uint32_t count = Pool::slotCount();
  for (uint32_t i = 0; i != count; ++i)
    if (Worker *worker = Pool::slot(i);
        worker && (worker->reservation.isOpen() || isToBeReminded(*worker)))
      return true;
  return false;
}

/// The same for a thread of the pool, as to task blocks.
bool areUntaken() {
  // seq_cst: see Pool::ensureWatch.
  return withheld.load(std::memory_order_seq_cst) || areOffers();
}

void ringUnlessDozing(Worker &worker) {
  // seq_cst: see Pool::noteReservation and Pool::sleep.
  if (!worker.dozes.load(std::memory_order_seq_cst))
    Pool::ringIfHelpful(worker);
}

/// What the workers' threads use of the processors from now on.  The clock of
/// the process would not do: of the threads that run, it knows what they had
/// used at their last tick, which may be several periods ago.
class Usage {
public:
  Usage() {
    for (uint32_t i = 0; i != count; ++i)
      used[i] = usedBy(i);
  }

  /// Whether most of one of so many processors has been idle.  What other
  /// threads than the workers' use counts as idle, too.
  bool leavesOneIdle(uint32_t processors) const {
    int64_t passed = now(CLOCK_MONOTONIC) - began, all = 0;
    for (uint32_t i = 0; i != count; ++i)
      // The place may have become another worker's.
      all += std::clamp(usedBy(i) - used[i], int64_t(0), passed);
    return all < processors * passed - passed / 2;
  }

private:
  static int64_t now(clockid_t id) {
    timespec time;
    return clock_gettime(id, &time) == 0
               ? time.tv_sec * int64_t(1'000'000'000) + time.tv_nsec
               : 0; // the thread has just ended
  }
  static int64_t usedBy(uint32_t slot) {
    Worker *worker = Pool::slot(slot);
    // relaxed: see where it is set.
    return worker ? now(worker->clock.load(std::memory_order_relaxed)) : 0;
  }

  int64_t began = now(CLOCK_MONOTONIC);
  uint32_t count = Pool::slotCount();
  int64_t used[kMaxWorkers];
};

/// True if a period is over before anybody rang.
bool sleepForPeriod(Worker &worker, uint32_t before) {
  // relaxed: a number.
  futexWaitFor(worker.alarm, before,
               periodNanoseconds.load(std::memory_order_relaxed));
  // A ring that comes later is met by the next sleep.
  if (worker.alarmNow() != before)
    return false;
  // If a reservation raises it meanwhile, it stays raised.
  if (uint32_t recent = recentReservations.load(std::memory_order_relaxed))
    recentReservations.compare_exchange_strong(recent, recent - 1,
                                               std::memory_order_relaxed);
  return true;
}

} // namespace

void Pool::ringWaiters() {
  uint32_t count = Pool::slotCount();
  for (uint32_t i = 0; i != count; ++i)
    if (Worker *worker = Pool::slot(i))
      ringUnlessDozing(*worker);
}

void Pool::noteReservation(TaskBlock *parent) {
  // relaxed, here and elsewhere: spares watchers coming and going.  What must
  // not be missed is the open reservation itself.
  if (recentReservations.load(std::memory_order_relaxed) != kRecent)
    recentReservations.store(kRecent, std::memory_order_relaxed);
  if (ensureWatch())
    return;
  // relaxed: as in offered.
  for (; parent; parent = parent->parent.load(std::memory_order_relaxed))
    ringUnlessDozing(*parent->owner.load(std::memory_order_relaxed));
}

void Pool::watchBackOff() {
  // Who waits asleep can watch.  If all are at work, nobody wants any; who will
  // says so to all.
  if (!ensureWatch() && wanted())
    ringWaiters();
}

void Pool::remindBackingOff() {
  if (!wanted())
    return;
  for (uint32_t i = 0, count = slotCount(); i != count; ++i)
    if (Worker *worker = slot(i); worker && isToBeReminded(*worker))
      worker->demandWork();
}

bool Pool::ensureWatch() {
  // seq_cst, here, in appoint and in ringUnlessDozing: after the reservation
  // was opened, the task block enqueued, or its demand withheld.  Who will not
  // watch says so before it looks for any of these a last time: by leaving the
  // post, by being available, by being asleep without dozing.  One of the two
  // sees the other.
  return watch.load(std::memory_order_seq_cst) != vacant || appoint();
}

bool Pool::withhold() {
  // relaxed: at worst it is known a period later than need be.
  uint32_t seen = withheld.load(std::memory_order_relaxed);
  do
    if (seen >= spareWorkers())
      return false;
  // seq_cst: before the look for somebody who watches, see ensureWatch.
  while (!withheld.compare_exchange_weak(seen, seen + 1,
                                         std::memory_order_seq_cst));
  if (!ensureWatch())
    releaseWithheld();
  return true;
}

void Pool::keepBack() {
  // seq_cst: as above; and who searches no more says so before it looks at what
  // is withheld, to watch if it parks, to make it known if it goes to work.
  withheld.fetch_add(1, std::memory_order_seq_cst);
  if (!ensureWatch() && !isAnyoneSearching())
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
  raiseDemand(number);
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
  // For those who saw that somebody was appointed.
  releaseWithheld();
  ringWaiters();
  return true;
}

void Pool::passWatch(Worker &worker) {
  uint32_t seen = appointed;
  bool left = worker.watches.load(std::memory_order_relaxed); // its own
  if (left)
    leavePost(worker);
  else
    // It may have been this one, or an idle one is rung for nothing.
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
  worker.watches.store(false, std::memory_order_relaxed); // a hint to others
  watch.store(vacant, std::memory_order_seq_cst);         // see ensureWatch
}

Pool::Wake Pool::sleepParked(Worker &worker, uint32_t before) {
  // See ensureWatch: it is available, and before it sleeps for good it looks
  // once more after it has left the post, or freed it for others.
  for (;;) {
    bool needed = areReservations() || areUntaken();
    bool watches = worker.watches.load(std::memory_order_relaxed); // its own
    if (watches && needed) {
      Usage usage;
      if (!sleepForPeriod(worker, before))
        return Wake::rung;
      // relaxed, both: advice.
      if (!usage.leavesOneIdle(availableProcessors()))
        idlePeriods.store(0, std::memory_order_relaxed);
      else if (idlePeriods.load(std::memory_order_relaxed) != kConvincing)
        idlePeriods.fetch_add(1, std::memory_order_relaxed);
      remindBackingOff();
      // relaxed: task blocks only become older.
      periods.fetch_add(1, std::memory_order_relaxed);
      // relaxed: they come one after another.
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
      worker.watches.store(true, std::memory_order_relaxed); // a hint to others
  }
  if (isEntered()) {
    futexWait(worker.alarm, before);
    return Wake::rung;
  }
  futexWaitFor(worker.alarm, before, kRetirementNanoseconds);
  return worker.alarmNow() == before ? Wake::unneeded : Wake::rung;
}

bool Pool::sleep(Worker &worker, uint32_t before) {
  // A tree of which nothing was offered, but taken, does not count.
  if (worker.isCounted)
    wakeForOffers();
  ++worker.naps;
  bool over = false;
  // seq_cst: the worker has announced that it is asleep, see ensureWatch.
  if (watch.load(std::memory_order_seq_cst) == onDuty || !areReservations()) {
    futexWait(worker.alarm, before);
  } else {
    // seq_cst: who sees it relies on a look at the reservations after the
    // period.
    worker.dozes.store(true, std::memory_order_seq_cst);
    over = sleepForPeriod(worker, before);
    worker.dozes.store(false, std::memory_order_seq_cst);
    if (over)
      remindBackingOff();
  }
  return over;
}

bool Pool::isOneIdle() {
  return hasIdleProcessor() ||
         idlePeriods.load(std::memory_order_relaxed) >= kConvincing; // advice
}

uint32_t Pool::patience() {
  return isOneIdle() ? kPatience : kPatienceWithBusy;
}

TaskBlock *Pool::takeNeglected(Worker &worker) {
  // relaxed, both: who watches is alone.
  uint32_t now = period();
  if (now - lastNeglected.load(std::memory_order_relaxed) < patience())
    return nullptr;
  TaskBlock *taskBlock = takeReservation(worker, patience());
  if (!taskBlock)
    taskBlock = takeOld(worker, patience());
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
  idlePeriods.store(kConvincing, std::memory_order_relaxed);
}

} // namespace chan
