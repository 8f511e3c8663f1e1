//===- Stealing.cpp - Taking task blocks from steal queues ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stealing.h"
#include "Demand.h"
#include "Slots.h"
#include "Tuning.h"

namespace chan {
namespace {

/// Reads a pointer of the steal queue. A thief may read one while it is
/// replaced.
TaskBlock *load(const void *slot) {
  auto &pointer = *static_cast<TaskBlock *const *>(slot);
  // relaxed: validated by the dequeue that follows.
  return std::atomic_ref<TaskBlock *>(const_cast<TaskBlock *&>(pointer))
      .load(std::memory_order_relaxed);
}

/// Dequeues task blocks that `wanted` accepts from the front of a steal queue,
/// until it has claimed one.
template <typename Predicate>
TaskBlock *takeFrom(SharedChannel &stealQueue, Predicate wanted) {
  for (;;) {
    DeqResult result = stealQueue.tryDeq([&](const void *slot) {
      TaskBlock *taskBlock = load(slot);
      // relaxed: a hint. A task block that was claimed already only blocks the
      // front.
      return taskBlock->state.load(std::memory_order_relaxed) !=
                 TaskBlock::queued ||
             wanted(taskBlock);
    });
    if (result.status == DeqStatus::lost)
      continue;
    if (!result)
      return nullptr;
    TaskBlock *taskBlock = load(stealQueue.data(result.index));
    stealQueue.tfree(result.index);
    bool claimed = taskBlock->claim();
    if (claimed)
      Demand::claimed();
    // Drops the reference of the steal queue. The reference of the owner's
    // level keeps a claimed task block alive.
    taskBlock->drop();
    if (claimed)
      return taskBlock;
  }
}

template <typename Predicate>
TaskBlock *takeFromAll(Worker &worker, Predicate wanted) {
  uint32_t count = Slots::count();
  for (uint32_t i = 0; i != count; ++i) {
    Worker *other = Slots::at((worker.slot + 1 + i) % count);
    if (!other || !other->stealQueue.ready())
      continue;
    if (TaskBlock *taskBlock = takeFrom(other->stealQueue, wanted))
      return taskBlock;
  }
  return nullptr;
}

} // namespace

bool descends(Worker &worker, Level *at, TaskBlock *taskBlock) {
  // Bounded, since the links of a recycled task block may lead anywhere.
  for (int steps = 0; taskBlock && steps != kMostAncestors; ++steps) {
    // relaxed: validated by the dequeue that follows. A reservation that is
    // held keeps its task blocks from being recycled.
    if (taskBlock->owner.load(std::memory_order_relaxed) == &worker &&
        taskBlock->origin.load(std::memory_order_relaxed) == at)
      return true;
    taskBlock = taskBlock->parent.load(std::memory_order_relaxed);
  }
  return false;
}

TaskBlock *takeDescendant(Worker &worker, Level *at) {
  return takeFromAll(worker, [&](TaskBlock *taskBlock) {
    return descends(worker, at, taskBlock);
  });
}

TaskBlock *takeAny(Worker &worker) {
  return takeFromAll(worker, [](TaskBlock *) { return true; });
}

TaskBlock *takeOld(Worker &worker, uint32_t now, uint32_t patience) {
  return takeFromAll(worker, [=](TaskBlock *taskBlock) {
    // Periods are counted modulo 2^32.  relaxed: validated by the dequeue that
    // follows.
    uint32_t offered = taskBlock->period.load(std::memory_order_relaxed);
    return static_cast<int32_t>(now - offered - patience) > 0;
  });
}

bool areOffers() {
  uint32_t count = Slots::count();
  for (uint32_t i = 0; i != count; ++i)
    if (Worker *worker = Slots::at(i); worker && worker->stealQueue.ready())
      return true;
  return false;
}

void clearStealQueue(Worker &worker) {
  while (takeFrom(worker.stealQueue, [](TaskBlock *) { return false; }))
    ;
}

} // namespace chan
