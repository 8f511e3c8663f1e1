//===- Worker.cpp - A thread that runs kernels ----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Worker.h"
#include "Processor.h"
#include "Support.h"

#include <new>
#include <stddef.h>

// Offsets that compiled code relies on. A unit test compares the compiler's
// copy with the header.
static_assert(offsetof(chan_block, channel) == 0);
static_assert(offsetof(chan_block, count) == 8);
static_assert(offsetof(chan_block, capacity) == 12);
static_assert(offsetof(chan_block, next) == 16);
static_assert(offsetof(chan_block, reserved) == 24);
static_assert(sizeof(chan_block) == CHAN_BLOCK_HEADER);
static_assert(offsetof(chan_level, entries) == 0);
static_assert(offsetof(chan_level, continuations) == 8);
static_assert(offsetof(chan_level, deeper) == 16);
static_assert(offsetof(chan_level, shallower) == 24);
static_assert(offsetof(chan_worker, level) == 0);
static_assert(offsetof(chan_worker, free_frames) == 8);
static_assert(offsetof(chan_worker, stack_limit) == 520);
static_assert(offsetof(chan_worker, poll_from) == 528);
static_assert(offsetof(chan_worker, clone_tasks) == 536);
static_assert(offsetof(chan_worker, reductions) == 544);
static_assert(sizeof(chan_pending) == 32);

extern "C" const chan_block chan_no_block = {nullptr, 0, 0, nullptr, 0};

namespace chan {

Worker::Worker()
    : chan_worker{}, processor(processorLevel()), memory(free_frames) {}

Level *Worker::newLevel(Level *above) {
  void *space = allocate(sizeof(Level), running, above);
  return new (space) Level{
      {noBlock(), noBlock(), nullptr, above},
      nullptr,
      above ? above->depth + 1 : 0,
      0,
      {0, 0},
      0,
      {1, 1},
  };
}

void *Worker::allocate(size_t bytes, const chan_channel *channel,
                       const Level *at) {
  void *space = memory.allocate(bytes);
  if (CHAN_UNLIKELY(!space))
    outOfMemory(*this, channel, at, bytes);
  return space;
}

void outOfMemory(const Worker &worker, const chan_channel *channel,
                 const Level *level, size_t bytes) {
  (Message() << "out of memory: channel '"
             << (channel ? channel->name : "(none)") << "', level "
             << uint64_t(level ? level->depth : 0) << ": needs "
             << uint64_t(bytes) << " bytes more, holding "
             << uint64_t(worker.memory.held()))
      .print();
  fail();
}

void Worker::dispose() {
  CHAN_ASSERT(!isInTask(), "a thread ended inside a task");
  batches = {};
  memory.unmapAll();
  chains = nullptr;
  level = nullptr;
  stack.release();
}

Context::Context(Worker &owner, TaskBlock *of)
    : worker(owner), base(owner.chains), taskBlock(of), outer(owner.context),
      interrupted(owner.level),
      depth(outer ? outer->depth + static_cast<Level *>(interrupted)->depth + 1
                  : 0) {
  if (base)
    owner.chains = base->previous();
  else
    base = owner.newLevel(nullptr);
  CHAN_ASSERT(isEmptyFrom(base), "I3: a context begins on fresh levels");
  base->shallower = nullptr;
  shallowest = base;
  if (outer)
    outer->inner = this;
  else
    owner.outermost = this;
  owner.context = this;
  owner.stopWaitingForOlderFrames();
}

Context::~Context() {
  CHAN_ASSERT(isEmptyFrom(base), "I3: a context ends with its descendants");
  worker.level = interrupted;
  worker.context = outer;
  if (outer)
    outer->inner = nullptr;
  else
    worker.outermost = nullptr;
  base->shallower = worker.chains;
  worker.chains = base;
}

} // namespace chan
