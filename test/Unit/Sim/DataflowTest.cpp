//===- DataflowTest.cpp - Units, to the cycle -----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CoreHarness.h"

#include <gtest/gtest.h>

#include <algorithm>

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

//===----------------------------------------------------------------------===//
// fabric.channel_release
//===----------------------------------------------------------------------===//

Machine machineOf(const char *release, uint32_t entries) {
  return shippedMachine(
      {{"fabric.channel_release", release},
       {"fabric.token_buffer_entries", std::to_string(entries)}});
}

/// Divisions one after another.  Also the links of the block, in their order.
std::string divisions(const Machine &machine, std::vector<uint64_t> &hops) {
  BlockBuilder block(machine.fabric);
  uint32_t value = block.initiate();
  for (int i = 0; i != 3; ++i)
    value = block.node("udiv.i64", {value, constant(3)});
  block.terminate({value});
  std::string text = configurationText(machine, {block.build(0, {"exit"})});
  hops.clear();
  Configuration parsed = CoreHarness::parse(machine, text);
  for (const Edge &edge : parsed.kernels[0].blocks[0].edges)
    hops.push_back(edge.hops);
  return text;
}

// Until a channel is free: with `terminator` the whole way and a cycle; with
// `window` one operation, the way to its consumer, and a cycle.
TEST(Dataflow, AWindowIsHeldForOneOperation) {
  constexpr uint64_t threads = 50, division = 145;
  for (uint32_t entries : {1, 2, 7}) {
    std::vector<uint64_t> hops;
    Machine whole = machineOf("terminator", entries);
    std::string text = divisions(whole, hops);
    uint64_t way = 1 + 3 * division;
    for (uint64_t links : hops)
      way += links;
    auto expected = [&](uint64_t one, uint64_t turn) {
      // Threads in groups of `entries`, each a cycle after the last one.
      return one + (threads - 1) / entries * turn + (threads - 1) % entries;
    };
    CoreHarness slow(whole, text);
    uint64_t one = slow.run(1) - kFetch;
    EXPECT_EQ(slow.run(threads), expected(one, way + 1)) << entries;

    CoreHarness fast(machineOf("window", entries), text);
    EXPECT_EQ(fast.run(1), one + kFetch);
    uint64_t turn = division + *std::max_element(hops.begin() + 1, hops.end());
    EXPECT_EQ(fast.run(threads), expected(one, turn + 1)) << entries;
    EXPECT_GT(fast.count("fabric.no_entry"), 0u);
  }
}

// Alike for a load, whose consumer fires in an earlier step of the cycle: its
// credit takes a cycle all the same.
TEST(Dataflow, AWindowOfLoads) {
  constexpr uint64_t threads = 50, hit = 35;
  alignas(4096) static uint64_t word[512];
  for (uint32_t entries : {1, 2, 7}) {
    Machine machine = machineOf("window", entries);
    BlockBuilder block(machine.fabric);
    uint32_t loaded = block.node("load.i64", {parameter(0), block.initiate()});
    block.terminate({block.node("mov.i64", {loaded})});
    CoreHarness harness(
        machine, configurationText(machine, {block.build(0, {"exit"})}, 1));
    uint64_t hops = 0;
    const Block &built = harness.configuration.kernels[0].blocks[0];
    for (const Edge &edge : built.edges)
      if (built.units[edge.target].operation->name == "mov.i64")
        hops = edge.hops;
    harness.run(1, {addressOf(word)});
    uint64_t one = harness.run(1, {addressOf(word)});
    uint64_t turn = hit + hops + 1;
    EXPECT_EQ(harness.run(threads, {addressOf(word)}),
              one + (threads - 1) / entries * turn + (threads - 1) % entries)
        << entries;
  }
}

// They are read when L2 has answered.
TEST(Dataflow, AnAtomicKeepsItsOperandsInAWindow) {
  constexpr uint64_t threads = 50;
  Machine machine = machineOf("window", 2);
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();
  block.terminate({block.node("atomic_add.i64", {parameter(0), thread})});
  CoreHarness harness(
      machine, configurationText(machine, {block.build(0, {"exit"})}, 1));
  uint64_t sum = 0;
  harness.run(threads, {addressOf(&sum)});
  EXPECT_EQ(sum, threads * (threads - 1) / 2);
}

// Times belong to their threads, of which several are in one channel.
TEST(Dataflow, TimesInAWindow) {
  constexpr uint32_t threads = 1000;
  auto times = [&](const char *release) {
    std::vector<uint64_t> hops;
    // So many that no operation waits for an entry.
    Machine machine = machineOf(release, 160);
    CoreHarness harness(machine, divisions(machine, hops));
    harness.core.record({nullptr, "", /*times=*/true});
    harness.run(threads);
    EXPECT_EQ(harness.count("fabric.no_entry"), 0u);
    std::vector<uint64_t> sums;
    for (const NodeTimes &node : harness.image.blocks[0].times)
      sums.insert(sums.end(), {node.queued, node.working, node.moving});
    EXPECT_EQ(sums[0], 0u);
    EXPECT_EQ(sums[1], threads * 145u);
    return sums;
  };
  EXPECT_EQ(times("window"), times("terminator"));
}

