//===- RuntimeTuningTest.cpp - What the runtime's numbers decide ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tests of each part use the numbers of Tuning.h by name, so they pass
// whatever those are. These tests say what the numbers are for. A number may
// change by a factor of two. If it changes by ten, a decision changes as well.
//===----------------------------------------------------------------------===//

#include "Clock.h"
#include "PromotionOrder.h"
#include "SharingPredictor.h"
#include "SmallTaskPredictor.h"
#include "SparseBatches.h"
#include "StealBackoff.h"
#include "Tuning.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace chan;

namespace {

/// Ticks of a duration in microseconds.
uint64_t us(uint64_t microseconds) {
  return microseconds * ticksPerMicrosecond;
}

// --- Decisions --------------------------------------------------------------

TEST(RuntimeTuning, ASliceIsLongerThanTheClockAndShorterThanAWakeup) {
  // Two readings of the clock take 0.1 us, a wakeup 10 to 50 us.
  EXPECT_GE(durations.slice, us(10));
  EXPECT_LE(durations.slice, us(50));
  // Elements of 0.1 us run by hundreds, and those of 100 us one by one.
  EXPECT_GE(durations.slice / (us(1) / 10), 100u);
  EXPECT_EQ(durations.slice / us(100), 0u);
  // A kernel of a nanosecond still ends its slices.
  EXPECT_LE(kLargestSlice, 10'000u);
}

TEST(RuntimeTuning,
     TasksOfANanosecondAreBelowGrainAndThoseOfTenMicrosecondsAreNot) {
  EXPECT_GT(durations.grain, us(1) / 2);
  EXPECT_LT(durations.grain, us(10));
  EXPECT_LT(durations.grain, durations.slice);
}

TEST(RuntimeTuning, TreesThatEndBeforeAWakeupAreNotShared) {
  SharingPredictor trees;
  const chan_channel kind{};
  trees.begin(&kind);
  trees.end(us(5), false);
  EXPECT_TRUE(trees.begin(&kind));
  EXPECT_GT(trees.sharingDelay(), us(5));
  // A tree of a tenth of a millisecond is long enough to offer something.
  EXPECT_LT(trees.sharingDelay(), us(100));
}

TEST(RuntimeTuning, TreesOfFiveMillisecondsAreSharedWithoutATrial) {
  SharingPredictor trees;
  const chan_channel kind{};
  for (int i = 0; i != 10; ++i) {
    EXPECT_FALSE(trees.begin(&kind));
    trees.end(us(5000), true);
  }
}

TEST(RuntimeTuning,
     TaskBlocksOfAMicrosecondLeadToFewerOffersAndThoseOf100DoNot) {
  StealBackoff gap;
  gap.learn(us(1));
  EXPECT_FALSE(gap.isOver(us(2)));
  EXPECT_TRUE(gap.isOver(us(50)));
  gap.learn(us(100));
  EXPECT_TRUE(gap.isOver(0));
  for (int i = 0; i != 100; ++i)
    gap.learn(us(1));
  // An offer in a millisecond or two remains.
  EXPECT_FALSE(gap.isOver(us(300)));
  EXPECT_TRUE(gap.isOver(us(5000)));
}

TEST(RuntimeTuning, SharingBacksOffAfterMicrosecondsForMilliseconds) {
  StealBackoff backoff;
  uint64_t now = us(1'000'000), first = 0;
  auto clock = [&] { return now; };
  // Kernels of 2 us that run in place of clones.
  uint64_t kernels = 0, length = 0;
  for (; !length && kernels != 10'000; ++kernels, now += us(2))
    length =
        backoff.backOffFor(/*lastOffer=*/0, /*helped=*/0, /*taken=*/0, clock);
  first = length;
  // Some kernels must run before there is a decision: 128 us of work.
  EXPECT_GE(kernels, 16u);
  EXPECT_LE(kernels, 500u);
  EXPECT_GE(first, us(300));
  EXPECT_LE(first, us(3000));
  for (int i = 0; i != 100'000; ++i, now += us(2))
    length = std::max(length, backoff.backOffFor(0, 0, 0, clock));
  EXPECT_GE(length, 4 * first);
  EXPECT_LE(length, us(30'000));
}

TEST(RuntimeTuning,
     AnEighthOfTheWorkByThievesIsWorthSharingAndAHundredthIsNot) {
  for (uint64_t part : {4, 100}) {
    StealBackoff backoff;
    uint64_t now = us(1'000'000), helped = 0, length = 0;
    for (int i = 0; i != 1000; ++i, now += us(2), helped += us(2) / part)
      length = std::max(length,
                        backoff.backOffFor(0, helped, 0, [&] { return now; }));
    EXPECT_EQ(length == 0, part == 4) << part;
  }
}

TEST(RuntimeTuning, PromotionWaitsForASmallPartOfTheTree) {
  PromotionOrder order;
  uint64_t now = us(100'000);
  auto clock = [&] { return now; };
  EXPECT_TRUE(order.mayPromote(4000, 0, clock));
  // However useless earlier offers were.
  for (int i = 0; i != 100; ++i)
    order.takeBack();
  uint64_t began = now;
  while (!order.mayPromote(3000, /*treeBegan=*/0, clock))
    now += us(1);
  EXPECT_GT(now - began, us(500));
  EXPECT_LT(now - began, us(10'000));
  // A young tree waits for less than a tenth of its time.
  uint64_t treeBegan = now;
  now += us(1000);
  began = now;
  while (!order.mayPromote(3000, treeBegan, clock))
    now += us(1);
  EXPECT_LT(now - began, us(100));
}

TEST(RuntimeTuning, AThreadWaitsAwakeForAsLongAsSleepingTakes) {
  // Less than 20 us made `heat` slower, and 200 us made nothing faster.
  EXPECT_GE(durations.awake, us(20));
  EXPECT_LE(durations.awake, us(100));
}

TEST(RuntimeTuning, ThirtyActivationsAreASmallTreeAndThreeThousandAreNot) {
  SmallTaskPredictor small{}, large{};
  small.count(30);
  EXPECT_TRUE(small.isLikely());
  large.count(3000);
  EXPECT_FALSE(large.isLikely());
  // Nor is a tree that takes as long as a wakeup.
  SmallTaskPredictor slow{}, quick{};
  slow.took(us(100));
  EXPECT_FALSE(slow.isLikely());
  quick.took(us(5));
  EXPECT_TRUE(quick.isLikely());
}

TEST(RuntimeTuning, BatchesOfTwoElementsRunAsClonesAndThoseOfSixteenDoNot) {
  for (uint32_t elements : {2, 16}) {
    SparseBatches batches;
    for (int i = 0; i != 1000; ++i)
      batches.count(elements);
    EXPECT_EQ(batches.isFew(elements), elements == 2);
  }
}

TEST(RuntimeTuning,
     ClonesReplaceSparseBatchesMuchLongerThanTheExaminationTakes) {
  // A level of a batch takes 0.1 us.
  uint64_t examination = kExaminedBatches * us(1) / 10;
  EXPECT_GE(durations.sparse, 20 * examination);
  EXPECT_LE(durations.sparse, us(50'000));
}

TEST(RuntimeTuning, MemoryFitsTheCaches) {
  // Two or three levels in 48 KiB; a block and its children in 512 KiB.
  EXPECT_LE(3 * kBatchBytes, 48u << 10);
  EXPECT_LE(3 * kBlockBytes, size_t(512) << 10);
  EXPECT_LE(kBatchBytes, kBatchBytesOfFew);
  EXPECT_LE(kBatchBytesOfFew, kBlockBytes);
  // A worker's unused memory stays small (docs/architecture/Scheduling.md, "Memory").
  EXPECT_LE(kLargestKept, kMostKept);
  EXPECT_LE(kMostKept + kLargestChunk, size_t(15) << 20);
}

TEST(RuntimeTuning, NumbersFitEachOther) {
  // A tree that is small has ended before a thief could help.
  EXPECT_LE(durations.smallTree, 2 * durations.shortTree);
  EXPECT_LT(durations.shortTree, durations.longTree);
  EXPECT_LT(durations.longTree, durations.trialLasts);
  EXPECT_LT(durations.betweenOffers, durations.betweenSpeculativeOffers);
  EXPECT_LT(durations.fruitless, durations.fruitlessOffers);
  EXPECT_LT(durations.fruitlessOffers, durations.backOff);
  EXPECT_LT(durations.leastAge, durations.mostAge);
  // The watching worker acts once a period. A back-off is not over before.
  EXPECT_GE(durations.backOff * 2000 / ticksPerMicrosecond,
            uint64_t(kPeriodNanoseconds));
  // The counter of kernels is taken modulo this number.
  EXPECT_EQ(kMostFruitless & (kMostFruitless - 1), 0u);
  EXPECT_LT(kPatience, kPatienceWithBusy);
  EXPECT_LE(kLowPartOfStack, kClonePartOfStack);
}

// --- Settings ---------------------------------------------------------------

/// The durations are as before when a test ends.
class RuntimeTuningSettings : public testing::Test {
protected:
  ~RuntimeTuningSettings() override {
    durations = before;
    ticksPerMicrosecond = rateBefore;
  }

private:
  const Durations before = durations;
  const uint64_t rateBefore = ticksPerMicrosecond;
};

TEST_F(RuntimeTuningSettings, TheEnvironmentSetsDurationsInMicroseconds) {
  uint64_t grain = durations.grain;
  EXPECT_TRUE(setDurations("slice=50"));
  EXPECT_EQ(durations.slice, us(50));
  EXPECT_EQ(durations.grain, grain);
  EXPECT_TRUE(setDurations("awake=0,slice=7,sparse=10000000"));
  EXPECT_EQ(durations.awake, 0u);
  EXPECT_EQ(durations.slice, us(7));
  EXPECT_EQ(durations.sparse, us(10'000'000));
}

TEST_F(RuntimeTuningSettings, MalformedTextChangesNothing) {
  uint64_t slice = durations.slice;
  for (const char *text :
       {"", "slice", "slice=", "slice=x", "slice=5x", "slice=-1", "=5",
        "slices=5", "slic=5", "slice=9,", "slice=9,,grain=1", "slice=9 grain=1",
        "slice=10000001", "slice=99999999999999999999", "slice=9,grain"}) {
    EXPECT_FALSE(areDurations(text)) << text;
    EXPECT_FALSE(setDurations(text)) << text;
    EXPECT_EQ(durations.slice, slice) << text;
  }
}

TEST_F(RuntimeTuningSettings, DurationsKeepTheirLengthAtAnotherRate) {
  setTickRate(1000);
  setDurations("slice=50");
  setTickRate(3000);
  EXPECT_EQ(ticksPerMicrosecond, 3000u);
  EXPECT_EQ(durations.slice, 150'000u);
  setTickRate(24);
  EXPECT_EQ(durations.slice, 1200u);
  setTickRate(1000);
  EXPECT_EQ(durations.slice, 50'000u);
}

#if defined(__x86_64__)
TEST(RuntimeTickRate, IsThatOfTheCounter) {
  EXPECT_EQ(tickRate({1000, 500}, {1000 + 3'000'000, 500 + 1'000'000}), 3000u);
  EXPECT_EQ(tickRate({0, 0}, {40'000, 10'000}), 4000u);
  EXPECT_EQ(tickRate({0, 0}, {39'996, 10'000}), 4000u);
}

TEST(RuntimeTickRate, IsAssumedIfTheReadingsAreTooClose) {
  EXPECT_EQ(tickRate({0, 0}, {4'000, 1'000}), kAssumedTickRate);
  EXPECT_EQ(tickRate({5, 5}, {5, 5}), kAssumedTickRate);
}

TEST(RuntimeTickRate, IsAssumedIfNoProcessorHasTheMeasuredOne) {
  // A clock that is stopped, counters of two processors.
  EXPECT_EQ(tickRate({7, 0}, {7, 1'000'000}), kAssumedTickRate);
  EXPECT_EQ(tickRate({1'000'000, 0}, {5, 1'000'000}), kAssumedTickRate);
  EXPECT_EQ(tickRate({0, 0}, {uint64_t(1) << 50, 1'000'000}), kAssumedTickRate);
}
#endif

TEST(RuntimeTickRate, AgreesWithTheSystemsClock) {
  Moment first = Moment::now();
  while (nanosecondsNow() - first.nanoseconds < 1'000'000)
    ;
  double expected = 1000 / Moment::nanosecondsPerTick(first);
  EXPECT_NEAR(double(tickRate(first, Moment::now())) / expected, 1, 0.05);
}

} // namespace
