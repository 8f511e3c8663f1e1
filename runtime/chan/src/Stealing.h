//===- Stealing.h - Taking task blocks from steal queues --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The thief's side of a steal queue, the lock-free channel of ISCA'14 section
// 3.2 (Channel.h). A thief validates what it reads of a task block by the
// dequeue that follows.
//
// Thread safety: each function is called by the thread of the worker that it is
// given.
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_STEALING_H
#define CHAN_SRC_STEALING_H

#include "TaskBlock.h"
#include "Worker.h"

namespace chan {

/// Claims a task block from any steal queue. Null if there is none.
TaskBlock *takeAny(Worker &worker);

/// As takeAny, among those offered more than `patience` periods before `now`.
TaskBlock *takeOld(Worker &worker, uint32_t now, uint32_t patience);

/// As takeAny, among those that descend from one that `at` waits for.
TaskBlock *takeDescendant(Worker &worker, Level *at);

/// Whether `taskBlock` descends from one that `at` waits for.
bool descends(Worker &worker, Level *at, TaskBlock *taskBlock);

/// Whether any steal queue holds a task block.
bool areOffers();

/// Removes task blocks from the worker's steal queue that it has taken back.
void clearStealQueue(Worker &worker);

} // namespace chan

#endif // CHAN_SRC_STEALING_H
