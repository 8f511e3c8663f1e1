//===- SgmfTest.cpp - Graphs with branches, to the cycle ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builder.h"
#include "CoreHarness.h"

#include <gtest/gtest.h>

#include <map>

using namespace chansim;

namespace {

Machine sgmfMachine(const Overrides &overrides = {}) {
  std::string error;
  std::optional<Machine> machine =
      Machine::load(SIM_MACHINES "micro15-sgmf.json", error);
  if (!machine || !machine->set(overrides, error))
    throw std::runtime_error(error);
  return *machine;
}

/// A kernel on an SGMF core; what initiators deliver begins at `first`.
struct Harness {
  Harness(const Machine &machine, const std::string &text)
      : engine(machine), processor(machine, engine, statistics),
        configuration(CoreHarness::parse(machine, text)),
        image(configuration.kernels[0], machine, {}) {}

  uint64_t run(uint32_t threads, uint64_t first,
               std::vector<uint64_t> parameters = {}) {
    VgiwTile tile;
    tile.kernel = &image;
    tile.threads = threads;
    tile.first = first;
    tile.parameters = std::move(parameters);
    uint64_t before = engine.coreCycle() + hasRun;
    hasRun = true;
    processor.core(0).run(tile);
    return engine.coreCycle() - before;
  }
  /// Cycles on links from one operation to the next.
  uint32_t hops(const std::string &from, const std::string &to,
                uint32_t input = 0) const {
    const Block &block = configuration.kernels[0].blocks[0];
    for (const Edge &edge : block.edges)
      if (block.units[edge.source].operation->name == from &&
          block.units[edge.target].operation->name == to && edge.input == input)
        return edge.hops;
    throw std::runtime_error("no edge from " + from + " to " + to);
  }

