//===- Watch.cpp - Who looks after loans that last ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nobody is told of a loan, but somebody idle looks every period: one thread of
// the pool for all, or, when those are at work, each who waits, for what he
// waits for.  test/Models/loan.pml is a model of this.
//
//===----------------------------------------------------------------------===//

#include "Futex.h"
#include "Pool.h"

namespace chan {
namespace {

/// The post of the thread.
enum Watch : uint32_t { vacant, appointed, onDuty };
std::atomic<uint32_t> watch{vacant};
/// Periods until nobody needs to watch, if no loan is open then.
std::atomic<uint32_t> recentLoans{0};
constexpr uint32_t kRecent = 2;
constexpr long kWatchNanoseconds = 1'000'000;

/// Whether somebody is to watch: something is on loan, or was of late.
bool areLoans() {
  if (recentLoans.load(std::memory_order_relaxed)) // see Pool::lent
    return true;
  uint32_t count = Pool::slotCount();
  for (uint32_t i = 0; i != count; ++i)
    if (Worker *worker = Pool::slot(i); worker && worker->loan.isOpen())
      return true;
  return false;
}

void ringUnlessDozing(Worker &worker) {
  // seq_cst: see Pool::lent and Pool::sleep.
  if (!worker.dozes.load(std::memory_order_seq_cst))
    worker.ringIfAsleep();
}

/// True if a period is over before anybody rang.
bool sleepForPeriod(Worker &worker, uint32_t before) {
  futexWaitFor(worker.alarm, before, kWatchNanoseconds);
  // A ring that comes later is met by the next sleep.
  if (worker.alarmNow() != before)
    return false;
  // If a loan raises it meanwhile, it stays raised.
  if (uint32_t recent = recentLoans.load(std::memory_order_relaxed))
    recentLoans.compare_exchange_strong(recent, recent - 1,
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

void Pool::lent(Parcel *parent) {
  // relaxed, here and elsewhere: spares watchers coming and going.  What must
  // not be missed is the open loan itself.
  if (recentLoans.load(std::memory_order_relaxed) != kRecent)
    recentLoans.store(kRecent, std::memory_order_relaxed);
  // seq_cst, here, in appoint and in ringUnlessDozing: after the loan was
  // opened.  Who will not watch says so before it looks for open loans a last
  // time: by leaving the post, by being available, by being asleep without
  // dozing.  One of the two sees the other.
  if (watch.load(std::memory_order_seq_cst) != vacant || appoint())
    return;
  // relaxed: as in offered.
  for (; parent; parent = parent->parent.load(std::memory_order_relaxed))
    ringUnlessDozing(*parent->owner.load(std::memory_order_relaxed));
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
  ringWaiters();
  return true;
}

void Pool::passWatch(Worker &worker) {
  uint32_t seen = appointed;
  if (worker.watches) {
    worker.watches = false;
    watch.store(vacant, std::memory_order_seq_cst);
  } else {
    // It may have been this one, or an idle one is rung in vain.
    watch.compare_exchange_strong(seen, vacant, std::memory_order_seq_cst);
  }
  if (areLoans() && watch.load(std::memory_order_seq_cst) == vacant &&
      !appoint())
    ringWaiters();
}

bool Pool::sleepParked(Worker &worker, uint32_t before) {
  // See lent: it is available, and before it sleeps for good it looks for open
  // loans once more after it has left the post, or freed it for others.
  for (;;) {
    bool needed = areLoans();
    if (worker.watches && needed)
      return sleepForPeriod(worker, before);
    if (worker.watches) {
      worker.watches = false;
      watch.store(vacant, std::memory_order_seq_cst);
      continue;
    }
    uint32_t post = watch.load(std::memory_order_seq_cst);
    if (post == onDuty || (post == vacant && !needed))
      break;
    worker.watches =
        watch.compare_exchange_strong(post, needed ? onDuty : vacant,
                                      std::memory_order_seq_cst) &&
        needed;
  }
  futexWait(worker.alarm, before);
  return false;
}

bool Pool::sleep(Worker &worker, uint32_t before) {
  // seq_cst: the worker has announced that it is asleep, see lent.
  if (watch.load(std::memory_order_seq_cst) == onDuty || !areLoans()) {
    futexWait(worker.alarm, before);
    return false;
  }
  // seq_cst: who sees it relies on a look at the loans after the period.
  worker.dozes.store(true, std::memory_order_seq_cst);
  bool over = sleepForPeriod(worker, before);
  worker.dozes.store(false, std::memory_order_seq_cst);
  return over;
}

void Pool::forgetWatch() {
  // relaxed: the only thread.
  watch.store(vacant, std::memory_order_relaxed);
  recentLoans.store(0, std::memory_order_relaxed);
}

} // namespace chan
