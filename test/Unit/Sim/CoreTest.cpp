//===- CoreTest.cpp - The core, to the cycle ------------------------------===//
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

/// When the first thread of a tile starts: its configuration has been fetched
/// (294) and has passed over the fabric (34), and its batch has come (1).
constexpr uint64_t kFirst = kFetch + 34 + 1;

/// initiate -> terminate of one replica, at these places.
std::string straight(const Machine &machine, Place from = {3, 0},
                     Place to = {3, 1}) {
  BlockBuilder block(machine.fabric);
  block.terminate({block.initiate(from)}, to);
  return configurationText(machine, {block.build(0, {"exit"})});
}

TEST(Core, AThread) {
  Machine machine = shippedMachine();
  CoreHarness harness(machine, straight(machine));
  // Starts, 1 cycle, 1 hop, ends; the next cycle the scheduler knows.
  EXPECT_EQ(harness.run(1), kFirst + 1 + 1 + 1);
  machine.operations.terminate = 5;
  CoreHarness slow(machine, straight(machine));
  EXPECT_EQ(slow.run(1), kFirst + 1 + 1 + 5);
}

TEST(Core, HopsTakeACycleEach) {
  Machine machine = shippedMachine();
  for (auto [from, to, hops] : {std::tuple(Place{1, 3}, Place{0, 4}, 2),
                                std::tuple(Place{1, 3}, Place{1, 5}, 3)}) {
    CoreHarness harness(machine, straight(machine, from, to));
    EXPECT_EQ(harness.run(1), kFirst + 1 + hops + 1);
    EXPECT_EQ(harness.count("fabric.hops"), uint64_t(hops));
  }
  machine.fabric.hopCycles = 4;
  CoreHarness slow(machine, straight(machine, {1, 3}, {1, 5}));
  EXPECT_EQ(slow.run(1), kFirst + 1 + 3 * 4 + 1);
}

TEST(Core, AnOperationTakesItsLatency) {
  Machine machine = shippedMachine();
  auto cycles = [&](const char *op) {
    BlockBuilder block(machine.fabric);
    uint32_t thread = block.initiate(Place{3, 1});
    uint32_t result = block.node(op, {thread, constant(3)});
    block.terminate({result});
    CoreHarness harness(machine,
                        configurationText(machine, {block.build(0, {"exit"})}));
    uint64_t hops = 0;
    for (const Edge &edge : harness.configuration.kernels[0].blocks[0].edges)
      hops += edge.hops;
    return harness.run(1) - kFirst - 1 - hops - 1;
  };
  EXPECT_EQ(cycles("add.i64"), 4u);
  EXPECT_EQ(cycles("mul.i64"), 5u);
  EXPECT_EQ(cycles("udiv.i64"), 145u);
  EXPECT_EQ(cycles("fdiv.f32"), 39u);
  EXPECT_EQ(cycles("fadd.f64"), 8u);
}

TEST(Core, AThreadACycle) {
  Machine machine = shippedMachine();
  CoreHarness harness(machine, straight(machine));
  uint64_t one = harness.run(1) - kFetch;
  for (uint32_t threads : {2, 64, 100, 1000})
    // Batches are double-buffered: no cycle is lost between them.
    EXPECT_EQ(harness.run(threads), one + threads - 1) << threads;
}

TEST(Core, ASpecialUnitStartsEachCycle) {
  Machine machine = shippedMachine();
  machine.fabric.tokenBufferEntries = 256;
  BlockBuilder block(machine.fabric);
  uint32_t quotient = block.node("udiv.i64", {block.initiate(), constant(3)});
  block.terminate({quotient});
  CoreHarness harness(machine,
                      configurationText(machine, {block.build(0, {"exit"})}));
  uint64_t one = harness.run(1) - kFetch;
  EXPECT_EQ(harness.run(200), one + 199);
}

