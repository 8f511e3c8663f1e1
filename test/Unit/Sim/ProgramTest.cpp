//===- ProgramTest.cpp - Kernels on the core ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CoreHarness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

using namespace chansim;

namespace {

/// What system calls were given, in their order.
std::vector<uint64_t> callLog;
void recordCall(void *record) { callLog.push_back(addressOf(record)); }

/// A node that is 1 if the bit of the thread is set in `mask`.
uint32_t isIn(BlockBuilder &block, uint32_t thread, uint64_t mask) {
  uint32_t shifted = block.node("lshr.i64", {constant(mask), thread});
  return block.node("trunc.i64.i1", {shifted});
}

//===----------------------------------------------------------------------===//
// The paper's Figures 1 and 2
//===----------------------------------------------------------------------===//

/// Bits of the paper's threads, which it counts from 1.
uint64_t threads(std::initializer_list<unsigned> numbers) {
  uint64_t bits = 0;
  for (unsigned number : numbers)
    bits |= uint64_t(1) << (number - 1);
  return bits;
}

TEST(Programs, ControlFlowCoalescing) {
  Machine machine = shippedMachine();
  // BB1 is block 0, and so on: 1,3,8 -> BB2; 2,4-7 -> BB3; of these 2,7 -> BB4
  // and 4-6 -> BB5; BB6 ends.
  std::vector<OrderedJson> blocks;
  auto branch = [&](uint64_t mask, uint32_t yes, uint32_t no) {
    BlockBuilder block(machine.fabric);
    block.terminate({isIn(block, block.initiate(), mask)});
    blocks.push_back(
        block.build(static_cast<uint32_t>(blocks.size()), {yes, no}));
  };
  auto go = [&](OrderedJson to) {
    BlockBuilder block(machine.fabric);
    block.terminate({block.initiate()});
    blocks.push_back(block.build(static_cast<uint32_t>(blocks.size()), {to}));
  };
  branch(threads({1, 3, 8}), 1, 2);
  go(5);
  branch(threads({2, 7}), 3, 4);
  go(5);
  go(5);
  go("exit");
  CoreHarness harness(machine, configurationText(machine, blocks));

  // Figure 2: the table each time that a block has been chosen.
  using Vectors = std::vector<uint64_t>;
  std::vector<std::pair<uint32_t, Vectors>> steps;
  VgiwTile tile = harness.tile(8);
  harness.core.start(tile);
  std::optional<uint32_t> last;
  harness.engine.run([&] {
    const Scheduler &bbs = harness.core.bbs();
    if (bbs.state() == Scheduler::State::configuring && bbs.running() != last) {
      last = bbs.running();
      Vectors vectors;
      for (uint32_t block = 0; block != 6; ++block)
        vectors.push_back(bbs.vectors().peek(block, 0));
      steps.emplace_back(*last, vectors);
    }
    return harness.core.isIdle();
  });
  uint64_t all = 0xff, second = threads({1, 3, 8}),
           third = threads({2, 4, 5, 6, 7}), fourth = threads({2, 7}),
           fifth = threads({4, 5, 6});
  std::vector<std::pair<uint32_t, Vectors>> expected = {
      {0, {all, 0, 0, 0, 0, 0}},
      {1, {0, second, third, 0, 0, 0}},
      {2, {0, 0, third, 0, 0, second}},
      {3, {0, 0, 0, fourth, fifth, second}},
      {4, {0, 0, 0, 0, fifth, second | fourth}},
      {5, {0, 0, 0, 0, 0, all}}};
  EXPECT_EQ(steps, expected);
  // Each block was configured once, whatever the ways to it.
  EXPECT_EQ(harness.count("bbs.blocks"), 6u);
  EXPECT_EQ(harness.count("bbs.threads"), 8 + 3 + 5 + 2 + 3 + 8);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// out[thread] = sum of 1 to trips(thread); trips = thread & 7.
std::string loop(const Machine &machine, uint32_t replicas) {
  BlockBuilder entry(machine.fabric), body(machine.fabric), end(machine.fabric);
  uint32_t thread = entry.initiate();
  uint32_t trips = entry.node("and.i64", {thread, constant(7)});
  uint32_t sum = entry.node("mul.i64", {thread, constant(0)});
  uint32_t done =
      entry.node("join", {entry.liveStore(0, trips), entry.liveStore(1, sum)});
  entry.terminate({entry.node("ne.i64", {trips, constant(0), done})});

  for (uint32_t i = 0; i != replicas; ++i) {
    thread = body.initiate();
    uint32_t left = body.liveLoad(0, thread), before = body.liveLoad(1, thread);
    uint32_t after = body.node("add.i64", {before, left});
    uint32_t less = body.node("sub.i64", {left, constant(1)});
    uint32_t more = body.node("ne.i64", {less, constant(0)});
    body.terminate({more, body.liveStore(0, less), body.liveStore(1, after)});
  }

  thread = end.initiate();
  uint32_t copy = end.node("split", {thread});
  uint32_t address = end.node("mad.i64", {copy, constant(8), parameter(0)});
  uint32_t value = end.liveLoad(1, thread);
  end.terminate({end.node("store.i64", {address, value})});
  return configurationText(
      machine,
      {entry.build(0, {1, 2}), body.build(1, {1, 2}), end.build(2, {"exit"})},
      1, 2);
}

TEST(Programs, ALoopWithATripCountForEachThread) {
  Machine machine = shippedMachine();
  for (uint32_t replicas : {1, 4}) {
    CoreHarness harness(machine, loop(machine, replicas));
    for (uint32_t count : {1, 5, 64, 333, 2000}) {
      std::vector<uint64_t> out(count, ~uint64_t(0));
      uint64_t blocks = harness.count("bbs.blocks");
      harness.run(count, {addressOf(out.data())});
      for (uint64_t i = 0; i != count; ++i)
        ASSERT_EQ(out[i], (i & 7) * ((i & 7) + 1) / 2) << i;
      // The body is configured once: its threads come back while it runs.
      if (count > 1) {
        EXPECT_EQ(harness.count("bbs.blocks") - blocks, 3u);
      }
    }
    uint64_t trips = 0;
    for (uint64_t tile : {1, 5, 64, 333, 2000})
      for (uint64_t i = 0; i != tile; ++i)
        trips += i & 7;
    EXPECT_EQ(harness.count("fabric.scu_firings"), 0u);
    EXPECT_EQ(harness.count("fabric.lvu_firings"), 4 * trips + 3 * 2403);
  }
}

TEST(Programs, LiveValuesOfEachThread) {
  // A block leaves 3 * thread and the next doubles it: who mixed up IDs or
  // threads would see another's.
  Machine machine = shippedMachine();
  BlockBuilder first(machine.fabric), second(machine.fabric);
  uint32_t thread = first.initiate();
  uint32_t triple = first.node("mul.i64", {thread, constant(3)});
  first.terminate({first.liveStore(0, triple), first.liveStore(1, thread)});
  thread = second.initiate();
  uint32_t value = second.liveLoad(0, thread), id = second.liveLoad(1, thread);
  uint32_t address = second.node("mad.i64", {id, constant(8), parameter(0)});
  second.terminate({second.node(
      "store.i64", {address, second.node("shl.i64", {value, constant(1)})})});
  CoreHarness harness(
      machine,
      configurationText(
          machine, {first.build(0, {1}), second.build(1, {"exit"})}, 1, 2));
  std::vector<uint64_t> out(777);
  harness.run(777, {addressOf(out.data())});
  for (uint64_t i = 0; i != out.size(); ++i)
    ASSERT_EQ(out[i], 6 * i);
}

//===----------------------------------------------------------------------===//
// Operands of the configuration
//===----------------------------------------------------------------------===//

TEST(Programs, SymbolsAndParametersWithOffsets) {
  Machine machine = shippedMachine();
  static uint64_t table[4] = {10, 20, 30, 40};
  uint64_t out[2] = {};
  BlockBuilder block(machine.fabric);
  uint32_t value = block.node("load.i64", {symbol(0, 16), block.initiate()});
  block.terminate({block.node("store.i64", {parameter(0, 8), value})});
  CoreHarness harness(
      machine,
      configurationText(machine, {block.build(0, {"exit"})}, 1, 0, {"table"}),
      {addressOf(table)});
  harness.run(1, {addressOf(out)});
  EXPECT_EQ(out[1], 30u);
  // Bound anew for each tile.
  uint64_t other[2] = {};
  harness.run(1, {addressOf(other)});
  EXPECT_EQ(other[1], 30u);
  EXPECT_EQ(out[0] + other[0], 0u);
}

TEST(Programs, ControlTokensOrderMemory) {
  // Each thread stores, and loads what it stored only when that is done; in a
  // second block it stores what it has loaded. Posted stores order accesses,
  // too, and no token comes twice.
  for (const char *posted : {"false", "true"}) {
    Machine machine = shippedMachine({{"memory.posted_stores", posted}});
    BlockBuilder block(machine.fabric);
    uint32_t thread = block.initiate();
    uint32_t copy = block.node("split", {thread});
    uint32_t address =
        block.node("mad.i64", {thread, constant(8), parameter(0)});
    uint32_t again = block.node("mad.i64", {copy, constant(8), parameter(0)});
    uint32_t stored = block.node("store.i64", {address, copy});
    uint32_t value = block.node("load.i64", {again, stored});
    block.terminate({block.liveStore(0, value)});
    BlockBuilder second(machine.fabric);
    uint32_t same = second.node("split", {second.initiate()});
    uint32_t place = second.node("mad.i64", {same, constant(8), parameter(1)});
    second.terminate(
        {second.node("store.i64", {place, second.liveLoad(0, same)})});
    CoreHarness harness(
        machine,
        configurationText(
            machine, {block.build(0, {1}), second.build(1, {"exit"})}, 2, 1));
    std::vector<uint64_t> first(500, 99), out(500, 99);
    harness.run(500, {addressOf(first.data()), addressOf(out.data())});
    for (uint64_t i = 0; i != 500; ++i)
      ASSERT_EQ(out[i], i) << posted;
  }
}

/// Each thread stores a word of its own, after a division, then leaves its
/// number in a common word and loads the word of the thread that was there
/// before.  Only a control token orders the exchange after the store.
std::string loadFromTheThreadBefore(const Machine &machine, bool isOrdered) {
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.node("split", {block.initiate()});
  uint32_t own = block.node("mad.i64", {thread, constant(8), parameter(1)});
  uint32_t number = block.node("add.i64", {thread, constant(1)});
  uint32_t value = block.node("sdiv.i64", {number, constant(1)});
  uint32_t stored = block.node("store.i64", {own, value});
  std::vector<In> exchanged = {parameter(0), thread};
  if (isOrdered)
    exchanged.push_back(stored);
  uint32_t before = block.node("atomic_xchg.i64", exchanged);
  uint32_t other = block.node("mad.i64", {before, constant(8), parameter(1)});
  uint32_t copy = block.node("split", {thread});
  uint32_t out = block.node("mad.i64", {copy, constant(8), parameter(2)});
  uint32_t last =
      block.node("store.i64", {out, block.node("load.i64", {other})});
  if (!isOrdered)
    last = block.node("join", {last, stored});
  block.terminate({last});
  return configurationText(machine, {block.build(0, {"exit"})}, 3);
}

/// How many threads loaded a word that its thread had not stored yet.
size_t loadedTooEarly(const char *posted, bool isOrdered) {
  // So slow that an exchange which does not wait for the store is first.
  Machine machine = shippedMachine(
      {{"memory.posted_stores", posted}, {"operations.int_div", "3000"}});
  CoreHarness harness(machine, loadFromTheThreadBefore(machine, isOrdered));
  constexpr uint64_t threads = 300;
  uint64_t last = threads; // whose word is there from the beginning
  std::vector<uint64_t> words(threads + 1), out(threads);
  words[threads] = threads + 1;
  harness.run(threads, {addressOf(&last), addressOf(words.data()),
                        addressOf(out.data())});
  return static_cast<size_t>(std::count(out.begin(), out.end(), 0));
}

TEST(Programs, ControlTokensOrderALoadOfAnotherThread) {
  for (const char *posted : {"false", "true"}) {
    EXPECT_EQ(loadedTooEarly(posted, true), 0u) << posted;
    // Without the token the exchange overtakes the store.
    EXPECT_GT(loadedTooEarly(posted, false), 0u) << posted;
  }
}

TEST(Programs, AtomicsOfManyThreads) {
  Machine machine = shippedMachine();
  BlockBuilder block(machine.fabric);
  for (int replica = 0; replica != 3; ++replica) {
    uint32_t thread = block.initiate();
    uint32_t ticket = block.node("reserve.i64", {parameter(0), thread});
    uint32_t place = block.node("mad.i64", {ticket, constant(8), parameter(1)});
    block.terminate({block.node("store.i64", {place, constant(1)})});
  }
  CoreHarness harness(
      machine, configurationText(machine, {block.build(0, {"exit"})}, 2));
  uint64_t control[2] = {0, 300};
  // Those who get none, -1, store in front.
  std::vector<uint64_t> room(301);
  harness.run(400, {addressOf(control), addressOf(&room[1])});
  EXPECT_EQ(control[0], 300u);
  for (uint64_t word : room)
    EXPECT_EQ(word, 1u);
  EXPECT_EQ(harness.count("memory.atomics"), 400u);
}

//===----------------------------------------------------------------------===//
// System calls and yields
//===----------------------------------------------------------------------===//

/// Each thread calls its symbol 0 with the parameter and its own number.
std::string callForEachThread(const Machine &machine,
                              const std::string &op = "syscall") {
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();
  uint32_t record = block.node("add.i64", {thread, parameter(0)});
  block.terminate({block.call(0, record, op)});
  return configurationText(machine, {block.build(0, {"exit"})}, 1, 0,
                           {"thunk"});
}

constexpr uint64_t kPackage = 1400, kCall = 140;

TEST(Programs, SystemCalls) {
  Machine machine = shippedMachine();
  CoreHarness harness(machine, callForEachThread(machine),
                      {addressOf(reinterpret_cast<void *>(recordCall))});
  callLog.clear();
  uint64_t one = harness.run(1, {1000}) - kFetch;
  EXPECT_EQ(callLog, (std::vector<uint64_t>{1000}));
  callLog.clear();
  // The first call is a package of its own. The others come before it is over.
  EXPECT_EQ(harness.run(5, {1000}), one + kPackage + 4 * kCall);
  EXPECT_EQ(callLog, (std::vector<uint64_t>{1000, 1001, 1002, 1003, 1004}));
  EXPECT_EQ(harness.count("fabric.syscalls"), 6u);
  EXPECT_EQ(harness.count("host.packages"), 3u);
}

TEST(Programs, PackagesOfSystemCalls) {
  // 1 + 2 + 2, and one at a time.
  for (auto [most, packages] : {std::pair("2", 3), std::pair("1", 5)}) {
    Machine machine = shippedMachine({{"host.package_operations", most}});
    CoreHarness harness(machine, callForEachThread(machine),
                        {addressOf(reinterpret_cast<void *>(recordCall))});
    uint64_t one = harness.run(1, {1000}) - kFetch;
    callLog.clear();
    EXPECT_EQ(harness.run(5, {1000}),
              one + (packages - 1) * kPackage + 4 * kCall);
    EXPECT_EQ(callLog, (std::vector<uint64_t>{1000, 1001, 1002, 1003, 1004}));
  }
}

TEST(Programs, APackageThatHasNotBegunIsOpen) {
  Host host(shippedMachine());
  Host::Call first = host.call(0);
  EXPECT_EQ(host.endOf(first), kPackage + kCall);
  Host::Call second = host.call(10);
  EXPECT_EQ(host.endOf(second), 2 * (kPackage + kCall));
  // The first call takes longer, and calls come meanwhile.
  host.prolong(5000, host.endOf(first));
  EXPECT_EQ(host.endOf(second), 2 * (kPackage + kCall) + 5000);
  Host::Call third = host.call(3000);
  EXPECT_EQ(host.endOf(third), host.endOf(second) + kCall);
  // One that comes when the package has begun is too late.
  uint64_t begun = host.endOf(second) - kPackage - kCall;
  Host::Call late = host.call(begun + 1);
  EXPECT_EQ(host.endOf(late), host.endOf(third) + kPackage + kCall);
  // A call within a package that has begun takes longer: the package is closed
  // all the same.
  host.prolong(5000, host.endOf(third));
  host.prolong(5000, host.endOf(late));
  Host::Call last = host.call(host.endOf(late) - 1);
  EXPECT_EQ(host.endOf(last), host.endOf(late) + kPackage + kCall);
  EXPECT_EQ(host.packages(), 4u);
}

/// Each thread adds to a word: no heap call, but as long as one.
std::string addForEachThread(const Machine &machine) {
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();
  uint32_t record = block.node("add.i64", {thread, parameter(0)});
  block.terminate(
      {block.node("atomic_add.i64", {parameter(0), constant(1), record})});
  return configurationText(machine, {block.build(0, {"exit"})}, 1);
}

TEST(Programs, HeapCallsAreAtomicOperations) {
  Machine machine = shippedMachine();
  auto *thunk = reinterpret_cast<void *>(recordCall);
  alignas(4096) static uint64_t word[512];
  for (uint32_t threads : {1, 200}) {
    CoreHarness heap(machine, callForEachThread(machine, "heap_call"),
                     {addressOf(thunk)}),
        atomics(machine, addForEachThread(machine));
    callLog.clear();
    EXPECT_EQ(heap.run(threads, {1000}),
              atomics.run(threads, {addressOf(word)}));
    EXPECT_EQ(callLog.size(), threads);
    for (uint64_t i = 0; i != callLog.size(); ++i)
      EXPECT_EQ(callLog[i], 1000 + i);
    EXPECT_EQ(heap.count("fabric.heap_calls"), threads);
    EXPECT_EQ(heap.count("memory.atomics"), threads);
    EXPECT_EQ(heap.count("fabric.syscalls"), 0u);
  }
}

TEST(Programs, HeapCallsOfTheHost) {
  Machine machine = shippedMachine({{"host.allocates", "true"}});
  auto *thunk = reinterpret_cast<void *>(recordCall);
  callLog.clear();
  CoreHarness heap(machine, callForEachThread(machine, "heap_call"),
                   {addressOf(thunk)}),
      calls(machine, callForEachThread(machine), {addressOf(thunk)});
  EXPECT_EQ(heap.run(3, {1000}), calls.run(3, {1000}));
  EXPECT_EQ(callLog,
            (std::vector<uint64_t>{1000, 1001, 1002, 1000, 1001, 1002}));
  EXPECT_EQ(heap.count("fabric.syscalls"), 3u);
  EXPECT_EQ(heap.count("fabric.heap_calls"), 0u);
}

/// Spawned something that took 5000 cycles, if the record is 1001.
CoreHarness *busy = nullptr;
void spawnInCall(void *record) {
  recordCall(record);
  if (addressOf(record) == 1001)
    busy->processor.host.prolong(5000, busy->cycle());
}

TEST(Programs, ASystemCallThatSpawnsTakesLonger) {
  Machine machine = shippedMachine();
  CoreHarness harness(machine, callForEachThread(machine),
                      {addressOf(reinterpret_cast<void *>(spawnInCall))});
  busy = &harness;
  callLog.clear();
  uint64_t one = harness.run(1, {1000}) - kFetch;
  // The second, and all that come after it, are done so much later.
  EXPECT_EQ(harness.run(5, {1000}), one + kPackage + 4 * kCall + 5000);
  EXPECT_EQ(callLog,
            (std::vector<uint64_t>{1000, 1000, 1001, 1002, 1003, 1004}));
  // The last call, too: its thread goes on when it is over.
  EXPECT_EQ(harness.run(2, {1000}), one + kPackage + kCall + 5000);
  // The host is free again.
  EXPECT_EQ(harness.run(1, {1000}), one);
}

TEST(Programs, CallsOfAllCoresWaitForOneHost) {
  Machine machine = shippedMachine({{"cores", "2"}});
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();
  uint32_t record = block.node("add.i64", {thread, parameter(0)});
  block.terminate({block.call(0, record)});
  CoreHarness harness(
      machine,
      configurationText(machine, {block.build(0, {"exit"})}, 1, 0, {"thunk"}),
      {addressOf(reinterpret_cast<void *>(spawnInCall))});
  busy = &harness;
  callLog.clear();
  VgiwTile tiles[] = {harness.tile(1, {1001}), harness.tile(1, {2000})};
  uint64_t ends[2] = {};
  for (uint32_t core = 0; core != 2; ++core)
    harness.processor.core(core).start(tiles[core]);
  harness.engine.run([&] {
    for (uint32_t core = 0; core != 2; ++core)
      if (harness.processor.core(core).isIdle() && !ends[core])
        ends[core] = harness.cycle();
    return ends[0] && ends[1];
  });
  // Both calls are in one package.
  EXPECT_EQ(ends[1], ends[0] + kCall);
  EXPECT_GT(ends[0], 1400u + 5000);
  EXPECT_EQ(callLog, (std::vector<uint64_t>{1001, 2000}));
}

TEST(Programs, Yield) {
  // Odd threads stop in block 0, to go on in block 1; all that come there
  // count.
  Machine machine = shippedMachine();
  BlockBuilder first(machine.fabric), second(machine.fabric);
  uint32_t thread = first.initiate();
  uint32_t odd = first.node("trunc.i64.i1", {thread});
  first.terminate({odd, first.liveStore(0, thread)});
  thread = second.initiate();
  uint32_t value = second.liveLoad(0, thread);
  uint32_t address = second.node("mad.i64", {value, constant(8), parameter(0)});
  second.terminate({second.node("store.i64", {address, value})});
  CoreHarness harness(machine,
                      configurationText(machine,
                                        {first.build(0, {{{"yield", 1}}, 1}),
                                         second.build(1, {"exit"})},
                                        1, 1));
  constexpr uint32_t count = 200;
  std::vector<uint64_t> out(count, ~uint64_t(0));
  VgiwTile tile = harness.tile(count, {addressOf(out.data())});
  harness.run(tile);
  ASSERT_EQ(tile.yielded.size(), 1u);
  EXPECT_EQ(tile.yielded[0].block, 1u);
  EXPECT_EQ(tile.yielded[0].bits,
            (std::vector<uint64_t>{0xaaaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa,
                                   0xaaaaaaaaaaaaaaaa, 0xaa}));
  EXPECT_EQ(harness.count("bbs.yields"), count / 2);
  for (uint64_t i = 0; i != count; ++i)
    EXPECT_EQ(out[i], i % 2 ? ~uint64_t(0) : i);

  // Other threads run between; then the yielded ones go on with their values.
  std::vector<uint64_t> others(64);
  VgiwTile between = harness.tile(64, {addressOf(others.data())});
  between.stateBase = 1 << 20;
  harness.run(between);
  harness.run(tile);
  EXPECT_TRUE(tile.yielded.empty());
  for (uint64_t i = 0; i != count; ++i)
    EXPECT_EQ(out[i], i);
}

/// Threads store their IDs, odd ones a block later than even ones, and come to
/// barriers of their own; behind these each loads what its neighbour to the
/// right has stored.  That is block 1, so that without a barrier even threads
/// would be there before odd ones have stored.  Odd threads may `yield` first.
static std::vector<OrderedJson> rotation(const Machine &machine, bool yield) {
  BlockBuilder first(machine.fabric), last(machine.fabric), odd(machine.fabric);
  uint32_t thread = first.initiate();
  uint32_t isOdd = first.node("trunc.i64.i1", {thread});
  uint32_t own = first.node("mad.i64", {thread, constant(8), parameter(0)});
  first.terminate({isOdd, first.node("store.i64", {own, thread})});
  thread = last.initiate();
  uint32_t next = last.node("add.i64", {thread, constant(1)});
  uint32_t other = last.node("and.i64", {next, constant(63)});
  uint32_t from = last.node("mad.i64", {other, constant(8), parameter(0)});
  uint32_t to = last.node("mad.i64", {thread, constant(8), parameter(1)});
  last.terminate({last.node("store.i64", {to, last.node("load.i64", {from})})});
  thread = odd.initiate();
  uint32_t later = odd.node("add.i64", {thread, constant(100)});
  own = odd.node("mad.i64", {thread, constant(8), parameter(0)});
  odd.terminate({odd.node("store.i64", {own, later})});
  OrderedJson way = yield ? OrderedJson{{"yield", 2}} : OrderedJson(2);
  return {first.build(0, {way, {{"barrier", 1}}}), last.build(1, {"exit"}),
          odd.build(2, {{{"barrier", 1}}})};
}

static std::string inGroups(const Machine &machine, uint32_t threads,
                            std::vector<OrderedJson> blocks) {
  OrderedJson root = OrderedJson::parse(
      configurationText(machine, std::move(blocks), 2, 0, {"stack"}));
  OrderedJson &kernel = root["kernels"][0];
  kernel["consumes"] = 0;
  kernel["launch"] = "range";
  kernel["groups"] = {{"threads", threads}, {"bytes", 0}};
  return root.dump();
}

TEST(Programs, ThreadsOfAGroupWaitForEachOther) {
  Machine machine = shippedMachine();
  for (uint32_t size : {1, 2, 16, 64}) {
    CoreHarness harness(machine,
                        inGroups(machine, size, rotation(machine, false)), {0});
    std::vector<uint64_t> own(64, ~uint64_t(0)), got(64);
    VgiwTile tile =
        harness.tile(64, {addressOf(own.data()), addressOf(got.data())});
    harness.run(tile);
    EXPECT_EQ(harness.count("bbs.barriers"), 64 / size);
    // The right neighbour of a group's last thread is of another group.
    for (uint64_t i = 0; i != 64; ++i)
      if (uint64_t next = (i + 1) % 64; next / size == i / size)
        EXPECT_EQ(got[i], next % 2 ? next + 100 : next) << size;
  }
}

TEST(Programs, ThreadsAtABarrierStayThereWhenOthersYield) {
  Machine machine = shippedMachine();
  CoreHarness harness(machine, inGroups(machine, 16, rotation(machine, true)),
                      {0});
  std::vector<uint64_t> own(64), got(64, ~uint64_t(0));
  VgiwTile tile =
      harness.tile(64, {addressOf(own.data()), addressOf(got.data())});
  harness.run(tile);
  EXPECT_EQ(harness.count("bbs.barriers"), 0u);
  EXPECT_EQ(got, std::vector<uint64_t>(64, ~uint64_t(0)));
  ASSERT_EQ(tile.waiting.size(), 1u);
  EXPECT_EQ(tile.waiting[0].block, 1u);
  EXPECT_EQ(tile.waiting[0].bits, std::vector<uint64_t>{0x5555555555555555});

  // All but the last group go on: no thread is left that could release the last.
  VgiwTile stuck = tile;
  stuck.hasYielded = true;
  stuck.yielded = {{2, {0x0000aaaaaaaaaaaa}}};
  EXPECT_THROW(harness.run(stuck), std::runtime_error);
  EXPECT_EQ(harness.count("bbs.barriers"), 3u);
  for (uint64_t i = 0; i != 47; ++i)
    EXPECT_EQ(got[i], i % 2 ? i + 1 : i + 101);
  for (uint64_t i = 48; i != 64; ++i)
    EXPECT_EQ(got[i], ~uint64_t(0));
}

TEST(Programs, ThreadsThatHaveYieldedReleaseTheirGroup) {
  Machine machine = shippedMachine();
  CoreHarness harness(machine, inGroups(machine, 16, rotation(machine, true)),
                      {0});
  std::vector<uint64_t> own(64), got(64, ~uint64_t(0));
  VgiwTile tile =
      harness.tile(64, {addressOf(own.data()), addressOf(got.data())});
  harness.run(tile);
  harness.run(tile);
  EXPECT_EQ(harness.count("bbs.barriers"), 4u);
  EXPECT_TRUE(tile.waiting.empty());
  for (uint64_t i = 0; i != 63; ++i)
    EXPECT_EQ(got[i], i % 2 ? i + 1 : i + 101);
}

/// A block whose threads wait and go on, beside one without a barrier: the
/// second write of the table is a cycle later than the first.
TEST(Programs, ABarrierTakesAWriteMore) {
  Machine machine = shippedMachine();
  machine.control.fetchCycles = 1;
  auto cycles = [&](OrderedJson way) {
    BlockBuilder first(machine.fabric), second(machine.fabric);
    first.terminate({first.initiate()});
    second.terminate({second.initiate()});
    CoreHarness harness(
        machine,
        inGroups(machine, 64,
                 {first.build(0, {std::move(way)}), second.build(1, {"exit"})}),
        {0});
    uint64_t taken = harness.run(64, {0, 0});
    EXPECT_EQ(harness.count("bbs.barriers") + 1, harness.count("cvt.writes"));
    return taken;
  };
  EXPECT_EQ(cycles({{"barrier", 1}}), cycles(1) + 1);
}

TEST(Programs, LiveValuesOfThreadsThatYieldStayInTheCache) {
  Machine machine = shippedMachine();
  BlockBuilder first(machine.fabric), second(machine.fabric);
  uint32_t thread = first.initiate();
  first.terminate({first.liveStore(0, thread)});
  second.terminate({second.liveLoad(0, second.initiate())});
  CoreHarness harness(machine,
                      configurationText(machine,
                                        {first.build(0, {{{"yield", 1}}}),
                                         second.build(1, {"exit"})},
                                        0, 1));
  VgiwTile tile = harness.tile(64);
  harness.run(tile);
  uint64_t misses = harness.count("lvc.misses");
  harness.run(tile);
  EXPECT_EQ(harness.count("lvc.misses"), misses);
  // When they are done, their values are forgotten.
  harness.run(tile);
  EXPECT_EQ(harness.count("lvc.misses"), 2 * misses);
}

TEST(Programs, AFlushAtTheEndOfAKernel) {
  Machine machine = shippedMachine();
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();
  uint32_t address = block.node("mad.i64", {thread, constant(8), parameter(0)});
  block.terminate({block.node("store.i64", {address, constant(7)})});
  CoreHarness harness(
      machine, configurationText(machine, {block.build(0, {"exit"})}, 1));
  alignas(4096) static uint64_t out[160];
  harness.run(160, {addressOf(out)});
  EXPECT_TRUE(harness.core.isIdle());
  harness.core.flush();
  EXPECT_FALSE(harness.core.isIdle());
  harness.engine.run([&] { return harness.core.isIdle(); });
  EXPECT_EQ(harness.count("memory.flushed_lines"), 10u);
}

} // namespace
