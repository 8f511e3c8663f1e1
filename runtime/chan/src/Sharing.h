//===- Sharing.h - Blocks that move between workers -------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only elements that have not started move (I2).  A worker that sees
// Pool::wanted() copies about half of the un-started elements of its shallowest
// level, or of a batch that is shallower, into a parcel and puts it into its
// outbox, a channel of ISCA'14 section 3.2.  An idle worker takes parcels from
// any outbox and runs them on fresh levels.  The level they come from remembers
// them; before anything shallower continues, its drain takes back what nobody
// has begun, then helps with descendants of what it waits for, and sleeps when
// there are none.
//
// Offers are not for trees that last a microsecond.  There, and for what
// remains of a batch, the elements are on loan while the kernel runs (Loan.h);
// an idle worker that watches takes them if it sees the same loan twice.
//
// Thread safety: each function is called by the thread of the worker it is
// given.
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_SHARING_H
#define CHAN_SRC_SHARING_H

#include "Parcel.h"
#include "Worker.h"

namespace chan {

/// Who runs so many parcels, one inside another, only waits.  A trunk that goes
/// from hand to hand would have everybody inside thousands, and an offer looks
/// at all that are around it.
constexpr uint32_t kMostNested = 64;

/// Called before a slice of `block`, the first of `at`'s entries, at time
/// `now`: offers elements if that is worth while.  Leaves `block` at least one.
void share(Worker &worker, Level *at, chan_block *block, uint64_t now);

/// The same inside a kernel that spawns.
void shareFromKernel(Worker &worker);

/// Lets go of the parcels of `at` that are finished, and counts the others.
uint32_t away(Worker &worker, Level *at);

/// Lets go of the parcels of `at` that are finished and takes back one that
/// nobody has begun.  False if there was neither.
bool joinParcels(Worker &worker, Level *at);

/// Takes back parcels of the levels in [base, at).  True if one came back.
bool reclaimShallower(Worker &worker, Level *base, Level *at);

/// Runs something that descends from a parcel of `at`, or waits, awake for a
/// while and then asleep, until such work appears or a parcel of `at` is
/// finished.
void awaitParcels(Worker &worker, Level *at);

/// A parcel from any outbox, claimed; null if there is none.
Parcel *takeAny(Worker &worker);

/// The same, from one that comes while falling asleep would not pay, unless
/// there are others for the processor.
Parcel *takeAnyAwake(Worker &worker);

/// The same among those offered more than so many periods ago.
Parcel *takeOld(Worker &worker, uint32_t patience);

/// Whether any outbox has something.
bool areOffers();

/// Runs a claimed parcel and all its descendants, and tells its owner.  Returns
/// how long that took, in ticks.
uint64_t runParcel(Worker &worker, Parcel *parcel);

/// Puts the un-started elements of `block` on loan: the kernel is about to run
/// on others of that block or of one in front of it (then the caller sets
/// Worker::behind), or has enqueued them and goes on.
void lend(Worker &worker, Level *at, chan_block *block);

/// Ends the loan, if there is one.  False if somebody took the elements, or
/// none were on loan.
bool recall(Worker &worker);

/// The same if `level` is where a kernel enqueued what is on loan.
inline void recallAt(Worker &worker, Level *level) {
  if (CHAN_UNLIKELY(worker.hidden != nullptr) && worker.loan.level == level)
    recall(worker);
}

/// Takes what has been on loan for so many periods, as a parcel.
Parcel *takeLent(Worker &worker, uint32_t patience);

/// Removes from the worker's outbox what has been taken back.
void clearOutbox(Worker &worker);

} // namespace chan

#endif
