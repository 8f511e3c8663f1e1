//===- Joining.cpp - Task blocks on their way back ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Joining.h"
#include "Clock.h"
#include "Demand.h"
#include "Pool.h"
#include "Profile.h"
#include "Reserving.h"
#include "Stealing.h"
#include "Tuning.h"

#include <utility>

namespace chan {
namespace {

bool anyFinished(const Level *level) {
  for (TaskBlock *taskBlock = level->taskBlocks; taskBlock;
       taskBlock = taskBlock->next)
    if (taskBlock->isFinished())
      return true;
  return false;
}

/// Puts the elements of a task block that the owner has claimed back into
/// `level`.
void putBack(Worker &worker, Level *level, TaskBlock *taskBlock) {
  setBlockBytes(taskBlock->block, taskBlock->bytes);
  worker.prepend(level, taskBlock->block);
  if (worker.context->shallowest->depth > level->depth)
    worker.context->shallowest = level;
}

bool takeBack(Worker &worker, Level *level) {
  for (TaskBlock **link = &level->taskBlocks; *link; link = &(*link)->next) {
    TaskBlock *taskBlock = *link;
    if (!taskBlock->claim())
      continue;
    worker.backOff.history.takeBack();
    worker.promotionOrder.takeBack();
    Pool::takenBack(worker.backOff.history.areOffersUseless(
        ticks() - worker.times.lastOffer));
    *link = taskBlock->next;
    putBack(worker, level, taskBlock);
    taskBlock->drop();
    return true;
  }
  return false;
}

} // namespace

bool releaseFinished(Worker &worker, Level *level) {
  bool changed = false;
  for (TaskBlock **link = &level->taskBlocks; *link;) {
    TaskBlock *taskBlock = *link;
    if (!taskBlock->isFinished()) {
      link = &taskBlock->next;
      continue;
    }
    *link = taskBlock->next;
    worker.backOff.history.learn(taskBlock->took);
    worker.promotionOrder.learn(taskBlock->took);
    taskBlock->freeBlock(worker);
    taskBlock->drop();
    changed = true;
  }
  return changed;
}

uint32_t countOutstanding(Worker &worker, Level *at) {
  releaseFinished(worker, at);
  uint32_t count = 0;
  for (TaskBlock *taskBlock = at->taskBlocks; taskBlock;
       taskBlock = taskBlock->next)
    ++count;
  return count;
}

bool joinTaskBlocks(Worker &worker, Level *at) {
  bool changed = releaseFinished(worker, at);
  return takeBack(worker, at) || changed;
}

bool reclaimShallower(Worker &worker, Level *base, Level *at) {
  if (!worker.stealQueue.ready())
    return false;
  while (at != base) {
    at = at->previous();
    if (at->taskBlocks && takeBack(worker, at))
      return true;
  }
  return false;
}

TaskBlock *takeAnyAwake(Worker &worker) {
  Mark parked(worker.profile, Event::parked);
  uint64_t began = ticks();
  TaskBlock *found = nullptr;
  while (!found && !Pool::isSurplus() && ticks() - began < durations.awake) {
    pauseProcessor();
    if (areOffers())
      found = takeAny(worker);
  }
  return found;
}

/// Waits awake until a task block of `at` is finished. If the worker `helps`,
/// it also looks for a descendant of these. It stops if other workers need the
/// processor. False if the wait found nothing.
static bool awaitAwake(Worker &worker, Level *at, bool helps,
                       TaskBlock *&found) {
  if (Pool::isSurplus())
    return false;
  Mark waiting(worker.profile, Event::wait);
  bool isFinished = false;
  if (helps)
    Demand::idle();
  uint64_t began = ticks(), now = began;
  for (; now - began < durations.awake; now = ticks()) {
    isFinished = anyFinished(at);
    if (!isFinished && helps && areOffers())
      found = takeDescendant(worker, at);
    if (isFinished || found || Pool::isSurplus())
      break;
    pauseProcessor();
  }
  if (helps)
    Demand::busy();
  worker.backOff.history.waited(now - began);
  return isFinished || found;
}

/// Waits until a task block of `at` is finished, or a descendant of one is
/// found, or the worker is rung for another reason.
static TaskBlock *awaitOrFind(Worker &worker, Level *at, bool mayNest) {
  TaskBlock *found = nullptr;
  if (awaitAwake(worker, at, mayNest, found))
    return found;
  // A ring after the announcement changes the alarm.
  uint32_t before = worker.wakeup.alarmNow();
  Pool::beginSleep(worker, mayNest);
  found = mayNest ? takeDescendant(worker, at) : nullptr;
  uint64_t began = ticks();
  if (!found && !anyFinished(at))
    if (Mark waiting(worker.profile, Event::wait); Pool::sleep(worker, before))
      found = takeReservedDescendant(worker, at, mayNest);
  worker.backOff.history.waited(ticks() - began);
  bool rung = !Pool::endSleep(worker);
  // The ring may have been for another task block than the one found meanwhile.
  if (rung && (found || anyFinished(at)))
    Pool::passRingOn();
  return found;
}

void awaitTaskBlocks(Worker &worker, Level *at) {
  Pool::checkFork();
  bool mayNest = !worker.stack.low() && worker.nested < kMostNested;
  TaskBlock *found = mayNest ? takeDescendant(worker, at) : nullptr;
  if (!found) {
    Helping *helped = worker.helping.help(nullptr);
    found = awaitOrFind(worker, at, mayNest);
    worker.helping.help(helped);
  }
  if (!found)
    return;
  CHAN_ASSERT(descends(worker, at, found),
              "I3: a waiting worker runs only descendants");
  runTaskBlock(worker, found);
}

uint64_t runTaskBlock(Worker &worker, TaskBlock *taskBlock) {
  CHAN_ASSERT(started(taskBlock->block) == 0, "I2: what has started stays");
  Mark mark(worker.profile, Event::steal, taskBlock->number,
            taskBlock->block->count);
  uint32_t tree = worker.tree;
  const chan_channel *running = worker.running;
  worker.tree = taskBlock->tree;
  ++worker.yields;
  uint64_t began = ticks();
  if (!worker.context)
    worker.times.treeBegan = began;
  // relaxed: written before the task block was queued.  The owner lives until
  // the task block is finished.
  Worker *owner = taskBlock->owner.load(std::memory_order_relaxed);
  Helping *helpedBefore =
      worker.helping.help(owner == &worker ? nullptr : &owner->helping);
  {
    // The owner of the task block waits for all of it.
    NoCancellation noCancellation;
    TaskSignals taskSignals(worker.thread, taskBlock->signals);
    ++worker.nested;
    Context context(worker, taskBlock);
    context.depth = taskBlock->depth;
    Level *base = context.base;
    chan_block *block = taskBlock->block;
    // relaxed: written before the task block was queued.
    if (CHAN_UNLIKELY(worker.profile != nullptr) &&
        taskBlock->owner.load(std::memory_order_relaxed) != &worker)
      worker.profile->row(block->channel, {Form::kernel}, taskBlock->depth)
          ->stolen += block->count;
    worker.prepend(base, block);
    worker.drain(base);
    --worker.nested;
  }
  worker.running = running;
  worker.tree = tree;
  worker.helping.help(helpedBefore);
  uint64_t took = taskBlock->took = ticks() - began;
  // seq_cst, see TaskBlock::isFinished. It releases all that was delivered.
  taskBlock->state.store(TaskBlock::finished, std::memory_order_seq_cst);
  Pool::ringIfAsleep(*owner);
  return took;
}

} // namespace chan
