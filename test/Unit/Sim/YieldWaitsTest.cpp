//===- YieldWaitsTest.cpp - How long wavefronts wait for room -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/YieldWaits.h"

#include <gtest/gtest.h>

using namespace chansim;

namespace {

/// 16 elements in groups of 8, and wavefronts of 4 lanes.
struct YieldWaitsTest : testing::Test {
  YieldWaitsTest() {
    channel.mask = 15;
    channel.done_shift = 3;
    channel.width_shift = 4;
    channel.done = reinterpret_cast<char *>(done);
  }
  uint64_t of(const char *name) const {
    return statistics.value(std::string("aggregator.") + name);
  }
  uint64_t &group(unsigned number) { return done[number * 8]; }

  alignas(64) uint64_t done[16] = {};
  alignas(64) char words[sizeof(chan_array)] = {};
  chan_array &channel = *reinterpret_cast<chan_array *>(words);
  Statistics statistics;
  YieldWaits waits{4, statistics};
};

TEST_F(YieldWaitsTest, OnlyElementsThatAreDoneCostSomething) {
  channel.tail = 16;
  waits.count(100);
  waits.add(&channel);
  // Nothing is done: the wavefront would wait with any done count.
  waits.count(110);
  waits.count(120);
  EXPECT_EQ(of("yielded_cycles"), 20u);
  EXPECT_EQ(of("done_count_cycles"), 0u);
  // Three are too few, four would do.
  group(0) = 3;
  waits.count(130);
  waits.count(140);
  EXPECT_EQ(of("done_count_cycles"), 0u);
  group(0) = 4;
  waits.count(150);
  waits.count(170);
  EXPECT_EQ(of("done_count_cycles"), 20u);
  // The group is done: what is left to wait for is the scheduler.
  group(0) = 8;
  waits.count(180);
  waits.count(200);
  EXPECT_EQ(of("done_count_cycles"), 30u);
  waits.remove(&channel);
  waits.count(300);
  EXPECT_EQ(of("yielded_cycles"), 100u);
}

TEST_F(YieldWaitsTest, OfALaterLapOnlyItsOwnElementsCount) {
  // Lap 1: the groups count from 8 on.
  channel.head = 24;
  channel.tail = 38;
  group(0) = 16;
  group(1) = 8 + 1;
  waits.add(&channel);
  waits.count(10);
  // There is room for two, and one is done.
  waits.count(20);
  EXPECT_EQ(of("done_count_cycles"), 0u);
  group(1) = 8 + 2;
  waits.count(30);
  waits.count(40);
  EXPECT_EQ(of("done_count_cycles"), 10u);
}

TEST_F(YieldWaitsTest, AWaitForSomethingElseIsNoWaitForDoneElements) {
  waits.add(nullptr);
  waits.count(50);
  EXPECT_EQ(of("yielded_cycles"), 50u);
  EXPECT_EQ(of("done_count_cycles"), 0u);
}

} // namespace
