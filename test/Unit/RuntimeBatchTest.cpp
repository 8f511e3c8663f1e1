//===- RuntimeBatchTest.cpp - Many activations in place -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Phases as the compiler makes them, with lanes that are loops.
//
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "BatchTesting.h"
#include "Demand.h"
#include "InProcess.h"
#include "Pool.h"
#include "RuntimeKernels.h"
#include "Worker.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <gtest/gtest.h>
#include <numeric>
#include <stdlib.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace kernels;

namespace {

/// Elements that phases of batches have seen. The phases also check what the
/// batch leaves to the runtime.
std::atomic<uint64_t> inBatches;

//===----------------------------------------------------------------------===//
// In order: fib
//===----------------------------------------------------------------------===//

using Fib = Element<long *, long>;
extern const chan_channel FibEntry;

/// Marks: the waiting lanes; then for each of two sites a mask and the first
/// child.
constexpr uint32_t kFibWords = 5;

/// Pages of the memory for results that are not mapped, whether or not results
/// are stored.
std::atomic<size_t> absentPages;
size_t countAbsent(void *begin, size_t bytes) {
  size_t page = sysconf(_SC_PAGESIZE), absent = 0;
  auto at = reinterpret_cast<uintptr_t>(begin) & -page;
  for (; at < reinterpret_cast<uintptr_t>(begin) + bytes; at += page) {
    unsigned char present = 0;
    EXPECT_EQ(mincore(reinterpret_cast<void *>(at), page, &present), 0);
    absent += !(present & 1);
  }
  return absent;
}

uint32_t fibBegins(chan_worker *, chan_batch *batch, uint32_t i, uint32_t end) {
  chan_block *children = batch->children;
  absentPages +=
      countAbsent(batch->child_results, children->capacity * sizeof(long));
  uint32_t count = 0;
  batch->pending = 0;
  for (; i < end && count + 2 * kLanes <= children->capacity; i += kLanes) {
    uint64_t *marks = marksOf(batch, i, kFibWords);
    std::fill_n(marks, kFibWords, 0);
    for (int site = 0; site != 2; ++site) {
      marks[2 + 2 * site] = count;
      for (uint32_t lane = 0; lane != kLanes && i + lane < end; ++lane) {
        long n = Fib::get<1>(batch->elements, i + lane);
        inBatches += site;
        if (n < 2) {
          static_cast<long *>(batch->results)[i + lane] = n;
          continue;
        }
        Fib::get<1>(children, count++) = n - 1 - site;
        marks[1 + 2 * site] |= uint64_t(1) << lane;
        marks[0] |= uint64_t(1) << lane;
        batch->pending |= 1 << 1;
      }
    }
  }
  children->count = count;
  return std::min(i, end);
}

uint32_t fibEnds(chan_worker *, chan_batch *batch, uint32_t i, uint32_t end) {
  auto *child = static_cast<long *>(batch->child_results);
  for (; i < end; i += kLanes) {
    uint64_t *marks = marksOf(batch, i, kFibWords);
    uint64_t first = marks[2], second = marks[4];
    for (uint32_t lane = 0; lane != kLanes; ++lane)
      if (marks[0] >> lane & 1)
        static_cast<long *>(batch->results)[i + lane] =
            child[first++] + child[second++];
  }
  return end;
}

constexpr chan_phase kFibPhases[] = {fibBegins, fibEnds};
constexpr chan_batch_form kFibForm =
    makeForm(&FibEntry, kFibPhases, 2, sizeof(long));

/// Without frames and continuations: it runs only elements that are too deep
/// for a batch, or offered to thieves.
void fibKernel(chan_worker *, chan_block *block, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i != end; ++i) {
    long previous = 1, value = 0;
    for (long n = Fib::get<1>(block, i); n; --n)
      previous = std::exchange(value, value + previous);
    *Fib::get<0>(block, i) = value;
  }
}
/// For a processor that does not exist.
constexpr chan_batch_form formOfTomorrow(const chan_batch_form *next) {
  chan_batch_form form = makeForm(&FibEntry, nullptr, 2, sizeof(long));
  form.lanes = 64;
  form.processor = 9;
  form.next = next;
  return form;
}
constexpr chan_batch_form kFibOfTomorrow = formOfTomorrow(&kFibForm);
const chan_channel FibEntry =
    makeBatchChannel<Fib>("fib.0", fibKernel, &kFibOfTomorrow);

