//===- Serial.cpp - Serial clones, and what they spawn late ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A clone calls its children, so nobody else can have them.  Therefore one runs
// only while others find enough that has not started, and as soon as somebody
// wants work it opens levels for the children to come (Cilk's lazy tasks, but
// with the request polled: Mohr, Kranz, Halstead, TPDS 1991).
//
//===----------------------------------------------------------------------===//

#include "Clock.h"
#include "Pool.h"
#include "Sharing.h"
#include "Worker.h"

#include <new>
#include <utility>

namespace chan {
namespace {

/// Elements that wait for each other worker, at least, when one runs something
/// serially: should it take long, they find those.
constexpr uint32_t kSlackPerWorker = 4;
/// What is between the stack's end, which clones compare, and the frame of the
/// question, by which they are known: the return address, and the frame of who
/// asks.
constexpr uintptr_t kFrameOfPoll = 2 * sizeof(void *);
/// Levels, and batches, that are searched for them.  Deeper trees have them
/// close by, if they have any.
constexpr uint32_t kSlackLevels = 32;

} // namespace
} // namespace chan

using namespace chan;

/// What an activation in its slow path has.
struct chan_late {
  explicit chan_late(Worker &worker)
      : context(worker, worker.context ? worker.context->taskBlock : nullptr) {}
  /// Whether nothing waits for the next sync.
  bool isEmpty() const {
    return !context.worker.reservation.isOpen() &&
           isEmptyFrom(context.base->next());
  }
  chan_pending pending = {};
  void *arena = nullptr;
  void *objects = nullptr; // an arena, too
  Context context;
};

void Worker::refreshLimit() {
  // Those trees relied on the one for them.
  predicted_stack = nullptr;
  stack_limit = clone_limit;
  if (!sharable)
    return setPollFrom(kNowhere);
  std::atomic_ref<uintptr_t> pollFromHere(poll_from);
  if (backsOff.load(std::memory_order_relaxed)) { // its own
    if (pollFrom() == kNowhere)
      return;
    // seq_cst: see Pool::ensureWatch.
    pollFromHere.store(kNowhere, std::memory_order_seq_cst);
    return Pool::watchBackOff();
  }
  // seq_cst, here and in Pool::raiseDemand: there, somebody is counted before
  // all are to ask.  Either this look finds him, or what he writes comes
  // after what is written here.
  pollFromHere.store(kNowhere, std::memory_order_seq_cst);
  if (Pool::wantedNow())
    demandWork(); // as he does
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
  if (pollFrom() != kNowhere && !isDemanded())
    refreshLimit();
}

void Worker::backOffUntil(uint64_t time) {
  backOffEnd = time;
  if (!backsOff.load(std::memory_order_relaxed)) { // its own
    // seq_cst: see Pool::ensureWatch.
    backsOff.store(true, std::memory_order_seq_cst);
    Pool::watchBackOff();
  }
  if (!predicted_polls)
    refreshLimit();
}

bool Worker::isBackingOff() {
  if (!backsOff.load(std::memory_order_relaxed)) // its own
    return false;
  if (ticks() < backOffEnd)
    return true;
  endBackOff();
  return false;
}

void Worker::endBackOff() {
  if (!backsOff.load(std::memory_order_relaxed)) // its own
    return;
  backsOff.store(false, std::memory_order_relaxed); // a hint to who watches
  isFruitless = false;
  if (!predicted_polls)
    refreshLimit();
}

void Worker::runClones(chan_block *block, uint32_t begin, uint32_t count) {
  chan_serial_clone serial = block->channel->serial;
  chan_worker *before = std::exchange(chan_cloning, this);
  bool seriesBefore = std::exchange(inPredictedSeries, false);
  predicted_stack = nullptr;
  for (uint32_t i = begin; i != begin + count; ++i)
    serial(this, block, i);
  if (inPredictedSeries)
    endPredictedSeries();
  inPredictedSeries = seriesBefore;
  chan_cloning = before;
}

bool Worker::isShortTree() {
  if (!predictedShort)
    return false;
  if (untilClock-- == 0) {
    untilClock = kSlicesPerClock;
    predictedShort = isShortSoFar(ticks());
  }
  return predictedShort;
}