TEST(Core, VirtualChannelsLimitThreadsInFlight) {
  Machine machine = shippedMachine();
  // A thread has its channel for 2 cycles: it starts, and ends 2 cycles later;
  // in the next cycle another one has it.
  uint64_t turn = 1 + 1 + 1;
  for (uint32_t channels : {1, 2, 3, 4}) {
    machine.fabric.tokenBufferEntries = channels;
    CoreHarness harness(machine, straight(machine));
    uint64_t one = harness.run(1) - kFetch;
    uint64_t waits = channels < turn ? turn - channels : 0;
    EXPECT_EQ(harness.run(60), one + 59 + 59 / channels * waits) << channels;
  }
}

TEST(Core, FanOut) {
  // One result to four consumers by four links, joined again.
  Machine machine = shippedMachine();
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();
  uint32_t copies[4];
  for (uint32_t &copy : copies)
    copy = block.node("add.i64", {thread, constant(1)});
  uint32_t sum = block.node("mad.i64", {copies[0], copies[1], copies[2]});
  uint32_t all = block.node("add.i64", {sum, copies[3]});
  uint64_t out[64] = {};
  uint32_t address = block.node("mad.i64", {all, constant(0), parameter(0)});
  uint32_t stored = block.node("store.i64", {address, all});
  block.terminate({stored});
  CoreHarness harness(
      machine, configurationText(machine, {block.build(0, {"exit"})}, 1));
  harness.run(1, {addressOf(out)});
  EXPECT_EQ(out[0], 1u * 1 + 1 + 1);
  // As many tokens as edges.
  EXPECT_EQ(harness.count("fabric.tokens"), 4 + 4 + 1 + 2 + 1 + 1);
  EXPECT_EQ(harness.count("fabric.fpu_alu_firings"), 7u);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Blocks one after another, each of one thread: initiate -> terminate.
std::string chain(const Machine &machine, uint32_t blocks) {
  std::vector<OrderedJson> list;
  for (uint32_t id = 0; id != blocks; ++id) {
    BlockBuilder block(machine.fabric);
    block.terminate({block.initiate(Place{3, 0})}, Place{3, 1});
    OrderedJson next =
        id + 1 == blocks ? OrderedJson("exit") : OrderedJson(id + 1);
    list.push_back(block.build(id, {next}));
  }
  return configurationText(machine, list);
}

/// From the end of a block's last thread to the start of the next block's
/// first: the scheduler asks for the partial batch (1), gets it (1), configures
/// the fabric, and sends a batch (1).
constexpr uint64_t kBetween = 1 + 1 + 1;

TEST(Core, Reconfiguration) {
  Machine machine = shippedMachine();
  machine.control.fetchCycles = 0;
  EXPECT_EQ(machine.control.reconfigurationCycles(), 34u);
  auto between = [&] {
    CoreHarness one(machine, chain(machine, 1)),
        two(machine, chain(machine, 2));
    // The second block's thread ends 2 cycles after its start.
    return two.run(1) - one.run(1) - 2;
  };
  EXPECT_EQ(between(), 34 + kBetween);
  // 34 = fixed + 2 x 11.
  machine.control.resetCycles = 0;
  EXPECT_EQ(between(), 22 + kBetween);
  machine.control.configurationPasses = 1;
  EXPECT_EQ(between(), 11 + kBetween);
}

TEST(Core, ConfigurationsAreFetchedWhileABlockRuns) {
  Machine machine = shippedMachine();
  auto waited = [&](uint32_t threads) {
    CoreHarness harness(machine, chain(machine, 2));
    harness.run(threads);
    return harness.count("bbs.cycles_fetching") - kFetch;
  };
  // Streaming begins, and with it the fetch, which takes 294 cycles.  The first
  // block streams for `threads` + 4 cycles until the next is chosen, and for
  // one more if two partial batches are left.
  EXPECT_EQ(waited(1), kFetch - (1 + 4));
  EXPECT_EQ(waited(100), kFetch - (100 + 5));
  EXPECT_EQ(waited(288), 1u);
  EXPECT_EQ(waited(289), 0u);
  EXPECT_EQ(waited(500), 0u);
}

TEST(Core, TheFifoHoldsTheBlocksThatMayFollow) {
  Machine machine = shippedMachine();
  CoreHarness harness(machine, chain(machine, 4));
  harness.run(1000);
  // The entry is fetched when it is needed, the others before.
  EXPECT_EQ(harness.count("bbs.blocks"), 4u);
  EXPECT_EQ(harness.count("bbs.fetches"), 4u);
  EXPECT_EQ(harness.count("bbs.prefetched"), 3u);
  EXPECT_EQ(harness.count("bbs.cycles_configuring"), 4u * 34);
}

// The store keeps the blocks' configurations for the next tile (VGIW, 3.2).
TEST(Core, AKernelIsFetchedOnce) {
  Machine machine = shippedMachine();
  CoreHarness harness(machine, chain(machine, 4));
  uint64_t first = harness.run(1000);
  EXPECT_EQ(first - harness.run(1000), kFetch);
  EXPECT_EQ(harness.count("bbs.fetches"), 4u);
  EXPECT_EQ(harness.count("bbs.stored"), 4u);
  EXPECT_EQ(harness.count("bbs.cycles_fetching"), kFetch);
  EXPECT_EQ(harness.count("bbs.cycles_configuring"), 8u * 34);
}

TEST(Core, TheStoreKeepsThoseThatWereUsedLast) {
  auto fetches = [](uint32_t stored) {
    Machine machine = shippedMachine();
    machine.control.storedConfigurations = stored;
    machine.control.fifoEntries = 1;
    CoreHarness harness(machine, chain(machine, 4));
    harness.run(1000);
    harness.run(1000);
    return harness.count("bbs.fetches");
  };
  // Blocks 0 to 3, twice: each is replaced before it comes again, if fewer fit.
  EXPECT_EQ(fetches(4), 4u);
  EXPECT_EQ(fetches(3), 8u);
  EXPECT_EQ(fetches(0), 8u);
}

// Also if the FIFO had it.
TEST(Core, ADemandIsAUseOfTheStore) {
  Machine machine = shippedMachine();
  machine.control.storedConfigurations = 2;
  Statistics statistics;
  ConfigurationStore store(machine.control, "bbs", statistics);
  BlockImage a{}, b{}, c{};
  store.prefetch(a, 0);
  store.prefetch(b, 0);
  EXPECT_EQ(store.demand(a, 1000), 1000u);
  EXPECT_EQ(store.demand(c, 1000), 1000 + kFetch); // in place of b
  EXPECT_EQ(store.demand(a, 2000), 2000u);
  store.forgetFollowers();
  EXPECT_EQ(store.demand(b, 3000), 3000 + kFetch);
}

// A block branches to two others. Both are fetched in advance, and all threads
// go to the second one, whose turn would come after the first one's.
TEST(Core, TheChosenBlockIsFetchedBeforeOthers) {
  Machine machine = shippedMachine();
  BlockBuilder entry(machine.fabric);
  uint32_t thread = entry.initiate(Place{3, 0});
  entry.terminate({entry.node("mul.i64", {thread, constant(0)})});
  std::vector<OrderedJson> blocks = {
      entry.build(0, OrderedJson::array({1, 2}))};
  for (uint32_t id : {1, 2}) {
    BlockBuilder block(machine.fabric);
    block.terminate({block.initiate(Place{3, 0})}, Place{3, 1});
    blocks.push_back(block.build(id, {"exit"}));
  }
  CoreHarness harness(machine, configurationText(machine, blocks));
  harness.run(1);
  EXPECT_EQ(harness.count("bbs.fetches"), 3u);
  EXPECT_EQ(harness.count("bbs.prefetched"), 1u);
  // As if it were fetched when it was chosen: the entry was, too.
  EXPECT_EQ(harness.count("bbs.cycles_fetching"), 2 * kFetch);
}

TEST(Core, BatchesOfWordsThatHaveThreads) {
  Machine machine = shippedMachine();
  CoreHarness harness(machine, chain(machine, 2));
  harness.run(130);
  // 64, 64 and 2 threads, twice; those of the first block come back.
  EXPECT_EQ(harness.count("bbs.batches_sent"), 6u);
  EXPECT_EQ(harness.count("bbs.batches_received"), 3u);
  EXPECT_EQ(harness.count("cvt.writes"), 3u);
  EXPECT_EQ(harness.count("cvt.reads"), 6u);
  EXPECT_EQ(harness.count("bbs.threads"), 260u);
}

TEST(Core, BanksOfTheTable) {
  // One bank: reads of empty words between two batches take a cycle each, and
  // with eight banks eight of them take one.
  auto cycles = [&](uint32_t banks) {
    Machine machine = shippedMachine();
    machine.control.cvtBanks = banks;
    CoreHarness harness(machine, straight(machine));
    VgiwTile tile = harness.tile(64 * 17);
    ThreadSet set{0, std::vector<uint64_t>(17)};
    set.bits[0] = set.bits[16] = 1;
    tile.hasYielded = true;
    tile.yielded = {set};
    return harness.run(tile);
  };
  Machine machine = shippedMachine();
  CoreHarness harness(machine, straight(machine));
  uint64_t one = harness.run(1);
  // Word 16 is read in the cycle 16 / banks after word 0.
  EXPECT_EQ(cycles(1), one + 16);
  EXPECT_EQ(cycles(8), one + 2);
  EXPECT_EQ(cycles(16), one + 1);
}

TEST(Core, ConflictsOfUpdates) {
  // Two terminators send their partial batches, both for block 1, in the same
  // cycle; with one bank the second is written a cycle later.
  auto run = [&](uint32_t banks, uint64_t &conflicts) {
    Machine machine = shippedMachine();
    machine.control.cvtBanks = banks;
    std::vector<OrderedJson> blocks;
    for (uint32_t id : {0, 1}) {
      BlockBuilder block(machine.fabric);
      block.terminate({block.initiate(Place{3, 0})}, Place{3, 1});
      block.terminate({block.initiate(Place{8, 0})}, Place{8, 1});
      blocks.push_back(
          block.build(id, {id ? OrderedJson("exit") : OrderedJson(1)}));
    }
    CoreHarness harness(machine, configurationText(machine, blocks));
    uint64_t cycles = harness.run(128);
    conflicts = harness.count("cvt.conflicts");
    return cycles;
  };
  uint64_t conflicts;
  uint64_t eight = run(8, conflicts);
  EXPECT_EQ(conflicts, 0u);
  // One bank costs a cycle for the read of the second word, in each block, and
  // one for the second write; the terminators are then a cycle apart all the
  // same.
  uint64_t one = run(1, conflicts);
  EXPECT_EQ(conflicts, 1u);
  EXPECT_GT(one, eight);
}

TEST(Core, ReplicasShareTheVector) {
  Machine machine = shippedMachine();
  auto cycles = [&](uint32_t replicas) {
    BlockBuilder block(machine.fabric);
    const Place from[] = {{3, 0}, {8, 0}}, to[] = {{3, 1}, {8, 1}};
    for (uint32_t i = 0; i != replicas; ++i)
      block.terminate({block.initiate(from[i])}, to[i]);
    CoreHarness harness(machine,
                        configurationText(machine, {block.build(0, {"exit"})}));
    return harness.run(640);
  };
  // Words go to the replicas in turn: ten to one, or five to each of two.
  EXPECT_EQ(cycles(1), kFirst + 2 + 640);
  EXPECT_EQ(cycles(2), kFirst + 2 + 320);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST(Core, AStalledLoadIsOvertaken) {
  Machine machine = shippedMachine();
  // out[ticket] = thread, the ticket taken when the thread's load is done.
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();
  uint32_t copy = block.node("split", {thread});
  uint32_t address = block.node("mad.i64", {copy, constant(8), parameter(0)});
  uint32_t from = block.node("load.i64", {address});
  uint32_t value = block.node("load.i64", {from});
  uint32_t ticket =
      block.node("atomic_add.i64", {parameter(1), constant(1), value});
  uint32_t place = block.node("mad.i64", {ticket, constant(8), parameter(2)});
  uint32_t stored = block.node("store.i64", {place, copy});
  block.terminate({stored});
  CoreHarness harness(
      machine, configurationText(machine, {block.build(0, {"exit"})}, 3));

  alignas(4096) static uint64_t pointers[512], far[512], near[512];
  uint64_t tickets = 0, order[8] = {};
  auto parameters = [&] {
    return std::vector<uint64_t>{addressOf(pointers), addressOf(&tickets),
                                 addressOf(order)};
  };
  // Brings the lines in, and `far` not.
  for (uint64_t &pointer : pointers)
    pointer = addressOf(near);
  harness.run(8, parameters());
  EXPECT_EQ(tickets, 8u);
  for (uint64_t i = 0; i != 8; ++i)
    EXPECT_EQ(order[i], i);
  // Thread 2 misses: all others overtake it.
  pointers[2] = addressOf(far);
  tickets = 0;
  harness.run(8, parameters());
  EXPECT_EQ(std::vector<uint64_t>(order, order + 8),
            (std::vector<uint64_t>{0, 1, 3, 4, 5, 6, 7, 2}));
}

TEST(Core, ReservationsLimitAccessesUnderWay) {
  auto cycles = [&](uint32_t entries) {
    Machine machine = shippedMachine();
    machine.fabric.reservationEntries = entries;
    BlockBuilder block(machine.fabric);
    uint32_t value = block.node("load.i64", {parameter(0), block.initiate()});
    block.terminate({value});
    CoreHarness harness(
        machine, configurationText(machine, {block.build(0, {"exit"})}, 1));
    static uint64_t word;
    harness.run(1, {addressOf(&word)});
    return harness.run(10, {addressOf(&word)});
  };
  // A hit takes 35 cycles. With one entry the next access starts in the cycle
  // in which the last completed.
  uint64_t free = cycles(32);
  EXPECT_EQ(cycles(10), free);
  EXPECT_EQ(cycles(1), free + 9 * 34);
  EXPECT_EQ(cycles(5), free + 35 - 5);
}

TEST(Core, ResultsLeaveOneACycle) {
  // Loads of two threads wait for one line and complete at the same time.
  // Thread 1 stores a cycle after thread 0 could, also when thread 0 does not
  // as it waits for another load.
  Machine machine = shippedMachine();
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();
  uint32_t copy = block.node("split", {thread});
  uint32_t value = block.node("load.i64", {parameter(1), thread});
  uint32_t pointer = block.node("mad.i64", {copy, constant(8), parameter(0)});
  uint32_t other = block.node("load.i64", {block.node("load.i64", {pointer})});
  uint32_t place = block.node("mad.i64", {copy, constant(8), parameter(2)});
  uint32_t both = block.node("join", {value, other});
  block.terminate({block.node("store.i64", {place, both})});
  std::string text = configurationText(machine, {block.build(0, {"exit"})}, 3);

  alignas(4096) static uint64_t near[512], far[512], cold[512], pointers[512],
      out[512];
  // When the thread has stored.
  auto storedAt = [&](uint64_t thread, uint64_t *firstPointer) {
    CoreHarness harness(machine, text);
    std::fill(pointers, pointers + 512, addressOf(near));
    harness.run(2, {addressOf(pointers), addressOf(near), addressOf(out)});
    pointers[0] = addressOf(firstPointer);
    out[0] = out[1] = 0;
    cold[0] = 7;
    VgiwTile tile =
        harness.tile(2, {addressOf(pointers), addressOf(cold), addressOf(out)});
    uint64_t at = 0;
    harness.core.start(tile);
    harness.engine.run([&] {
      if (!at && out[thread])
        at = harness.cycle();
      return harness.core.isIdle();
    });
    return at;
  };
  EXPECT_EQ(storedAt(1, far), storedAt(0, near) + 1);
}

TEST(Core, UnitsTakeTurnsAtABank) {
  // Two replicas load one word, of one bank, and take tickets.
  Machine machine = shippedMachine();
  BlockBuilder block(machine.fabric);
  for (int replica = 0; replica != 2; ++replica) {
    uint32_t thread = block.initiate();
    uint32_t value = block.node("load.i64", {parameter(0), thread});
    uint32_t ticket =
        block.node("atomic_add.i64", {parameter(1), constant(1), value});
    uint32_t place = block.node("mad.i64", {ticket, constant(8), parameter(2)});
    block.terminate({block.node("store.i64", {place, thread})});
  }
  CoreHarness harness(
      machine, configurationText(machine, {block.build(0, {"exit"})}, 3));
  alignas(4096) static uint64_t word[512], tickets[512], order[512];
  harness.run(128, {addressOf(word), addressOf(tickets), addressOf(order)});
  auto second = std::count_if(order, order + 32,
                              [](uint64_t thread) { return thread >= 64; });
  EXPECT_GE(second, 12);
  EXPECT_LE(second, 20);
}

TEST(Core, EqualRunsTakeEqualCycles) {
  Machine machine = shippedMachine();
  auto cycles = [&](size_t shift) {
    BlockBuilder block(machine.fabric);
    for (int replica = 0; replica != 3; ++replica) {
      uint32_t thread = block.initiate();
      uint32_t address =
          block.node("mad.i64", {thread, constant(24), parameter(0)});
      uint32_t value = block.node("load.i64", {address});
      block.terminate({block.node("store.i64", {address, value})});
    }
    CoreHarness harness(
        machine, configurationText(machine, {block.build(0, {"exit"})}, 1));
    std::vector<uint64_t> room(20000 + shift * 512 + 512);
    uint64_t base = (addressOf(room.data()) + 4095) / 4096 * 4096;
    return harness.run(4000, {base + shift * 4096});
  };
  EXPECT_EQ(cycles(0), cycles(3));
}

//===----------------------------------------------------------------------===//
// Misuse, and what cannot go on
//===----------------------------------------------------------------------===//

TEST(Core, RefusesTilesThatDoNotFit) {
  Machine machine = shippedMachine();
  CoreHarness harness(machine, chain(machine, 8));
  EXPECT_EQ(harness.image.tileThreads(), 8192u);
  EXPECT_THROW(harness.run(8193), std::invalid_argument);
  EXPECT_THROW(harness.run(0), std::invalid_argument);
  EXPECT_THROW(harness.run(8, {1}), std::invalid_argument);
  VgiwTile tile = harness.tile(64);
  tile.hasYielded = true;
  tile.yielded = {{8, {1}}};
  EXPECT_THROW(harness.run(tile), std::invalid_argument);
  tile.yielded = {{0, {1}}, {1, {1}}};
  EXPECT_THROW(harness.run(tile), std::invalid_argument);
  tile = harness.tile(63);
  tile.hasYielded = true;
  tile.yielded = {{0, {uint64_t(1) << 63}}};
  EXPECT_THROW(harness.run(tile), std::invalid_argument);
  EXPECT_EQ(harness.run(8192) > 8192, true);
}

TEST(Core, TileThreads) {
  ControlParameters control = shippedMachine().control;
  // 65,536 bits; thread IDs have 16.
  EXPECT_EQ(tileThreads(control, 1), 65536u);
  EXPECT_EQ(tileThreads(control, 8), 8192u);
  EXPECT_EQ(tileThreads(control, 3), 65536u / 3 / 64 * 64);
  EXPECT_EQ(tileThreads(control, 1024), 64u);
  EXPECT_EQ(tileThreads(control, 1025), 0u);
  control.cvtBits = 1 << 20;
  EXPECT_EQ(tileThreads(control, 1), 65536u);
}

TEST(Core, LiveValuesOfATileFitTheLvc) {
  Machine machine = shippedMachine({{"control.tile_limit", "cvt"}});
  Kernel kernel{};
  kernel.blocks.resize(8);
  auto threads = [&](uint32_t liveValues) {
    kernel.liveValues = liveValues;
    return tileThreads(machine, kernel);
  };
  for (uint32_t liveValues : {0, 1, 100})
    EXPECT_EQ(threads(liveValues), 8192u);
  machine.control.tileLimit = TileLimit::lvc;
  // 65,536 bytes; a live value has 8, and the table's limit holds as well.
  EXPECT_EQ(threads(0), 8192u);
  EXPECT_EQ(threads(1), 8192u);
  EXPECT_EQ(threads(2), 4096u);
  EXPECT_EQ(threads(3), 8192u / 3 / 64 * 64);
  EXPECT_EQ(threads(128), 64u);
  // A word is the least, though the live values do not fit then.
  EXPECT_EQ(threads(129), 64u);
  kernel.blocks.resize(1024);
  EXPECT_EQ(threads(2), 64u);
}

// With as many threads as fit, no live value leaves the cache.
TEST(Core, NoLiveValueIsSpilled) {
  auto misses = [](const char *limit) {
    Machine machine = shippedMachine({{"control.tile_limit", limit}});
    std::vector<OrderedJson> blocks;
    for (uint32_t id : {0, 1}) {
      BlockBuilder block(machine.fabric);
      uint32_t copy = block.node("split", {block.initiate()});
      std::vector<In> done;
      for (uint32_t live = 0; live != 3; ++live)
        done.push_back(id ? block.liveLoad(live, copy)
                          : block.liveStore(live, copy));
      uint32_t all = block.node("join", {done[0], done[1], done[2]});
      block.terminate({all});
      blocks.push_back(
          block.build(id, {id ? OrderedJson("exit") : OrderedJson(1)}));
    }
    CoreHarness harness(machine, configurationText(machine, blocks, 0, 3));
    uint32_t threads = harness.image.tileThreads();
    harness.run(threads);
    // A line has 16 live values, and is missed when it is stored to first.
    return harness.count("lvc.misses") - threads * 3 / 16;
  };
  EXPECT_EQ(misses("lvc"), 0u);
  EXPECT_GT(misses("cvt"), 0u);
}

TEST(Core, TheWatchdogNamesTheWaitingUnits) {
  Machine machine = shippedMachine();
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();
  uint32_t first = block.node("mov.i64", {thread});
  uint32_t second = block.node("add.i64", {thread, first});
  block.terminate({second});
  CoreHarness harness(machine,
                      configurationText(machine, {block.build(0, {"exit"})}));
  // What a checked configuration cannot do: a link is cut.
  BlockImage &image = harness.image.blocks[0];
  for (ImageNode &node : image.nodes)
    if (node.unit == first)
      node.lastEdge = node.firstEdge;
  try {
    harness.run(3);
    FAIL() << "it ran";
  } catch (const Stalled &stalled) {
    std::string text = stalled.what();
    EXPECT_NE(text.find("block 0: 3 threads were sent and are not back"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("thread 2 waits for in[1] from mov.i64 at ("),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("add.i64 at ("), std::string::npos) << text;
  }
}

} // namespace
