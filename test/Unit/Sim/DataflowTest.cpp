//===- DataflowTest.cpp - Units, to the cycle -----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CoreHarness.h"

#include <gtest/gtest.h>

using namespace chansim;

namespace {

/// Each thread adds two words that two pointers of its lead to.
std::string sum(const Machine &machine) {
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();
  uint32_t copy = block.node("split", {thread});
  // As far from the addition, both.
  const Place places[] = {{0, 5}, {0, 7}};
  uint32_t loads[2];
  for (uint32_t i = 0; i != 2; ++i) {
    uint32_t place = block.node("mad.i64", {copy, constant(8), parameter(i)});
    loads[i] =
        block.node("load.i64", {block.node("load.i64", {place})}, places[i]);
  }
  block.terminate({block.node("add.i64", {loads[0], loads[1]}, Place{1, 6})});
  return configurationText(machine, {block.build(0, {"exit"})}, 2);
}

TEST(Dataflow, AUnitStartsOnceACycle) {
  Machine machine = shippedMachine();
  CoreHarness harness(machine, sum(machine));
  const Block &block = harness.configuration.kernels[0].blocks[0];
  std::vector<uint32_t> hops;
  for (const Edge &edge : block.edges)
    if (block.units[edge.target].operation->name == "add.i64")
      hops.push_back(edge.hops);
  ASSERT_EQ(hops.size(), 2u);
  ASSERT_EQ(hops[0], hops[1]);

  // The first word of thread 0 and the second of thread 1 come in one line.
  alignas(4096) static uint64_t near[512], cold[512];
  uint64_t first[] = {addressOf(near), addressOf(near)};
  uint64_t second[] = {addressOf(near), addressOf(near)};
  auto queued = [&] {
    harness.core.record({nullptr, "", /*times=*/true});
    harness.run(2, {addressOf(first), addressOf(second)});
    uint64_t cycles = 0;
    const BlockImage &image = harness.image.blocks[0];
    for (size_t i = 0; i != image.nodes.size(); ++i)
      if (block.units[image.nodes[i].unit].operation->name == "add.i64")
        cycles += image.times[i].queued;
    return cycles;
  };
  EXPECT_EQ(queued(), 0u);
  first[0] = second[1] = addressOf(cold);
  EXPECT_EQ(queued(), 1u);
}

/// Each thread stores its number where a pointer of its leads to; the second
/// word that a pointer leads to is loaded behind that.
std::string storeAndLoad(const Machine &machine) {
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();
  uint32_t copy = block.node("split", {thread});
  uint32_t place = block.node("mad.i64", {copy, constant(8), parameter(0)});
  uint32_t address = block.node("split", {block.node("load.i64", {place})});
  uint32_t stored = block.node("store.i64", {address, copy});
  // The operand behind the address orders the load after the store.
  uint32_t loaded = block.node("load.i64", {address, stored});
  uint32_t result = block.node("mad.i64", {copy, constant(8), parameter(1)});
  block.terminate({block.node("store.i64", {result, loaded})});
  return configurationText(machine, {block.build(0, {"exit"})}, 2);
}

// Both machines load what was stored. With posted stores the load goes out at
// once, waits for the same line as the store, and the last store is not waited
// for either.
TEST(Dataflow, APostedStoreDoesNotHoldItsThread) {
  alignas(4096) static uint64_t cold[2048];
  uint64_t cycles[2], merged[2];
  for (int posted = 0; posted != 2; ++posted) {
    CoreHarness harness(
        shippedMachine({{"memory.posted_stores", posted ? "true" : "false"}}),
        storeAndLoad(shippedMachine()));
    uint64_t *there = cold + 1024 * posted;
    uint64_t pointers[] = {addressOf(there), addressOf(there + 64)};
    uint64_t results[2] = {7, 7};
    cycles[posted] = harness.run(2, {addressOf(pointers), addressOf(results)});
    merged[posted] = harness.statistics.value("l1.merged");
    EXPECT_EQ(results[0], 0u);
    EXPECT_EQ(results[1], 1u);
    EXPECT_EQ(there[64], 1u);
  }
  EXPECT_LT(cycles[1], cycles[0]);
  EXPECT_GT(merged[1], merged[0]);
}

/// out[t + 1] = table[t - 2 in 32 bits, and 2 more], and sums[t] += 5, by
/// addresses that the units compute.
std::string addressed(const Machine &machine, const char *index) {
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();
  uint32_t copy = block.node("split", {thread});
  uint32_t less = block.node("sub.i64", {thread, constant(2)});
  uint32_t narrow = block.node("trunc.i64.i32", {less});
  uint32_t loaded = block.node("load.i64", {parameter(0), narrow});
  block.address(loaded, {{"index", index}, {"scale", 8}, {"offset", 16}});
  uint32_t stored = block.node("store.i64", {parameter(1), copy, loaded});
  block.address(stored, {{"index", "i64"}, {"scale", 8}, {"offset", 8}});
  // Two tokens: 4 x t + sums, and t.
  uint32_t base = block.node("mad.i64", {copy, constant(4), parameter(2)});
  uint32_t added = block.node("atomic_add.i64", {base, copy, constant(5)});
  block.address(added, {{"index", "i64"}, {"scale", 4}});
  block.terminate({stored, added});
  return configurationText(machine, {block.build(0, {"exit"})}, 3);
}

TEST(Dataflow, AUnitComputesItsAddress) {
  Machine machine = shippedMachine({{"fabric.address_modes", "scaled"}});
  uint64_t table[] = {10, 11, 12, 13};
  // Signed, the first index is -2; otherwise it is 2^32 - 2, and thread 2 would
  // begin at 0 again.
  struct {
    const char *index;
    uint32_t threads;
    uint64_t first;
  } modes[] = {{"sext.i32", 4, 0}, {"zext.i32", 2, (uint64_t(1) << 32) * 8}};
  for (auto [index, threads, first] : modes) {
    CoreHarness harness(machine, addressed(machine, index));
    uint64_t out[5] = {1, 1, 1, 1, 1}, sums[4] = {0, 1, 2, 3};
    harness.run(threads,
                {addressOf(table) - first, addressOf(out), addressOf(sums)});
    EXPECT_EQ(out[0], 1u) << index;
    for (uint32_t t = 0; t != threads; ++t) {
      EXPECT_EQ(out[t + 1], table[t]) << index;
      EXPECT_EQ(sums[t], t + 5) << index;
    }
  }
}

} // namespace
