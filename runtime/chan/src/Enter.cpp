//===- Enter.cpp - Entering the runtime from C ----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "Clock.h"
#include "Demand.h"
#include "Device.h"
#include "Pool.h"
#include "Profile.h"
#include "Tuning.h"
#include "Worker.h"

#include <algorithm>
#include <atomic>
#include <pthread.h>
#include <utility>

namespace chan {
namespace {

// Initialised without code, so that access needs no guard.
constinit thread_local Worker *threadWorker = nullptr;

void runTree(Worker &worker, chan_block *block) {
  Context context(worker, worker.context ? worker.context->taskBlock : nullptr);
  Level *base = context.base;
  block->reserved = 0;
  worker.prepend(base, block);
  worker.drain(base);
}

struct Entry {
  Worker *worker;
  chan_block *block;
};

void runEntry(void *argument) {
  auto *entry = static_cast<Entry *>(argument);
  runTree(*entry->worker, entry->block);
}

void runEntryAsClone(void *argument) {
  auto *entry = static_cast<Entry *>(argument);
  entry->worker->runWithoutContext(entry->block);
}

/// Whether the tree of `block` is likely to end before contexts and levels pay:
/// a clone runs it.
bool isPredictedSmall(const Worker &worker, const chan_block *block) {
  const chan_channel *channel = block->channel;
  if (!channel->serial)
    return false;
  // No thief is kept waiting.
  if (!worker.sharable && !formFor(worker, channel))
    return true;
  return memoriesOf(channel).smallTasks.isLikely();
}

/// A call inside a kernel. It already runs on the large stack.
void runNested(Worker &worker, chan_block *block) {
  if (CHAN_UNLIKELY(Demand::wanted()))
    Pool::checkFork();
  const chan_channel *running = worker.running;
  auto *at = static_cast<Level *>(worker.level);
  bool byKernel = worker.byKernel; // Set until the kernel is called.
  const chan_channel *channel = block->channel;
  chan_serial_clone serial = byKernel ? nullptr : channel->serial;
  bool batches = formFor(worker, channel);
  SmallTaskPredictor &predictor = memoriesOf(channel).smallTasks;
  if (serial && (batches ? predictor.isLikely() && worker.mayPredictSmall(at)
                         : worker.maySerialize(at))) {
    worker.running = channel;
    Span span(worker, channel, {Form::clone}, at->next(), 1);
    batches ? worker.runPredictedSmall(block, 0, 1)
            : worker.runClones(block, 0, 1);
  } else {
    ++worker.yields;
    runTree(worker, block);
  }
  worker.running = running;
  // The clone that was promoted (chan_promote) goes on.
  if (byKernel)
    chan_cloning = &worker;
}

/// As runNested, inside a clone without a context. Its tree was predicted
/// small.
void runInsideClone(Worker &worker, chan_block *block) {
  Pool::checkFork();
  const chan_channel *running = worker.running;
  bool byKernel = worker.byKernel; // Set until the kernel is called.
  if (!byKernel && worker.predicted_polls != 1 &&
      isPredictedSmall(worker, block)) {
    worker.running = block->channel;
    // The called tree may be of another kind than the caller's.
    formFor(worker, block->channel) ? worker.runPredictedSmall(block, 0, 1)
                                    : worker.runClones(block, 0, 1);
  } else {
    worker.beginTree(block->channel);
    runTree(worker, block);
  }
  worker.running = running;
  if (byKernel)
    chan_cloning = &worker;
}

// The key under which each thread keeps its worker, so that the worker leaves
// when the thread ends. This includes threads that the program started.
pthread_key_t key;
pthread_once_t keyOnce = PTHREAD_ONCE_INIT;
std::atomic<bool> keyExists{false};

void atThreadEnd(void *value) {
  auto *worker = static_cast<Worker *>(value);
  if (worker->isInTask()) {
    worker->abandonTree();
    worker->forgetTree();
  }
  threadWorker = nullptr;
  Pool::leave(worker);
}

/// Makes the worker leave at the end of its thread. Null cancels this.
void keep(Worker *worker) {
  pthread_once(&keyOnce,
               [] { keyExists = pthread_key_create(&key, atThreadEnd) == 0; });
  if (keyExists)
    pthread_setspecific(key, worker);
}

} // namespace

Worker *Worker::currentIfAny() { return threadWorker; }

void Worker::adopt(Worker *worker) {
  threadWorker = worker;
  keep(worker);
}

Worker &Worker::current() {
  if (CHAN_UNLIKELY(!threadWorker)) {
    threadWorker = Pool::join();
    keep(threadWorker);
  }
  return *threadWorker;
}

void Worker::forgetThreads() {
  // Otherwise threads that outlive the library would run its code when they
  // end.
  if (keyExists.exchange(false))
    pthread_key_delete(key);
  // The workers of other threads cannot be freed here. Those threads may use
  // them while the process ends.
  if (threadWorker && !threadWorker->isInTask())
    atThreadEnd(threadWorker);
}

} // namespace chan

