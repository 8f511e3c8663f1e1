//===- Tuning.h - The numbers that the runtime's decisions use --*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each number has its unit, the reason for it and the evidence. Evidence is a
// measurement in docs/architecture/Scheduling.md or docs/performance/log.md, a commit of that
// measurement, or a paper. "Not measured" says that there is none: the number
// works, and nearby numbers were not compared.
//
// Durations can be set without a new build, in microseconds:
//
//   CHAN_TUNE=slice=50,awake=0 ./program
//
// The other numbers are constants: the code divides by them, has arrays of
// their size, or tests rely on them. To try another value, change it here and
// build libchan.
//
// What is no choice stands elsewhere: sizes of pages and cache lines, the
// numbers in chan/abi.h that compiled code knows, the ranges of settings
// (Options.h). RuntimeTuningTest.cpp fixes which decisions these numbers lead
// to.
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_TUNING_H
#define CHAN_SRC_TUNING_H

#include "chan/abi.h"

#include <stddef.h>
#include <stdint.h>

namespace chan {

// --- Durations --------------------------------------------------------------

/// Ticks of the processor's counter in a microsecond, until the first worker
/// has joined. Then the rate is known (tickRate in Clock.h).
#if defined(__x86_64__)
inline constexpr uint64_t kAssumedTickRate = 2500;
#elif defined(__aarch64__)
inline constexpr uint64_t kAssumedTickRate = 100;
#else
inline constexpr uint64_t kAssumedTickRate = 1000;
#endif

/// Durations that decisions compare with, in ticks. They are written when the
/// first worker joins, and only read afterwards. The numbers below are
/// microseconds.
struct Durations {
  static constexpr uint64_t us(uint64_t microseconds) {
    return microseconds * kAssumedTickRate;
  }

  // Kernels.

  /// Intended duration of one call of a kernel. The clock readings around it,
  /// 0.1 us on a virtual machine, must not matter. A thief should wait for less
  /// than its own wakeup takes.
  /// Not measured.
  uint64_t slice = us(25);
  /// Grain: an element that takes less pays for an offer only together with
  /// more elements, since an offer costs both sides a few microseconds.
  /// Not measured.
  uint64_t grain = us(2);

  // Offers.

  /// A tree that takes less is over before a thief could help: waking one
  /// takes 10 to 20 us on a Zen 5 (log.md, "Runs of 10 to 30 ms").
  uint64_t shortTree = us(20);
  /// Least time between two offers of kernels below grain. An offer costs both
  /// sides a few microseconds, which must remain a small part.
  /// Evidence: log.md, "Runs of 10 to 30 ms": 4 and 10 times as far apart are
  /// within 1 %.
  uint64_t betweenOffers = us(10);
  /// The same in trees of unknown size. Not measured.
  uint64_t betweenSpeculativeOffers = us(500);
  /// How long a thread waits awake before it sleeps: as long as a wakeup takes
  /// in all. On a Xeon it takes 20 us of the woken worker, and 20 us of the
  /// worker that wakes it. The wait then costs at most twice as much as the
  /// better of both choices. (Karlin, Li, Manasse,
  /// Owicki, Empirical Studies of Competitive Spinning, SOSP 1991.)
  /// Evidence: log.md, "heat and life on the Xeon": `heat` 1.61 -> 1.82 with
  /// it, 1.73 with 15 us, no more with 200 us.
  uint64_t awake = us(40);

  // SharingPredictor.

