//===- RuntimeSlicesTest.cpp - How many elements a kernel is called with --===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InProcess.h"
#include "StoppedClock.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#if GTEST_HAS_DEATH_TEST

using namespace kernels;
using chan::durations;

namespace {

using Timed = Element<int>;
constexpr uint32_t kElements = 2000;
/// Ticks that each of the first half of the elements takes, and each of the
/// second.
uint64_t ticksOf[2];
uint32_t done;
/// How many elements each call of the kernel had.
std::vector<uint32_t> slices;
void takeTime(chan_worker *, chan_block *, uint32_t begin, uint32_t end) {
  slices.push_back(end - begin);
  for (uint32_t i = begin; i != end; ++i)
    StoppedClock::pass(ticksOf[done++ >= kElements / 2]);
}
void nothing(chan_worker *, chan_block *, uint32_t) {}
const chan_channel TimedEntry = [] {
  chan_channel channel = makeChannel<Timed, nothing, CHAN_ENTRY>("timed.0");
  channel.kernel = takeTime;
  return channel;
}();
void spawnTimed(chan_worker *worker, chan_block *, uint32_t) {
  for (uint32_t i = 0; i != kElements; ++i)
    Timed::send(worker, TimedEntry, 0);
}
const chan_channel Spawning =
    makeChannel<Timed, spawnTimed, CHAN_ENTRY>("spawning.0");

void runTimed(uint64_t first, uint64_t second) {
  StoppedClock clock;
  ticksOf[0] = first;
  ticksOf[1] = second;
  Timed::call(Spawning, 0);
  EXPECT_EQ(done, kElements);
}
uint32_t largest() { return *std::max_element(slices.begin(), slices.end()); }

/// Eight siblings that take so long before their sync, and have a child each.
uint64_t ticksBefore;
uint32_t active, mostActive;
const chan_channel Child =
    makeChannel<Timed, +[](chan_worker *, chan_block *, uint32_t) {},
                CHAN_ENTRY>("child.0");
const chan_channel SiblingEnd =
    makeChannel<Timed, +[](chan_worker *, chan_block *, uint32_t) { --active; },
                CHAN_CONTINUATION>("sibling.1");
void beginSibling(chan_worker *worker, chan_block *, uint32_t) {
  mostActive = std::max(mostActive, ++active);
  StoppedClock::pass(ticksBefore);
  Timed::send(worker, Child, 0);
  Timed::send(worker, SiblingEnd, 0);
}
const chan_channel Sibling =
    makeChannel<Timed, beginSibling, CHAN_ENTRY>("sibling.0");
constexpr uint32_t kSiblings = 8;
const chan_channel Siblings =
    makeChannel<Timed,
                +[](chan_worker *worker, chan_block *, uint32_t) {
                  for (uint32_t i = 0; i != kSiblings; ++i)
                    Timed::send(worker, Sibling, 0);
                },
                CHAN_ENTRY>("siblings.0");

/// How many of them were active at one time.
uint32_t activeSiblings(uint64_t ticks) {
  StoppedClock clock;
  ticksBefore = ticks;
  Timed::call(Siblings, 0);
  EXPECT_EQ(active, 0u);
  return mostActive;
}

class RuntimeSlicesDeathTest : public InProcess {};

} // namespace

TEST_F(RuntimeSlicesDeathTest, FillTheIntendedTime) {
  EXPECT_IN_PROCESS("1", [] {
    runTimed(durations.slice / 100, durations.slice / 100);
    EXPECT_LE(largest(), 100u);
    EXPECT_GE(largest(), 90u);
    // By degrees.
    EXPECT_EQ(slices[0], 1u);
    EXPECT_LE(slices[1], 16u);
  });
}

TEST_F(RuntimeSlicesDeathTest, AreOneElementIfItTakesLong) {
  EXPECT_IN_PROCESS("1", [] {
    runTimed(10 * durations.slice, 10 * durations.slice);
    EXPECT_EQ(largest(), 1u);
  });
}

TEST_F(RuntimeSlicesDeathTest, ShrinkWhereElementsTakeLonger) {
  EXPECT_IN_PROCESS("1", [] {
    runTimed(durations.slice / 100, durations.slice / 2);
    EXPECT_GE(largest(), 90u);
    EXPECT_LE(slices.back(), 2u);
  });
}

TEST_F(RuntimeSlicesDeathTest, GrowWhereElementsTakeLess) {
  EXPECT_IN_PROCESS("1", [] {
    runTimed(10 * durations.slice, durations.slice / 100);
    EXPECT_EQ(slices[kElements / 4], 1u);
    EXPECT_GE(largest(), 90u);
  });
}

// Memory that an activation allocates before its sync and frees after it is
// needed once, not once for each sibling.
TEST_F(RuntimeSlicesDeathTest, LongElementsGoOnBeforeTheNextStarts) {
  EXPECT_IN_PROCESS(
      "1", [] { EXPECT_EQ(activeSiblings(10 * durations.slice), 1u); });
}

TEST_F(RuntimeSlicesDeathTest, ShortElementsStartTogether) {
  EXPECT_IN_PROCESS(
      "1", [] { EXPECT_EQ(activeSiblings(durations.slice / 100), kSiblings); });
}

#endif
