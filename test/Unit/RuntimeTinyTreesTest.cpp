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

constexpr uint64_t tiny = TinyTrees::kMostElements;

TEST(RuntimeTinyTrees, NothingIsGuessedOfTheFirst) {
  TinyTrees trees{};
  EXPECT_FALSE(trees.isLikely());
  trees.count(tiny + 1);
  EXPECT_FALSE(trees.isLikely());
  trees.count(tiny);
  EXPECT_TRUE(trees.isLikely());
}

TEST(RuntimeTinyTrees, ALargeOneEndsIt) {
  TinyTrees trees{};
  trees.count(1);
  trees.wasWrong();
  EXPECT_FALSE(trees.isLikely());
  // It takes more to be taken for tiny again.
  trees.count(1);
  EXPECT_FALSE(trees.isLikely());
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
    if (elements > tiny) {
      ++wrong;
      memory.wasWrong();
    }
  };
  for (int i = 0; i != trees; ++i) {
    run(1000 * tiny);
    for (int k = 0; k != others; ++k)
      run(1);
  }
  return wrong;
}

TEST(RuntimeTinyTrees, ByTurnsIsNotGuessed) {
  EXPECT_LE(guessedWrong(1000, 1), 1);
  EXPECT_LE(guessedWrong(1000, 10), 4);
  // However long it was quiet in between, not more than one in some hundred
  // that run as clones is large.
  EXPECT_LE(guessedWrong(100, 1000), 10);
}

} // namespace
