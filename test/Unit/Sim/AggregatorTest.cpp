//===- AggregatorTest.cpp - Who runs when ---------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tree(n): a leaf, which counts, if n is 0, and otherwise two children.
//
//===----------------------------------------------------------------------===//

#include "Aggregator.h"
#include "CoreHarness.h"

#include <gtest/gtest.h>

using namespace chansim;

namespace {

constexpr chan_field kFields[] = {{0, 8}};
const chan_channel kTree = {"tree.0", nullptr, kFields,    1,
                            8,        0,       CHAN_ENTRY, nullptr};

/// Spawns a child: `reserve` in this block, the rest in the next.
void addSpawn(const Machine &machine, std::vector<OrderedJson> &blocks) {
  uint32_t id = static_cast<uint32_t>(blocks.size());
  BlockBuilder talloc(machine.fabric);
  uint32_t index =
      talloc.node("reserve.i64", {parameter(1), talloc.initiate()});
  uint32_t hasRoom = talloc.node("sge.i64", {index, constant(0)});
  talloc.terminate({hasRoom, talloc.liveStore(1, index)});
  blocks.push_back(talloc.build(id, {id + 1, OrderedJson{{"yield", id}}}));

  BlockBuilder fill(machine.fabric);
  uint32_t thread = fill.initiate();
  uint32_t less = fill.node("sub.i64", {fill.liveLoad(0, thread), constant(1)});
  uint32_t place = fill.node(
      "mad.i64", {fill.liveLoad(1, thread), constant(8), parameter(2)});
  uint32_t stored = fill.node("store.i64", {place, less});
  fill.terminate(
      {fill.node("atomic_add.i64", {parameter(1, 16), constant(1), stored})});
  blocks.push_back(fill.build(
      id + 1, {blocks.size() < 5 ? OrderedJson(id + 2) : OrderedJson("exit")}));
}

std::string treeText(const Machine &machine) {
  std::vector<OrderedJson> blocks;
  BlockBuilder entry(machine.fabric);
  uint32_t place =
      entry.node("mad.i64", {entry.initiate(), constant(8), parameter(0)});
  uint32_t n = entry.node("load.i64", {place});
  uint32_t isInner = entry.node("ne.i64", {n, constant(0)});
  entry.terminate({isInner, entry.liveStore(0, n)});
  blocks.push_back(entry.build(0, {2, 1}));
  BlockBuilder leaf(machine.fabric);
  leaf.terminate(
      {leaf.node("atomic_add.i64", {symbol(1), constant(1), leaf.initiate()})});
  blocks.push_back(leaf.build(1, {"exit"}));
  addSpawn(machine, blocks);
  addSpawn(machine, blocks);
  OrderedJson text = OrderedJson::parse(
      configurationText(machine, blocks, 3, 2, {"tree", "leaves"}));
  OrderedJson &kernel = text["kernels"][0];
  kernel["consumes"] = 0;
  kernel["parameters"] = {
      {{"kind", "field"}, {"field", 0}},
      {{"kind", "control"}, {"stack", 0}, {"level", 1}},
      {{"kind", "column"}, {"stack", 0}, {"level", 1}, {"field", 0}}};
  return text.dump();
}

class AggregatorTest : public testing::Test {
protected:
  void run(uint64_t n) {
    engine.emplace(machine);
    processor.emplace(machine, *engine, statistics);
    uint64_t symbols[] = {addressOf(&kTree), addressOf(&leaves)};
    program.load(treeText(machine), "test.json", symbols, machine);
    aggregator.emplace(machine, *engine, *processor, program, statistics);
    again(n);
  }
  void again(uint64_t n) {
    struct {
      chan_block header;
      uint64_t n;
    } block = {{&kTree, 1, 1, nullptr, 0}, n};
    aggregator->run(&block.header);
  }
  uint64_t count(const char *name) const {
    return statistics.value(std::string("aggregator.") + name);
  }

  Machine machine = shippedMachine();
  Statistics statistics;
  std::optional<Engine> engine;
  std::optional<Processor> processor;
  Program program;
  std::optional<Aggregator> aggregator;
  uint64_t leaves = 0;
};

TEST_F(AggregatorTest, ALevelIsABatch) {
  run(5);
  EXPECT_EQ(leaves, 32u);
  EXPECT_EQ(count("levels"), 7u); // that of a leaf's children included
  EXPECT_EQ(count("batches"), 5u);
  EXPECT_EQ(count("elements"), 62u);
  EXPECT_EQ(count("tiles"), 6u);
  EXPECT_EQ(count("wavefront_yields"), 0u);
  EXPECT_EQ(count("cycles"), 6u * machine.aggregator.dispatchCycles);
}

TEST_F(AggregatorTest, FullChannelsYield) {
  machine.aggregator.channelWidth = 1;
  run(5);
  EXPECT_EQ(leaves, 32u);
  EXPECT_EQ(count("elements"), 62u);
  // One by one: each inner thread's second child finds the first in its way.
  EXPECT_EQ(count("tiles"), 63u);
  EXPECT_EQ(count("wavefront_yields"), 31u);
  EXPECT_EQ(count("cycles"), 63u * machine.aggregator.dispatchCycles +
                                 31u * machine.aggregator.resumeCycles);
}

TEST_F(AggregatorTest, BatchesAreCutIntoTiles) {
  machine.control.cvtBits = 6 * 64; // a word for each block
  run(9);
  EXPECT_EQ(leaves, 512u);
  // What the first tile of a level leaves goes before its second.
  EXPECT_EQ(count("batches"), 7u + 2 + 4);
  EXPECT_EQ(count("tiles"), 7u + 2 + 4 + 8);
}

TEST_F(AggregatorTest, ActionsTakeTheirTime) {
  run(3);
  uint64_t cycles = engine->cycle(Clock::core);
  machine.aggregator.dispatchCycles += 1000;
  Statistics other;
  Engine otherEngine(machine);
  Processor otherProcessor(machine, otherEngine, other);
  Aggregator second(machine, otherEngine, otherProcessor, program, other);
  struct {
    chan_block header;
    uint64_t n;
  } block = {{&kTree, 1, 1, nullptr, 0}, 3};
  second.run(&block.header);
  EXPECT_EQ(leaves, 16u);
  // Edges of the slower clocks may lie differently.
  EXPECT_NEAR(double(otherEngine.cycle(Clock::core)), double(cycles + 4000),
              200);
}

TEST_F(AggregatorTest, RunsOneTreeAfterAnother) {
  run(4);
  again(4);
  again(0);
  EXPECT_EQ(leaves, 33u);
  EXPECT_EQ(count("elements"), 60u);
}

} // namespace