TEST(RuntimeBatch, ResultsStandInTheOrderOfTheirParents) {
  for (long n : {0, 1, 2, 5, 24}) {
    long result = -1;
    inBatches = 0;
    Fib::call(FibEntry, &result, n);
    long previous = 1, expected = 0;
    for (long i = n; i; --i)
      previous = std::exchange(expected, expected + previous);
    EXPECT_EQ(result, expected) << n;
    EXPECT_GT(inBatches, 0u);
  }
}

TEST(RuntimeBatch, ThereMayBeNoFormForTheProcessor) {
  static constexpr chan_batch_form only = formOfTomorrow(nullptr);
  static const chan_channel entry =
      makeBatchChannel<Fib>("fib.0", fibKernel, &only);
  long result = -1;
  inBatches = 0;
  Fib::call(entry, &result, 20);
  EXPECT_EQ(result, 6765);
  EXPECT_EQ(inBatches, 0u);
}

extern const chan_channel NarrowEntry;
std::atomic<uint32_t> mostRoom = 0;
uint32_t narrowBegins(chan_worker *worker, chan_batch *batch, uint32_t i,
                      uint32_t end) {
  uint32_t room =
      std::max(batch->elements->capacity, batch->children->capacity);
  for (uint32_t most = mostRoom;
       most < room && !mostRoom.compare_exchange_weak(most, room);) {
  }
  return fibBegins(worker, batch, i, end);
}
constexpr chan_phase kNarrowPhases[] = {narrowBegins, fibEnds};
constexpr chan_batch_form kNarrowForm =
    makeForm(&NarrowEntry, kNarrowPhases, 2, sizeof(long));
const chan_channel NarrowEntry = [] {
  chan_channel channel =
      makeBatchChannel<Fib>("fib.0", fibKernel, &kNarrowForm);
  channel.width = 128;
  return channel;
}();

TEST(RuntimeBatch, BlocksAreAsWideAsTheirChannel) {
  long result = -1;
  Fib::call(NarrowEntry, &result, 22);
  EXPECT_EQ(result, 17711);
  // If the environment does not set the width of blocks.
  if (!getenv("CHAN_WIDTH")) {
    EXPECT_EQ(mostRoom, 128u);
  }
}

//===----------------------------------------------------------------------===//
// Join-free reductions: fib again
//===----------------------------------------------------------------------===//

/// Elements of which possibly only the sum of the results is needed. The last
/// of three phases adds them up.
constexpr chan_batch_form sumForm(const chan_channel *callee,
                                  const chan_phase *phases, uint32_t sites,
                                  const chan_channel *reducing,
                                  uint32_t phaseCount = 2) {
  chan_batch_form form = makeForm(callee, phases, sites, sizeof(long));
  form.phase_count = phaseCount;
  form.reduces = CHAN_SUM;
  form.reducing_lanes = kLanes;
  form.reducing = reducing;
  return form;
}
chan_channel makeSumChannel(const char *name, const chan_batch_form *form,
                            uint32_t flags) {
  chan_channel channel = makeBatchChannel<Fib>(name, fibKernel, form);
  channel.flags = flags;
  return channel;
}

extern const chan_channel SumEntry, SumReducing;
std::atomic<uint64_t> reduced;

uint32_t sumReduces(chan_worker *worker, chan_batch *batch, uint32_t i,
                    uint32_t end) {
  chan_block *children = batch->children;
  long own = 0;
  for (; i < end; ++i) {
    ++reduced;
    long n = Fib::get<1>(batch->elements, i);
    if (n < 2) {
      own += n;
      continue;
    }
    // Rarely, but as compiled code does.
    if (children->count + 2 > children->capacity)
      end = chan_batch_flush(worker, batch, i + 1, end);
    Fib::get<1>(children, children->count++) = n - 1;
    Fib::get<1>(children, children->count++) = n - 2;
  }
  *static_cast<long *>(batch->accumulator) += own;
  return end;
}

