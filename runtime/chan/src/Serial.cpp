//===- Serial.cpp - Serial clones and their promotion ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A clone calls its children, so thieves cannot take them. Therefore a clone
// runs only while other workers find enough un-started elements. As soon as a
// worker wants work, the clone opens levels for its further children and turns
// them into tasks. This is the lazy task creation of Mohr, Kranz and Halstead
// (TPDS 1991), with polling for the request.
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "Clock.h"
#include "Demand.h"
#include "Pool.h"
#include "Sharing.h"
#include "Tuning.h"
#include "Worker.h"

#include <new>
#include <utility>

namespace chan {
namespace {

/// Distance from the stack pointer that a clone compares to the frame of its
/// poll, by which the activation is known. It holds the return address and the
/// frame pointer of the polling activation.
constexpr uintptr_t kFrameOfPoll = 2 * sizeof(void *);

} // namespace
} // namespace chan

using namespace chan;

/// State of an activation that has been promoted.
struct chan_late {
  explicit chan_late(Worker &worker)
      : context(worker, worker.context ? worker.context->taskBlock : nullptr) {}
  /// Whether the next sync has nothing to wait for.
  bool isEmpty() const {
    return !context.worker.reservation.isOpen() &&
           isEmptyFrom(context.base->next());
  }
  chan_pending pending = {};
  void *arena = nullptr;
  void *objects = nullptr; // Also an arena.
  Context context;
};

void Worker::refreshLimit() {
  // The predicted small trees relied on the previous limit.
  predicted_stack = nullptr;
  stack_limit = clone_limit;
  if (!sharable)
    return setPollFrom(kNowhere);
  std::atomic_ref<uintptr_t> pollFromHere(poll_from);
  if (backOff.isOn.load(std::memory_order_relaxed)) { // the worker's own
    if (pollFrom() == kNowhere)
      return;
    // seq_cst: see Pool::ensureWatch.
    pollFromHere.store(kNowhere, std::memory_order_seq_cst);
    return Pool::watchBackOff();
  }
  // seq_cst, here and in Demand::raise, where a thief is counted before it
  // makes all workers poll. Either this look finds the thief, or its store to
  // poll_from comes after the store here.
  pollFromHere.store(kNowhere, std::memory_order_seq_cst);
  if (Demand::wantedNow())
    requestPolls(); // as the thief does
}

void Worker::waitForOlderFrames() {
  stack_limit = clone_limit;
  if (!promotionOrder.isLongWait())
    return;
  // seq_cst: see Pool::ensureWatch.
  std::atomic_ref(poll_from).store(promotionOrder.candidateFrame() +
                                       kFrameOfPoll,
                                   std::memory_order_seq_cst);
  Pool::watchBackOff();
}

void Worker::stopWaitingForOlderFrames() {
  promotionOrder.stop();
  if (pollFrom() != kNowhere && !arePollsRequested())
    refreshLimit();
}

void Worker::backOffUntil(uint64_t time) {
  backOff.end = time;
  if (!backOff.isOn.load(std::memory_order_relaxed)) { // the worker's own
    // seq_cst: see Pool::ensureWatch.
    backOff.isOn.store(true, std::memory_order_seq_cst);
    Pool::watchBackOff();
  }
  if (!predicted_polls)
    refreshLimit();
}

bool Worker::isBackingOff() {
  if (!backOff.isOn.load(std::memory_order_relaxed)) // the worker's own
    return false;
  if (ticks() < backOff.end)
    return true;
  endBackOff();
  return false;
}

void Worker::endBackOff() {
  if (!backOff.isOn.load(std::memory_order_relaxed)) // the worker's own
    return;
  backOff.isOn.store(false, std::memory_order_relaxed); // a hint to the
                                                        // watching worker
  backOff.isFruitless = false;
  if (!predicted_polls)
    refreshLimit();
}

