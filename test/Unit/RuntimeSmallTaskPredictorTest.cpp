//===- RuntimeSmallTaskPredictorTest.cpp - Trees too small for batches ----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallTaskPredictor.h"

#include "gtest/gtest.h"

using namespace chan;

namespace {

constexpr uint64_t usual = kUsualTree, most = kMostSmallTree;

TEST(RuntimeSmallTaskPredictor, TheFirstTreeIsNotPredictedSmall) {
  SmallTaskPredictor trees{};
  EXPECT_FALSE(trees.isLikely());
  trees.count(usual);
  EXPECT_FALSE(trees.isLikely());
  trees.count(usual - 1);
  EXPECT_TRUE(trees.isLikely());
  EXPECT_FALSE(trees.isCertain());
}

TEST(RuntimeSmallTaskPredictor, TheAverageDecides) {
  SmallTaskPredictor trees{};
  // 300 and 100 by turns are below 256 on average.
  for (int i = 0; i != 100; ++i) {
    trees.count(300);
    trees.count(100);
    EXPECT_TRUE(trees.isLikely());
  }
  // The same if clones polled so often.
  for (int i = 0; i != 200; ++i) {
    trees.wasRight(500);
    trees.wasRight(100);
  }
  EXPECT_FALSE(trees.isLikely());
}

TEST(RuntimeSmallTaskPredictor, ALargeTreeEndsThePrediction) {
  for (bool isPrediction : {false, true}) {
    SmallTaskPredictor trees{};
    trees.count(1);
    isPrediction ? trees.wasWrong() : trees.count(most);
    // Only many small trees restore the prediction.
    int others = 0;
    for (; !trees.isLikely(); ++others)
      trees.count(1);
    EXPECT_GE(others, 40);
    EXPECT_LE(others, 60);
  }
}

TEST(RuntimeSmallTaskPredictor, AfterManySmallTreesOneLargeMakesNoDifference) {
  SmallTaskPredictor trees{};
  for (int i = 0; i != 1000; ++i)
    trees.count(1);
  EXPECT_TRUE(trees.isCertain());
  trees.wasWrong();
  EXPECT_FALSE(trees.isCertain());
  trees.count(1);
  EXPECT_TRUE(trees.isLikely());
}

/// How many of `trees` large trees ran as clones, if `others` small ones follow
/// each.
int wrongPredictions(int trees, int others) {
  SmallTaskPredictor memory{};
  int wrong = 0;
  auto run = [&](uint64_t elements) {
    if (!memory.isLikely())
      return memory.count(elements);
    if (elements < most)
      return memory.wasRight(elements);
    ++wrong;
    memory.wasWrong();
  };
  for (int i = 0; i != trees; ++i) {
    run(1000 * most);
    for (int k = 0; k != others; ++k)
      run(1);
  }
  return wrong;
}

TEST(RuntimeSmallTaskPredictor, AlternatingSizesAreNotPredictedSmall) {
  EXPECT_EQ(wrongPredictions(1000, 1), 0);
  EXPECT_EQ(wrongPredictions(1000, 40), 0);
  // If it pays for the small ones, large trees run as clones, too.
  EXPECT_EQ(wrongPredictions(100, 1000), 99);
}

} // namespace
