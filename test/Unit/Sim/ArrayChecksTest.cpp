//===- ArrayChecksTest.cpp - What must hold of channels in memory ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/ArrayChecks.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace chansim;

namespace {

/// A channel of 8 elements in groups of 4.
struct Channel {
  Channel() {
    std::memset(static_cast<void *>(&array), 0, sizeof array);
    array.mask = 7;
    array.control_mask = 15;
    array.width_shift = 3;
    array.done_shift = 2;
    array.done = done;
  }
  /// Kernels reserve and enqueue so many.
  void enqueue(uint64_t count) {
    array.tail += count;
    array.reserve_tail += count;
    array.control_tail += count;
  }
  /// They are dispatched, and done.
  void finish(uint64_t count) {
    for (; count; --count, ++array.control_head) {
      uint64_t group = (array.control_head & array.mask) >> array.done_shift;
      ++*reinterpret_cast<uint64_t *>(done + group * CHAN_ARRAY_LINE);
    }
  }
  std::string check() { return checks.check(array); }

  alignas(CHAN_ARRAY_LINE) char done[2 * CHAN_ARRAY_LINE] = {};
  ArrayChecks checks;
  chan_array array;
};

} // namespace

TEST(ArrayChecks, AChannelHasAsManyElementsAsItsWidth) {
  Channel channel;
  EXPECT_EQ(channel.check(), "");
  channel.enqueue(8);
  EXPECT_EQ(channel.check(), "");
  EXPECT_EQ(channel.checks.mostElements(), 8u);
  ++channel.array.tail;
  EXPECT_EQ(channel.check(), "has 9 elements, and its width is 8");
  EXPECT_EQ(channel.checks.mostElements(), 8u);
}

TEST(ArrayChecks, TheHeadPassesWhatIsDoneInEachLap) {
  Channel channel;
  for (uint64_t lap = 0; lap != 3; ++lap) {
    channel.enqueue(8);
    channel.finish(7);
    channel.array.head += 4;
    EXPECT_EQ(channel.check(), "");
    channel.array.head += 4;
    EXPECT_EQ(channel.check(),
              "has its head at " + std::to_string(8 * lap + 8) +
                  ", and of the elements " + std::to_string(8 * lap + 4) +
                  " to " + std::to_string(8 * lap + 7) + " only 3 are done");
    channel.finish(1);
    EXPECT_EQ(channel.check(), "");
  }
}

TEST(ArrayChecks, TheHeadStaysBetweenGroupsAndBelowTheTail) {
  Channel channel;
  channel.enqueue(4);
  channel.finish(4);
  channel.array.head = 3;
  EXPECT_EQ(channel.check(),
            "has its head at 3, and a group that is done has 4 elements");
  channel.array.head = 8;
  EXPECT_EQ(channel.check(), "has its head at 8, and its tail at 4");
  channel.array.head = 4;
  EXPECT_EQ(channel.check(), "");
  channel.array.head = 0;
  EXPECT_EQ(channel.check(), "has its head at 0, and had it at 4");
}

TEST(ArrayChecks, PositionsOfTheControlArrayAreInOrder) {
  Channel channel;
  channel.enqueue(4);
  channel.array.control_head = 5;
  EXPECT_EQ(channel.check(),
            "has positions out of order: control_head 5, control_tail 4, "
            "reserve_tail 4, tail 4");
  channel.array.control_head = 0;
  channel.array.reserve_tail = 3;
  EXPECT_EQ(channel.check(),
            "has positions out of order: control_head 0, control_tail 4, "
            "reserve_tail 3, tail 4");
}

TEST(ArrayChecks, OffsetsAreNotOverwrittenBeforeTheyAreDispatched) {
  Channel channel;
  channel.array.done_shift = 2;
  // Elements are done without having been dispatched: the control array fills up.
  for (uint64_t round = 0; round != 2; ++round) {
    channel.enqueue(8);
    channel.finish(8);
    channel.array.head += 8;
    channel.array.control_head = 0;
    EXPECT_EQ(channel.check(), "");
  }
  channel.enqueue(1);
  EXPECT_EQ(channel.check(),
            "has 17 entries in its control array, which has room for 16");
}

TEST(ArrayChecks, AnOffsetIsDispatchedOnceAndWhenItIsReady) {
  Channel channel;
  ArrayChecks &checks = channel.checks;
  channel.enqueue(6);
  EXPECT_EQ(checks.noteDispatched(channel.array, 2, 4), "");
  EXPECT_EQ(checks.noteDispatched(channel.array, 0, 3), "element 2 twice");
  EXPECT_EQ(checks.noteDispatched(channel.array, 4, 3),
            "elements 4 to 6, of which 6 are ready so far");
  // The same places of the control array, a lap later.
  channel.enqueue(16);
  EXPECT_EQ(checks.noteDispatched(channel.array, 18, 4), "");
  EXPECT_EQ(checks.noteDispatched(channel.array, 21, 1), "element 21 twice");
  checks.clear();
  EXPECT_EQ(checks.noteDispatched(channel.array, 21, 1), "");
}

TEST(ArrayChecks, AChannelWithLeavesHasOnlyWhatTheSchedulerMovesThere) {
  Channel channel;
  chan_array leaf = channel.array;
  chan_array *leaves[] = {&leaf};
  channel.array.leaves = leaves;
  channel.array.control_tail = 8;
  EXPECT_EQ(channel.check(), "");
  channel.array.control_tail = 9;
  EXPECT_EQ(channel.check(), "has 9 elements of its leaves in its control "
                             "array, and its width is 8");
  channel.array.control_head = 10;
  EXPECT_EQ(channel.check(), "has positions out of order: control_head 10, "
                             "control_tail 9");
  channel.array.control_head = 4;
  EXPECT_EQ(channel.check(), "");
  channel.array.reserve_tail = 1;
  EXPECT_EQ(channel.check(), "has leaves, and its own positions have moved: "
                             "head 0, tail 0, reserve_tail 1");
}
