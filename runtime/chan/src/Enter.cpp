//===- Enter.cpp - Entering the runtime from C ----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clock.h"
#include "Device.h"
#include "Pool.h"
#include "Profile.h"
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
  Context context(worker, worker.context ? worker.context->parcel : nullptr);
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

// The key under which each thread keeps its worker, so that the worker leaves
// when the thread ends, also one that is not ours.
pthread_key_t key;
pthread_once_t keyOnce = PTHREAD_ONCE_INIT;
std::atomic<bool> keyExists{false};

void atThreadEnd(void *worker) {
  threadWorker = nullptr;
  Pool::leave(static_cast<Worker *>(worker));
}

} // namespace

Worker *Worker::currentIfAny() { return threadWorker; }

void Worker::adopt(Worker *worker) { threadWorker = worker; }

Worker &Worker::current() {
  if (CHAN_UNLIKELY(!threadWorker)) {
    threadWorker = Pool::join();
    pthread_once(&keyOnce, [] {
      keyExists = pthread_key_create(&key, atThreadEnd) == 0;
    });
    if (keyExists)
      pthread_setspecific(key, threadWorker);
  }
  return *threadWorker;
}

void Worker::forgetThreads() {
  // Or threads that outlive the library would run its code when they end.
  if (keyExists.exchange(false))
    pthread_key_delete(key);
  // The others' cannot be freed from here: they may be in use when the process
  // ends.
  if (threadWorker && !threadWorker->context)
    atThreadEnd(threadWorker);
}

} // namespace chan

using namespace chan;

constinit __thread chan_worker *chan_cloning = nullptr;

void chan_run(chan_block *block) {
  if (CHAN_UNLIKELY(!block->channel->kernel))
    return runOnDevice(block);
  Worker &worker = Worker::current();
  CHAN_ASSERT(block->count == 1, "chan_run takes one element");
  if (worker.context) {
    // A call inside a kernel: the stack is the large one already.
    if (CHAN_UNLIKELY(Pool::wanted()))
      Pool::checkFork();
    const chan_channel *running = worker.running;
    auto *at = static_cast<Level *>(worker.level);
    bool byKernel = worker.byKernel; // until it does
    const chan_channel *channel = block->channel;
    chan_serial_clone serial = byKernel ? nullptr : channel->serial;
    bool batches = formFor(worker, channel);
    TinyTrees &tiny = memoriesOf(channel).tinyTrees;
    if (serial && (batches ? tiny.isLikely() && worker.mayGuess(at)
                           : worker.maySerialize(at))) {
      worker.running = channel;
      Span span(worker, channel, {Form::clone}, at->next(), 1);
      batches ? worker.runGuessed(block, 0, 1) : worker.runClones(block, 0, 1);
    } else {
      ++worker.yields;
      runTree(worker, block);
    }
    worker.running = running;
    // The clone that has made way (chan_leave) goes on.
    if (byKernel)
      chan_cloning = &worker;
    return;
  }
  // Unlike the numbers of other workers' trees.
  worker.tree += kMaxWorkers;
  if (worker.sharable) {
    worker.treeBegan = ticks();
    if (!worker.shortTrees.isOf(block->channel)) {
      worker.listen();
      worker.offerGap = OfferGap();
    }
    worker.likelyShort = worker.shortTrees.begin(block->channel);
    worker.untilClock = kSlicesPerClock;
    if (worker.likelyShort)
      worker.ignoreUntil(std::max(
          worker.deafUntil, worker.treeBegan + worker.shortTrees.patience()));
    else if (!worker.turnedAway)
      worker.listen();
    worker.offerGap.forget();
    worker.seniority.forget();
  }
  Entry entry{&worker, block};
  worker.stack.call(runEntry, &entry);
  Pool::treeEnded(worker);
  if (worker.sharable)
    worker.shortTrees.end(ticks() - worker.treeBegan,
                          worker.lastOffer >= worker.treeBegan);
}