constexpr chan_phase kSumPhases[] = {fibBegins, fibEnds, sumReduces};
constexpr chan_batch_form kSumForm =
    sumForm(&SumEntry, kSumPhases, 2, &SumReducing);

const chan_channel SumEntry = makeSumChannel("sum.0", &kSumForm, 0);
const chan_channel SumReducing =
    makeSumChannel("sum.0", &kSumForm, CHAN_REDUCES);

/// As sumForm, for elements of which only sums are needed.
extern const chan_channel LoneEntry, LoneReducing;
constexpr chan_phase kLonePhases[] = {sumReduces};
constexpr chan_batch_form kLoneForm =
    sumForm(&LoneEntry, kLonePhases, 2, &LoneReducing, /*phaseCount=*/0);
const chan_channel LoneEntry = makeSumChannel("lone.0", &kLoneForm, 0);
const chan_channel LoneReducing =
    makeSumChannel("lone.0", &kLoneForm, CHAN_REDUCES);

long fibonacci(long n) {
  long previous = 1, value = 0;
  for (; n; --n)
    previous = std::exchange(value, value + previous);
  return value;
}

TEST(RuntimeBatch, ResultsOfATreeAreCombined) {
  for (const chan_channel *entry : {&SumEntry, &LoneEntry})
    for (long n : {0, 1, 2, 5, 24, 30}) {
      long result = -1;
      reduced = 0;
      Fib::call(*entry, &result, n);
      EXPECT_EQ(result, fibonacci(n)) << n;
      EXPECT_GT(reduced, 0u);
    }
}

/// A full tree in which every other level hoists base cases. Only the children
/// of those levels may be known as tested.
std::atomic<uint64_t> knownAsTested, wronglyKnown;

uint32_t everyOtherTests(chan_worker *worker, chan_batch *batch, uint32_t i,
                         uint32_t end) {
  chan_block *children = batch->children;
  long own = 0, height = Fib::get<1>(batch->elements, i);
  bool parentsTest = (height + 1) % 2, tests = height % 2;
  knownAsTested += batch->tested != 0;
  wronglyKnown += batch->tested && !parentsTest;
  batch->tests = tests;
  for (; i < end; ++i) {
    if (height == 0 || (height == 1 && tests)) {
      own += height == 0 ? 1 : 2;
      continue;
    }
    if (children->count + 2 > children->capacity)
      end = chan_batch_flush(worker, batch, i + 1, end);
    for (int child = 0; child != 2; ++child)
      Fib::get<1>(children, children->count++) = height - 1;
  }
  *static_cast<long *>(batch->accumulator) += own;
  return end;
}

extern const chan_channel OtherEntry, OtherReducing;
constexpr chan_phase kOtherPhases[] = {everyOtherTests};
constexpr chan_batch_form kOtherForm =
    sumForm(&OtherEntry, kOtherPhases, 2, &OtherReducing, /*phaseCount=*/0);
void leavesKernel(chan_worker *, chan_block *block, uint32_t begin,
                  uint32_t end) {
  for (uint32_t i = begin; i != end; ++i)
    *Fib::get<0>(block, i) = 1l << Fib::get<1>(block, i);
}
chan_channel makeOtherChannel(uint32_t flags) {
  chan_channel channel = makeSumChannel("other.0", &kOtherForm, flags);
  channel.kernel = leavesKernel;
  return channel;
}
const chan_channel OtherEntry = makeOtherChannel(0);
const chan_channel OtherReducing = makeOtherChannel(CHAN_REDUCES);

TEST(RuntimeBatch, OnlyChildrenOfHoistingParentsAreKnownAsTested) {
  for (long height : {0, 1, 2, 9, 18}) {
    long result = -1;
    knownAsTested = wronglyKnown = 0;
    Fib::call(OtherEntry, &result, height);
    EXPECT_EQ(result, 1l << height);
    EXPECT_EQ(wronglyKnown, 0u);
    EXPECT_EQ(knownAsTested != 0, height > 2) << height;
  }
}

