//===- Worker.h - A thread that runs kernels --------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_WORKER_H
#define CHAN_SRC_WORKER_H

#include "BackOff.h"
#include "Batches.h"
#include "Channel.h"
#include "Helping.h"
#include "Level.h"
#include "Memory.h"
#include "PromotionOrder.h"
#include "Reservation.h"
#include "SmallTrees.h"
#include "Stack.h"
#include "ThreadRecord.h"
#include "TreeTimes.h"
#include "Wakeup.h"

#include <utility>

namespace chan {

class Profile;
struct Worker;

/// A fresh chain of levels and what runs on it (I3). There is one for each tree
/// entered from C, each nested call of a C symbol and each block taken from
/// another worker. It lives on the stack of the thread that runs it.
struct Context {
  /// Begins a context inside the worker's current one.
  Context(Worker &worker, TaskBlock *taskBlock);
  ~Context();
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  Worker &worker;
  /// First level of the chain.
  Level *base;
  /// No level shallower than this has entries that have not started.
  Level *shallowest;
  /// Set while a batch runs that is not the deepest work of its context. It is
  /// the deepest level that may have unfinished work.
  Level *open = nullptr;
  /// The task block whose descendants run here. Null in a tree entered from C.
  TaskBlock *taskBlock;
  Context *outer;
  Context *inner = nullptr;
  /// The level of the batch of `outer` that this context interrupts.
  chan_level *interrupted;
  /// Depth of the first level in the tree entered from C.
  uint32_t depth;
};

/// A thread with its levels, frames and memory. It is created when the thread
/// first enters the runtime and recycled when the thread ends. The object is
/// never freed, so another thread may still read a worker that has just been
/// recycled.
///
/// Most of its state is in parts, each with a header of its own. The class
/// itself has what runs, and the calls that run it: Drain.cpp, Serial.cpp,
/// Enter.cpp, PredictedClones.cpp and Unwind.cpp define those of one topic
/// each.
///
/// Thread safety: everything belongs to the worker's own thread, except what a
/// part says.
struct Worker : chan_worker {
  Worker();

  /// The calling thread's worker; made on first use.
  static Worker &current();
  /// Makes `worker`, which may be null, the calling thread's worker.
  static void adopt(Worker *worker);
  /// The calling thread ends inside a tree of its own, or leaves the tree for
  /// good. When this returns, no further activation of the tree begins, and
  /// thieves have finished what they ran of it. Inside a task that another
  /// worker offered, it ends the process with a message.
  void abandonTree();
  /// To be called after abandonTree, when nothing runs on the stack any more.
  /// Afterwards the worker is in no tree.
  void forgetTree();
  /// As current(), but null if the thread has no worker. Safe in a signal
  /// handler.
  static Worker *currentIfAny();
  /// Removes all links from threads to this copy of the runtime, before it is
  /// unloaded or the process ends.
  static void forgetThreads();

  // What runs. The worker's own thread uses all of this.

  /// Innermost and outermost context; null when the thread runs no kernel.
  Context *context = nullptr;
  Context *outermost = nullptr;
  /// Chains of levels not in use, linked by `shallower`.
  Level *chains = nullptr;
  /// The channel whose kernel runs, for messages.
  const chan_channel *running = nullptr;
  /// Number of the tree or taken block that runs. Measurements from other trees
  /// count as old.
  uint32_t tree = 0;
  /// How many task blocks it runs, one inside the wait of another.
  uint32_t nested = 0;
  /// Number of deferred assignments of all activations that have not returned.
  uint64_t records = 0;
  /// Counts drains inside kernels. A measurement that spans one is discarded.
  uint64_t yields = 0;
  /// Kernel calls until the next one is measured as a routine check.
  uint32_t untilMeasured = 0;
  /// The width of all channels, if the environment sets it; else 0.
  uint32_t width = 0;
  const uint32_t processor;
  /// Whether the next call of a C symbol runs its kernel or batch although it
  /// has a serial clone.
  bool byKernel = false;
  /// False if no other worker can find what this worker offers.
  bool sharable = false;
  SmallTrees smallTrees;
  TreeTimes times;
  PromotionOrder promotionOrder;
  /// Null unless statistics or a trace are wanted.
  Profile *profile = nullptr;
  Stack stack;
  Memory memory;
  Batches batches;

  // What other threads see. The parts say which of them write.