  Statistics statistics;
  Engine engine;
  Processor processor;
  Configuration configuration;
  KernelImage image;
  bool hasRun = false;
};

/// Odd threads go by an addition, even ones by a multiplication.
std::string twoWays(const Machine &machine) {
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();
  uint32_t copy = block.node("split", {thread});
  uint32_t odd = block.node("trunc.i64.i1", {thread});
  uint32_t one = block.node("steer_if", {copy, odd});
  uint32_t other = block.node("steer_unless", {copy, odd});
  uint32_t sum = block.node("add.i64", {one, constant(1000)});
  uint32_t product = block.node("mul.i64", {other, constant(3)});
  uint32_t merged = block.node("merge", {sum, product});
  uint32_t place = block.node("mad.i64", {copy, constant(8), parameter(0)});
  block.terminate({block.node("store.i64", {place, merged})});
  return configurationText(machine, {block.build(0, {"exit"})}, 1);
}

TEST(Sgmf, AThreadTakesOneWay) {
  Machine machine = sgmfMachine();
  Harness harness(machine, twoWays(machine));
  alignas(4096) static uint64_t results[300];
  harness.run(300, 0, {addressOf(results)});
  for (uint64_t i = 0; i != 300; ++i)
    EXPECT_EQ(results[i], i % 2 ? i + 1000 : i * 3) << i;
  EXPECT_EQ(harness.statistics.value("fabric.steered"), 300u);
  EXPECT_EQ(harness.statistics.value("sgmf.configurations"), 1u);
}

TEST(Sgmf, AWayTakesTheTimeOfItsNodes) {
  Machine machine = sgmfMachine();
  Harness harness(machine, twoWays(machine));
  alignas(4096) static uint64_t results[4];
  uint64_t cold = harness.run(1, 0, {addressOf(results)});
  uint64_t even = harness.run(1, 2, {addressOf(results)});
  uint64_t odd = harness.run(1, 3, {addressOf(results)});
  // The kernel is configured once: fetched, then two passes and a reset.
  EXPECT_GE(cold, even + 294 + 34);
  auto length = [&](const std::string &steer, const std::string &node,
                    uint32_t latency, uint32_t input) {
    return std::max(harness.hops("split", steer) + 1 +
                        harness.hops("initiate", "split"),
                    harness.hops("initiate", "trunc.i64.i1") + 4 +
                        harness.hops("trunc.i64.i1", steer, 1)) +
           1 + harness.hops(steer, node) + latency +
           harness.hops(node, "merge", input);
  };
  EXPECT_EQ(int64_t(odd) - int64_t(even),
            int64_t(length("steer_if", "add.i64", 4, 0)) -
                int64_t(length("steer_unless", "mul.i64", 5, 1)));
}

// Two kernels in turn: each is fetched once, and configured each time.
TEST(Sgmf, AKernelIsFetchedOnce) {
  Machine machine = sgmfMachine();
  Harness harness(machine, twoWays(machine));
  KernelImage other(harness.configuration.kernels[0], machine, {});
  alignas(4096) static uint64_t results[4];
  for (int i = 0; i != 3; ++i)
    for (KernelImage *kernel : {&harness.image, &other}) {
      VgiwTile tile;
      tile.kernel = kernel;
      tile.threads = 4;
      tile.parameters = {addressOf(results)};
      harness.processor.core(0).run(tile);
    }
  EXPECT_EQ(harness.statistics.value("sgmf.configurations"), 6u);
  EXPECT_EQ(harness.statistics.value("sgmf.fetches"), 2u);
  EXPECT_EQ(harness.statistics.value("sgmf.stored"), 4u);
  // A cycle passes until the core sees that a configuration is there.
  EXPECT_EQ(harness.statistics.value("sgmf.cycles_fetching"), 2 * kFetch + 4);
}

/// Initiator and terminator, and nothing between them.
std::string nothing(const Machine &machine) {
  BlockBuilder block(machine.fabric);
  block.terminate({block.initiate()});
  return configurationText(machine, {block.build(0, {"exit"})}, 0);
}

TEST(Sgmf, ATileEndsWhenItsLastThreadDoes) {
  auto cycles = [](const Overrides &overrides, uint32_t threads) {
    Machine machine = sgmfMachine(overrides);
    Harness harness(machine, nothing(machine));
    harness.run(1, 0); // configures
    return harness.run(threads, 0) - harness.hops("initiate", "terminate");
  };
  // The batch comes, the initiator starts the thread, the terminator ends it.
  EXPECT_EQ(cycles({}, 1), 1u + 1 + 1);
  // An initiator starts a thread a cycle.
  EXPECT_EQ(cycles({}, 64) - cycles({}, 1), 63u);
  // A batch takes its time to come.
  EXPECT_EQ(cycles({{"control.batch_cycles", "6"}}, 1) - cycles({}, 1), 5u);
  // The tile is over when the terminator is done.
  EXPECT_EQ(cycles({{"operations.terminate", "6"}}, 1) - cycles({}, 1), 5u);
}

/// Counts from the thread's number down to 0, and stores the number of
/// iterations.
std::string countDown(const Machine &machine) {
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();                         // 0
  uint32_t copy = block.node("split", {thread});              // 1
  uint32_t zero = block.node("and.i64", {copy, constant(0)}); // 2
  // Nodes 8 and 10 are the steers back.
  uint32_t left = block.node("merge", {copy, In(uint32_t(8))});   // 3
  uint32_t count = block.node("merge", {zero, In(uint32_t(10))}); // 4
  uint32_t less = block.node("sub.i64", {left, constant(1)});     // 5
  uint32_t more = block.node("add.i64", {count, constant(1)});    // 6
  // The condition waits for all of the iteration.
  uint32_t again = block.node("ne.i64", {less, constant(0), more}); // 7
  block.node("steer_if", {less, again});                            // 8
  uint32_t result = block.node("steer_unless", {more, again});      // 9
  block.node("steer_if", {more, again});                            // 10
  uint32_t place = block.node("mad.i64", {copy, constant(8), parameter(0)});
  block.terminate({block.node("store.i64", {place, result})});
  return configurationText(machine, {block.build(0, {"exit"})}, 1);
}

TEST(Sgmf, AnIterationTakesTheTimeOfItsRing) {
  Machine machine = sgmfMachine();
  Harness harness(machine, countDown(machine));
  alignas(4096) static uint64_t results[40];
  uint64_t base = addressOf(results);
  harness.run(1, 1, {base});
  uint64_t few = harness.run(1, 3, {base}), more = harness.run(1, 4, {base}),
           many = harness.run(1, 33, {base});
  EXPECT_EQ(results[33], 33u);
  EXPECT_EQ(many - few, 30 * (more - few));
  // At least two merges or steers, an addition and a comparison, and links.
  EXPECT_GE(more - few, 1u + 4 + 4 + 1 + 4);
}

TEST(Sgmf, ThreadsWithLoopsShareTheFabric) {
  for (const char *entries : {"1", "3", "61"}) {
    Machine machine = sgmfMachine({{"fabric.token_buffer_entries", entries}});
    Harness harness(machine, countDown(machine));
    alignas(4096) static uint64_t results[700];
    std::fill(std::begin(results), std::end(results), 0);
    harness.run(600, 1, {addressOf(results)});
    for (uint64_t i = 1; i <= 600; ++i)
      ASSERT_EQ(results[i], i) << entries;
  }
}

/// A steer drops what a division gives, long after the thread has ended.
std::string lateDrop(const Machine &machine) {
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();
  uint32_t slow = block.node("udiv.i64", {thread, constant(3)});
  uint32_t none = block.node("and.i64", {thread, constant(0)});
  uint32_t no = block.node("trunc.i64.i1", {none});
  uint32_t dropped = block.node("steer_if", {slow, no});
  block.terminate({block.node("merge", {thread, dropped})});
  return configurationText(machine, {block.build(0, {"exit"})}, 0);
}

TEST(Sgmf, ATokenWaitsForAPlaceThatALateSteerHas) {
  Machine machine = sgmfMachine({{"fabric.token_buffer_entries", "1"}});
  Harness harness(machine, lateDrop(machine));
  uint64_t cycles = harness.run(50, 0);
  EXPECT_EQ(harness.statistics.value("fabric.steered"), 50u);
  EXPECT_GT(harness.statistics.value("fabric.taken"), 0u);
  // The threads do not wait for the divisions of those before them.
  EXPECT_LT(cycles, 50 * 145u);
}

std::string refusalOf(const Machine &machine, const std::string &text) {
  std::string error;
  EXPECT_FALSE(Configuration::parse(text, "c.json", machine, error));
  return error;
}

TEST(Sgmf, ConfigurationsThatAreNoGraphAreRefused) {
  Machine machine = sgmfMachine();
  BlockBuilder ring(machine.fabric);
  uint32_t thread = ring.initiate();
  ring.node("add.i64", {thread, In(uint32_t(2))});
  uint32_t back = ring.node("mov.i64", {In(uint32_t(1))});
  ring.terminate({back});
  EXPECT_NE(refusalOf(machine,
                      configurationText(machine, {ring.build(0, {"exit"})}, 0))
                .find("waits for itself; tokens go round in a ring"),
            std::string::npos);

  BlockBuilder one(machine.fabric), two(machine.fabric);
  one.terminate({one.initiate()});
  two.terminate({two.initiate()});
  EXPECT_EQ(
      refusalOf(machine,
                configurationText(
                    machine, {one.build(0, {1}), two.build(1, {"exit"})}, 0)),
      "c.json: kernels[0].blocks: has 2 blocks; on a machine of kind "
      "'sgmf' a kernel is one graph");

  Machine vgiw = shippedMachine();
  BlockBuilder steered(vgiw.fabric);
  uint32_t start = steered.initiate();
  steered.terminate({steered.node("steer_if", {start, constant(1)})});
  EXPECT_NE(
      refusalOf(vgiw, configurationText(vgiw, {steered.build(0, {"exit"})}, 0))
          .find("is 'steer_if', which only machines of kind 'sgmf' have"),
      std::string::npos);
}

TEST(Sgmf, MachinesHaveNoPartsOfVgiwAlone) {
  Machine machine = sgmfMachine();
  std::string error;
  EXPECT_FALSE(machine.set("control.cvt_bits=64", error));
  EXPECT_EQ(error, "control.cvt_bits: is no parameter of a machine of kind "
                   "'sgmf', but of 'vgiw'; section control has "
                   "configuration_passes, pass_cycles, reset_cycles, "
                   "stored_configurations, fetch_cycles, batch_cycles");
  EXPECT_FALSE(machine.set("lvc.ways=1", error));
  EXPECT_TRUE(
      error.starts_with("lvc.ways: is no parameter of a machine of kind "
                        "'sgmf', but of 'vgiw'; kind 'sgmf' has name, "))
      << error;
  EXPECT_FALSE(machine.set("fabric.channel_release=window", error));
  EXPECT_EQ(error, "fabric.channel_release: is window, which graphs with loops "
                   "do not allow; use terminator");
}

} // namespace