/// Elements that follow a group can be taken while children of the group run in
/// the middle of its phase. A root has several parents. The first one waits for
/// all others to begin, by children that take a slice each.
extern const chan_channel MeetEntry, MeetReducing;
enum : long { childOfFirst, parentOfThem, rootOfAll };
std::atomic<int> parentsBegun;
std::atomic<bool> metInTime;

bool haveMet() { return parentsBegun == 2 * kLanes; }

void pushMeeting(chan_block *children, long kind) {
  Fib::get<1>(children, children->count++) = kind;
}

uint32_t meetReduces(chan_worker *worker, chan_batch *batch, uint32_t i,
                     uint32_t end) {
  chan_block *children = batch->children;
  long &sum = *static_cast<long *>(batch->accumulator);
  for (; i < end; ++i) {
    ++sum;
    switch (Fib::get<1>(batch->elements, i)) {
    case rootOfAll:
      for (uint32_t k = 0; k != 2 * kLanes; ++k)
        pushMeeting(children, parentOfThem);
      break;
    case parentOfThem:
      if (parentsBegun++)
        break;
      for (int round = 0; round != 1000 && !haveMet(); ++round) {
        for (uint32_t k = 0; k != 2 * kLanes; ++k)
          pushMeeting(children, childOfFirst);
        end = chan_batch_flush(worker, batch, i + 1, end);
        sum -= 2 * kLanes;
      }
      metInTime = haveMet();
      break;
    case childOfFirst:
      if (!haveMet())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return i + 1;
    }
  }
  return end;
}

constexpr chan_phase kMeetPhases[] = {fibBegins, fibEnds, meetReduces};
constexpr chan_batch_form kMeetForm =
    sumForm(&MeetEntry, kMeetPhases, 2, &MeetReducing);
const chan_channel MeetEntry = makeSumChannel("meet.0", &kMeetForm, 0);
const chan_channel MeetReducing =
    makeSumChannel("meet.0", &kMeetForm, CHAN_REDUCES);

TEST(RuntimeBatch, ElementsAfterAGroupCanBeTakenWhileItsChildrenRun) {
  const char *workers = getenv("CHAN_WORKERS");
  if (workers ? atoi(workers) == 1 : std::thread::hardware_concurrency() == 1)
    GTEST_SKIP() << "one worker";
  parentsBegun = 0;
  long result = 0;
  Fib::call(MeetEntry, &result, rootOfAll);
  EXPECT_TRUE(metInTime);
  EXPECT_EQ(result, 1 + 2 * kLanes);
}

/// Elements that wait in batches around a call of a C symbol are enough for
/// other workers, so its tree runs as a clone.
extern const chan_channel CallsEntry, CallsReducing;
enum : long { callsSymbol, spawnsCaller, spawnsAll };
constexpr int kCalls = 64;
std::atomic<int> symbolClones, symbolKernels;

using Nothing = Element<int>;
const chan_channel SymbolEntry = [] {
  auto kernel = [](chan_worker *, chan_block *, uint32_t) { ++symbolKernels; };
  chan_channel channel = makeChannel<Nothing, +kernel, CHAN_ENTRY>("symbol.0");
  channel.serial = [](chan_worker *, chan_block *, uint32_t) {
    ++symbolClones;
  };
  return channel;
}();

uint32_t callsReduce(chan_worker *, chan_batch *batch, uint32_t i, uint32_t) {
  chan_block *children = batch->children;
  switch (Fib::get<1>(batch->elements, i)) {
  case spawnsAll:
    for (int k = 0; k != kCalls; ++k)
      Fib::get<1>(children, children->count++) = spawnsCaller;
    break;
  case spawnsCaller:
    Fib::get<1>(children, children->count++) = callsSymbol;
    break;
  case callsSymbol:
    Nothing::call(SymbolEntry, 0);
  }
  return i + 1;
}

constexpr chan_phase kCallsPhases[] = {fibBegins, fibEnds, callsReduce};
constexpr chan_batch_form kCallsForm =
    sumForm(&CallsEntry, kCallsPhases, kCalls / kLanes, &CallsReducing);
