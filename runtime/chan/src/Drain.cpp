//===- Drain.cpp - Deepest level first, in slices -------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "Clock.h"
#include "Demand.h"
#include "Joining.h"
#include "Pool.h"
#include "Profile.h"
#include "Reserving.h"
#include "Sharing.h"
#include "Tuning.h"
#include "Worker.h"

#include <string.h>
#include <utility>

namespace chan {
namespace {

static_assert(kLargestSlice <= UINT16_MAX, "see Level::slice");

/// The first block after `block` that has un-started elements.
chan_block *nextWaiting(chan_block *block) {
  do
    block = block->next;
  while (block != noBlock() && !waiting(block));
  return block;
}

/// Whether started activations at `at` go on before further elements start
/// there. If a kernel is called with many elements, all of them start first, so
/// that many go on at a time as well. A kernel that is called with one element
/// takes long, and gains nothing from that. Memory that each sibling allocates
/// before it goes on, and frees afterwards, would be needed for all siblings at
/// once. So they take turns, as in the serial elision. While thieves have
/// children of `at`, no activation goes on, and a sibling starts.
bool goesOnFirst(const Level *at) {
  return at->sliceOf(CHAN_ENTRY) == 1 && waiting(at->continuations) &&
         at->continuations->channel->lanes == 1 && !at->next()->taskBlocks;
}

/// Moves the un-started elements of `block` to its beginning.
void compact(chan_block *block) {
  uint32_t begin = started(block), count = waiting(block);
  if (!begin || !count || isRunning(block))
    return;
  const chan_channel *channel = block->channel;
  for (uint32_t f = 0; f != channel->field_count; ++f) {
    const chan_field &field = channel->fields[f];
    char *data =
        chan_block_data(block) + size_t(field.offset) * block->capacity;
    memmove(data, data + size_t(field.size) * begin,
            size_t(field.size) * count);
  }
  block->count = count;
  setStarted(block, 0);
}

} // namespace

void Worker::drain(Level *base, uint32_t enough) {
  KernelsRun kernelsRun(*this);
  chan_level *served = level;
  CHAN_ASSERT(base == context->base || base->shallower == served,
              "I3: a drain serves its context, or the kernel above it");
  Level *at = base;
  if (Level *open = context->open; open && open->depth > base->depth)
    at = open;
  // Elements run at `at` since the loop came there. Several small blocks make
  // one slice; otherwise the tree would never become broad.
  uint32_t ran = 0;
  // At the head of this loop everything deeper than `at` is empty. Kernels add
  // only to the level below their own, and the loop goes there next.
  for (;;) {
    CHAN_ASSERT(hasLists(at), "I5: lists are never null");
    bool isEnough = enough && at == base && unstarted(at) <= enough &&
                    countOutstanding(*this, at) < Pool::workers();
    // Children run only when a slice is complete.
    bool goesOn = ran == 0 && goesOnFirst(at);
    if (waiting(at->entries) && !isEnough && !goesOn) {
      ran += runSlice(at, CHAN_ENTRY, at->entries);
      bool mayBeEnough = enough && at == base;
      if (ran < at->sliceOf(CHAN_ENTRY) && waiting(at->entries) && !mayBeEnough)
        continue;
    } else if (CHAN_UNLIKELY(at->next() && at->next()->taskBlocks)) {
      at = at->next();
      continue;
    } else if (waiting(at->continuations)) {
      CHAN_ASSERT(isEmptyFrom(at->next()),
                  "I1: a deeper level has elements, here or away");
      // A worker that becomes idle meanwhile finds one of them.
      if (waiting(at->entries) && Pool::workers() > 1)
        share(*this, at, at->entries, ticks());
      runSlice(at, CHAN_CONTINUATION, at->continuations);
    } else if (isEnough) {
      break;
    } else if (CHAN_UNLIKELY(at->taskBlocks != nullptr)) {
      if (!joinTaskBlocks(*this, at) && !runShallower(base, at) &&
          !reclaimShallower(*this, base, at))
        awaitTaskBlocks(*this, at);
      continue;
    } else if (at != base) {
      at = at->previous();
      if (context->shallowest->depth > at->depth)
        context->shallowest = at;
      continue;
    } else {
      break;
    }
    ran = 0;
    if (waiting(at->next()->entries))
      at = at->next();
  }
  level = served;
}

void Worker::yieldTo(Level *deeper) {
  const chan_channel *yielding = running;
  ++yields;
  closeReservationAt(*this, deeper);
  drain(deeper);
  running = yielding;
  CHAN_ASSERT(isEmptyFrom(deeper), "I6: a yield empties the level");
}

void Worker::makeRoom(Level *deeper, uint32_t width) {
  // If work is not shared, no thief can take what stays.
  uint32_t enough = sharable && Pool::workers() > 1 ? width / 2 : 0;
  if (!enough)
    return yieldTo(deeper);
  const chan_channel *yielding = running;
  ++yields;
  closeReservationAt(*this, deeper);
  drain(deeper, enough);
  running = yielding;
  CHAN_ASSERT(isEmptyFrom(deeper->next()), "I6: what is deeper has ended");
  compact(deeper->entries);
}

bool Worker::runShallower(Level *base, Level *at) {
  Level *first = context->shallowest;
  if (first->depth < base->depth)
    first = base;
  for (Level *candidate = at; candidate->depth > first->depth;) {
    candidate = candidate->previous();
    if (!waiting(candidate->entries))
      continue;
    // A full channel inside that kernel drains everything below it, including
    // `at`.
    Level *before = context->open;
    context->open = at;
    runSlice(candidate, CHAN_ENTRY, candidate->entries);
    context->open = before;
    return true;
  }
  return false;
}

uint32_t Worker::runSlice(Level *at, uint32_t kind, chan_block *block) {
  ensureDeeper(at);
  CHAN_ASSERT(block->channel->kind == kind,
              "I2: what has started is among the continuations");
  uint32_t count = kind == CHAN_ENTRY ? mostAtOnce(block) : waiting(block);
  // An element that is alone at its level leaves no choice and needs no clock.
  bool choice = waiting(block) > 1 || block->next != noBlock();
  // The first slice of a level in a tree may differ from those of earlier
  // trees. A worker that becomes idle while it runs is to find the other
  // elements.
  if (CHAN_UNLIKELY(
          kind == CHAN_ENTRY &&
          (Demand::wanted() || (choice && sharable && at->measuredIn != tree))))
    count = runWanted(at, kind, block);
  else if (CHAN_UNLIKELY(choice &&
                         (count > at->sliceOf(kind) || untilMeasured-- == 0)))
    count = runMeasured(at, kind, block);
  else
    run(at, block, count);
  // The lists may have changed, but the block is still in its list.
  if (!waiting(block))
    retire(at, kind, block);
  return count;
}

uint32_t Worker::runWanted(Level *at, uint32_t kind, chan_block *block) {
  Pool::checkFork();
  if (!times.isPredictedShort)
    return runMeasured(at, kind, block);
  // In a tree of a microsecond neither reading the clock nor an offer pays. If
  // this tree takes long, a watching worker finds the reservation, or a later
  // reading of the clock shows it.
  uint32_t pace = 1 + waiting(block) / 8;
  times.untilClock = times.untilClock > pace ? times.untilClock - pace : 0;
  if (times.untilClock == 0) {
    times.untilClock = kSlicesPerClock;
    times.isPredictedShort = times.isShortSoFar(ticks());
    return runMeasured(at, kind, block);
  }
  uint32_t count = (waiting(block) + 1) / 2, slice = at->sliceOf(kind);
  if (at->measuredIn != tree || slice == 0)
    count = 1;
  else if (count > slice)
    count = slice;
  at->measuredIn = tree;
  runReserving(at, block, count);
  return count;
}

bool Worker::run(Level *at, chan_block *block, uint32_t count) {
  bool byClones = call(at, block, start(block, count), count);
  setRunning(block, false);
  return byClones;
}

bool Worker::runReserving(Level *at, chan_block *block, uint32_t count) {
  chan_block *reserved = waiting(block) == count ? nextWaiting(block) : block;
  if (reserved == noBlock() || !mayReserve())
    return run(at, block, count);
  uint32_t begin = start(block, count);
  openReservation(*this, at, reserved);
  if (reserved != block)
    reservation.behind = reserved;
  bool byClones = call(at, block, begin, count);
  if (!closeReservation(*this))
    times.isPredictedShort = false;
  setRunning(block, false);
  return byClones;
}

uint32_t Worker::start(chan_block *block, uint32_t count) {
  uint32_t begin = started(block);
  CHAN_ASSERT(count && begin + count <= block->count, "a slice of its block");
  setStarted(block, begin + count);
  setRunning(block, true);
  return begin;
}

bool Worker::call(Level *at, chan_block *block, uint32_t begin,
                  uint32_t count) {
  level = at;
  running = block->channel;
  CHAN_ASSERT(level->deeper, "I4: the level below a running batch exists");
  CHAN_ASSERT(runsHere(), "I2: a kernel runs on its worker's thread and stack");
  if (thread.isCounted)
    Pool::noticeProcessor(*this);
  const chan_channel *channel = block->channel;
  bool byClones = false;
  chan_serial_clone serial =
      std::exchange(byKernel, false) ? nullptr : channel->serial;
  if (mayBatch(*this, channel)) {
    bool begins = count <= kFewTrees && batches.depth == 0 && serial;
    SmallTaskPredictor &predictor = memoriesOf(channel).smallTasks;
    if (begins && predictor.isLikely() && mayPredictSmall(at)) {
      Span span(*this, channel, {Form::clone}, at, count);
      runPredictedSmall(block, begin, count);
    } else {
      uint64_t before = batches.elements;
      runBatch(*this, block, begin, begin + count);
      if (begins)
        predictor.count((batches.elements - before) / count);
    }
  } else if (serial && (mayPromoteLate(block, count) || maySerialize(at))) {
    Span span(*this, channel, {Form::clone}, at, count);
    runClones(block, begin, count);
    byClones = true;
  } else {
    Span span(*this, channel, {Form::kernel}, at, count);
    channel->kernel(this, block, begin, begin + count);
  }
  CHAN_ASSERT(runsHere(), "I2: an activation stays on its thread");
  closeReservationAt(*this, at->next());
  CHAN_ASSERT(level == at, "I4: a kernel returns with its own level");
  CHAN_ASSERT(hasLists(at) && hasLists(at->next()), "I5: lists are never null");
  return byClones;
}

uint32_t Worker::runMeasured(Level *at, uint32_t kind, chan_block *block) {
  Pool::checkFork();
  untilMeasured = kMeasureEvery;
  uint64_t begin = ticks();
  // A measurement from another tree may be wrong for this one. That matters
  // only if a thief could take what a slice keeps.
  bool isShared = kind == CHAN_ENTRY && Pool::workers() > 1;
  bool isKnown = !isShared || at->measuredIn == tree;
  if (isShared)
    share(*this, at, block, begin);
  if (!isKnown)
    at->cloneSlice = 0;
  uint32_t slice = isKnown ? at->sliceOf(kind) : 0;
  uint32_t count = kind == CHAN_ENTRY ? mostAtOnce(block) : waiting(block);
  if (slice == 0)
    count = 1;
  else if (count > slice)
    count = slice;
  uint64_t yieldsBefore = yields;
  const chan_channel *channel = block->channel;
  bool byClones = kind == CHAN_ENTRY ? runReserving(at, block, count)
                                     : run(at, block, count);
  // The time of a slice that drained deeper levels includes theirs.
  if (yields != yieldsBefore) {
    if (!at->sliceOf(kind))
      at->slice[kind] = 1;
    return count;
  }
  uint64_t each = (ticks() - begin) / count + 1;
  setPace(channel,
          each < durations.grain ? Memories::belowGrain : Memories::aboveGrain);
  uint16_t &learned = byClones ? at->cloneSlice : at->slice[kind];
  slice = isKnown ? learned : 0;
  uint64_t fitting = durations.slice / each;
  if (fitting == 0)
    fitting = 1;
  // Grow by degrees: the first element may be a base case among trees.
  uint64_t most = count * kMostGrowth;
  if (fitting > most)
    fitting = most;
  if (fitting > kLargestSlice)
    fitting = kLargestSlice;
  // A measurement of few elements says little about many.
  if (fitting > slice || each * slice > 2 * durations.slice)
    learned = static_cast<uint16_t>(fitting);
  at->measuredIn = tree;
  return count;
}

void Worker::retire(Level *at, uint32_t kind, chan_block *block) {
  chan_block **list = &at->list(kind);
  bool first = *list == block;
  if (first && block->next == noBlock()) {
    // Begin the next time with the capacity that was used this time.
    if (block->capacity > 4 * block->count)
      at->expected[kind] = 2 * block->count + 1;
    if (blockBytes(block) && blockBytes(block) <= kKeptBytes &&
        block->capacity >= at->expected[kind]) {
      block->count = 0;
      setStarted(block, 0);
      return;
    }
  }
  while (*list != block)
    list = &(*list)->next;
  *list = block->next;
  if (blockBytes(block))
    memory.release(block, blockBytes(block));
}

} // namespace chan
