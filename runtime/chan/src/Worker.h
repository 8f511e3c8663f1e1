//===- Worker.h - A thread that runs kernels --------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_WORKER_H
#define CHAN_SRC_WORKER_H

#include "Batch.h"
#include "Channel.h"
#include "Futex.h"
#include "Level.h"
#include "Memory.h"
#include "Options.h"
#include "PromotionOrder.h"
#include "Reservation.h"
#include "SharingPredictor.h"
#include "Signals.h"
#include "Stack.h"
#include "StealBackoff.h"

#include <utility>

namespace chan {

class Profile;
struct PoolThread;
struct Worker;

/// A fresh chain of levels and what runs on it: one per tree entered from C,
/// per nested call of a C symbol, per block taken from another worker (I3).
/// Lives on the stack of whoever runs it.
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
  /// Set while a batch runs that is not the deepest work of its context: the
  /// deepest level that may have something outstanding.
  Level *open = nullptr;
  /// The block whose descendants run here, null in a tree entered from C.
  TaskBlock *taskBlock;
  Context *outer;
  Context *inner = nullptr;
  /// Level of the batch of `outer` that this interrupts.
  chan_level *interrupted;
  /// How deep the first level is in the tree entered from C.
  uint32_t depth;
};

/// A thread with its levels, frames and memory.  Created when the thread first
/// enters the runtime, recycled when it ends; the object itself is never freed,
/// so that others may look at a worker that has just gone.
///
/// Thread safety: everything belongs to the worker's own thread, except what
/// Sharing.h says.
struct Worker : chan_worker {
  Worker();

  /// The calling thread's worker; made on first use.
  static Worker &current();
  /// Makes `worker` (may be null) the calling thread's.
  static void adopt(Worker *worker);
  /// The calling thread ends inside a tree of its own, or leaves it for good:
  /// nothing of it begins any more, and what others run of it has ended when
  /// this returns.  Inside a task that another worker offered, ends the process
  /// with a message.
  void abandonTree();
  /// After that, when nothing runs on the stack any more: the worker is in no
  /// tree.
  void forgetTree();
  /// The same as current(), null if the thread has none.  Safe in a signal
  /// handler.
  static Worker *currentIfAny();
  /// Undoes what ties threads to this copy of the runtime, before it is
  /// unloaded or the process ends.
  static void forgetThreads();

  /// Innermost and outermost context; null when the thread runs no kernel.
  Context *context = nullptr;
  Context *outermost = nullptr;
  /// Chains of levels not in use, linked by `shallower`.
  Level *chains = nullptr;
  /// Whose kernel runs, for messages.
  const chan_channel *running = nullptr;
  /// Number of the tree or taken block that runs, for judging old measurements.
  uint32_t tree = 0;
  /// Deferred assignments of all activations that have not returned.
  uint64_t records = 0;
  /// Counts drains inside kernels: a measurement that spans one says nothing.
  uint64_t yields = 0;
  /// Kernel calls until the next one is measured without need.
  uint32_t untilMeasured = 0;
  /// That of all channels, if the environment says; else 0.
  uint32_t width = 0;
  const uint32_t processor;
  Memory memory;
  Batches batches;
  Stack stack;
  /// Whether the C symbol that is called next runs its kernel, or batch, though
  /// it has a serial clone.
  bool byKernel = false;
  // `guess` (abi.h): in a clone that runs since its tree is likely to be small,
  // how many activations may ask before they leave it, and one; else 0.