const chan_channel CallsEntry = makeSumChannel("calls.0", &kCallsForm, 0);
const chan_channel CallsReducing =
    makeSumChannel("calls.0", &kCallsForm, CHAN_REDUCES);

#if GTEST_HAS_DEATH_TEST

void callInBatches() {
  chan::Worker::current();
  // As if the other worker were busy.
  chan::Demand::busy();
  long result = -1;
  Fib::call(CallsEntry, &result, spawnsAll);
  EXPECT_EQ(symbolClones + symbolKernels, kCalls);
  EXPECT_GE(symbolClones, kCalls / 4);
}

class RuntimeBatchDeathTest : public InProcess {};

/// Of all sizes, one after another.
void countPagesOfResults() {
  for (long n : {1, 2, 9, 3, 24}) {
    absentPages = 0;
    long result = -1;
    Fib::call(FibEntry, &result, n);
    EXPECT_EQ(absentPages, 0u) << n;
  }
}
TEST_F(RuntimeBatchDeathTest, PagesOfResultsAreMappedThoughNoneIsStored) {
  EXPECT_IN_PROCESS("1", countPagesOfResults);
}
TEST_F(RuntimeBatchDeathTest, TreesInsideAreClonesWhileEnoughWaits) {
  EXPECT_IN_PROCESS("2", callInBatches);
}

#endif

/// Spawns as many trees as its element says, and adds up their results
/// afterwards.
using Trees = Element<long *, long>;
void treesKernel(chan_worker *worker, chan_block *block, uint32_t begin,
                 uint32_t end);
const chan_channel TreesEntry =
    makeBatchChannel<Trees>("trees.0", treesKernel, nullptr);
std::vector<long> treeResults;
const chan_channel *treeChannel;
void treesKernel(chan_worker *worker, chan_block *block, uint32_t begin,
                 uint32_t end) {
  for (uint32_t i = begin; i != end; ++i) {
    long count = Trees::get<1>(block, i);
    for (long tree = 0; tree != count; ++tree)
      Fib::send(worker, *treeChannel, &treeResults[tree], tree % 20);
    *Trees::get<0>(block, i) = count;
  }
}

long sumOfTrees(const chan_channel &channel, long count) {
  treeChannel = &channel;
  treeResults.assign(count, -1000);
  long result = 0;
  Trees::call(TreesEntry, &result, count);
  return std::accumulate(treeResults.begin(), treeResults.end(), 0l);
}

TEST(RuntimeBatch, TreesKeepTheirResultsApart) {
  for (const chan_channel *channel : {&SumEntry, &LoneEntry}) {
    long count = 500, sum = sumOfTrees(*channel, count), expected = 0;
    for (long tree = 0; tree != count; ++tree) {
      EXPECT_EQ(treeResults[tree], fibonacci(tree % 20));
      expected += fibonacci(tree % 20);
    }
    EXPECT_EQ(sum, expected);
  }
}

TEST(RuntimeBatch, TreesOfOneSumHaveOneResult) {
  for (const chan_channel *channel : {&SumReducing, &LoneReducing}) {
    reduced = 0;
    long count = 500, sum = sumOfTrees(*channel, count), expected = 0;
    for (long tree = 0; tree != count; ++tree)
      expected += fibonacci(tree % 20);
    EXPECT_EQ(sum, expected);
    EXPECT_GT(reduced, 0u);
  }
}

/// As above, with the results of every other tree in another place.
std::vector<long> otherResults;
void mixedKernel(chan_worker *worker, chan_block *block, uint32_t begin,
                 uint32_t end) {
  for (uint32_t i = begin; i != end; ++i) {
    long count = Trees::get<1>(block, i);
    for (long tree = 0; tree != count; ++tree) {
      Fib::send(worker, SumReducing, &treeResults[tree], tree % 20);
      Fib::send(worker, SumReducing, &otherResults[tree], tree % 13);
    }
    *Trees::get<0>(block, i) = count;
  }
}
const chan_channel MixedEntry =
    makeBatchChannel<Trees>("mixed.0", mixedKernel, nullptr);