// Also those of loads, whose results leave when the next thread may be there.
TEST(Dataflow, TimesOfLoadsInAWindow) {
  alignas(4096) static uint64_t words[512], pointers[512];
  std::fill(pointers, pointers + 512, addressOf(words));
  auto times = [&](const char *release) {
    Machine machine = machineOf(release, 512);
    CoreHarness harness(machine, sum(machine));
    harness.core.record({nullptr, "", /*times=*/true});
    harness.run(200, {addressOf(pointers), addressOf(pointers)});
    std::vector<uint64_t> sums;
    for (const NodeTimes &node : harness.image.blocks[0].times)
      sums.insert(sums.end(), {node.queued, node.working, node.moving});
    return sums;
  };
  EXPECT_EQ(times("window"), times("terminator"));
}

/// A short way and a long one through a load join in an addition.  Then each
/// thread takes a ticket, and stores its number and the sum there.
std::string diamond(const Machine &machine) {
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();
  uint32_t copy = block.node("split", {thread});
  uint32_t place = block.node("mad.i64", {copy, constant(8), parameter(0)});
  uint32_t pointer = block.node("load.i64", {place});
  uint32_t loaded = block.node("load.i64", {pointer});
  // What comes out of the load passes through a unit, where it could stand in
  // the way of the oldest thread.
  uint32_t passed = block.node("mov.i64", {loaded});
  uint32_t sum = block.node("add.i64", {passed, copy});
  uint32_t both = block.node("split", {sum});
  uint32_t ticket =
      block.node("atomic_add.i64", {parameter(1), constant(1), both});
  uint32_t where = block.node("mad.i64", {ticket, constant(8), parameter(2)});
  block.terminate({block.node("store.i64", {where, both})});
  return configurationText(machine, {block.build(0, {"exit"})}, 3);
}

// Threads that hit overtake those that miss, and their tokens of the short way
// are at the join long before.
TEST(Dataflow, ADiamondWithALoadDoesNotStopInAWindow) {
  constexpr uint32_t threads = 96;
  alignas(4096) static uint64_t near[512], far[32768], pointers[512];
  for (const char *reservations : {"1", "2", "32"})
    for (uint32_t entries : {1, 2, 3, 64}) {
      Machine machine = machineOf("window", entries);
      std::string error;
      ASSERT_TRUE(
          machine.set("fabric.reservation_entries", reservations, error));
      CoreHarness harness(machine, diamond(machine));
      std::vector<uint64_t> wanted, order(threads);
      for (uint32_t i = 0; i != threads; ++i) {
        // Each third one misses.
        uint64_t &target = i % 3 ? near[i % 16] : far[i * 64];
        target = i % 3 ? 0 : 1000;
        pointers[i] = addressOf(&target);
        wanted.push_back(target + i);
      }
      uint64_t tickets = 0;
      harness.run(threads, {addressOf(pointers), addressOf(&tickets),
                            addressOf(order.data())});
      EXPECT_EQ(tickets, threads);
      std::sort(order.begin(), order.end());
      std::sort(wanted.begin(), wanted.end());
      EXPECT_EQ(order, wanted) << entries << " " << reservations;
    }
}

// Two channels.  Thread 0 misses, in the first one.  Thread 2 follows it and
// waits at the split, whose entry at the join thread 0 has.  All others pass by
// in the second channel.
TEST(Dataflow, AStalledThreadStopsItsChannelOnly) {
  constexpr uint32_t threads = 20;
  alignas(4096) static uint64_t near[512], far[512], pointers[512];
  Machine machine = machineOf("window", 2);
  std::string error;
  ASSERT_TRUE(machine.set("dram.path_cycles", "10000", error));
  CoreHarness harness(machine, diamond(machine));
  std::fill(pointers, pointers + 512, addressOf(near));
  uint64_t tickets = 0, order[threads] = {};
  auto run = [&] {
    tickets = 0;
    harness.run(threads,
                {addressOf(pointers), addressOf(&tickets), addressOf(order)});
    return std::vector<uint64_t>(order, order + threads);
  };
  run();
  pointers[0] = addressOf(far);
  std::vector<uint64_t> expected = {1};
  for (uint64_t thread = 3; thread != threads; ++thread)
    expected.push_back(thread);
  expected.insert(expected.end(), {0, 2});
  EXPECT_EQ(run(), expected);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

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
