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

constexpr uint64_t kLeast = PromotionOrder::kLeast,
                   kMost = PromotionOrder::kMost;
/// Addresses of stack frames.
constexpr uintptr_t root = 4000, shallow = 3000, middle = 2000, deep = 1000;

/// One that is asked at times that the test sets, in a tree that began at 0.
struct Asked : PromotionOrder {
  Asked() { answers(root); }
  uint64_t now = 10 * kPartOfTree * kMost;

  bool answers(uintptr_t frame) {
    auto clock = [&] { return now; };
    return !isDeeperThanPolled(frame, clock) && mayPromote(frame, 0, clock);
  }
  /// How long activations are asked until one answers.
  uint64_t delay() {
    uint64_t began = now;
    for (; !answers(deep); ++now)
      ;
    return now - began;
  }
};

TEST(RuntimeSeniority, AnybodyAnswersAtFirst) {
  Asked asked;
  EXPECT_TRUE(asked.answers(deep));
  EXPECT_TRUE(asked.answers(middle));
  EXPECT_TRUE(asked.answers(deep));
}

TEST(RuntimeSeniority, TheLessIsGainedTheOlder) {
  Asked asked;
  asked.takeBack();
  EXPECT_EQ(asked.delay(), kLeast);
  asked.learn(kLeast - 1);
  EXPECT_EQ(asked.delay(), 2 * kLeast);
  // Worth an offer, but not the wait.
  asked.takeBack();
  asked.learn(kLeast);
  EXPECT_EQ(asked.delay(), 8 * kLeast);
  // Neither much nor little.
  asked.learn(4 * kLeast);
  asked.learn(31 * kLeast);
  EXPECT_EQ(asked.delay(), 8 * kLeast);
  for (int i = 0; i != 100; ++i)
    asked.takeBack();
  uint64_t most = asked.delay();
  EXPECT_GE(most, kMost);
  EXPECT_LT(most, 2 * kMost);
}

TEST(RuntimeSeniority, TheMoreTheYounger) {
  Asked asked;
  for (int i = 0; i != 4; ++i)
    asked.takeBack();
  EXPECT_EQ(asked.delay(), 8 * kLeast);
  asked.learn(32 * kLeast);
  EXPECT_EQ(asked.delay(), 4 * kLeast);
  for (int i = 0; i != 3; ++i)
    asked.learn(32 * kLeast);
  EXPECT_EQ(asked.delay(), 0u);
  asked.takeBack();
  asked.forget();
  EXPECT_EQ(asked.delay(), 0u);
}

TEST(RuntimeSeniority, YoungTreesHaveNoOldActivations) {
  Asked asked;
  for (int i = 0; i != 4; ++i)
    asked.takeBack();
  for (uint64_t part : {kLeast, 4 * kLeast, 8 * kLeast, 16 * kLeast}) {
    asked.now = PromotionOrder::kPartOfTree * part;
    EXPECT_EQ(asked.delay(), std::min(part, 8 * kLeast));
  }
}

TEST(RuntimeSeniority, DeeperOnesAreTooYoung) {
  Asked asked;
  asked.takeBack();
  EXPECT_FALSE(asked.answers(deep));
  EXPECT_FALSE(asked.answers(middle));
  asked.now += kLeast;
  EXPECT_FALSE(asked.answers(deep));
  EXPECT_TRUE(asked.answers(shallow));
  // The next question is another.
  EXPECT_FALSE(asked.answers(shallow));
  asked.now += kLeast;
  EXPECT_TRUE(asked.answers(shallow));
}

/// One that is no deeper than any that answered waits for nobody.
TEST(RuntimeSeniority, TheTopmostAnswersAtOnce) {
  Asked asked;
  asked.forget();
  EXPECT_TRUE(asked.answers(middle));
  asked.takeBack();
  EXPECT_FALSE(asked.answers(deep));
  EXPECT_TRUE(asked.answers(middle));
  EXPECT_TRUE(asked.answers(shallow));
  // The next time it is that one.
  EXPECT_FALSE(asked.answers(middle));
  EXPECT_TRUE(asked.answers(shallow));
  asked.forget();
  asked.takeBack();
  EXPECT_FALSE(asked.answers(deep));
}

TEST(RuntimeSeniority, WhoIsAskedElsewhereIsNotCompared) {
  Asked asked;
  asked.takeBack();
  EXPECT_FALSE(asked.answers(shallow));
  asked.now += kLeast;
  asked.stop();
  EXPECT_FALSE(asked.answers(deep));
  asked.now += kLeast;
  EXPECT_TRUE(asked.answers(deep));
}

/// An older activation that calls something long keeps nobody from an answer.
TEST(RuntimeSeniority, OlderOnesAreNotWaitedForInVain) {
  Asked asked;
  asked.takeBack();
  EXPECT_FALSE(asked.answers(shallow));
  uint64_t delay = asked.delay();
  EXPECT_GE(delay, 3 * kLeast);
  EXPECT_LE(delay, 3 * kLeast + 1);
}

} // namespace