TEST(RuntimeBatch, TreesWithSeveralSumsKeepThemSeparate) {
  long count = 200, result = 0, expected = 0, other = 0;
  treeResults.assign(count, -1000);
  otherResults.assign(count, -1000);
  Trees::call(MixedEntry, &result, count);
  for (long tree = 0; tree != count; ++tree) {
    expected += fibonacci(tree % 20);
    other += fibonacci(tree % 13);
  }
  EXPECT_EQ(std::accumulate(treeResults.begin(), treeResults.end(), 0l),
            expected);
  EXPECT_EQ(std::accumulate(otherResults.begin(), otherResults.end(), 0l),
            other);
}

/// A level may keep an empty block for later. If it followed another block, it
/// would look like work that can be offered, and would hide deeper work.
TEST(RuntimeBatch, NoBlockFollowsAnEmptyOne) {
  chan::Worker &worker = chan::Worker::current();
  chan::Level *level = worker.newLevel(nullptr);
  constexpr uint32_t bytes = 64;
  auto *empty = new (worker.memory.allocate(bytes))
      chan_block{&SumEntry, 0, 2, chan::noBlock(), 0};
  chan::setBlockBytes(empty, bytes);
  level->entries = empty;
  chan_block first = {&SumEntry, 1, 1, nullptr, 0}, second = first;
  worker.prepend(level, &first);
  EXPECT_EQ(level->entries, &first);
  EXPECT_EQ(first.next, chan::noBlock());
  // All of its elements have begun, but the kernel still runs on it.
  chan::setStarted(&first, 1);
  chan::setRunning(&first, true);
  worker.prepend(level, &second);
  EXPECT_EQ(level->entries, &second);
  EXPECT_EQ(second.next, &first);
  worker.memory.release(level, sizeof *level);
}

/// Nested batches of four elements each, of which the given numbers have not
/// begun.
struct Nest {
  explicit Nest(std::initializer_list<uint32_t> unbegun) {
    worker.batches.innermost = nullptr;
    worker.batches.exhausted = 0;
    for (uint32_t count : unbegun) {
      chan::Batch &batch = batches[worker.batches.innermost ? ++last : last];
      batch.next = 4 - count;
      batch.end = 4;
      batch.number = last;
      batch.outer = worker.batches.innermost;
      worker.batches.innermost = &batch;
    }
  }
  ~Nest() {
    worker.batches.innermost = nullptr;
    worker.batches.exhausted = 0;
  }

  chan::Worker &worker = chan::Worker::current();
  chan::Batch batches[4] = {};
  uint32_t last = 0;
};

TEST(RuntimeBatch, TheOutermostBatchOffersAndTheInnermostKeepsOneElement) {
  EXPECT_EQ(outermostUnbegun(chan::Worker::current().batches), nullptr);
  Nest all{0, 1, 3, 1};
  EXPECT_EQ(outermostUnbegun(all.worker.batches), &all.batches[1]);
  EXPECT_EQ(all.worker.batches.exhausted, 1u);
  all.batches[1].next = all.batches[2].next = 4;
  EXPECT_EQ(outermostUnbegun(all.worker.batches), nullptr);
  // The innermost batch will offer its last element when it is no longer the
  // innermost.
  EXPECT_EQ(all.worker.batches.exhausted, 3u);
  Nest two{0, 2};
  EXPECT_EQ(outermostUnbegun(two.worker.batches), &two.batches[1]);
}

TEST(RuntimeBatch, ABatchInItsFirstPhaseMayHaveMoreToOfferLater) {
  Nest all{0, 0, 1};
  all.batches[1].isBeginning = true;
  EXPECT_EQ(outermostUnbegun(all.worker.batches), nullptr);
  EXPECT_EQ(all.worker.batches.exhausted, 1u);
  // It stopped before its end.
  all.batches[1].next = 2;
  all.batches[1].isBeginning = false;
  EXPECT_EQ(outermostUnbegun(all.worker.batches), &all.batches[1]);
}

} // namespace