using namespace chan;

constinit __thread chan_worker *chan_cloning = nullptr;

/// Programs compiled with -femulated-tls read this for `chan_cloning`, by the
/// convention of libgcc and compiler-rt. It is null in each thread, so that
/// their C symbols always enter the runtime.
struct EmulatedVariable {
  size_t size = sizeof(void *), alignment = alignof(void *);
  void *object = nullptr;
  const void *initial = nullptr;
};
extern "C" {
[[gnu::visibility("default")]] constinit EmulatedVariable
    emulatedCloning asm("__emutls_v.chan_cloning");
}

void Worker::beginTree(const chan_channel *root) {
  // Differs from the numbers of other workers' trees.
  tree += kMaxWorkers;
  if (!sharable)
    return;
  times.treeBegan = ticks();
  if (!times.predictor.isOf(root)) {
    endBackOff();
    backOff.history = StealBackoff();
  }
  times.isPredictedShort = times.predictor.begin(root);
  times.untilClock = kSlicesPerClock;
  if (times.isPredictedShort)
    backOffUntil(std::max(backOff.end,
                          times.treeBegan + times.predictor.sharingDelay()));
  else if (!backOff.isFruitless)
    endBackOff();
  backOff.history.forget();
  stopWaitingForOlderFrames();
  promotionOrder.forget();
}

void Worker::runWithoutContext(chan_block *block) {
  const chan_channel *channel = block->channel;
  bool batches = formFor(*this, channel);
  SmallTaskPredictor &predictor = memoriesOf(channel).smallTasks;
  bool measures = sharable && ++smallTrees.begun % kTreesPerMeasurement == 0;
  uint64_t began = measures ? ticks() : 0;
  uint32_t before = tree;
  // Without thieves or batches to compare with, the clone may take any time.
  uint32_t most = sharable || batches ? kMostSmallTree + 1 : 0;
  predicted_polls = most;
  smallTrees.until = 0;
  smallTrees.withoutContext = true;
  running = channel;
  // With batches, the clone must not take longer than they would.
  stack_limit = batches ? predictedStackLimit() : clone_limit;
  bool isWatched =
      backOff.isOn.load(std::memory_order_relaxed) && // the worker's
                                                      // own
      !arePollsRequested();
  if (sharable && !isWatched) {
    // If the clone takes long, the watching worker makes it poll. seq_cst: see
    // Pool::ensureWatch.
    backOff.isOn.store(true, std::memory_order_seq_cst);
    std::atomic_ref(poll_from).store(kNowhere, std::memory_order_seq_cst);
    Pool::watchBackOff();
  } else if (!sharable) {
    setPollFrom(kNowhere);
  }
  {
    Span span(*this, channel, {Form::clone}, /*level=*/nullptr, 1);
    runClones(block, 0, 1);
  }
  bool isLong = measures && ticks() - began > durations.smallTree;
  predicted_polls == 1 || isLong ? predictor.wasWrong()
                                 : predictor.wasRight(most - predicted_polls);
  // The limit stays as it is: one superfluous poll corrects it.
  predicted_polls = 0;
  smallTrees.withoutContext = false;
  if (tree != before)
    Pool::treeEnded(*this);
}

void chan_run(chan_block *block) {
  if (CHAN_UNLIKELY(!block->channel->kernel))
    return runOnDevice(block);
  // The caller's strand is nobody else's.
  if (chan_strand *outer = chan_strand_current()) {
    chan_strand_suspend();
    chan_run(block);
    return chan_strand_resume(outer);
  }
  Worker &worker = Worker::current();
  CHAN_ASSERT(block->count == 1, "chan_run takes one element");
  if (worker.context)
    return runNested(worker, block);
  if (worker.isInTask())
    return runInsideClone(worker, block);
  Entry entry{&worker, block};
  if (isPredictedSmall(worker, block))
    return worker.stack.call(runEntryAsClone, &entry);
  const chan_channel *channel = block->channel;
  worker.beginTree(channel);
  worker.stack.call(runEntry, &entry);
  Pool::treeEnded(worker);
  if (!worker.sharable)
    return;
  uint64_t duration = ticks() - worker.times.treeBegan;
  worker.times.predictor.end(duration,
                             worker.times.lastOffer >= worker.times.treeBegan);
  // Trees in batches are counted elsewhere.
  if (channel->serial && !formFor(worker, channel))
    memoriesOf(channel).smallTasks.took(duration);
}