bool Worker::maySerialize(const Level *at) {
  if (stack.isDeepForClones())
    return false;
  uint32_t others = Pool::othersAtOnce();
  if (!others || !sharable)
    return true;
  // The children of the root are reserved, one of which may be long for once.
  if (at != context->base && isShortTree())
    return true;
  if (isBackingOff() && isFruitless)
    return true;
  if (Pool::wanted() && !isBackingOff())
    return backsOffIfFruitless();
  uint32_t wanted = others * kSlackPerWorker, present = 0;
  const Context *in = context;
  for (uint32_t i = 0; i != kSlackLevels; ++i) {
    for (chan_block *block = at->entries; block != noBlock();
         block = block->next) {
      // Who is taking what is reserved has enough then.
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
  return stealBackoff.areOffersUseless(ticks() - lastOffer) ||
         backsOffIfFruitless();
}

bool Worker::backsOffIfFruitless() {
  // relaxed, both: what is not known yet is the next time.
  uint32_t taken = helpers.load(std::memory_order_relaxed);
  // They have work of their own.
  if (!taken && !Pool::wanted() && !stealQueue.ready())
    return stealBackoff.isLeftAlone();
  uint64_t time = stealBackoff.backOffFor(
      lastOffer, helped.load(std::memory_order_relaxed), taken, ticks);
  if (!time)
    return false;
  isFruitless = true;
  backOffUntil(ticks() + time);
  return true;
}

bool Worker::mayPredictSmall(const Level *at) {
  if (!Pool::wanted())
    return maySerialize(at);
  // It may be the like of it that keeps this worker at work for long.
  if (!isBackingOff())
    backsOffIfFruitless();
  return !stack.isDeepForClones();
}

uint32_t Worker::mostAtOnce(const chan_block *block) const {
  uint32_t count = waiting(block), others = Pool::othersAtOnce();
  // Others find what of a batch has not begun.
  bool leaves = others && sharable && block->channel->serial &&
                !mayBatch(*this, block->channel) &&
                count > 16 * kSlackPerWorker * others;
  return leaves ? (count + 1) / 2 : count;
}

/// In front of a call that an activation of a clone makes: whether it is to be
/// serial.
static bool goesOn(Worker &worker, uintptr_t frame, bool forWork) {
  if (worker.stack.isDeepForClones()) {
    Pool::checkFork();
    return false;
  }
  if (CHAN_UNLIKELY(worker.predicted_polls)) {
    Pool::checkFork();
    if (worker.mayStillBeSmall())
      return true;
    // The others leave wherever they are.
    worker.demandWork();
    return !forWork;
  }
  if (worker.isBackingOff()) {
    Pool::checkFork();
    worker.refreshLimit();
    return true;
  }
  if (forWork && Pool::wanted() &&
      worker.promotionOrder.isDeeperThanPolled(frame, ticks)) {
    worker.waitForOlderFrames();
    return true;
  }
  Pool::checkFork();
  worker.refreshLimit();
  if (!forWork)
    return true;
  if (!worker.sharable || !Pool::wanted()) {
    worker.promotionOrder.stop();
    return true;
  }
  if (worker.isShortTree() ||
      !worker.promotionOrder.mayPromote(frame, worker.treeBegan, ticks))
    return true;
  // What this activation does from now on, a kernel does in place of a clone.
  return worker.backsOffIfFruitless();
}

static chan_late *openIf(Worker &worker, uintptr_t frame, bool forWork) {
  if (goesOn(worker, frame, forWork))
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

/// Where the frame of who asks a question ends.
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
  if (goesOn(worker, POLLED_FROM, /*forWork=*/true))
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
  return worker.backsOff.load(std::memory_order_relaxed) && // its own
         worker.isFruitless && !late->pending.count && late->isEmpty() &&
         !worker.stack.isDeepForClones() &&
         (!worker.isDemanded() || worker.isBackingOff());
}

void chan_late_spawned(chan_worker *caller) {
  if (Pool::wanted())
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
