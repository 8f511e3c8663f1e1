//===- RuntimePromotionOrderTest.cpp - Which clone is promoted ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PromotionOrder.h"

#include "gtest/gtest.h"
#include <algorithm>

using namespace chan;

namespace {

/// Addresses of stack frames.
constexpr uintptr_t root = 4000, shallow = 3000, middle = 2000, deep = 1000;

/// Activations poll at times that the test sets, in a tree that began at 0.
struct Polling : PromotionOrder {
  Polling() { promotes(root); }
  uint64_t now = 10 * kPartOfTree * durations.mostAge;

  bool promotes(uintptr_t frame) {
    auto clock = [&] { return now; };
    return !isDeeperThanPolled(frame, clock) && mayPromote(frame, 0, clock);
  }
  /// How long activations poll until one is promoted.
  uint64_t delay() {
    uint64_t began = now;
    for (; !promotes(deep); ++now)
      ;
    return now - began;
  }
};

TEST(RuntimePromotionOrder, AnyActivationIsPromotedAtFirst) {
  Polling polling;
  EXPECT_TRUE(polling.promotes(deep));
  EXPECT_TRUE(polling.promotes(middle));
  EXPECT_TRUE(polling.promotes(deep));
}

TEST(RuntimePromotionOrder, LittleGainRaisesTheRequiredAge) {
  Polling polling;
  polling.takeBack();
  EXPECT_EQ(polling.delay(), durations.leastAge);
  polling.learn(durations.leastAge - 1);
  EXPECT_EQ(polling.delay(), 2 * durations.leastAge);
  // The time is worth an offer, but not the wait.
  polling.takeBack();
  polling.learn(durations.leastAge);
  EXPECT_EQ(polling.delay(), 8 * durations.leastAge);
  // Neither much nor little.
  polling.learn(4 * durations.leastAge);
  polling.learn(31 * durations.leastAge);
  EXPECT_EQ(polling.delay(), 8 * durations.leastAge);
  for (int i = 0; i != 100; ++i)
    polling.takeBack();
  uint64_t most = polling.delay();
  EXPECT_GE(most, durations.mostAge);
  EXPECT_LT(most, 2 * durations.mostAge);
}

TEST(RuntimePromotionOrder, MuchGainLowersTheRequiredAge) {
  Polling polling;
  for (int i = 0; i != 4; ++i)
    polling.takeBack();
  EXPECT_EQ(polling.delay(), 8 * durations.leastAge);
  polling.learn(32 * durations.leastAge);
  EXPECT_EQ(polling.delay(), 4 * durations.leastAge);
  for (int i = 0; i != 3; ++i)
    polling.learn(32 * durations.leastAge);
  EXPECT_EQ(polling.delay(), 0u);
  polling.takeBack();
  polling.forget();
  EXPECT_EQ(polling.delay(), 0u);
}

TEST(RuntimePromotionOrder, TheTreesAgeBoundsTheRequiredAge) {
  Polling polling;
  for (int i = 0; i != 4; ++i)
    polling.takeBack();
  for (uint64_t part : {durations.leastAge, 4 * durations.leastAge,
                        8 * durations.leastAge, 16 * durations.leastAge}) {
    polling.now = kPartOfTree * part;
    EXPECT_EQ(polling.delay(), std::min(part, 8 * durations.leastAge));
  }
}

TEST(RuntimePromotionOrder, DeeperFramesAreNotPromoted) {
  Polling polling;
  polling.takeBack();
  EXPECT_FALSE(polling.promotes(deep));
  EXPECT_FALSE(polling.promotes(middle));
  polling.now += durations.leastAge;
  EXPECT_FALSE(polling.promotes(deep));
  EXPECT_TRUE(polling.promotes(shallow));
  // The next request begins anew.
  EXPECT_FALSE(polling.promotes(shallow));
  polling.now += durations.leastAge;
  EXPECT_TRUE(polling.promotes(shallow));
}

/// An activation that is no deeper than any promoted one does not wait.
TEST(RuntimePromotionOrder, TheOldestFrameIsPromotedAtOnce) {
  Polling polling;
  polling.forget();
  EXPECT_TRUE(polling.promotes(middle));
  polling.takeBack();
  EXPECT_FALSE(polling.promotes(deep));
  EXPECT_TRUE(polling.promotes(middle));
  EXPECT_TRUE(polling.promotes(shallow));
  // From now on that one is the oldest.
  EXPECT_FALSE(polling.promotes(middle));
  EXPECT_TRUE(polling.promotes(shallow));
  polling.forget();
  polling.takeBack();
  EXPECT_FALSE(polling.promotes(deep));
}

TEST(RuntimePromotionOrder, StopForgetsTheCandidate) {
  Polling polling;
  polling.takeBack();
  EXPECT_FALSE(polling.promotes(shallow));
  polling.now += durations.leastAge;
  polling.stop();
  EXPECT_FALSE(polling.promotes(deep));
  polling.now += durations.leastAge;
  EXPECT_TRUE(polling.promotes(deep));
}

/// An older activation that makes a long call does not prevent a promotion.
TEST(RuntimePromotionOrder, WaitingForOlderFramesIsBounded) {
  Polling polling;
  polling.takeBack();
  EXPECT_FALSE(polling.promotes(shallow));
  uint64_t delay = polling.delay();
  EXPECT_GE(delay, 3 * durations.leastAge);
  EXPECT_LE(delay, 3 * durations.leastAge + 1);
}

} // namespace