  /// Whether a clone calls one such clone after the other; between them, too.
  bool inPredictedSeries = false;
  /// Until when they may go on though somebody wants work; 0: nobody has said
  /// so.  Ticks.
  uint64_t predictedUntil = 0;
  /// How many are at work on task blocks of this worker's, and how long all
  /// were that are not any more.  Those who run them write it; ticks.
  std::atomic<uint32_t> helpers{0};
  std::atomic<uint64_t> helped{0};
  /// On whose task block this worker is at work itself, since when: null if on
  /// none, or while it waits for others.
  Worker *helping = nullptr;
  uint64_t helpingSince = 0;
  /// Whether who wants work is ignored for a time: clones run that leave
  /// nothing to others, and their limit is low.  Any thread reads it, and
  /// raises the limit every period, so that one of them looks at the clock.
  std::atomic<bool> backsOff{false};
  uint64_t backOffEnd = 0;
  /// If so, whether that is since there was nothing for him, and not because
  /// the tree is likely to be short.
  bool isFruitless = false;
  /// False if nobody would find what this worker offers.
  bool sharable = false;
  /// Position among the pool's workers.
  uint32_t slot = 0;
  /// When the outermost tree or task block began, and when it last offered
  /// something.
  uint64_t treeBegan = 0;
  uint64_t lastOffer = 0;
  StealBackoff stealBackoff;
  PromotionOrder promotionOrder;
  /// Null unless something is to be counted.
  Profile *profile = nullptr;
  /// What the last trees took, and whether the present one is taken for short.
  SharingPredictor sharingPredictor;
  bool predictedShort = false;
  /// Slices until a tree that is likely to be short looks at the clock.
  uint32_t untilClock = 0;
  /// Task blocks on offer; any thread takes from it (Channel.h).
  SharedChannel stealQueue{sizeof(TaskBlock *), 64, 1};
  /// What a kernel that runs has left to others; any thread takes from it
  /// (Reservation.h).
  Reservation reservation;
  /// While the reservation is a block that a kernel fills: the entries of the
  /// reservation's level, which itself shows an empty list, so that the
  /// kernel's next talloc comes to the runtime.
  chan_block *hidden = nullptr;
  /// While the reservation is a block behind the one that a kernel runs on:
  /// that block.
  chan_block *behind = nullptr;
  /// How many trees have begun as clones without a context.
  uint32_t clonedTrees = 0;
  /// Whether a clone runs without one (runWithoutContext).
  bool withoutContext = false;
  /// Whether the thread is inside a tree, which a kernel or a clone began.
  bool isInTask() const { return context || withoutContext; }
  uint32_t usualWidth() const { return width ? width : kDefaultWidth; }
  uint32_t widthOf(const chan_channel *channel) const {
    return !width && channel->width ? channel->width : usualWidth();
  }
  /// Whether the present tree is young and likely to be short.
  bool isShortSoFar(uint64_t now) const {
    return predictedShort && now - treeBegan < sharingPredictor.sharingDelay();
  }
  /// The same, by a look at the clock now and then.
  bool isShortTree();
  bool mayReserve() const {
    return sharable && !hidden && !reservation.isOpen();
  }
  /// Changes when the worker is to wake; any thread.
  std::atomic<uint32_t> alarm{0};
  /// While it sleeps in awaitTaskBlocks, `isAsleep`, with the following; any
  /// thread reads it, and who rings clears it.
  std::atomic<uint8_t> asleep{0};
  enum Sleep : uint8_t {
    isAsleep = 1,
    wasCounted = 2, ///< It is again once it is rung.
    helps = 4,      ///< It takes what descends from what it waits for.
  };
  /// Whether it then looks at the reservations every period; any thread reads
  /// it.
  std::atomic<bool> dozes{false};
  /// How many task blocks it runs, one while it waits inside another.
  uint32_t nested = 0;
  /// Whether it is the thread of the pool on duty to watch.
  std::atomic<bool> watches{false};
  /// Shows what its thread has used of the processors; any thread reads it.
  std::atomic<clockid_t> clock{};
  /// The system's number of its thread, and the signals that this blocked when
  /// it offered something last, or, of a thread of the pool's, blocks; any
  /// thread reads them.
  std::atomic<pid_t> threadNumber{0};
  std::atomic<SignalMask> signals{0};
  /// Its thread, if that is one of the pool's.
  PoolThread *thread = nullptr;
  /// Whether the pool counts it when it is awake.
  bool isCounted = false;
  /// Where its thread ran when a slice began last, if the pool counts it and it
  /// has not slept since; else negative.  Any thread reads it.
  std::atomic<int> whereabouts{-1};
  /// How often it has slept in awaitTaskBlocks.
  int64_t naps = 0;
  /// Links workers whose threads have ended, or that are parked in the pool.
  Worker *nextFree = nullptr;