void Worker::runClones(chan_block *block, uint32_t begin, uint32_t count) {
  chan_serial_clone serial = block->channel->serial;
  chan_worker *before = std::exchange(chan_cloning, this);
  bool seriesBefore = std::exchange(smallTrees.inSeries, false);
  predicted_stack = nullptr;
  for (uint32_t i = begin; i != begin + count; ++i)
    serial(this, block, i);
  if (smallTrees.inSeries)
    endPredictedSeries();
  smallTrees.inSeries = seriesBefore;
  chan_cloning = before;
}

bool Worker::maySerialize(const Level *at) {
  if (stack.isDeepForClones())
    return false;
  uint32_t others = Pool::othersAtOnce();
  if (!others || !sharable)
    return true;
  // The children of the root are reserved, since one of them may take long.
  if (at != context->base && times.isShort())
    return true;
  if (isBackingOff() && backOff.isFruitless)
    return true;
  if (Demand::wanted() && !isBackingOff())
    return backsOffIfFruitless();
  uint32_t wanted = others * kSlackPerWorker, present = 0;
  const Context *in = context;
  for (uint32_t i = 0; i != kSlackLevels; ++i) {
    for (chan_block *block = at->entries; block != noBlock();
         block = block->next) {
      // A thief that is taking the reserved elements then has enough.
      if ((present += isReserved(block) ? reservation.count : waiting(block)) >=
          wanted)
        return true;
    }
    if (at != in->base) {
      at = at->previous();
      continue;
    }
    if (!in->outer)
      break;
    at = static_cast<const Level *>(in->interrupted)->next();
    in = in->outer;
  }
  const Batch *batch = batches.innermost;
  for (uint32_t i = 0; batch && i != kSlackLevels; ++i, batch = batch->outer)
    if ((present += batch->unbegun()) >= wanted)
      return true;
  return backOff.history.areOffersUseless(ticks() - times.lastOffer) ||
         backsOffIfFruitless();
}

bool Worker::backsOffIfFruitless() {
  // relaxed, both: a late value is found at the next call.
  uint32_t taken = helping.helpers.load(std::memory_order_relaxed);
  // The thieves have other work.
  if (!taken && !Demand::wanted() && !stealQueue.ready())
    return backOff.history.isUnrequested();
  uint64_t time = backOff.history.backOffFor(
      times.lastOffer, helping.helped.load(std::memory_order_relaxed), taken,
      ticks);
  if (!time)
    return false;
  backOff.isFruitless = true;
  backOffUntil(ticks() + time);
  return true;
}

bool Worker::mayPredictSmall(const Level *at) {
  if (!Demand::wanted())
    return maySerialize(at);
  // Trees like this one may be what keeps this worker busy for long.
  if (!isBackingOff())
    backsOffIfFruitless();
  return !stack.isDeepForClones();
}

uint32_t Worker::mostAtOnce(const chan_block *block) const {
  uint32_t count = waiting(block), others = Pool::othersAtOnce();
  // Thieves find the elements of a batch that have not begun.
  bool leaves = others && sharable && block->channel->serial &&
                !mayBatch(*this, block->channel) &&
                count > kSplitPerWorker * others;
  return leaves ? (count + 1) / 2 : count;
}

/// Called before an activation of a clone makes a call. Whether the call is to
/// be a plain call, so that the activation is not promoted.
static bool staysClone(Worker &worker, uintptr_t frame, bool forWork) {
  if (worker.stack.isDeepForClones()) {
    Pool::checkFork();
    return false;
  }
  if (CHAN_UNLIKELY(worker.predicted_polls)) {
    Pool::checkFork();
    if (worker.mayStillBeSmall())
      return true;
    // The remaining activations are promoted at their next poll.
    worker.requestPolls();
    return !forWork;
  }
  if (worker.isBackingOff()) {
    Pool::checkFork();
    worker.refreshLimit();
    return true;
  }
  if (forWork && Demand::wanted() &&
      worker.promotionOrder.isDeeperThanPolled(frame, ticks)) {
    worker.waitForOlderFrames();
    return true;
  }
  Pool::checkFork();
  worker.refreshLimit();
  if (!forWork)
    return true;
  if (!worker.sharable || !Demand::wanted()) {
    worker.promotionOrder.stop();
    return true;
  }
  if (worker.times.isShort() ||
      !worker.promotionOrder.mayPromote(frame, worker.times.treeBegan, ticks))
    return true;
  // From now on this activation would run as a kernel, in place of a clone.
  return worker.backsOffIfFruitless();
}

