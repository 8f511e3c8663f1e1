//===- Reserving.cpp - Elements that are reserved while a kernel runs -----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reserving.h"
#include "Pool.h"
#include "Slots.h"
#include "Stealing.h"
#include "Tuning.h"

#include <stdlib.h>
#include <utility>

namespace chan {
namespace {

/// Finds the signal mask of reserved elements of `owner`. False if it is not
/// known yet.
///
/// A worker notes its mask at its own offers, but not whenever it reserves
/// elements: that would take a system call for trees of less than a
/// microsecond. If the system still has the noted mask, that is the mask. If
/// not, the program has set another one. Or the thread is in a signal handler,
/// or in a function of the C library, which blocks signals for a while. The
/// owner is asked to note its mask when it reserves again. If it goes on with
/// the same element for long, its mask is what all looks found.
bool findSignals(Worker &owner, SignalMask &signals) {
  // relaxed, all: numbers, and hints about the owner.
  signals = owner.thread.signals.load(std::memory_order_relaxed);
  if (owner.thread.ofPool)
    return true; // TaskSignals notes each change
  ThreadStatus present(owner.thread.number.load(std::memory_order_relaxed));
  if (present.signals().value_or(signals) == signals)
    return true;
  owner.thread.notesSignals.store(true, std::memory_order_relaxed);
  Reservation &reservation = owner.reservation;
  // A thread that waits for a processor is where the last look found it.
  uint64_t ran = owner.thread.processorTime();
  if (!present.isAsleep() &&
      reservation.ownerRan.exchange(ran, std::memory_order_relaxed) == ran)
    return false;
  signals = *present.signals() &
            reservation.signals.fetch_and(*present.signals(),
                                          std::memory_order_relaxed);
  return reservation.looks.fetch_add(1, std::memory_order_relaxed) >=
         kLooksAtSignals;
}

/// Makes a task block of the reserved elements of `owner`; the caller holds the
/// reservation. Null if there is no memory or no element left.
TaskBlock *taskBlockOfReservation(Worker &owner, SignalMask signals) {
  Reservation &reservation = owner.reservation;
  uint32_t count = waiting(reservation.block);
  // From the heap: only the owner may use the owner's memory.
  void *space = malloc(bytesFor(reservation.block, count));
  TaskBlock *taskBlock = space ? TaskBlock::make() : nullptr;
  if (!taskBlock) {
    free(space);
    return nullptr;
  }
  // relaxed, all: endTake publishes them to the owner, an offer to other
  // workers.
  taskBlock->state.store(TaskBlock::taken, std::memory_order_relaxed);
  taskBlock->references.store(1, std::memory_order_relaxed);
  taskBlock->parent.store(reservation.parent, std::memory_order_relaxed);
  taskBlock->owner.store(&owner, std::memory_order_relaxed);
  taskBlock->origin.store(reservation.level, std::memory_order_relaxed);
  taskBlock->tree = reservation.tree;
  taskBlock->depth = reservation.depth;
  taskBlock->signals = signals;
  taskBlock->number = 0;
  taskBlock->bytes = 0;
  taskBlock->block =
      copyTail(space, reservation.block, reservation.block->count, count);
  reservation.block->count -= count;
  taskBlock->next = reservation.level->taskBlocks;
  reservation.level->taskBlocks = taskBlock;
  return taskBlock;
}

/// Takes a reservation that was found at least `patience` periods ago and that
/// `wanted` accepts.
template <typename Predicate>
TaskBlock *takeIf(Worker &worker, uint32_t patience, Predicate wanted) {
  TaskBlock *taskBlock = nullptr;
  uint32_t count = Slots::count();
  for (uint32_t i = 0; i != count && !taskBlock; ++i) {
    Worker *owner = Slots::at((worker.slot + 1 + i) % count);
    uint32_t opening = owner ? owner->reservation.opening() : 0;
    if (!opening)
      continue;
    // relaxed, all: hints about the age.
    if (owner->reservation.noticed.exchange(
            opening, std::memory_order_relaxed) != opening) {
      owner->reservation.noticedIn.store(Pool::period(),
                                         std::memory_order_relaxed);
      owner->reservation.signals.store(~SignalMask(0),
                                       std::memory_order_relaxed);
      owner->reservation.looks.store(0, std::memory_order_relaxed);
      continue;
    }
    uint32_t age = Pool::period() -
                   owner->reservation.noticedIn.load(std::memory_order_relaxed);
    SignalMask signals;
    if (age < patience || !findSignals(*owner, signals))
      continue;
    if (!owner->reservation.beginTake(opening))
      continue;
    if (wanted(owner->reservation.parent))
      taskBlock = taskBlockOfReservation(*owner, signals);
    if (taskBlock)
      owner->reservation.endTake(opening);
    else
      owner->reservation.refuse(opening);
  }
  return taskBlock;
}

} // namespace

/// Called after the reservation of a block that follows the running one. If a
/// thief took all of the block, its list must release it.
static void forgetBehind(Worker &worker) {
  chan_block *behind = std::exchange(worker.reservation.behind, nullptr);
  if (behind && !waiting(behind))
    worker.retire(worker.reservation.level, CHAN_ENTRY, behind);
}

void openReservation(Worker &worker, Level *at, chan_block *block) {
  CHAN_ASSERT(!worker.reservation.hidden, "one reservation at a time");
  forgetBehind(worker); // if it was taken
  TaskBlock *parent = worker.context->taskBlock;
  worker.reservation.level = at;
  worker.reservation.block = block;
  worker.reservation.count = waiting(block);
  worker.reservation.parent = parent;
  worker.reservation.tree = worker.tree;
  worker.reservation.depth = worker.depthOf(at);
  // relaxed: see findSignals.
  if (CHAN_UNLIKELY(
          worker.thread.notesSignals.load(std::memory_order_relaxed))) {
    worker.thread.notesSignals.store(false, std::memory_order_relaxed);
    worker.thread.signals.store(blockedSignals(), std::memory_order_relaxed);
  }
  worker.reservation.open();
  Pool::noteReservation(parent);
}

bool closeReservation(Worker &worker) {
  bool kept = worker.reservation.close();
  forgetBehind(worker);
  if (worker.reservation.hidden) {
    Level *level = worker.reservation.level;
    chan_block *block = worker.reservation.block;
    level->entries = worker.reservation.hidden;
    worker.reservation.hidden = nullptr;
    if (!kept) {
      worker.times.isPredictedShort = false;
      worker.retire(level, CHAN_ENTRY, block);
    }
  }
  return kept;
}

TaskBlock *takeReservation(Worker &worker, uint32_t patience) {
  return takeIf(worker, patience, [](TaskBlock *) { return true; });
}

TaskBlock *takeReservedDescendant(Worker &worker, Level *at, bool takes) {
  return takeIf(worker, 0, [&](TaskBlock *parent) {
    return takes && descends(worker, at, parent);
  });
}

} // namespace chan