  /// How deep `at`, of the innermost context, is in the tree.  Without one,
  /// what runs is the root.
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

  /// Memory that must be had: ends the process with a message otherwise.
  void *allocate(size_t bytes, const chan_channel *channel, const Level *level);

  /// Runs everything at `base` and deeper, deepest first, and waits for what of
  /// it was given away.  If `enough` is not 0, entries of `base` are left: at
  /// most so many here, and a task block for each other worker.
  void drain(Level *base, uint32_t enough = 0);

  /// Sets stack_limit and poll_from to what they are now.
  void refreshLimit();
  /// Has only activations that are no deeper than the one that is to answer ask
  /// for a while, or for no longer than a period.
  void waitForOlderFrames();
  /// Other activations run than those asked so far.
  void stopWaitingForOlderFrames();
  /// A kernel is to run in place of a clone, for the sake of others.  Whether
  /// they are ignored from now on, since that was fruitless so far.
  bool backsOffIfFruitless();
  /// Has who wants work be ignored until `time`, in ticks.
  void backOffUntil(uint64_t time);
  /// Whether he still is.
  bool isBackingOff();
  /// Has him be heard again.
  void endBackOff();
  /// From now on it is at work on a task block of `owner`, or on none; returns
  /// on whose it was before.
  Worker *help(Worker *owner);
  /// Where an activation that spawns asks: anywhere, nowhere, or no deeper than
  /// that.
  static constexpr uintptr_t kAnywhere = 0, kNowhere = UINTPTR_MAX;
  /// Has all clones ask before they spawn.
  void demandWork() { setPollFrom(kAnywhere); }
  void setPollFrom(uintptr_t place) {
    // relaxed: for the worker's own thread, or at any time.
    std::atomic_ref<uintptr_t>(poll_from).store(place,
                                                std::memory_order_relaxed);
  }
  /// Of the worker's own thread.
  uintptr_t pollFrom() {
    // relaxed: others set it to kAnywhere, whenever that is.
    return std::atomic_ref<uintptr_t>(poll_from).load(
        std::memory_order_relaxed);
  }
  bool isDemanded() { return pollFrom() == kAnywhere; }
  /// Runs elements by the serial clone of their channel.
  void runClones(chan_block *block, uint32_t begin, uint32_t count);
  /// The same where these are likely to begin small trees: should they have
  /// more activations, those that are left do as those do that others want.
  void runPredictedSmall(chan_block *block, uint32_t begin, uint32_t count);
  /// A tree begins that was entered from C, or what a clone without a context
  /// leaves of it.
  void beginTree(const chan_channel *root);
  /// Runs the one element of `block` by its clone, as that of a tree that is
  /// likely to be small: if it is, nothing of a tree is there but the stack.
  void runWithoutContext(chan_block *block);
  /// Whether a clone that was a guess may go on.
  bool mayStillBeSmall();
  /// How deep such a one's activations are that ask.
  static uintptr_t predictedStackLimit();
  /// Nobody calls one such clone after the other any more.
  void endPredictedSeries();
  /// Whether somebody may be taking what is left of `block` at this moment: how
  /// much that is, is not to be read then.
  bool isReserved(const chan_block *block) const {
    return block == reservation.block && reservation.isOpen();
  }
  /// Whether an element at `at` may be run by its serial clone: the others have
  /// enough to do, or what they could have here is not worth taking.
  bool maySerialize(const Level *at);
  /// The same for all of `block` that is left, `count` elements: one that is
  /// alone at its level, and whose clone answers later, if it comes to spawn
  /// anything. Until then a kernel would leave others no more.
  bool mayPromoteLate(const chan_block *block, uint32_t count) const {
    return block->channel->flags & CHAN_CLONE_LATE_PROMOTING && count == 1 &&
           !isReserved(block) && !waiting(block) && block->next == noBlock() &&
           !stack.isDeepForClones();
  }
  /// The same for one that is likely to begin a small tree, also where somebody
  /// wants work: it is over before he comes.
  bool mayPredictSmall(const Level *at);
  /// How many of the entries `block` a slice may have: it leaves the others
  /// some, so that clones may run it, as long as there are many.
  uint32_t mostAtOnce(const chan_block *block) const;