  BackOff backOff;
  /// Position among the workers (Slots.h).
  uint32_t slot = 0;
  /// Links workers whose threads have ended, and workers that are parked in the
  /// pool. Guarded by the pool's lock.
  Worker *nextFree = nullptr;
  ThreadRecord thread;
  Helping helping;
  Wakeup wakeup;
  /// Task blocks on offer. Any thread takes from it (Channel.h).
  SharedChannel stealQueue{sizeof(TaskBlock *), kStealQueueCapacity, 1};
  /// What thieves may take while a kernel runs. Any thread takes from it
  /// (Reservation.h).
  Reservation reservation;

  /// Whether the thread is inside a tree that a kernel or a clone began.
  bool isInTask() const { return context || smallTrees.withoutContext; }
  uint32_t usualWidth() const { return width ? width : kDefaultWidth; }
  uint32_t widthOf(const chan_channel *channel) const {
    return !width && channel->width ? channel->width : usualWidth();
  }
  bool mayReserve() const {
    return sharable && !reservation.hidden && !reservation.isOpen();
  }

  /// Depth in the tree of level `at` of the innermost context. Without a
  /// context, the root runs.
  uint32_t depthOf(const chan_level *at) const {
    return !context ? 0
                    : context->depth + static_cast<const Level *>(at)->depth;
  }

  Level *newLevel(Level *above);
  Level *ensureDeeper(Level *level) {
    if (CHAN_UNLIKELY(!level->deeper))
      level->deeper = newLevel(level);
    return level->next();
  }

  /// Allocates memory. Ends the process with a message if there is none.
  void *allocate(size_t bytes, const chan_channel *channel, const Level *level);

  /// Runs everything at `base` and deeper, deepest level first, and waits for
  /// what thieves took of it. If `enough` is not 0, entries of `base` may
  /// remain: at most `enough` here, and a task block for each other worker.
  void drain(Level *base, uint32_t enough = 0);

  /// Sets stack_limit and poll_from to their current values.
  void refreshLimit();
  /// Only activations no deeper than the promotion candidate poll from now on,
  /// until it is promoted or for one period at most.
  void waitForOlderFrames();
  /// Other activations run now than those that polled so far.
  void stopWaitingForOlderFrames();
  /// A kernel is to run in place of a clone, so that thieves find work. Returns
  /// whether sharing backs off instead, since thieves have gained too little.
  bool backsOffIfFruitless();
  /// Sharing backs off until `time`, in ticks.
  void backOffUntil(uint64_t time);
  /// Whether sharing still backs off.
  bool isBackingOff();
  /// Ends the back-off.
  void endBackOff();
  /// Values of poll_from: every activation that spawns polls, or none does.
  static constexpr uintptr_t kAnywhere = 0, kNowhere = UINTPTR_MAX;
  /// Makes all clones poll before they spawn.
  void requestPolls() { setPollFrom(kAnywhere); }
  void setPollFrom(uintptr_t place) {
    // relaxed: read by the worker's own thread, at any later time.
    std::atomic_ref<uintptr_t>(poll_from).store(place,
                                                std::memory_order_relaxed);
  }
  /// For the worker's own thread.
  uintptr_t pollFrom() {
    // relaxed: other threads set it to kAnywhere at any time.
    return std::atomic_ref<uintptr_t>(poll_from).load(
        std::memory_order_relaxed);
  }
  bool arePollsRequested() { return pollFrom() == kAnywhere; }
  /// Runs elements by the serial clone of their channel.
  void runClones(chan_block *block, uint32_t begin, uint32_t count);
  /// As runClones, for elements whose trees are predicted small. If the trees
  /// have more activations than predicted, the remaining ones are promoted as
  /// at a request for work.
  void runPredictedSmall(chan_block *block, uint32_t begin, uint32_t count);
  /// A tree begins: either one entered from C, or what remains of a clone
  /// without a context.
  void beginTree(const chan_channel *root);
  /// Runs the one element of `block` by its clone, as a tree that is predicted
  /// small. Such a tree has no context, levels or lists, only the stack.
  void runWithoutContext(chan_block *block);
  /// Whether a clone that was predicted small may go on as a clone.
  bool mayStillBeSmall();
  /// The stack address below which activations of a predicted small clone poll.
  static uintptr_t predictedStackLimit();
  /// The clone stops calling predicted small trees one after the other.
  void endPredictedSeries();
  /// Whether a thief may be taking the remaining elements of `block` now. Their
  /// number must not be read then.
  bool isReserved(const chan_block *block) const {
    return block == reservation.block && reservation.isOpen();
  }
  /// Whether an element at `at` may be run by its serial clone: other workers
  /// have enough to do, or would gain nothing from what they could take here.
  bool maySerialize(const Level *at);
  /// As maySerialize, for all `count` remaining elements of `block`. It allows
  /// one element that is alone at its level and whose clone is late-promoting.
  /// Until that clone spawns, a kernel would not offer thieves more.
  bool mayPromoteLate(const chan_block *block, uint32_t count) const {
    return block->channel->flags & CHAN_CLONE_LATE_PROMOTING && count == 1 &&
           !isReserved(block) && !waiting(block) && block->next == noBlock() &&
           !stack.isDeepForClones();
  }
  /// As maySerialize, for an element whose tree is predicted small. A request
  /// for work does not prevent it: the tree ends before a thief could come.
  bool mayPredictSmall(const Level *at);
  /// How many of the entries of `block` a slice may have. If there are many,
  /// some remain for other workers, so that clones may run the slice.
  uint32_t mostAtOnce(const chan_block *block) const;

