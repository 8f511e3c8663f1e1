//===- Joining.h - Task blocks on their way back ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The level that elements came from keeps a list of its task blocks. Before
// anything shallower continues, the owner's drain takes back those that no
// thief has claimed. Then it runs descendants of those it waits for. It sleeps
// when there are none.
//
// Thread safety: each function is called by the thread of the worker that it is
// given.
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_JOINING_H
#define CHAN_SRC_JOINING_H

#include "TaskBlock.h"
#include "Worker.h"

namespace chan {

/// Releases the finished task blocks of `level`. True if there was one.
bool releaseFinished(Worker &worker, Level *level);

/// Releases the finished task blocks of `at` and counts the rest.
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

/// As takeAny, but waits awake for as long as falling asleep would cost. Does
/// not wait if other workers need the processor.
TaskBlock *takeAnyAwake(Worker &worker);

/// Runs a claimed task block and all its descendants, then tells its owner.
/// Returns how long that took, in ticks.
uint64_t runTaskBlock(Worker &worker, TaskBlock *taskBlock);

} // namespace chan

#endif // CHAN_SRC_JOINING_H
