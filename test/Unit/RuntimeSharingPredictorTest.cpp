//===- RuntimeSharingPredictorTest.cpp - Trees too small to share ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharingPredictor.h"

#include "chan/abi.h"

#include "gtest/gtest.h"

using namespace chan;

namespace {

const chan_channel kinds[2] = {};
/// A microsecond in ticks.
uint64_t us() { return ticksPerMicrosecond; }

/// One more tree. Something of it is offered, unless it is predicted short and
/// takes less than the delay.
void run(SharingPredictor &trees, uint64_t alone, uint64_t shared,
         const chan_channel *kind = &kinds[0]) {
  bool offered = !trees.begin(kind) || alone >= trees.sharingDelay();
  trees.end(offered ? shared : alone, offered);
}

TEST(RuntimeSharingPredictor, TreesThatAreFasterAloneAreNotShared) {
  SharingPredictor trees;
  EXPECT_FALSE(trees.begin(&kinds[0]));
  trees.end(100 * us(), true);
  for (int i = 0; i != 1000; ++i) {
    ASSERT_TRUE(trees.begin(&kinds[0])) << i;
    ASSERT_GT(trees.sharingDelay(), 50 * us());
    trees.end(50 * us(), false);
  }
}

TEST(RuntimeSharingPredictor, TreesThatAreFasterSharedAreShared) {
  SharingPredictor trees;
  run(trees, 300 * us(), 160 * us());
  run(trees, 300 * us(), 160 * us()); // the trial
  int shared = 0;
  for (int i = 0; i != 1000; ++i) {
    bool offered = !trees.begin(&kinds[0]);
    shared += offered;
    trees.end(offered ? 160 * us() : 300 * us(), offered);
  }
  EXPECT_GE(shared, 990);
}

TEST(RuntimeSharingPredictor, TrialsAreRepeated) {
  SharingPredictor trees;
  int shared = 0;
  for (int i = 0; i != 10000; ++i) {
    bool offered = !trees.begin(&kinds[0]);
    shared += offered;
    trees.end(offered ? 100 * us() : 50 * us(), offered);
  }
  EXPECT_GE(shared, 5);
  EXPECT_LE(shared, 20);
}

TEST(RuntimeSharingPredictor, TrialsOfLargerTreesAreRepeatedSooner) {
  SharingPredictor trees;
  int shared = 0;
  for (int i = 0; i != 1000; ++i) {
    bool offered = !trees.begin(&kinds[0]);
    shared += offered;
    trees.end(offered ? 1500 * us() : 1000 * us(), offered);
  }
  EXPECT_GE(shared, 5);
  EXPECT_LE(shared, 20);
}

TEST(RuntimeSharingPredictor, AnInterruptedTrialIsCorrected) {
  SharingPredictor trees;
  trees.begin(&kinds[0]);
  trees.end(100 * us(), true);
  trees.begin(&kinds[0]);
  trees.end(150 * us(), false); // 50, but for the interrupt
  int shared = 0;
  for (int i = 0; i != 100; ++i) {
    bool offered = !trees.begin(&kinds[0]);
    shared += offered;
    // Worse than without an interrupt.
    trees.end(offered ? 160 * us() : 50 * us(), offered);
  }
  EXPECT_LE(shared, 10);
}

TEST(RuntimeSharingPredictor, LongTreesAreAlwaysShared) {
  SharingPredictor trees;
  for (int i = 0; i != 10; ++i) {
    EXPECT_FALSE(trees.begin(&kinds[0])) << i;
    trees.end(5000 * us(), true);
  }
}

TEST(RuntimeSharingPredictor, KindsAreIndependent) {
  SharingPredictor trees;
  run(trees, 5 * us(), 5 * us());
  EXPECT_TRUE(trees.begin(&kinds[0]));
  trees.end(5 * us(), false);
  EXPECT_FALSE(trees.begin(&kinds[1]));
}

TEST(RuntimeSharingPredictor, ALongTreeAmongShortOnesIsOffered) {
  SharingPredictor trees;
  for (int i = 0; i != 100; ++i)
    run(trees, 50 * us(), 100 * us());
  EXPECT_TRUE(trees.begin(&kinds[0]));
  EXPECT_LT(trees.sharingDelay(), 1000 * us());
  trees.end(3000 * us(), true);
  EXPECT_FALSE(trees.begin(&kinds[0]));
}

} // namespace
