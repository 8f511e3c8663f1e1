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

#include "dispatch/Aggregator.h"
#include "CoreHarness.h"

#include <gtest/gtest.h>

using namespace chansim;

namespace {

constexpr chan_field kFields[] = {{0, 8}};
const chan_channel kTree = {"tree.0", nullptr, kFields, 1, 8, 0, CHAN_ENTRY,
                            nullptr,  nullptr, nullptr, 0, 0, 0};

/// Spawns a child: `reserve` in this block, the rest in the next. All fields of its
/// element are one less than live value 0.
void addSpawn(const Machine &machine, std::vector<OrderedJson> &blocks,
              OrderedJson next, uint32_t fields = 1) {
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
  uint32_t free = fill.liveLoad(1, thread);
  std::vector<In> done = {parameter(1, 16), constant(1)};
  for (uint32_t field = 0; field != fields; ++field) {
    uint32_t place =
        fill.node("mad.i64", {free, constant(8), parameter(2 + field)});
    done.push_back(fill.node("store.i64", {place, less}));
  }
  fill.terminate({fill.node("atomic_add.i64", done)});
  blocks.push_back(fill.build(id + 1, {std::move(next)}));
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
  leaf.terminate({leaf.node("atomic_add.i64",
                            {symbol(1), parameter(4), leaf.initiate()})});
  blocks.push_back(leaf.build(1, {"exit"}));
  addSpawn(machine, blocks, 4);
  addSpawn(machine, blocks, "exit");
  OrderedJson text = OrderedJson::parse(
      configurationText(machine, blocks, 5, 2, {"tree", "leaves"}));
  OrderedJson &kernel = text["kernels"][0];
  kernel["consumes"] = 0;
  kernel["parameters"] = {
      {{"kind", "field"}, {"field", 0}},
      {{"kind", "control"}, {"stack", 0}, {"level", 1}},
      {{"kind", "column"}, {"stack", 0}, {"level", 1}, {"field", 0}},
      // 0, and of that 1: what a leaf adds.
      {{"kind", "computed"},
       {"operation", "sub.i64"},
       {"operands", {{{"param", 0}}, {{"param", 0}}}}},
      {{"kind", "computed"},
       {"operation", "add.i64"},
       {"operands", {{{"param", 3}}, {{"const", 1}}}}}};
  return text.dump();
}

constexpr chan_field kRangeFields[] = {{0, 8}, {8, 8}};
const chan_channel kRanges = {"ranges.0", nullptr, kRangeFields, 2,       16, 0,
                              CHAN_ENTRY, nullptr, nullptr,      nullptr, 0,  0,
                              0};

/// tree(n) spawns two ranges, each of n - 1 iterations from n - 1 on. There is a kernel
/// for one range, which adds up the numbers of the iterations, and none for several.
std::string rangesText(const Machine &machine) {
  std::vector<OrderedJson> blocks;
  BlockBuilder entry(machine.fabric);
  uint32_t place =
      entry.node("mad.i64", {entry.initiate(), constant(8), parameter(0)});
  entry.terminate({entry.liveStore(0, entry.node("load.i64", {place}))});
  blocks.push_back(entry.build(0, {1}));
  addSpawn(machine, blocks, 3, 2);
  addSpawn(machine, blocks, "exit", 2);
  OrderedJson text = OrderedJson::parse(
      configurationText(machine, blocks, 4, 2, {"tree", "sum", "ranges"}));
  OrderedJson &tree = text["kernels"][0];
  tree["consumes"] = 0;
  tree["parameters"] = {
      {{"kind", "field"}, {"field", 0}},
      {{"kind", "control"}, {"stack", 2}, {"level", 1}},
      {{"kind", "column"}, {"stack", 2}, {"level", 1}, {"field", 0}},
      {{"kind", "column"}, {"stack", 2}, {"level", 1}, {"field", 1}}};
  BlockBuilder iteration(machine.fabric);
  uint32_t number = iteration.initiate();
  iteration.terminate({iteration.node("atomic_add.i64", {symbol(1), number})});
  OrderedJson range = OrderedJson::parse(
      configurationText(machine, {iteration.build(0, {"exit"})}))["kernels"][0];
  range["name"] = "ranges";
  range["consumes"] = 2;
  range["launch"] = "range";
  text["kernels"].push_back(std::move(range));
  return text.dump();
}

/// A machine that runs trees.
struct TreeMachine {
  explicit TreeMachine(const Machine &machine)
      : engine(machine), processor(machine, engine, statistics),
        aggregator(machine, engine, processor, program, statistics) {
    uint64_t symbols[] = {addressOf(&kTree), addressOf(&leaves)};
    program.load(treeText(machine), "test.json", symbols, machine);
  }

