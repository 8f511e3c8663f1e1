//===- Sharing.h - Blocks that move between workers -------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only elements that have not started move (I2).  A worker that sees
// Pool::wanted() copies about half of the un-started elements of its shallowest
// level, or of a batch that is shallower, into a task block and puts it into
// its steal queue, a channel of ISCA'14 section 3.2.  An idle worker takes task
// blocks from any steal queue and runs them on fresh levels.  The level they
// come from remembers them; before anything shallower continues, its drain
// takes back what nobody has begun, then helps with descendants of what it
// waits for, and sleeps when there are none.
//
// Offers are not for trees that last a microsecond.  There, and for what
// remains of a batch, the elements are reserved while the kernel runs
// (Reservation.h); an idle worker that watches takes them if it sees the same
// reservation twice.
//
// Thread safety: each function is called by the thread of the worker it is
// given.
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_SHARING_H
#define CHAN_SRC_SHARING_H

#include "TaskBlock.h"
#include "Worker.h"

namespace chan {

/// Who runs so many task blocks, one inside another, only waits.  A trunk that
/// goes from hand to hand would have everybody inside thousands, and an offer
/// looks at all that are around it.
constexpr uint32_t kMostNested = 64;

/// Called before a slice of `block`, the first of `at`'s entries, at time
/// `now`: offers elements if that is worth while.  Leaves `block` at least one.
void share(Worker &worker, Level *at, chan_block *block, uint64_t now);

/// The same inside a kernel that spawns.
void shareFromKernel(Worker &worker);

/// Lets go of the task blocks of `at` that are finished, and counts the others.
uint32_t countOutstanding(Worker &worker, Level *at);

/// Lets go of the task blocks of `at` that are finished and takes back one that
/// nobody has begun.  False if there was neither.
bool joinTaskBlocks(Worker &worker, Level *at);

/// Takes back task blocks of the levels in [base, at).  True if one came back.
bool reclaimShallower(Worker &worker, Level *base, Level *at);

/// Runs something that descends from a task block of `at`, or waits, awake for
/// a while and then asleep, until such work appears or a task block of `at` is
/// finished.
void awaitTaskBlocks(Worker &worker, Level *at);

/// A task block from any steal queue, claimed; null if there is none.
TaskBlock *takeAny(Worker &worker);

/// The same, from one that comes while falling asleep would not pay, unless
/// there are others for the processor.
TaskBlock *takeAnyAwake(Worker &worker);

/// The same among those offered more than so many periods ago.
TaskBlock *takeOld(Worker &worker, uint32_t patience);

/// Whether any steal queue has something.
bool areOffers();

/// Runs a claimed task block and all its descendants, and tells its owner.
/// Returns how long that took, in ticks.
uint64_t runTaskBlock(Worker &worker, TaskBlock *taskBlock);

/// Puts the un-started elements of `block` reserved: the kernel is about to run
/// on others of that block or of one in front of it (then the caller sets
/// Worker::behind), or has enqueued them and goes on.
void openReservation(Worker &worker, Level *at, chan_block *block);

/// Ends the reservation, if there is one.  False if somebody took the elements,
/// or none were reserved.
bool closeReservation(Worker &worker);

/// The same if `level` is where a kernel enqueued what is reserved.
inline void closeReservationAt(Worker &worker, Level *level) {
  if (CHAN_UNLIKELY(worker.hidden != nullptr) &&
      worker.reservation.level == level)
    closeReservation(worker);
}

/// Takes what has been reserved for so many periods, as a task block.
TaskBlock *takeReservation(Worker &worker, uint32_t patience);

/// Removes from the worker's steal queue what has been taken back.
void clearStealQueue(Worker &worker);

} // namespace chan

#endif