  /// A tree that takes longer gains from sharing, or loses little.
  /// Evidence: commit 1ec59ec: trees of fib(20) from a loop took 88 us with two
  /// workers and 9 us with one. The bound itself: not measured.
  uint64_t longTree = us(2000);
  /// After so long the trial is repeated, since the load of the machine
  /// changes. Not measured.
  uint64_t trialLasts = us(100'000);

  // StealBackoff.

  /// A task block that took less was not worth taking: a thief needs at least
  /// as long to wake and to find it, see `shortTree`.
  /// Evidence: commit 63cd157: a long path with leaves woke a thread for each
  /// leaf, up to 50 s, afterwards 1 to 10 s.
  uint64_t worthTaking = us(10);
  /// Largest gap between offers, within a factor of two. Of the same
  /// measurement. The value itself: not measured.
  uint64_t mostGap = us(1000);
  /// How long offers count as useless after many useless ones. One period of
  /// the watching worker. Not measured.
  uint64_t uselessFor = us(1000);
  /// Kernels that ran in place of clones are fruitless if they took so long,
  /// and longer if something was offered meanwhile: a thief must wake first.
  /// Evidence: commit bdccc3c, the back-off as a whole: 530 -> 48 ms, 181 -> 57
  /// ms, 343 -> 80 ms in three programs. The values: not measured.
  uint64_t fruitless = us(32);
  uint64_t fruitlessOffers = us(200);
  /// Length of the first back-off. Sharing that is refused in vain costs this
  /// much at most. Of the same measurement. The value itself: not measured.
  uint64_t backOff = us(1000);

  // PromotionOrder.

  /// Least required age above 0: the time that makes an offer worth while.
  /// Evidence: log.md, "The second worker", (3), the order as a whole:
  /// `cholesky` 1.33 -> 1.6. The value itself: not measured.
  uint64_t leastAge = us(10);
  /// Largest required age, within a factor of two. Of the same measurement. The
  /// value itself: not measured.
  uint64_t mostAge = us(2000);
  /// After so long without a promotion, deeper frames do not poll. A poll that
  /// calls the runtime takes 20 ns, as long as several small activations.
  /// Evidence: docs/architecture/Scheduling.md, "Polls by older frames only": 1.0 instead of
  /// 1.7 times the time of one worker. The value itself: not measured.
  uint64_t longWait = us(20);

  // Predictions of small trees.

  /// A tree that takes longer is not small. Its length is that of `shortTree`:
  /// until then no thief could help.
  uint64_t smallTree = us(20);
  /// How long clones run in place of sparse batches before batches are examined
  /// again: a hundred times as long as the examination took.
  /// Evidence: none for the value. An examination of 256 batches at 0.1 us a
  /// level takes 25 to 40 us.
  uint64_t sparse = us(4000);
};

/// Read by every worker, written before there is one. A cache line of its own,
/// so that no writer slows the readers.
alignas(64) inline constinit Durations durations;
/// Their rate.
inline constinit uint64_t ticksPerMicrosecond = kAssumedTickRate;

/// Converts `durations` to this rate, which is not 0.
void setTickRate(uint64_t rate);
/// Sets durations as CHAN_TUNE says. False, without a change, if `text` is
/// malformed.
bool setDurations(const char *text);
/// The same without an effect.
bool areDurations(const char *text);

/// Readings that are closer do not tell the rate. One of a clock is 50 ns off
/// at most, so that the rate is right within 2 %. Nanoseconds. The first call
/// of a spawning function takes 50 us.
inline constexpr uint64_t kLeastForTickRate = 5'000;

/// A tree that is predicted short reads the clock every so many slices, and
/// more often if they are large. Reading takes 50 ns on a virtual machine. The
/// value itself: not measured.
inline constexpr uint32_t kSlicesPerClock = 64;

// --- Levels and blocks ------------------------------------------------------

/// Most pre-sync elements of one channel at one level of one worker, by
/// default. It bounds memory (docs/architecture/Scheduling.md, "Memory").
/// Evidence: log.md, "treesum against gcc" and "Runs of 10 to 30 ms": blocks of
/// 2048, 1024 and 512 elements are 1.1, 1.3 and 1.7 times as slow.
inline constexpr uint32_t kDefaultWidth = 4096;
/// Most elements per kernel call. What a batch reads and writes then stays in
/// the second-level cache, and requests are noticed between two calls. As
/// kDefaultWidth.
inline constexpr uint32_t kLargestSlice = 4096;
/// A measurement of few elements allows so many times as many: the first
/// element may be a base case among trees. Not measured.
inline constexpr uint64_t kMostGrowth = 16;
/// A kernel that has become coarse is noticed after at most so many calls. At
/// 0.1 us for the clock, a measurement of 64 calls of 25 us costs nothing. Not
/// measured.
inline constexpr uint32_t kMeasureEvery = 64;
/// Bytes. Blocks up to this size stay with their level when it is empty: the
/// first block of a list, which holds one element. Larger ones serve the next
/// level that fills, while they are still in the cache. Not measured.
inline constexpr uint32_t kKeptBytes = 128;
/// Bytes. Largest block. A kernel that reads one and writes a few fits the
/// second-level cache. Not measured.
inline constexpr size_t kBlockBytes = size_t(64) << 10;
/// Bytes. A list becomes four times as long until it takes so much, then less
/// than twice as long. So at most half of its memory is unused.
/// Evidence: the bound that test/Conversion/Run/memory-bound.test checks
/// (commit 9d93e27).
inline constexpr size_t kQuickBytes = 512;
/// Levels below a tree's root that begin with their last capacity. Deep
/// recursion has all its levels at one time, but each was wide at a different
/// time. Evidence: as kQuickBytes.
inline constexpr uint32_t kLearningLevels = 16;

// --- Serial clones ----------------------------------------------------------

/// Un-started elements that each other worker must find while a clone runs. If
/// the clone takes long, thieves find these. Only workers that can run
/// at once count.
/// Evidence: docs/architecture/Scheduling.md, "More workers than processors": with a count of
/// all workers, `barneshut` ran 700 thousand tasks by kernels instead of 130.
/// The value itself: not measured.
inline constexpr uint32_t kSlackPerWorker = 4;
/// Of more than so many elements for each other worker, a clone runs half, so
/// that thieves find as many.
/// Evidence: commit a0a3eea, with the rest of it: `treesearch` 60 -> 28 ms.
inline constexpr uint32_t kSplitPerWorker = 16 * kSlackPerWorker;
/// How many levels and batches are searched for such elements. Deeper trees
/// have them close by, if they have any. Not measured.
inline constexpr uint32_t kSlackLevels = 32;
/// Clones use this part of the stack: an eighth. Each call takes stack, and
/// levels are cheaper for the rest of a deep recursion. Not measured.
inline constexpr size_t kClonePartOfStack = 8;

// --- Trees that are predicted small (SmallTaskPredictor) ---------------------

/// At most so many elements may begin trees of their own: each tree costs a
/// call, and a batch of three fills lanes. Not measured.
inline constexpr uint32_t kFewTrees = 2;
/// Activations at which a clone and a batch break even. Part of the ABI.
/// Evidence: a level of a batch takes 0.1 us (docs/architecture/Scheduling.md, "Small tasks").
inline constexpr uint32_t kUsualTree = CHAN_PREDICTED_POLLS_USUAL;
/// Activations or polls: a tree with so many is not small. Part of the ABI.
inline constexpr uint32_t kMostSmallTree = CHAN_PREDICTED_POLLS_MAX - 1;
/// A wrong prediction costs as much as so many small trees save
/// (docs/architecture/Scheduling.md, "Small tasks").
inline constexpr int32_t kSmallTreesPerError = 50;
/// Bytes of stack that a small tree may use before its activations poll. A poll
/// that the module answers without the runtime takes 3 ns, as long as several
/// of them. Not measured.
inline constexpr uintptr_t kPredictedStack = 256;
/// Bytes of stack that the runtime may use between setting the limit and
/// calling the clone. It depends on the compiled code of libchan.
inline constexpr uintptr_t kUntilClone = 128;
/// One in so many trees that begin as clones without a context is measured: two
/// clock readings take 0.1 us, such a tree as little.
/// Evidence: RuntimeEnterTest.cpp shows 10 ns for such an entry. The value: not
/// measured.
inline constexpr uint32_t kTreesPerMeasurement = 16;

// --- Batches ----------------------------------------------------------------

/// Bytes that the children of a batch may take, so that two or three levels fit
/// the first-level cache. And the limit if the elements are in so few arrays
/// that a processor prefetches all of them: then it is that of the second-level
/// cache.
/// Evidence: log.md, "treesum against gcc": blocks of 256, 1024, 8192 and 65536
/// elements are 1.0 to 1.2 times as slow (commit 44c21a1).
inline constexpr uint32_t kBatchBytes = 16 << 10;
inline constexpr uint32_t kBatchBytesOfFew = 64 << 10;
inline constexpr uint32_t kFewArrays = 4;
/// Elements. Most in a batch, and most if they have locals and results that are
/// read again. Of the same measurement.
inline constexpr uint32_t kMostBatched = 4096;
inline constexpr uint32_t kMostBatchedWaiting = 1024;
/// Children of an element that spawns in a loop.
/// Evidence: commit bc80a6a: deep and narrow recursion clears no memory that it
/// does not use. The value itself: not measured.
inline constexpr uint32_t kLikelyChildren = 256;
/// Deeper recursion goes through channels. Their memory does not grow with its
/// depth, and their levels do not use the C stack. Not measured.
inline constexpr uint32_t kMostBatchDepth = 256;
/// So few elements for so many levels in turn do not fill lanes: their clone
/// runs them. Not measured.
inline constexpr uint32_t kNarrow = 2;
inline constexpr uint32_t kNarrowLevels = 12;

// SparseBatches.

/// Only batches at least so deep count. Each recursion begins with few
/// elements, even if it fills all lanes further down. Not measured.
inline constexpr uint32_t kSparseFromLevel = 6;
/// Elements. Clones run only batches with at most so many. Not measured.
inline constexpr uint32_t kSparseFew = 8;
/// How many batches are examined, and how many elements in all of them are
/// enough. At four elements a level, a batch takes as long as their clones: 0.1
/// us. Not measured otherwise.
inline constexpr uint32_t kExaminedBatches = 256;
inline constexpr uint32_t kEnoughElements = 4 * kExaminedBatches;

// --- Sharing ----------------------------------------------------------------

/// Task blocks that a steal queue has room for. A worker has no more on offer
/// than can run at one time (kMostOffersAtOnce) for each level. Not measured.
inline constexpr uint64_t kStealQueueCapacity = 64;
/// Most task blocks that one look offers. More go out at the next looks. Not
/// measured.
inline constexpr uint32_t kMostOffersAtOnce = 8;
/// A worker that runs so many task blocks, one inside another, only waits. An
/// offer visits all task blocks around it.
/// Evidence: commit 4f543d7: a long path that passes between workers put each
/// of them inside thousands of task blocks. The value itself: not measured.
inline constexpr uint32_t kMostNested = 64;
/// How many ancestors of a task block are followed to find whether it descends
/// from another one. The links of a recycled task block may lead anywhere. More
/// than a chain of kMostNested for each of 64 workers.
inline constexpr int kMostAncestors = 4096;
/// How many ancestors of a new task block are searched for a waiting owner to
/// wake. There may be thousands. Not measured.
inline constexpr int kNearAncestors = 16;
/// How many times a thief looks at a mask that its owner has not noted, once a
/// period. If a thread spends half of its time in signal handlers, one of so
/// many looks finds it outside, except in one of 2^32 cases.
inline constexpr uint32_t kLooksAtSignals = 32;
/// Task blocks that are allocated together: with the link, 64 parts. Not
/// measured.
inline constexpr size_t kTaskBlocksPerSlab = 63;

// SharingPredictor.

/// Most trees in turn that count as short. The bound keeps one interrupted tree
/// from changing the prediction for long. Not measured.
inline constexpr uint32_t kMostShortTrees = 8;
/// After so many trees the trial is repeated, see Durations::trialLasts. Not
/// measured.
inline constexpr uint32_t kTreesPerTrial = 1024;
/// Trees in turn. A single loss may come from an interrupt during the trial.
/// Not measured.
inline constexpr uint32_t kMostLosses = 4;
/// Times that differ by this factor are not alike. Not measured.
inline constexpr uint64_t kAlikeFactor = 4;

// StealBackoff.

/// After so many useless offers in turn, offers count as useless.
/// Evidence: docs/architecture/Scheduling.md, "Useless offers": by kernels, such work would
/// take ten times as long. The value itself: not measured.
inline constexpr uint64_t kMostUseless = 16;
/// So many kernels in place of clones are looked at together. A power of two.
/// Evidence: as Durations::fruitless. The value itself: not measured.
inline constexpr uint32_t kMostFruitless = 64;
/// They are fruitless if thieves did less than one part in so many of the work.
/// Kernels take 10 to 30 times as long as clones where little is shared
/// (docs/architecture/Scheduling.md, "Back-off").
inline constexpr int64_t kLeastGain = 8;
/// Each fruitless back-off is twice as long as the last, up to so many
/// doublings: 8 ms. Not measured.
inline constexpr uint32_t kMostDoublings = 3;
/// After so many kernels in a row without a request, none is likely. If one
/// comes, clones are promoted. Not measured.
inline constexpr uint32_t kMostUnrequested = 64;

// PromotionOrder.

/// An activation waits for this part of the tree's time at most until an older
/// one polls. So the wait costs a sixteenth. Not measured.
inline constexpr uint64_t kPartOfTree = 16;

// --- Threads ----------------------------------------------------------------

/// Nanoseconds. How often the watching thread looks: often enough that a thief
/// takes reserved work within 2 ms, and seldom enough that it costs less than
/// 1 % of a processor. Not measured.
inline constexpr long kPeriodNanoseconds = 1'000'000;
/// Nanoseconds. How long the threads of the pool stay when no thread of the
/// program is in the runtime. If one enters in this time, it finds them. Not
/// measured.
inline constexpr long kRetirementNanoseconds = 100'000'000;
/// Nanoseconds. How long a normal exit waits for threads that are about to
/// become idle. Not measured.
inline constexpr long kExitPatienceNanoseconds = 200'000'000;
/// Periods until watching stops, if no reservation is open then. Not measured.
inline constexpr uint32_t kRecentPeriods = 2;
/// For how many periods an offer, a reservation or withheld demand stays so, at
/// least: while a processor is idle, and while all are in use.
/// Evidence: commit cf74beb: with 1, all workers took what two processors were
/// to run. The value 256: not measured.
inline constexpr uint32_t kPatience = 1;
inline constexpr uint32_t kPatienceWithBusy = 256;
/// In how many periods in turn a processor must have been idle, which also
/// bounds the count. In a shorter time, the running workers may have waited for
/// one another, or for another process. A tick of Linux is as long: 4 ms.
/// Evidence: as kPatience. The value itself: not measured.
inline constexpr uint32_t kConvincingPeriods = 4;
/// After so many task blocks in turn that were not worth taking, a thread stops
/// searching for a period. Not measured.
inline constexpr uint32_t kMostSmallBlocks = 8;
/// Bytes. Stack of the pool's threads themselves. Kernels do not run there. The
/// C library and the sanitizers need less than half of it.
inline constexpr size_t kThreadStack = size_t(512) << 10;
/// How often a moment of two clocks is tried. The best of the tries counts,
/// since a thread may lose its processor in some (RuntimeClockTest.cpp).
inline constexpr int kMomentTries = 5;

// --- Stacks -----------------------------------------------------------------

/// Bytes. Wide enough that a frame of a few hundred KiB cannot skip it.
inline constexpr size_t kGuardBytes = size_t(1) << 20;
/// Bytes. A worker with less does not start.
inline constexpr size_t kLeastStackBytes = size_t(256) << 10;
/// Bytes. Room for a handler of the program, and for the sanitizers' own.
inline constexpr size_t kSignalStackBytes = size_t(64) << 10;
/// With less than this part of the stack left, memory is preferred to
/// recursion. Not measured.
inline constexpr size_t kLowPartOfStack = 4;

// --- Memory -----------------------------------------------------------------

/// Bytes. Size of a worker's first chunk. Not measured.
inline constexpr size_t kFirstChunk = size_t(64) << 10;
/// Bytes. Chunks double up to this size. Later ones are two huge pages, which
/// take 0.2 ms to zero. Huge pages pay because the levels of a deep recursion,
/// in small pages, exceed the first translation lookaside buffer.
/// Evidence: log.md, "Runs of 10 to 30 ms": huge ones from the beginning are
/// within 1 %.
inline constexpr size_t kLargestDoubled = size_t(1) << 20;
inline constexpr size_t kLargestChunk = size_t(4) << 20;
/// Bytes. Larger requests are mapped on their own. Not measured.
inline constexpr size_t kLargestPooled = size_t(128) << 10;
/// Bytes. The largest region that stays mapped, and the most that all unused
/// regions of a worker may take.
/// Evidence: log.md, "fib and strassen": `rectmul` takes 25 thousand page
/// faults instead of 50. The values themselves: not measured.
inline constexpr size_t kLargestKept = size_t(4) << 20;
inline constexpr size_t kMostKept = size_t(8) << 20;
/// Bytes. The first piece of an arena, and the largest one. Each is twice as
/// large as the last. Not measured.
inline constexpr size_t kFirstPiece = 128;
inline constexpr size_t kLargestPiece = size_t(16) << 10;

// --- Deferred assignments ---------------------------------------------------

/// Levels below a tree's root where activations may have so many times the
/// usual number of assignments. All workers wait for each other while
/// assignments are applied.
/// Evidence: commit a0a3eea, with the rest of it: `treesearch` 60 -> 28 ms.
inline constexpr uint32_t kTrunkLevels = 4;
inline constexpr uint32_t kMoreInTrunk = 16;
/// Records. Many activations of a level may wait for their children. When all
/// together have as many as one may have near the root, each has no more.
/// Evidence: the bound that memory-bound.test checks.
inline constexpr uint32_t kFewPending = 64;

// --- Loops and locks --------------------------------------------------------

/// The rule of Cilk Plus: eight ranges per worker, so that unequal ranges even
/// out, and a length limit in iterations, so that thieves can help with each.
inline constexpr uint64_t kRangesPerWorker = 8;
inline constexpr uint64_t kMaxGrain = 2048;
/// Tries before a thread sleeps on a lock. Locks are held briefly, and waiting
/// a little avoids two system calls. Not measured.
inline constexpr int kLockSpins = 100;

// --- Reports ----------------------------------------------------------------

/// Nanoseconds. Assumed cost if another worker continues after a spawn, or ran
/// the child. As in Cilkview (He, Leiserson, Leiserson, SPAA 2010).
inline constexpr uint64_t kBurdenNanoseconds = 5000;
/// Statistics count the levels from this one on together: a table of more lines
/// helps no reader.
inline constexpr uint32_t kDeepLevel = 256;
/// Most events of a worker in a trace. The buffer is address space until it is
/// used: 6 MiB.
inline constexpr size_t kMostEvents = size_t(1) << 17;

// --- Graphs built by hand ----------------------------------------------------

/// Elements of a queue that are dispatched together: the paper's wavefront
/// (ISCA'14, Table 2).
inline constexpr uint32_t kGraphBatch = 64;
/// Most yields inside yields on one thread. A deeper yield only waits. With the
/// stack below, in bytes, each may take 16 KiB. The stack is address space
/// until it is used.
inline constexpr uint32_t kMostGraphYields = 4096;
inline constexpr size_t kGraphStackBytes = size_t(64) << 20;

} // namespace chan

#endif // CHAN_SRC_TUNING_H