  void run(uint64_t n) {
    block = {{&kTree, 1, 1, nullptr, 0}, n};
    aggregator.run(&block.header);
  }
  uint64_t cycle() const { return engine.coreCycle(); }
  uint64_t count(const char *name) const { return statistics.value(name); }

  Statistics statistics;
  Engine engine;
  Processor processor;
  Program program;
  Aggregator aggregator;
  uint64_t leaves = 0;
  /// Loads of it meet the bank of L2 and the channel of DRAM to which its place in
  /// a page belongs.  So it has the same place in each run of a test: on the stack
  /// it would not, if that is the sanitizer's (detect_stack_use_after_return).
  struct {
    chan_block header;
    uint64_t n;
  } block = {};
};

class AggregatorTest : public testing::Test {
protected:
  // Then an action takes as long for each kernel.
  AggregatorTest() { machine.aggregator.operationCycles = 0; }

  void run(uint64_t n) {
    tree.emplace(machine);
    tree->run(n);
  }
  uint64_t count(const char *name) const {
    return tree->count((std::string("aggregator.") + name).c_str());
  }

  Machine machine = shippedMachine();
  std::optional<TreeMachine> tree;
};

TEST_F(AggregatorTest, ALevelIsABatch) {
  run(5);
  EXPECT_EQ(tree->leaves, 32u);
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
  EXPECT_EQ(tree->leaves, 32u);
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
  EXPECT_EQ(tree->leaves, 512u);
  // What the first tile of a level leaves goes before its second.
  EXPECT_EQ(count("batches"), 7u + 2 + 4);
  EXPECT_EQ(count("tiles"), 7u + 2 + 4 + 8);
}

TEST_F(AggregatorTest, ActionsTakeTheirTime) {
  run(3);
  uint64_t cycles = tree->cycle();
  machine.aggregator.dispatchCycles += 1000;
  run(3);
  // Edges of the slower clocks may lie differently.
  EXPECT_NEAR(double(tree->cycle()), double(cycles + 4000), 200);
}

TEST_F(AggregatorTest, ComputedParametersTakeTheirTime) {
  run(3);
  uint64_t cycles = tree->cycle();
  machine.aggregator.operationCycles += 1000;
  run(3);
  // Two in each of four tiles.
  EXPECT_NEAR(double(tree->cycle()), double(cycles + 8000), 200);
}

TEST_F(AggregatorTest, RangesWithoutAKernelForSeveralHaveTheirOwnTiles) {
  Statistics statistics;
  Engine engine(machine);
  Processor processor(machine, engine, statistics);
  Program program;
  Aggregator aggregator(machine, engine, processor, program, statistics);
  uint64_t sum = 0;
  uint64_t symbols[] = {addressOf(&kTree), addressOf(&sum),
                        addressOf(&kRanges)};
  program.load(rangesText(machine), "test.json", symbols, machine);
  struct {
    chan_block header;
    uint64_t n;
  } block = {{&kTree, 1, 1, nullptr, 0}, 4};
  aggregator.run(&block.header);
  EXPECT_EQ(sum, 2u * (3 + 4 + 5));
  EXPECT_EQ(statistics.value("aggregator.batches"), 1u);
  EXPECT_EQ(statistics.value("aggregator.elements"), 2u);
  EXPECT_EQ(statistics.value("aggregator.tiles"), 3u);
}

TEST_F(AggregatorTest, RunsOneTreeAfterAnother) {
  run(4);
  tree->run(4);
  tree->run(0);
  EXPECT_EQ(tree->leaves, 33u);
  EXPECT_EQ(count("elements"), 60u);
}

TEST_F(AggregatorTest, CyclesThatAreLeftOutChangeNothing) {
  machine.aggregator.channelWidth = 20;
  machine.aggregator.leastTile = 64;
  for (uint32_t cores : {1, 3}) {
    machine.cores = cores;
    std::string counters[2];
    uint64_t steps[2];
    for (bool isAwake : {false, true}) {
      tree.emplace(machine);
      std::optional<Insomnia> insomnia;
      if (isAwake)
        insomnia.emplace(tree->engine);
      StepCounter counter(tree->engine);
      tree->run(6);
      tree->run(3);
      counters[isAwake] = tree->statistics.json({machine, "test"});
      steps[isAwake] = counter.steps;
    }
    EXPECT_EQ(counters[0], counters[1]);
    EXPECT_LT(steps[0], steps[1]);
  }
}

//===----------------------------------------------------------------------===//
// Several cores
//===----------------------------------------------------------------------===//

/// When cores get their tiles, and lose them.
struct BusyCycles : Observer {
  BusyCycles(Engine &engine, Processor &processor)
      : engine(engine), processor(processor), begins(processor.coreCount()),
        ends(processor.coreCount()) {}