static chan_late *openIf(Worker &worker, uintptr_t frame, bool forWork) {
  if (staysClone(worker, frame, forWork))
    return nullptr;
  if (!worker.context)
    worker.beginTree(worker.running);
  auto *at = static_cast<Level *>(worker.level);
  auto *late = new (worker.allocate(sizeof(chan_late), worker.running, at))
      chan_late(worker);
  worker.level = late->context.base;
  worker.ensureDeeper(late->context.base);
  return late;
}

/// The end of the frame of the activation that polls.
#define POLLED_FROM reinterpret_cast<uintptr_t>(__builtin_frame_address(0))

#ifndef __clang__
#error "clones rely on CHAN_QUESTION, which other compilers do not know"
#endif

CHAN_POLL chan_late *chan_late_open(chan_worker *caller) {
  return openIf(self(caller), POLLED_FROM, /*forWork=*/true);
}

CHAN_POLL chan_late *chan_late_open_if_low(chan_worker *caller) {
  return openIf(self(caller), POLLED_FROM, /*forWork=*/false);
}

CHAN_POLL void *chan_promote(chan_worker *caller) {
  Worker &worker = self(caller);
  if (staysClone(worker, POLLED_FROM, /*forWork=*/true))
    return nullptr;
  worker.byKernel = true;
  chan_cloning = nullptr;
  return caller;
}

void *chan_late_alloc(chan_worker *caller, chan_late *late, size_t size,
                      size_t alignment) {
  return chan_arena_alloc(caller, &late->arena, size, alignment);
}

void *chan_late_keep(chan_worker *caller, chan_late *late, size_t size,
                     size_t alignment) {
  return chan_arena_alloc(caller, &late->objects, size, alignment);
}

void chan_late_release(chan_worker *caller, chan_late *late) {
  chan_arena_free(caller, &late->objects);
}

void *chan_late_defer(chan_worker *caller, chan_late *late,
                      void (*apply)(void *destination, void *result),
                      void *destination, size_t size, size_t alignment) {
  return chan_defer(caller, &late->pending, apply, destination, size,
                    alignment);
}

int chan_late_calls(chan_worker *caller, chan_late *late) {
  Worker &worker = self(caller);
  // Results are assigned in the order of the spawns.
  return worker.backOff.isOn.load(
             std::memory_order_relaxed) && // the worker's own
         worker.backOff.isFruitless &&
         !late->pending.count && late->isEmpty() &&
         !worker.stack.isDeepForClones() &&
         (!worker.arePollsRequested() || worker.isBackingOff());
}

void chan_late_spawned(chan_worker *caller) {
  if (Demand::wanted())
    shareFromKernel(self(caller));
}

void chan_late_sync(chan_worker *caller, chan_late *late) {
  Worker &worker = self(caller);
  CHAN_ASSERT(worker.context == &late->context,
              "I3: an activation closes its levels before its caller's");
  if (!late->isEmpty())
    worker.yieldTo(late->context.base->next());
  if (late->pending.count)
    chan_apply(caller, &late->pending);
}

void chan_late_close(chan_worker *caller, chan_late *late) {
  chan_late_sync(caller, late);
  chan_arena_free(caller, &late->arena);
  chan_arena_free(caller, &late->objects);
  late->~chan_late();
  self(caller).memory.release(late, sizeof(chan_late));
}
