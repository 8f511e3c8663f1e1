//===- ChannelTest.cpp - SharedChannel, one thread at a time --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Channel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

using namespace chan;

namespace {

SharedChannel makeChannel(uint32_t width, uint32_t group = 1) {
  return SharedChannel(sizeof(int), width, group, /*tracked=*/true);
}

int &at(SharedChannel &channel, uint64_t index) {
  return *static_cast<int *>(channel.data(index));
}

void put(SharedChannel &channel, int value) {
  std::optional<uint64_t> index = channel.talloc();
  ASSERT_TRUE(index);
  at(channel, *index) = value;
  channel.enq(*index);
}

int take(SharedChannel &channel) {
  DeqResult result = channel.tryDeq();
  EXPECT_EQ(result.status, DeqStatus::taken);
  int value = at(channel, result.index);
  channel.tfree(result.index);
  return value;
}

TEST(Channel, WidthIsRoundedUpToAPowerOfTwo) {
  EXPECT_EQ(makeChannel(1).capacity(), 1u);
  EXPECT_EQ(makeChannel(5).capacity(), 8u);
  EXPECT_EQ(makeChannel(64).capacity(), 64u);
}

TEST(Channel, GroupIsAtMostAnEighthOfTheWidth) {
  EXPECT_EQ(makeChannel(4, 64).group(), 1u);
  EXPECT_EQ(makeChannel(64, 64).group(), 8u);
  EXPECT_EQ(makeChannel(1024, 64).group(), 64u);
  EXPECT_EQ(makeChannel(1024, 48).group(), 32u);
}

TEST(Channel, WithoutMemoryItIsInvalidIfThatIsWanted) {
  SharedChannel channel(size_t(1) << 60, 1024, 1, false,
                        SharedChannel::Exhausted::leaveInvalid);
  EXPECT_FALSE(channel.valid());
  EXPECT_TRUE(makeChannel(1).valid());
}

TEST(Channel, AnEmptyChannelHasNothingToTake) {
  SharedChannel channel = makeChannel(4);
  EXPECT_EQ(channel.tryDeq().status, DeqStatus::empty);
  uint64_t index;
  EXPECT_EQ(channel.deqN(&index, 1), 0u);
  EXPECT_EQ(channel.ready(), 0u);
}

TEST(Channel, AnElementPassesThroughTheFiveStates) {
  SharedChannel channel = makeChannel(2);
  EXPECT_EQ(channel.state(0), ElementState::available);
  uint64_t first = *channel.talloc();
  uint64_t second = *channel.talloc();
  EXPECT_EQ(channel.state(second), ElementState::reserved);
  channel.enq(second);
  EXPECT_EQ(channel.state(second), ElementState::ready);
  ASSERT_EQ(channel.tryDeq().index, second);
  EXPECT_EQ(channel.state(second), ElementState::dispatched);
  channel.tfree(second);
  EXPECT_EQ(channel.state(second), ElementState::done);
  EXPECT_EQ(channel.state(first), ElementState::reserved);
  channel.enq(first);
  channel.tfree(channel.tryDeq().index);
  EXPECT_EQ(channel.state(first), ElementState::available);
  EXPECT_EQ(channel.state(second), ElementState::available);
}

TEST(Channel, AReservedElementIsHiddenAndHidesNoOther) {
  SharedChannel channel = makeChannel(4);
  uint64_t early = *channel.talloc();
  put(channel, 2);
  EXPECT_EQ(channel.ready(), 1u);
  EXPECT_EQ(take(channel), 2);
  at(channel, early) = 1;
  channel.enq(early);
  EXPECT_EQ(take(channel), 1);
}

TEST(Channel, AChannelIsFullAtExactlyItsWidth) {
  SharedChannel channel = makeChannel(4);
  for (int i = 0; i < 4; ++i)
    put(channel, i);
  EXPECT_EQ(channel.talloc(), std::nullopt);
  EXPECT_EQ(take(channel), 0);
  EXPECT_TRUE(channel.talloc());
  EXPECT_EQ(channel.talloc(), std::nullopt);
}

TEST(Channel, MoreThanTheWidthNeverFits) {
  SharedChannel channel = makeChannel(4);
  EXPECT_EQ(channel.talloc(5), std::nullopt);
  EXPECT_EQ(channel.occupied(), 0u);
}

TEST(Channel, ElementsAreFreedInAllocationOrder) {
  SharedChannel channel = makeChannel(2);
  put(channel, 0);
  put(channel, 1);
  uint64_t indices[2];
  ASSERT_EQ(channel.deqN(indices, 2), 2u);
  channel.tfree(indices[1]);
  EXPECT_EQ(channel.talloc(), std::nullopt);
  channel.tfree(indices[0]);
  EXPECT_EQ(channel.occupied(), 0u);
  EXPECT_TRUE(channel.talloc(2));
}

TEST(Channel, AGroupIsFreedWhenAllOfItIsDone) {
  SharedChannel channel = makeChannel(16, 2);
  ASSERT_EQ(channel.group(), 2u);
  for (int i = 0; i < 3; ++i)
    put(channel, i);
  take(channel);
  EXPECT_EQ(channel.occupied(), 3u);
  take(channel);
  EXPECT_EQ(channel.occupied(), 1u);
  take(channel);
  EXPECT_EQ(channel.occupied(), 1u);
}

TEST(Channel, TheOrderIsKeptForManyLaps) {
  SharedChannel channel = makeChannel(8);
  int next = 0;
  for (int i = 0; i < 1000; ++i) {
    put(channel, 2 * i);
    put(channel, 2 * i + 1);
    EXPECT_EQ(take(channel), next++);
    EXPECT_EQ(take(channel), next++);
  }
  EXPECT_EQ(channel.occupied(), 0u);
}

TEST(Channel, ABatchIsAdjacentInMemoryAlsoAtTheEndOfTheArray) {
  SharedChannel channel = makeChannel(8);
  for (int lap = 0; lap < 100; ++lap) {
    std::optional<uint64_t> index = channel.talloc(3);
    ASSERT_TRUE(index);
    ASSERT_LE(*index + 3, channel.capacity());
    for (int i = 0; i < 3; ++i)
      (&at(channel, *index))[i] = 3 * lap + i;
    channel.enq(*index, 3);
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(take(channel), 3 * lap + i);
  }
}

TEST(Channel, AFullWidthBatchFitsOnceAllIsFreed) {
  // Of each width, with the tail anywhere in the array and a group half done.
  for (uint32_t width : {1u, 8u, 64u, 256u})
    for (uint32_t before = 0; before < width; ++before) {
      SharedChannel channel = makeChannel(width, 64);
      for (uint32_t i = 0; i < before; ++i)
        put(channel, 0);
      for (uint32_t i = 0; i < before; ++i)
        take(channel);
      ASSERT_TRUE(channel.talloc(width)) << width << " after " << before;
    }
}

TEST(Channel, ABatchThatDoesNotFitReservesNoRoom) {
  SharedChannel channel = makeChannel(8);
  uint64_t kept = *channel.talloc(2);
  EXPECT_EQ(channel.talloc(7), std::nullopt);
  channel.enq(kept, 2);
  uint64_t indices[8];
  ASSERT_EQ(channel.deqN(indices, 8), 2u);
  channel.tfree(kept, 2);
  EXPECT_TRUE(channel.talloc(7));
}

TEST(Channel, DeqNTakesAtMostTheRequestedAndTheReadyNumber) {
  SharedChannel channel = makeChannel(8);
  for (int i = 0; i < 5; ++i)
    put(channel, i);
  uint64_t indices[8];
  ASSERT_EQ(channel.deqN(indices, 2), 2u);
  EXPECT_EQ(at(channel, indices[1]), 1);
  ASSERT_EQ(channel.deqN(indices + 2, 8), 3u);
  EXPECT_EQ(at(channel, indices[4]), 4);
  EXPECT_EQ(channel.deqN(indices, 8), 0u);
}

TEST(Channel, ThePredicateDecidesOnTheFrontElementOnly) {
  SharedChannel channel = makeChannel(4);
  put(channel, 1);
  put(channel, 2);
  auto even = [](const void *element) {
    return *static_cast<const int *>(element) % 2 == 0;
  };
  EXPECT_EQ(channel.tryDeq(even).status, DeqStatus::refused);
  EXPECT_EQ(take(channel), 1);
  DeqResult second = channel.tryDeq(even);
  ASSERT_TRUE(second);
  EXPECT_EQ(at(channel, second.index), 2);
}

TEST(Channel, AnElementTakenWhileThePredicateLooksIsLost) {
  SharedChannel channel = makeChannel(4);
  put(channel, 1);
  for (bool verdict : {true, false}) {
    put(channel, 2);
    auto takenMeanwhile = [&](const void *) {
      take(channel);
      return verdict;
    };
    EXPECT_EQ(channel.tryDeq(takenMeanwhile).status, DeqStatus::lost);
  }
  EXPECT_EQ(channel.ready(), 1u);
}

TEST(Channel, ElementsDoNotOverlap) {
  // An element size that is no power of two.
  SharedChannel channel(12, 8);
  std::vector<uintptr_t> addresses;
  for (int i = 0; i < 8; ++i)
    addresses.push_back(uintptr_t(channel.data(*channel.talloc())));
  std::sort(addresses.begin(), addresses.end());
  for (int i = 1; i < 8; ++i)
    EXPECT_EQ(addresses[i] - addresses[i - 1], 12u);
}

TEST(ChannelDeathTest, WithoutMemoryItEndsTheProcess) {
  EXPECT_EXIT(SharedChannel(size_t(1) << 60, 1024), testing::ExitedWithCode(1),
              "out of memory: a channel needs room for 1024 elements of "
              "1152921504606846976 bytes");
}

#if GTEST_HAS_DEATH_TEST && !defined(NDEBUG)
TEST(ChannelDeathTest, DebugBuildsAssertTheStates) {
  SharedChannel channel = makeChannel(4);
  uint64_t index = *channel.talloc();
  EXPECT_DEATH(channel.tfree(index), "wrong state");
  channel.enq(index);
  EXPECT_DEATH(channel.enq(index), "wrong state");
}
#endif

} // namespace
