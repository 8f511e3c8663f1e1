//===- Reserving.h - Elements that are reserved while a kernel runs -*- C++
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An offer costs too much in a tree that lasts a microsecond. There, and for
// the rest of a batch, elements are reserved while the kernel runs
// (Reservation.h). An idle worker that watches takes them if it finds the same
// reservation twice.
//
// Thread safety: each function is called by the thread of the worker that it is
// given.
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_RESERVING_H
#define CHAN_SRC_RESERVING_H

#include "TaskBlock.h"
#include "Worker.h"

namespace chan {

/// Reserves the un-started elements of `block` for thieves. Either the kernel
/// is about to run on other elements of this block, or of one in front of it
/// (then the caller sets Reservation::behind). Or the kernel has enqueued the
/// elements and goes on.
void openReservation(Worker &worker, Level *at, chan_block *block);

/// Ends the reservation, if there is one. False if a thief took the elements,
/// or none were reserved.
bool closeReservation(Worker &worker);

/// As closeReservation, if a kernel enqueued the reserved elements at `level`.
inline void closeReservationAt(Worker &worker, Level *level) {
  if (CHAN_UNLIKELY(worker.reservation.hidden != nullptr) &&
      worker.reservation.level == level)
    closeReservation(worker);
}

/// Called when a period of watching is over. Takes elements that have been
/// reserved for `patience` periods, as a task block.
TaskBlock *takeReservation(Worker &worker, uint32_t patience);

/// As takeReservation, if `takes`, for descendants of what `at` waits for.
/// Otherwise it only notes which reservations there are.
TaskBlock *takeReservedDescendant(Worker &worker, Level *at, bool takes);

} // namespace chan

#endif // CHAN_SRC_RESERVING_H
