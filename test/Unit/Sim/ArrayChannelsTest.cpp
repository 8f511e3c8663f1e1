//===- ArrayChannelsTest.cpp - Channels in simulated memory ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the leaves of a channel have their elements:
//
//   Leaves leaves({"channel.width=512"});      // eight cores: leaves of 64 elements
//   leaves.part(3).columns[0]                  // element 3 * 64 of the channel
//
//===----------------------------------------------------------------------===//

#include "dispatch/ArrayChannels.h"
#include "SimtApuHarness.h"

#include <gtest/gtest.h>

using namespace chansim;

namespace {

const chan_field kFields[] = {{0, 8}, {8, 4}};
const chan_channel kTree = [] {
  chan_channel channel{};
  channel.name = "tree.0";
  channel.fields = kFields;
  channel.field_count = 2;
  channel.element_size = 12;
  channel.kind = CHAN_ENTRY;
  return channel;
}();

struct Leaves {
  explicit Leaves(const std::string &more) : machine(simt::apu()) {
    std::string error;
    EXPECT_TRUE(machine.set("channel.hierarchy=cores," + more, error)) << error;
    program.allStacks().push_back({&kTree, 0});
    channels.emplace(machine, program);
  }
  const Stack &stack() { return program.allStacks()[0]; }
  chan_array &part(uint32_t core) {
    return channels->partOf(/*level=*/2, stack(), core);
  }
  chan_array &whole() { return channels->channel(/*level=*/2, stack()); }

  Machine machine;
  Program program;
  std::optional<ArrayChannels> channels;
};

uint32_t leavesOf(const std::string &changes) {
  return static_cast<uint32_t>(Leaves(changes).channels->root().leaf_count);
}

TEST(ArrayChannels, EachLeafHasRoomForAWavefront) {
  EXPECT_EQ(leavesOf("channel.width=32768"), 8u);
  EXPECT_EQ(leavesOf("channel.width=512"), 8u);
  EXPECT_EQ(leavesOf("channel.width=256"), 4u);
  EXPECT_EQ(leavesOf("channel.width=128"), 2u);
  EXPECT_EQ(leavesOf("channel.width=64"), 0u);
  // A power of two, so that all elements are used.
  EXPECT_EQ(leavesOf("cores=6"), 4u);
  EXPECT_EQ(leavesOf("cores=1"), 0u);
  EXPECT_EQ(leavesOf("channel.hierarchy=flat"), 0u);
}

TEST(ArrayChannels, CoresWithoutALeafOfTheirOwnShareOne) {
  Leaves leaves("channel.width=128");
  EXPECT_NE(&leaves.part(0), &leaves.part(1));
  EXPECT_EQ(&leaves.part(0), &leaves.part(6));
  EXPECT_EQ(&leaves.part(1), &leaves.part(7));
}

TEST(ArrayChannels, LeavesHavePartsOfTheChannel) {
  for (const char *layout : {"structures", "fields"}) {
    Leaves leaves(std::string("channel.width=1024,channel.layout=") + layout);
    bool areStructures =
        leaves.machine.channel.layout == ChannelLayout::structures;
    const chan_array &whole = leaves.whole(), &part = leaves.part(3);
    EXPECT_EQ(part.mask, 127u);
    EXPECT_EQ(part.control_mask, 255u);
    EXPECT_NE(part.control, whole.control);
    // Element 5 of leaf 3 is element 3 * 128 + 5 of the channel, and has its done count.
    for (uint32_t field : {0u, 1u}) {
      uint64_t step = areStructures ? 16 : kFields[field].size;
      EXPECT_EQ(static_cast<char *>(part.columns[field]) + 5 * step,
                static_cast<char *>(whole.columns[field]) +
                    (3 * 128 + 5) * step)
          << layout;
    }
    EXPECT_EQ(part.done_shift, whole.done_shift);
    EXPECT_EQ(part.done + ((5 >> part.done_shift) * CHAN_ARRAY_LINE),
              whole.done +
                  (((3 * 128 + 5) >> whole.done_shift) * CHAN_ARRAY_LINE));
  }
}

TEST(ArrayChannels, LeavesAreCountedAndNamed) {
  Leaves leaves("channel.width=512");
  chan_array &whole = leaves.whole(), &part = leaves.part(3);
  part.tail = 9;
  part.control_tail = 7;
  part.control_head = 2;
  leaves.part(4).tail = 1;
  // Done counts are those of the channel.
  *reinterpret_cast<uint64_t *>(part.done) = 4;
  EXPECT_EQ(leaves.channels->unfinished(whole), 9u + 1u - 4u);
  EXPECT_EQ(leaves.channels->ready(whole), 5u);
  EXPECT_EQ(leaves.channels->nameOf(&part),
            "leaf 3 of channel tree.0 at level 2");
  EXPECT_EQ(leaves.channels->nameOf(&whole), "channel tree.0 at level 2");
}

TEST(ArrayChannels, AGroupOfADoneCountIsOfOneLeaf) {
  Machine machine = simt::apu();
  std::string error;
  EXPECT_FALSE(machine.set("channel.hierarchy=cores,channel.width=512,"
                           "channel.done_count=128",
                           error));
  EXPECT_NE(
      error.find("channel.done_count: is 128, and each of the 8 leaves of "
                 "a channel has 64 elements; set channel.hierarchy to "
                 "flat, or a smaller count"),
      std::string::npos)
      << error;
}

} // namespace
