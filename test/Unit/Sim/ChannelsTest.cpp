//===- ChannelsTest.cpp - Channels and frames of the machine --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/Channels.h"
#include "memory/AddressMap.h"

#include <gtest/gtest.h>

#include <set>

using namespace chansim;

namespace {

constexpr chan_field kFields[] = {{0, 8}, {8, 4}};
const chan_channel kEntries = {"f.0",   nullptr, kFields, 2, 12, 0, CHAN_ENTRY,
                               nullptr, nullptr, nullptr, 0, 0,  0};

/// Allocates, fills and enqueues an element, as a kernel does.
bool put(Channel &channel, uint64_t value) {
  ControlWords &words = *channel.control();
  if (words.tail == words.width)
    return false;
  uint64_t index = words.tail++;
  reinterpret_cast<uint64_t *>(words.columns[0])[index] = value;
  reinterpret_cast<uint32_t *>(words.columns[1])[index] =
      static_cast<uint32_t>(~value);
  ++words.done;
  return true;
}

void expectValues(const Elements &elements, uint64_t first, uint64_t count) {
  ASSERT_EQ(elements.count, count);
  for (uint64_t i = 0; i != count; ++i) {
    EXPECT_EQ(reinterpret_cast<uint64_t *>(elements.column(0))[i], first + i);
    EXPECT_EQ(reinterpret_cast<uint32_t *>(elements.column(1))[i],
              static_cast<uint32_t>(~(first + i)));
  }
}

TEST(Channels, HasNoRoomAtFirst) {
  Pool pool;
  Channel channel(&kEntries, pool);
  EXPECT_FALSE(put(channel, 1));
  EXPECT_EQ(channel.waiting(), 0u);
  channel.makeRoom(1, 8);
  EXPECT_TRUE(put(channel, 1));
  EXPECT_EQ(channel.waiting(), 1u);
}

TEST(Channels, GrowsWithWhatIsThere) {
  Pool pool;
  Channel channel(&kEntries, pool);
  channel.makeRoom(2, 64);
  uint64_t count = 0;
  for (; count != 64; ++count) {
    if (channel.isFull())
      channel.makeRoom(1, 64);
    ASSERT_TRUE(put(channel, count));
  }
  // Not beyond what it may have, in one piece.
  EXPECT_EQ(channel.capacity(), 64u);
  EXPECT_FALSE(put(channel, count));
  Elements all = channel.take();
  expectValues(all, 0, 64);
  EXPECT_EQ(channel.waiting(), 0u);
  EXPECT_TRUE(channel.isFull());
  pool.release(all.data, all.bytes());
}

TEST(Channels, PiecesAreTakenInOrder) {
  Pool pool;
  Channel channel(&kEntries, pool);
  // As continuations do: more than the width, since they must have room.
  for (uint64_t piece = 0; piece != 3; ++piece) {
    channel.makeRoom(4, 4);
    for (uint64_t i = 0; i != 4; ++i)
      ASSERT_TRUE(put(channel, 4 * piece + i));
  }
  EXPECT_EQ(channel.waiting(), 12u);
  for (uint64_t piece = 0; piece != 3; ++piece) {
    Elements taken = channel.take();
    expectValues(taken, 4 * piece, 4);
    pool.release(taken.data, taken.bytes());
  }
  EXPECT_EQ(channel.waiting(), 0u);
}

TEST(Frames, AreWhatIsAskedFor) {
  Pool pool;
  FrameList frames(40, pool);
  frames.provide(3);
  std::set<uint64_t> seen;
  for (uint64_t frame = *frames.head(); frame;
       frame = *reinterpret_cast<uint64_t *>(frame)) {
    EXPECT_EQ(frame % 16, 0u);
    for (uint64_t other : seen)
      EXPECT_GE(frame > other ? frame - other : other - frame, 48u);
    seen.insert(frame);
  }
  EXPECT_EQ(seen.size(), 3u);
  // What is free counts.
  uint64_t first = *frames.head();
  frames.provide(3);
  EXPECT_EQ(*frames.head(), first);
  *frames.head() = *reinterpret_cast<uint64_t *>(first);
  frames.provide(3);
  uint64_t count = 0;
  for (uint64_t frame = *frames.head(); frame;
       frame = *reinterpret_cast<uint64_t *>(frame))
    ++count;
  EXPECT_EQ(count, 3u);
}

TEST(AddressMap, AStackLiesAsIfItEndedAPage) {
  // The same distances from the end, wherever that is, give the same places.
  std::vector<uint64_t> expected;
  for (uint64_t end : {0x7fff0000u, 0x7fff0010u, 0x7ffe8ff0u}) {
    FrameTable frames(4096);
    AddressMap map(frames, /*core=*/0);
    frames.alignStack(end - 65536, end);
    auto physical = [&](uint64_t address) {
      Request request{};
      request.address = address;
      map.place(request);
      return map.physical(request.address, Via::l1);
    };
    std::vector<uint64_t> places;
    for (uint64_t distance : {8u, 4096u, 4104u, 65536u, 16u})
      places.push_back(physical(end - distance));
    // What is above keeps frames of its own.
    EXPECT_GE(physical(end) / 4096, 3u);
    EXPECT_EQ(places[0] % 4096, 4088u);
    if (expected.empty())
      expected = places;
    EXPECT_EQ(places, expected);
  }
}

} // namespace
