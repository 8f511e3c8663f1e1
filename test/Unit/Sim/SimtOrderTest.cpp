//===- SimtOrderTest.cpp - Orders of accesses on a compute unit -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a compute unit asks of an L1 that combines stores (memory.protocol =
// write_combining), and what it waits for:
//
//   store.i32 [p0], 1            write
//   store.i32 [p0 + 64], 1, release     when the first one is done: write, release
//   exit                         nothing more, as nothing plain was stored behind it
//
//===----------------------------------------------------------------------===//

#include "SimtApuHarness.h"

#include <gtest/gtest.h>

using namespace chansim;
using namespace chansim::simt;

namespace {

constexpr uint32_t kLatency = 100;

Machine combining() { return apu({{"memory.protocol", "write_combining"}}); }

struct alignas(128) Lines {
  uint64_t words[64] = {};
};

struct Single {
  explicit Single(const std::string &lines, uint32_t threads = 1,
                  const Machine &machine = combining())
      : harness({lines}, machine, kLatency) {
    SimtTile &tile = harness.makeTile(memory.words, threads);
    harness.run(tile);
  }
  size_t size() const { return harness.memory.seen.size(); }
  const Request &request(size_t index) const {
    return harness.memory.seen[index].request;
  }
  uint64_t cycle(size_t index) const {
    return harness.memory.seen[index].cycle;
  }

  Lines memory;
  ApuHarness harness;
};

TEST(SimtOrder, AWavefrontBeginsWithAnAcquireAndEndsWithAFence) {
  Single run("load.i64 d0, [p0]\nstore.i64 [p0 + 8], d0\n");
  EXPECT_EQ(run.harness.memory.acquired.size(), 1u);
  EXPECT_LE(run.harness.memory.acquired[0], run.cycle(0));
  ASSERT_EQ(run.size(), 3u);
  EXPECT_EQ(run.request(2).access, Access::fence);
  EXPECT_GE(run.cycle(2), run.cycle(1) + kLatency);

  // What has stored nothing needs none; nor do others.
  Single reads("load.i64 d0, [p0]\n");
  EXPECT_EQ(reads.size(), 1u);
  Single moesi("store.i64 [p0], 1\n", 1, apu());
  EXPECT_EQ(moesi.size(), 1u);
}

TEST(SimtOrder, StoresHaveTheBytesOfTheirLanes) {
  Single run("mad.i64 d0, id, 16, p0\nstore.i32 [d0], 1\n", 6);
  ASSERT_EQ(run.size(), 3u);
  ByteMask first, second;
  for (uint64_t lane = 0; lane != 4; ++lane)
    first |= ByteMask(16 * lane, 4);
  for (uint64_t lane = 0; lane != 2; ++lane)
    second |= ByteMask(16 * lane, 4);
  EXPECT_EQ(run.request(0).written, first);
  EXPECT_EQ(run.request(1).written, second);
}

TEST(SimtOrder, AReleaseWaitsForAllAccessesBeforeIt) {
  Single run("load.i64 d0, [p0]\nstore.i64 [p0 + 64], 1\n"
             "store.i64 [p0 + 128], 2, release\nload.i64 d1, [p0 + 192]\n");
  // It makes the fence needless.
  ASSERT_EQ(run.size(), 4u);
  EXPECT_LT(run.cycle(1), run.cycle(0) + 10);
  EXPECT_EQ(run.request(2).order, Order::release);
  EXPECT_GE(run.cycle(2), run.cycle(1) + kLatency);
  // What is behind does not wait for it.
  EXPECT_LT(run.cycle(3), run.cycle(2) + 10);

  Single relaxed("store.i64 [p0 + 64], 1\nstore.i64 [p0 + 128], 2, relaxed\n");
  ASSERT_EQ(relaxed.size(), 3u);
  EXPECT_EQ(relaxed.request(1).order, Order::relaxed);
  EXPECT_LT(relaxed.cycle(1), relaxed.cycle(0) + 10);
  EXPECT_EQ(relaxed.request(2).access, Access::fence);
}

TEST(SimtOrder, AtomicOperationsThatSayNothingDoBoth) {
  Single run("load.i64 d0, [p0]\natomic_add.i64 d1, [p0 + 64], 1\n"
             "atomic_add.i64 d1, [p0 + 64], 1, relaxed\n"
             "load.i64 d0, [p0]\natomic_add.i64 d1, [p0 + 64], 1, relaxed\n");
  ASSERT_EQ(run.size(), 5u);
  EXPECT_EQ(run.request(1).order, Order::both);
  EXPECT_GE(run.cycle(1), run.cycle(0) + kLatency);
  EXPECT_EQ(run.request(2).order, Order::relaxed);
  // The last one does not wait for the load before it.
  EXPECT_LT(run.cycle(4), run.cycle(3) + 10);
}

TEST(SimtOrder, AccessesBehindAnAcquireWaitForIt) {
  Single run("load.i64 d0, [p0], acquire\nload.i64 d1, [p0 + 64]\n"
             "load.i64 d2, [p0 + 128], relaxed\nload.i64 d3, [p0 + 192]\n");
  ASSERT_EQ(run.size(), 4u);
  EXPECT_EQ(run.request(0).order, Order::acquire);
  EXPECT_GE(run.cycle(1), run.cycle(0) + kLatency);
  EXPECT_LT(run.cycle(3), run.cycle(1) + 20);
}

// So that a loop that waits for a word sees it as late as it would.
TEST(SimtOrder, ALoadWithAnOrderHasItsValueWhenItCompletes) {
  for (bool isRelaxed : {false, true}) {
    Lines lines;
    ApuHarness harness({std::string("load.i64 d0, [p0]") +
                        (isRelaxed ? ", relaxed" : "") +
                        "\nstore.i64 [p0 + 64], d0\n"},
                       combining(), kLatency);
    harness.core.start(harness.makeTile(lines.words, 1));
    harness.runUntil(50);
    ASSERT_EQ(harness.memory.seen.size(), 1u);
    lines.words[0] = 7;
    harness.finish();
    EXPECT_EQ(lines.words[8], isRelaxed ? 7u : 0u);
  }
}

TEST(SimtOrder, AContextIsThereBeforeTheWavefrontHasLeft) {
  Lines lines;
  ApuHarness harness({"yield on\non:\nload.i64 d0, [p0]\n"}, combining());
  SimtTile &tile = harness.makeTile(lines.words);
  harness.run(tile);
  ASSERT_FALSE(harness.memory.seen.empty());
  EXPECT_EQ(harness.memory.count(Access::fence), 1u);
  EXPECT_EQ(harness.memory.seen.back().request.access, Access::fence);
  EXPECT_EQ(harness.memory.acquired.size(), 1u);
  // It sees its context again.
  harness.run(tile);
  EXPECT_EQ(harness.memory.acquired.size(), 2u);
  EXPECT_EQ(harness.memory.count(Access::fence), 1u);
}

} // namespace
