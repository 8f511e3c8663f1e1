//===- RuntimeTinyTreesTest.cpp - Trees that are over before lanes fill ---===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TinyTrees.h"

#include "gtest/gtest.h"

using namespace chan;

namespace {

constexpr uint64_t usual = TinyTrees::kUsual, most = TinyTrees::kMostElements;

TEST(RuntimeTinyTrees, NothingIsGuessedOfTheFirst) {
  TinyTrees trees{};
  EXPECT_FALSE(trees.isLikely());
  trees.count(usual);
  EXPECT_FALSE(trees.isLikely());
  trees.count(usual - 1);
  EXPECT_TRUE(trees.isLikely());
  EXPECT_FALSE(trees.isCertain());
}

TEST(RuntimeTinyTrees, TheAverageCounts) {
  TinyTrees trees{};
  // 300 and 100 by turns are less than 256.
  for (int i = 0; i != 100; ++i) {
    trees.count(300);
    trees.count(100);
    EXPECT_TRUE(trees.isLikely());
  }
  // The same if clones were asked so often.
  for (int i = 0; i != 200; ++i) {
    trees.wasRight(500);
    trees.wasRight(100);
  }
  EXPECT_FALSE(trees.isLikely());
}

TEST(RuntimeTinyTrees, ALargeOneEndsIt) {
  for (bool isGuess : {false, true}) {
    TinyTrees trees{};
    trees.count(1);
    isGuess ? trees.wasWrong() : trees.count(most);
    // It takes many to be taken for tiny again.
    int others = 0;
    for (; !trees.isLikely(); ++others)
      trees.count(1);
    EXPECT_GE(others, 40);
    EXPECT_LE(others, 60);
  }
}

TEST(RuntimeTinyTrees, AfterManyOneMakesNoDifference) {
  TinyTrees trees{};
  for (int i = 0; i != 1000; ++i)
    trees.count(1);
  EXPECT_TRUE(trees.isCertain());
  trees.wasWrong();
  EXPECT_FALSE(trees.isCertain());
  trees.count(1);
  EXPECT_TRUE(trees.isLikely());
}

/// How many large trees ran as clones among so many, after each of which come
/// `others` tiny ones.
int guessedWrong(int trees, int others) {
  TinyTrees memory{};
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

TEST(RuntimeTinyTrees, ByTurnsIsNotGuessed) {
  EXPECT_EQ(guessedWrong(1000, 1), 0);
  EXPECT_EQ(guessedWrong(1000, 40), 0);
  // Where it pays for the tiny ones, large ones come to be clones.
  EXPECT_EQ(guessedWrong(100, 1000), 99);
}

} // namespace