  /// Wavefront yield inside a kernel (ISCA'14 section 6): drains the level
  /// below the kernel's and all deeper ones on the spot.
  void yieldTo(Level *deeper);
  /// The same for room in a channel of `width` there.  What others have goes
  /// on, and so that they find more at once, half the room stays in use.
  void makeRoom(Level *deeper, uint32_t width);

  /// Puts `block` in front of the entries of `level`.  An empty block that
  /// stayed with the level goes: it may be nobody's successor.
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

  /// Takes a block whose elements have all started and finished out of `list`,
  /// or makes it ready to fill again.
  void retire(Level *level, uint32_t kind, chan_block *block);

  /// For assertions: the caller is the worker's thread, and runs a kernel of
  /// it. A kernel may have gone to a stack of its own before it called back.
  bool runsHere() const {
    return currentIfAny() == this && context &&
           (context->outer || stack.isCurrent());
  }

  /// Wakes this worker.  Any thread.
  void ring() {
    // release: who read it before a sleep sees what the ring is for.
    alarm.fetch_add(1, std::memory_order_release);
    futexWake(alarm);
  }
  /// The alarm, to be read before the announcement of a sleep.
  uint32_t alarmNow() const {
    return alarm.load(std::memory_order_acquire); // see ring
  }

  /// Frees what hangs from the worker.  Called when its thread ends.
  void dispose();

private:
  /// Runs a slice of a level in [base, at) rather than wait at `at`; false if
  /// there is none.
  bool runShallower(Level *base, Level *at);
  /// These run some elements of `block` and return how many.
  uint32_t runSlice(Level *level, uint32_t kind, chan_block *block);
  uint32_t runWanted(Level *level, uint32_t kind, chan_block *block);
  uint32_t runMeasured(Level *level, uint32_t kind, chan_block *block);
  /// Runs `count` elements; whether clones did.
  bool run(Level *level, chan_block *block, uint32_t count);
  /// The same with the rest of the entry block reserved.
  bool runReserving(Level *level, chan_block *block, uint32_t count);
  /// Marks `count` elements as started and returns the first.
  uint32_t start(chan_block *block, uint32_t count);
  /// Runs those; whether clones did.
  bool call(Level *level, chan_block *block, uint32_t begin, uint32_t count);
};

inline Worker &self(chan_worker *worker) {
  return *static_cast<Worker *>(worker);
}

/// As long as it lives, the worker does not run clones, whatever called it.
class KernelsRun {
public:
  explicit KernelsRun(Worker &worker)
      : worker(worker), cloning(std::exchange(chan_cloning, nullptr)),
        polls(std::exchange(worker.predicted_polls, 0)) {
    if (!CHAN_UNLIKELY(polls))
      return;
    limit = worker.stack_limit;
    wasRequested = worker.isDemanded();
    worker.refreshLimit();
  }
  ~KernelsRun() {
    chan_cloning = cloning;
    worker.predicted_polls = polls;
    if (!CHAN_UNLIKELY(polls))
      return;
    worker.stack_limit = limit;
    // Somebody may have come to want work.
    if (wasRequested || worker.sharable)
      worker.demandWork();
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

/// Says which channel at which level could not get `bytes` bytes, and ends the
/// process with status 1.
[[noreturn]] void outOfMemory(const Worker &worker, const chan_channel *channel,
                              const Level *level, size_t bytes);

} // namespace chan

#endif
