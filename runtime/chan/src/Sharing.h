//===- Sharing.h - Blocks that move between workers -------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only elements that have not started move (I2). A worker that sees
// Pool::wanted() takes about half of the un-started elements of its shallowest
// level, or of a batch that is shallower. It copies them into a task block and
// puts that into its steal queue, a channel of ISCA'14 section 3.2. An idle
// worker takes task blocks from any steal queue and runs them on fresh levels.
// The level that the elements came from keeps a list of its task blocks. Before
// anything shallower continues, the owner's drain takes back those that no
// thief has claimed. Then it runs descendants of those it waits for. It sleeps
// when there are none.
//
// An offer costs too much in a tree that lasts a microsecond. There, and for
// the rest of a batch, elements are reserved while the kernel runs
// (Reservation.h). An idle worker that watches takes them if it finds the same
// reservation twice.
//
// Thread safety: each function is called by the thread of the worker that it is
// given.
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_SHARING_H
#define CHAN_SRC_SHARING_H

#include "TaskBlock.h"
#include "Tuning.h"
#include "Worker.h"

namespace chan {

/// Called before a slice of `block`, the first of `at`'s entries, at time
/// `now`. Offers elements if that pays. Leaves `block` at least one.
void share(Worker &worker, Level *at, chan_block *block, uint64_t now);

/// As share, inside a kernel that spawns.
void shareFromKernel(Worker &worker);

/// Releases the finished task blocks of `at` and counts the others.
uint32_t countOutstanding(Worker &worker, Level *at);

/// Releases the finished task blocks of `at`, and takes back one that no thief
/// has claimed. False if there was neither.
bool joinTaskBlocks(Worker &worker, Level *at);

/// Takes back a task block of the levels in [base, at). True if one came back.
bool reclaimShallower(Worker &worker, Level *base, Level *at);

/// Runs a descendant of a task block of `at`. If there is none it waits, first
/// awake and then asleep, until one appears or a task block of `at` is
/// finished.
void awaitTaskBlocks(Worker &worker, Level *at);

/// Claims a task block from any steal queue. Null if there is none.
TaskBlock *takeAny(Worker &worker);

/// As takeAny, but waits awake for as long as falling asleep would cost. Does
/// not wait if other workers need the processor.
TaskBlock *takeAnyAwake(Worker &worker);

/// As takeAny, among those offered more than `patience` periods ago.
TaskBlock *takeOld(Worker &worker, uint32_t patience);

/// Whether any steal queue holds a task block.
bool areOffers();

/// Runs a claimed task block and all its descendants, then tells its owner.
/// Returns how long that took, in ticks.
uint64_t runTaskBlock(Worker &worker, TaskBlock *taskBlock);

/// Reserves the un-started elements of `block` for thieves. Either the kernel
/// is about to run on other elements of this block, or of one in front of it
/// (then the caller sets Worker::behind). Or the kernel has enqueued the
/// elements and goes on.
void openReservation(Worker &worker, Level *at, chan_block *block);

/// Ends the reservation, if there is one. False if a thief took the elements,
/// or none were reserved.
bool closeReservation(Worker &worker);

/// As closeReservation, if a kernel enqueued the reserved elements at `level`.
inline void closeReservationAt(Worker &worker, Level *level) {
  if (CHAN_UNLIKELY(worker.hidden != nullptr) &&
      worker.reservation.level == level)
    closeReservation(worker);
}

/// Takes elements that have been reserved for `patience` periods, as a task
/// block.
TaskBlock *takeReservation(Worker &worker, uint32_t patience);

/// Removes task blocks from the worker's steal queue that it has taken back.
void clearStealQueue(Worker &worker);

} // namespace chan

#endif