  void observe() override {
    for (uint32_t core = 0; core != begins.size(); ++core) {
      bool isBusy =
          static_cast<VgiwCore &>(processor.core(core)).bbs().state() !=
          Scheduler::State::idle;
      bool wasBusy = begins[core].size() != ends[core].size();
      if (isBusy != wasBusy)
        (isBusy ? begins : ends)[core].push_back(engine.coreCycle());
    }
  }

  Engine &engine;
  Processor &processor;
  std::vector<std::vector<uint64_t>> begins, ends;
};

TEST_F(AggregatorTest, TilesOfABatchRunOnSeveralCoresAtOnce) {
  machine.cores = 2;
  machine.aggregator.leastTile = 64;
  tree.emplace(machine);
  BusyCycles busy(tree->engine, tree->processor);
  tree->engine.setObserver(busy, 1);
  // The 128 leaves are the first batch of more than a tile of 64.
  tree->run(7);
  EXPECT_EQ(tree->leaves, 128u);
  ASSERT_EQ(busy.begins[1].size(), 1u);
  ASSERT_EQ(busy.ends[1].size(), 1u);
  // One action after another; the second tile begins while the first runs, and
  // takes as many cycles or more.
  EXPECT_EQ(busy.begins[1][0],
            busy.begins[0].back() + machine.aggregator.dispatchCycles);
  EXPECT_GT(busy.ends[0].back(), busy.begins[1][0]);
  EXPECT_GT(busy.ends[1][0], busy.ends[0].back());
  EXPECT_EQ(tree->count("core.1.tiles"), 1u);
  EXPECT_EQ(tree->count("core.0.tiles") + 1, tree->count("core.tiles"));
  EXPECT_EQ(tree->count("core.0.busy_cycles") +
                tree->count("core.1.busy_cycles"),
            tree->count("bbs.cycles"));
}

TEST_F(AggregatorTest, CoresDoNotChangeTheAnswer) {
  machine.aggregator.leastTile = 64;
  for (uint32_t cores : {2, 3, 16, 64})
    for (uint32_t width : {1, 40, 4096})
      for (uint32_t words : {1, 100}) {
        machine.cores = cores;
        machine.aggregator.channelWidth = width;
        machine.control.cvtBits = words * 6 * 64;
        run(8);
        EXPECT_EQ(tree->leaves, 256u) << cores << " " << width;
        EXPECT_EQ(count("elements"), 510u);
      }
}

TEST_F(AggregatorTest, CyclesOfSeveralCoresAreAlwaysTheSame) {
  machine.aggregator.leastTile = 64;
  auto cycles = [&](uint32_t cores) {
    machine.cores = cores;
    run(10);
    return tree->cycle();
  };
  EXPECT_EQ(cycles(5), cycles(5));
  EXPECT_LT(cycles(4), cycles(2));
}

TEST_F(AggregatorTest, EachOfSeveralCoresWritesBackWhatItsTilesDid) {
  run(5);
  EXPECT_EQ(tree->count("memory.flushes"), 1u);
  machine.cores = 2;
  run(5);
  EXPECT_EQ(tree->count("memory.flushes"), tree->count("core.tiles"));
}

TEST_F(AggregatorTest, AStallNamesTheCoresAndWhatTheyRun) {
  machine.cores = 2;
  tree.emplace(machine);
  // What a checked configuration cannot do: links are cut.
  for (ImageNode &node :
       static_cast<KernelImage &>(*tree->program.deviceKernels()[0].code)
           .blocks[0]
           .nodes)
    node.lastEdge = node.firstEdge;
  try {
    tree->run(0);
    FAIL() << "it ran";
  } catch (const Stalled &stalled) {
    std::string text = stalled.what();
    EXPECT_NE(text.find("  core 0:\n  BBS: kernel 'kernel' block 0: 1 threads "
                        "were sent and are not back\n"),
              text.npos)
        << text;
    EXPECT_NE(text.find("  aggregator: waits for core 0, which runs a tile of "
                        "kernel 'kernel' at level 0\n"),
              text.npos)
        << text;
  }
}

} // namespace
