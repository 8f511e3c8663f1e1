//===- RuntimeStealBackoffTest.cpp - When sharing pauses ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StealBackoff.h"

#include "gtest/gtest.h"

using namespace chan;

namespace {

/// A task block that took so long was not worth taking.
uint64_t little() { return durations.worthTaking - 1; }

/// Counts the offers in `time`, if a thief takes each and finishes it at once.
int countOffers(StealBackoff &gap, uint64_t time) {
  int count = 0;
  uint64_t sinceOffer = 0;
  for (; time; --time)
    if (gap.isOver(++sinceOffer)) {
      ++count;
      sinceOffer = 0;
      gap.learn(little());
    }
  return count;
}

TEST(RuntimeStealBackoff, UselessOffersBecomeRare) {
  StealBackoff gap;
  EXPECT_TRUE(gap.isOver(0));
  gap.learn(little());
  EXPECT_FALSE(gap.isOver(durations.betweenOffers - 1));
  EXPECT_TRUE(gap.isOver(durations.betweenOffers));
  // Some at the beginning, and then about one in a millisecond.
  EXPECT_LE(countOffers(gap, 20 * durations.mostGap), 30);
  EXPECT_TRUE(gap.isOver(3 * durations.mostGap));
}

TEST(RuntimeStealBackoff, AUsefulOfferClosesTheGap) {
  StealBackoff gap;
  for (int i = 0; i != 100; ++i)
    gap.learn(little());
  EXPECT_FALSE(gap.isOver(durations.mostGap));
  gap.learn(little() + 1);
  EXPECT_TRUE(gap.isOver(0));
  gap.learn(0);
  gap.forget();
  EXPECT_TRUE(gap.isOver(0));
}

/// Counts useless offers until they are known as such.
int countUselessOffers(StealBackoff &gap) {
  int count = 0;
  for (; !gap.areOffersUseless(0); ++count)
    count % 2 ? gap.learn(little()) : gap.takeBack();
  return count;
}

TEST(RuntimeStealBackoff, ManyUselessOffersCountForSomeTime) {
  StealBackoff gap;
  int most = countUselessOffers(gap);
  EXPECT_GT(most, 4);
  EXPECT_TRUE(gap.areOffersUseless(durations.uselessFor - 1));
  EXPECT_FALSE(gap.areOffersUseless(durations.uselessFor));
  EXPECT_FALSE(gap.areOffersUseless(0));
  EXPECT_EQ(countUselessOffers(gap), most);
  gap.learn(little() + 1);
  EXPECT_FALSE(gap.areOffersUseless(0));
  EXPECT_EQ(countUselessOffers(gap), most);
  gap.forget();
  EXPECT_FALSE(gap.areOffersUseless(0));
}

} // namespace
