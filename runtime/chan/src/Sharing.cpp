//===- Sharing.cpp - Offering elements to thieves -------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sharing.h"
#include "Batches.h"
#include "Clock.h"
#include "Demand.h"
#include "Joining.h"
#include "Pool.h"
#include "Profile.h"
#include "Reserving.h"
#include "Stealing.h"
#include "Tuning.h"

#include <algorithm>
#include <atomic>

namespace chan {
namespace {

/// The shallowest level with un-started elements, outer contexts first. `limit`
/// is the deepest level of the innermost context that may have some.
Level *shallowestUnstarted(Worker &worker, Level *limit) {
  for (Context *context = worker.outermost; context; context = context->inner) {
    Level *last = limit;
    if (context->inner)
      last = static_cast<Level *>(context->inner->interrupted)->next();
    Level *level = context->shallowest;
    if (level->depth > last->depth)
      level = last;
    while (level != last && !hasUnstarted(level))
      level = level->next();
    context->shallowest = level;
    if (hasUnstarted(level))
      return level;
  }
  return nullptr;
}

Context *contextOf(Worker &worker, const Level *level) {
  Context *context = worker.context;
  while (context->shallowest != level)
    context = context->outer;
  return context;
}

uint32_t depthOf(const Context &context, const Level *level) {
  return context.depth + level->depth;
}

/// The level for those elements of a batch that are offered.
Level *levelBelow(const Batch &batch) {
  return static_cast<Level *>(batch.level->deeper);
}

/// Offers the `count` elements of `from` before `end`, as elements of `level`
/// of `context`.  False if the steal queue is full.
bool offer(Worker &worker, const Context &context, Level *level,
           chan_block *from, uint32_t end, uint32_t count) {
  auto index = worker.stealQueue.talloc();
  if (!index)
    return false;
  // While thieves keep up with a loop that spawns, its level never fills. So it
  // is not drained before the sync, and nothing else would release these.
  releaseFinished(worker, level);
  TaskBlock *taskBlock = TaskBlock::make();
  if (!taskBlock)
    outOfMemory(worker, from->channel, level, sizeof(TaskBlock));
  Profile *profile = worker.profile;
  taskBlock->number =
      CHAN_UNLIKELY(profile != nullptr) ? profile->newTaskBlock() : 0;
  Mark mark(profile, Event::share, taskBlock->number, count);
  TaskBlock *parent = context.taskBlock;
  // relaxed: the steal queue publishes them.
  taskBlock->parent.store(parent, std::memory_order_relaxed);
  taskBlock->owner.store(&worker, std::memory_order_relaxed);
  taskBlock->origin.store(level, std::memory_order_relaxed);
  taskBlock->period.store(Pool::period(), std::memory_order_relaxed);
  taskBlock->tree = worker.tree;
  taskBlock->depth = depthOf(context, level);
  // A program thread may have changed its mask at any time; a pool thread has
  // not. relaxed, both: the worker's own thread writes the mask.
  if (!worker.thread.ofPool)
    worker.thread.signals.store(blockedSignals(), std::memory_order_relaxed);
  taskBlock->signals = worker.thread.signals.load(std::memory_order_relaxed);
  taskBlock->bytes =
      static_cast<uint32_t>(Memory::roundUp(bytesFor(from, count)));
  void *space = worker.allocate(taskBlock->bytes, from->channel, level);
  taskBlock->block = copyTail(space, from, end, count);
  taskBlock->next = level->taskBlocks;
  level->taskBlocks = taskBlock;
  auto &slot = *static_cast<TaskBlock **>(worker.stealQueue.data(*index));
  // relaxed: enq publishes it.
  std::atomic_ref<TaskBlock *>(slot).store(taskBlock,
                                           std::memory_order_relaxed);
  worker.stealQueue.enq(*index);
  Pool::offered(worker, parent);
  return true;
}

/// Whether a tree whose kernels have been below grain so far may offer
/// something.
bool mayOffer(const Worker &worker, uint64_t now) {
  uint64_t sinceOffer = now - worker.times.lastOffer;
  if (!worker.backOff.history.isOver(sinceOffer))
    return false;
  if (sinceOffer >= durations.betweenSpeculativeOffers)
    return true;
  // The first offer of a tree is speculative, unless the last tree of the kind
  // ended before it could have paid.
  if (worker.times.lastOffer < worker.times.treeBegan &&
      !worker.times.isPredictedShort)
    return true;
  return now - worker.times.treeBegan >= durations.shortTree &&
         sinceOffer >= durations.betweenOffers;
}

/// How many of `count` elements the next of `parts` task blocks takes.
uint32_t shareOf(uint32_t count, uint32_t parts) {
  uint32_t share = count / (parts + 1);
  return share < 1 ? 1 : share;
}

/// Offers one of `parts` parts of the elements of `level`. `kept` is the block
/// that runs next.
bool offerFromLevel(Worker &worker, Level *level, const chan_block *kept,
                    uint32_t parts) {
  chan_block *most = noBlock();
  uint32_t mostElements = 0;
  for (chan_block *block = level->entries; block != noBlock();
       block = block->next) {
    uint32_t elements = waiting(block) - (block == kept ? 1 : 0);
    if (elements > mostElements) {
      most = block;
      mostElements = elements;
    }
  }
  if (!mostElements)
    return false;
  uint32_t count = shareOf(unstarted(level), parts);
  count = count > mostElements ? mostElements : count;
  CHAN_ASSERT(count <= waiting(most), "I2: what has started stays");
  if (!offer(worker, *contextOf(worker, level), level, most, most->count,
             count))
    return false;
  most->count -= count;
  if (!waiting(most) && !isRunning(most))
    worker.retire(level, CHAN_ENTRY, most);
  return true;
}

/// As offerFromLevel, for a batch. The elements go to the level below that of
/// its kernel call; the batch drains that level at its end.
bool offerFromBatch(Worker &worker, Batch &batch, uint32_t parts) {
  uint32_t count = shareOf(batch.unbegun(), parts);
  completeUnbegun(batch, count);
  if (!offer(worker, *batch.context, levelBelow(batch), batch.elements,
             batch.end, count))
    return false;
  batch.end -= count;
  batch.isShared = true;
  return true;
}

/// Offers the shallowest elements at time `now`, in up to `parts` parts. `kept`
/// is the block that runs next.
void offerParts(Worker &worker, Level *limit, const chan_block *kept,
                uint32_t parts, uint64_t now) {
  // From here on the reserved elements can be offered, too.
  closeReservation(worker);
  clearStealQueue(worker);
  for (uint32_t left = parts; left; --left) {
    Level *level = shallowestUnstarted(worker, limit);
    // Contexts and levels further out are shallower.
    Batch *batch = outermostUnbegun(worker.batches);
    if (batch && level &&
        depthOf(*contextOf(worker, level), level) <=
            depthOf(*batch->context, levelBelow(*batch)))
      batch = nullptr;
    if (batch ? !offerFromBatch(worker, *batch, left)
              : !level || !offerFromLevel(worker, level, kept, left))
      return;
    worker.times.lastOffer = now;
  }
}

/// Of `parts` parts that workers want, those that can run at once. The other
/// workers get parts of the remaining elements later. These are smaller, and
/// the owner takes them back first.
uint32_t atOnce(uint32_t parts) {
  return std::min({parts, Pool::othersAtOnce(), kMostOffersAtOnce});
}

} // namespace

void share(Worker &worker, Level *at, chan_block *block, uint64_t now) {
  if (!worker.sharable || worker.times.isShortSoFar(now))
    return;
  bool coarse = at->sliceOf(CHAN_ENTRY) == 1 && at->measuredIn == worker.tree;
  uint32_t parts = Demand::demanded();
  if (coarse) {
    // A thief that comes while a long element runs finds a task block at once.
    uint64_t ready = worker.stealQueue.ready();
    uint32_t ahead = Pool::othersAtOnce();
    if (!parts && ready < ahead)
      parts = 1;
  } else if (isBelowGrain(block->channel) && !mayOffer(worker, now)) {
    return;
  }
  if (!parts)
    return;
  offerParts(worker, at, block, atOnce(parts), now);
}

void shareFromKernel(Worker &worker) {
  Pool::checkFork();
  if (!worker.sharable)
    return;
  uint64_t now = ticks();
  if (now - worker.times.lastOffer < durations.betweenOffers ||
      worker.times.isShortSoFar(now))
    return;
  if (!worker.backOff.history.isOver(now - worker.times.lastOffer) &&
      isBelowGrain(worker.running))
    return;
  offerParts(worker, static_cast<Level *>(worker.level->deeper), nullptr,
             atOnce(Demand::demanded()), now);
}

} // namespace chan

using namespace chan;

void chan_poll(chan_worker *caller) {
  Worker &worker = self(caller);
  CHAN_ASSERT(worker.runsHere(), "I2: an activation stays on its thread");
  auto *at = static_cast<Level *>(worker.level);
  Level *deeper = at->next();
  // Also when its elements are reserved already.
  if (!hasUnstarted(deeper) || !worker.sharable)
    return;
  bool wanted = Demand::wanted();
  // If a kernel that has been short so far takes long this time, a watching
  // worker finds the reservation.
  if (wanted && !isBelowGrain(worker.running))
    shareFromKernel(worker);
  // A kernel whose elements are known to be short returns soon, and its worker
  // checks then.
  bool soonDone =
      at->measuredIn == worker.tree && at->slice[worker.running->kind] > 1;
  if ((!wanted && soonDone) || !worker.mayReserve())
    return;
  chan_block *block = deeper->entries;
  if (!waiting(block))
    return;
  openReservation(worker, deeper, block);
  worker.reservation.hidden = block;
  deeper->entries = noBlock();
}