  /// Wavefront yield inside a kernel (ISCA'14 section 6): drains the level
  /// below the kernel's and all deeper ones on the spot.
  void yieldTo(Level *deeper);
  /// As yieldTo, to make room in a channel of width `width`. What thieves have
  /// taken goes on. Half of the room stays in use, so that thieves find more at
  /// once.
  void makeRoom(Level *deeper, uint32_t width);

  /// Puts `block` in front of the entries of `level`. An empty block that
  /// stayed with the level is released: it may not follow another block.
  void prepend(Level *level, chan_block *block) {
    chan_block *first = level->entries;
    if (first != noBlock() && !waiting(first) && !isRunning(first)) {
      level->entries = first->next;
      if (uint32_t bytes = blockBytes(first))
        memory.release(first, bytes);
    }
    block->next = level->entries;
    level->entries = block;
  }

  /// Removes a block from its list when all its elements have started and
  /// finished, or makes it ready to fill again.
  void retire(Level *level, uint32_t kind, chan_block *block);

  /// For assertions: the caller is the worker's thread and runs one of its
  /// kernels. A kernel may have switched to a stack of its own before it
  /// called.
  bool runsHere() const {
    return currentIfAny() == this && context &&
           (context->outer || stack.isCurrent());
  }

  /// Frees all memory of the worker. Called when its thread ends.
  void dispose();

private:
  /// Runs a slice of a level in [base, at) instead of waiting at `at`. False if
  /// there is none.
  bool runShallower(Level *base, Level *at);
  /// These run some elements of `block` and return how many.
  uint32_t runSlice(Level *level, uint32_t kind, chan_block *block);
  uint32_t runWanted(Level *level, uint32_t kind, chan_block *block);
  uint32_t runMeasured(Level *level, uint32_t kind, chan_block *block);
  /// Runs `count` elements. Returns whether clones ran them.
  bool run(Level *level, chan_block *block, uint32_t count);
  /// As run, with the rest of the entry block reserved for thieves.
  bool runReserving(Level *level, chan_block *block, uint32_t count);
  /// Marks `count` elements as started and returns the first.
  uint32_t start(chan_block *block, uint32_t count);
  /// Runs the started elements. Returns whether clones ran them.
  bool call(Level *level, chan_block *block, uint32_t begin, uint32_t count);
};

inline Worker &self(chan_worker *worker) {
  return *static_cast<Worker *>(worker);
}

/// While it lives, the worker runs kernels, even if a clone made the call.
class KernelsRun {
public:
  explicit KernelsRun(Worker &worker)
      : worker(worker), cloning(std::exchange(chan_cloning, nullptr)),
        polls(std::exchange(worker.predicted_polls, 0)) {
    if (!CHAN_UNLIKELY(polls))
      return;
    limit = worker.stack_limit;
    wasRequested = worker.arePollsRequested();
    worker.refreshLimit();
  }
  ~KernelsRun() {
    chan_cloning = cloning;
    worker.predicted_polls = polls;
    if (!CHAN_UNLIKELY(polls))
      return;
    worker.stack_limit = limit;
    // A worker may have begun to want work.
    if (wasRequested || worker.sharable)
      worker.requestPolls();
  }
  KernelsRun(const KernelsRun &) = delete;
  KernelsRun &operator=(const KernelsRun &) = delete;

private:
  Worker &worker;
  chan_worker *const cloning;
  const uint32_t polls;
  uintptr_t limit = 0;
  bool wasRequested = false;
};

/// Prints which channel at which level could not get `bytes` bytes, and ends
/// the process with status 1.
[[noreturn]] void outOfMemory(const Worker &worker, const chan_channel *channel,
                              const Level *level, size_t bytes);

} // namespace chan

#endif
