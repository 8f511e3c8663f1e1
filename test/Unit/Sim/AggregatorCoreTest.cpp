//===- AggregatorCoreTest.cpp - The aggregator, to the cycle --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// L1I takes 2 cycles and L1D 4, and both are a script's (AggregatorHarness.h).  Most tests
// compare two programs, so that the beginning and the end do not count.
//
//===----------------------------------------------------------------------===//

#include "AggregatorHarness.h"

#include <gtest/gtest.h>

using namespace chansim;
using namespace chansim::aggregator;

extern "C" uint64_t programOnHost(uint64_t which, uint64_t *data,
                                  uint64_t count);

namespace {

using Overrides = std::vector<Override>;

const Overrides kSimple = tableFive(0), kLight = tableFive(1),
                kWide = tableFive(3);

/// A line of code, so that lengths of what is compared are the same to fetch.
constexpr size_t kLine = 16;

Code operator+(Code left, const Code &right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// What one more group of words costs, on average of many.
double each(const Code &group, const Overrides &overrides = {},
            const Code &before = {}) {
  auto cycles = [&](size_t count) {
    Code code = before;
    for (size_t index = 0; index != count; ++index)
      code.insert(code.end(), group.begin(), group.end());
    code.push_back(ret());
    return static_cast<double>(cyclesOf(code, overrides));
  };
  return (cycles(10 * kLine) - cycles(6 * kLine)) / (4 * kLine);
}

//===----------------------------------------------------------------------===//
// Registers and units
//===----------------------------------------------------------------------===//

// Cycle 0 asks for the line; it comes in cycle 2, in which the instruction is fetched;
// dispatch 3, issue 4, commit 5.
TEST(AggregatorCore, AProgramOfOneInstructionTakesSixCycles) {
  EXPECT_EQ(cyclesOf({ret()}), 6u);
}

TEST(AggregatorCore, AChainTakesTheLatencyOfEach) {
  for (const Overrides &core : {Overrides{}, kLight, kWide}) {
    EXPECT_EQ(each({addi(10, 10, 1)}, core), 1);
    EXPECT_EQ(each({mul(10, 10, 10)}, core), 3);
    EXPECT_EQ(each({divu(10, 10, 11)}, core), 20);
  }
}

TEST(AggregatorCore, IndependentInstructionsRunAtTheWidth) {
  EXPECT_EQ(each({addi(5, 0, 1), addi(6, 0, 1)}), 1);
  EXPECT_EQ(each({addi(5, 0, 1), addi(6, 0, 1)}, {{"aggregator.width", "1"}}),
            2);
  EXPECT_EQ(each({addi(5, 0, 1), addi(6, 0, 1)}, kWide), 0.5);
  EXPECT_EQ(each({mul(5, 6, 7), mul(8, 6, 7)}), 1);
  // One divider.
  EXPECT_EQ(each({divu(5, 6, 7), divu(8, 6, 7)}), 40);
}

TEST(AggregatorCore, OneInstructionAtATime) {
  // Fetch 2, execution 1.
  EXPECT_EQ(each({addi(5, 0, 1)}, kSimple), 3);
  EXPECT_EQ(each({mul(5, 6, 7)}, kSimple), 5);
  EXPECT_EQ(each({divu(5, 6, 7)}, kSimple), 22);
  EXPECT_EQ(each({ld(5, 10, 0)}, kSimple), 6);
  EXPECT_EQ(each({sd(5, 10, 0)}, kSimple), 6);
  EXPECT_EQ(each({amoaddD(5, 5, 10)}, kSimple), 6);
  EXPECT_EQ(each({beq(0, 0, 4)}, kSimple), 3);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST(AggregatorCore, LoadsThatHitTakeTheirLatency) {
  // shared[0] is its own address.
  EXPECT_EQ(each({ld(10, 10, 0)}), 4);
  EXPECT_EQ(each({ld(5, 10, 0), ld(6, 10, 8)}), 1);
  // The queue of the light core has eight loads, but two that have not begun.
  EXPECT_EQ(each({ld(10, 10, 0)}, kLight), 4);
}

TEST(AggregatorCore, StoresArePostedAndForward) {
  AggregatorHarness core;
  core.load(
      {sd(11, 10, 8), ld(12, 10, 8), lw(13, 10, 12), add(10, 12, 13), ret()});
  core.run({core.address(&core.shared), 0x500000007});
  EXPECT_EQ(core.result(), 0x50000000cu);
  EXPECT_EQ(core.count("forwarded_loads"), 2u);
  ASSERT_EQ(core.data.records.size(), 1u);
  EXPECT_EQ(core.data.records[0].access, Access::write);
  EXPECT_TRUE(core.data.records[0].isPosted);
  EXPECT_EQ(core.data.records[0].bytes, 8u);
  // From the store to the load, and back by a register: two cycles each way.
  EXPECT_EQ(each({sd(11, 10, 8), ld(11, 10, 8)}), 2);
}

TEST(AggregatorCore, ALoadOfWhatTwoStoresWriteWaitsUntilTheyLeave) {
  AggregatorHarness core;
  core.load({sw(11, 10, 0), sw(11, 10, 4), ld(10, 10, 0), ret()});
  core.run({core.address(&core.shared), 3});
  EXPECT_EQ(core.result(), 0x300000003u);
  ASSERT_EQ(core.data.records.size(), 3u);
  EXPECT_EQ(core.data.records[2].access, Access::read);
  EXPECT_GT(core.data.records[2].cycle, core.data.records[1].cycle);
  EXPECT_EQ(core.count("forwarded_loads"), 0u);
}

TEST(AggregatorCore, StoresLeaveInOrderOneInACycle) {
  AggregatorHarness core;
  core.load({sd(11, 10, 64), sd(11, 10, 0), sd(11, 10, 128), ret()});
  core.run();
  ASSERT_EQ(core.data.records.size(), 3u);
  // Cycle 5 commits two.
  uint64_t address = core.address(&core.shared);
  for (auto [index, offset] : {std::pair(0, 64), {1, 0}, {2, 128}}) {
    EXPECT_EQ(core.data.records[size_t(index)].address,
              address + uint64_t(offset));
    EXPECT_EQ(core.data.records[size_t(index)].cycle, uint64_t(5 + index));
  }
}

TEST(AggregatorCore, AtomicOperationsBeginWhenAllBeforeHasEnded) {
  AggregatorHarness core;
  core.data.miss = 50;
  core.load({ld(11, 10, 0), sd(12, 10, 256), amoaddD(13, 12, 10),
             ld(14, 10, 512), ret()});
  core.run();
  const auto &records = core.data.records;
  ASSERT_EQ(records.size(), 4u);
  // The load misses in cycle 4 and comes in 54; it commits with the store, which leaves in
  // 54; the next cycle is the atomic operation's.  The other load did not wait.
  EXPECT_EQ(records[0].cycle, 4u);
  EXPECT_EQ(records[1].address, core.address(&core.shared[64]));
  EXPECT_EQ(records[1].cycle, 5u);
  EXPECT_EQ(records[2].access, Access::write);
  EXPECT_EQ(records[2].cycle, 54u);
  EXPECT_EQ(records[3].access, Access::atomic);
  EXPECT_EQ(records[3].cycle, 55u);
  EXPECT_FALSE(records[3].isPosted);
  EXPECT_EQ(core.count("atomics"), 1u);
}

TEST(AggregatorCore, FencesOrderLoadsBehindThem) {
  auto lastLoad = [](uint32_t fence) {
    AggregatorHarness core;
    core.data.miss = 50;
    core.load({ld(11, 10, 0), sd(12, 10, 256), fence, ld(14, 10, 512), ret()});
    core.run();
    for (const auto &record : core.data.records)
      if (record.address == core.address(&core.shared[64]))
        return record.cycle;
    return uint64_t(0);
  };
  EXPECT_EQ(lastLoad(nop()), 5u);
  // `fence` waits for the store, which leaves in 54; it begins in 55, and the load in 56.
  EXPECT_EQ(lastLoad(fenceAll()), 56u);
  // `fence r, rw` waits until it is the oldest.
  EXPECT_EQ(lastLoad(fenceReads()), 55u);
  // An atomic operation that acquires: begins in 55, takes the time of a hit.
  EXPECT_EQ(lastLoad(amoaddD(13, 12, 10) | 1u << 26), 59u);
}

TEST(AggregatorCore, ReservationsAreReadsAndAtomicOperations) {
  AggregatorHarness core;
  core.shared[0] = 41;
  // The second SC fails, and does not go to memory.
  core.load({lrD(11, 10), addi(11, 11, 1), scD(12, 11, 10), scD(13, 11, 10),
             add(10, 12, 13), ret()});
  core.run();
  EXPECT_EQ(core.shared[0], 42u);
  EXPECT_EQ(core.result(), 1u);
  ASSERT_EQ(core.data.records.size(), 2u);
  EXPECT_EQ(core.data.records[0].access, Access::read);
  EXPECT_EQ(core.data.records[1].access, Access::atomic);
}

TEST(AggregatorCore, RefusedAccessesAreTriedAgain) {
  AggregatorHarness core;
  core.shared[0] = 5;
  core.data.refusesUntil = 30;
  core.load({ld(10, 10, 0), ret()});
  core.run();
  ASSERT_EQ(core.data.records.size(), 1u);
  EXPECT_EQ(core.data.records[0].cycle, 30u);
  // Cycles 4 to 29, whether it slept or not.
  EXPECT_EQ(core.data.refusals, 26u);
  // One port: the loads of a cycle take turns.
  AggregatorHarness turns;
  turns.data.ports = 1;
  turns.load({ld(11, 10, 0), ld(12, 10, 8), ret()});
  turns.run();
  ASSERT_EQ(turns.data.records.size(), 2u);
  EXPECT_EQ(turns.data.records[1].cycle, turns.data.records[0].cycle + 1);
}

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

/// Cycles of a load of 1,000 cycles and `count` more words.
uint64_t behindMiss(size_t count, uint32_t word, const Overrides &overrides,
                    const char *reason = nullptr, uint64_t *stalled = nullptr) {
  AggregatorHarness core(overrides);
  core.data.miss = 1000;
  core.load(Code{ld(11, 10, 0)} + repeat(count, word));
  uint64_t cycles = core.run();
  if (stalled)
    *stalled = core.count(reason);
  return cycles;
}

TEST(AggregatorCore, AFullReorderBufferStops) {
  const Overrides rob8 = {{"aggregator.rob_entries", "8"}},
                  rob64 = {{"aggregator.rob_entries", "64"}};
  // The load is there in cycle 1004.
  EXPECT_EQ(behindMiss(0, nop(), rob8), 1005u);
  // Two commit in a cycle.
  uint64_t stalled;
  EXPECT_EQ(behindMiss(46, nop(), rob64, "stall_rob", &stalled), 1005u + 23);
  EXPECT_EQ(stalled, 0u);
  // Stopped from cycle 7, in which the buffer is full, until the load commits.
  EXPECT_EQ(behindMiss(46, nop(), rob8, "stall_rob", &stalled), 1005u + 23);
  EXPECT_EQ(stalled, 1004u - 7);

  // Another load that misses, with ten words between them.
  auto second = [](const Overrides &overrides) {
    AggregatorHarness core(overrides);
    core.data.miss = 1000;
    core.load(Code{ld(11, 10, 0)} + Code(10, nop()) +
              Code{ld(12, 10, 64), ret()});
    return core.run();
  };
  // It is the twelfth: dispatched in cycle 8, begins in 9, and commits in 1009; the return
  // does one cycle later.
  EXPECT_EQ(second(rob64), 1011u);
  // Or when two have committed in 1004, and two in 1005: begins in 1006.
  EXPECT_EQ(second(rob8), 2007u);
}

TEST(AggregatorCore, AFullIssueQueueStops) {
  uint64_t stalled;
  behindMiss(20, add(11, 11, 11), {{"aggregator.queue_entries", "2"}},
             "stall_queue", &stalled);
  // The load begins in cycle 4, when two additions wait already.
  EXPECT_GT(stalled, 990u);
  behindMiss(20, add(11, 11, 11), {{"aggregator.queue_entries", "32"}},
             "stall_queue", &stalled);
  EXPECT_EQ(stalled, 0u);
}

TEST(AggregatorCore, NoFreeRegisterStops) {
  uint64_t stalled;
  const Overrides few = {{"aggregator.registers", "36"}};
  behindMiss(20, addi(12, 0, 1), few, "stall_registers", &stalled);
  // Four in all, of which the load has one: dispatched in cycles 3 and 4.
  EXPECT_EQ(stalled, 1004u - 5);
  // What has no result needs none.
  behindMiss(20, nop(), few, "stall_registers", &stalled);
  EXPECT_EQ(stalled, 0u);
}

TEST(AggregatorCore, FullLoadAndStoreQueuesStop) {
  uint64_t stalled;
  for (auto [key, word] : {std::pair("aggregator.load_entries", ld(12, 10, 8)),
                           {"aggregator.store_entries", sd(12, 10, 8)}}) {
    behindMiss(20, word, {{key, "4"}}, "stall_memory_queue", &stalled);
    EXPECT_GT(stalled, 990u);
    behindMiss(20, word, {{key, "32"}}, "stall_memory_queue", &stalled);
    EXPECT_EQ(stalled, 0u);
  }
}

TEST(AggregatorCore, CountsWhyItWaits) {
  AggregatorHarness core;
  core.data.miss = 1000;
  core.load({ld(11, 10, 0), ret()});
  core.run();
  // Cycles 0, 1 and 2 have nothing to dispatch, and from 4 on there is nothing left.
  EXPECT_EQ(core.count("stall_fetch"), 3u);
  // From 4, in which it begins, or from 3, in which it is the head, to 1003.
  EXPECT_EQ(core.count("memory_at_head"), 1000u);
  EXPECT_EQ(core.count("instructions"), 2u);
  EXPECT_EQ(core.count("loads"), 1u);
  EXPECT_EQ(core.count("branches"), 1u);
  EXPECT_EQ(core.count("cycles"), 1005u);
  EXPECT_DOUBLE_EQ(*core.statistics.find("aggregator.ipc"), 2 / 1005.0);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

TEST(AggregatorCore, AWrongPredictionTakesItsPenalty) {
  // A branch that was never seen is predicted as not taken.
  const Code taken = {beq(0, 0, 8), nop(), ret()},
             jump = {jal(0, 8), nop(), ret()};
  // Fetched in cycle 2, the branch is resolved in 5, and the return is dispatched 8 cycles
  // later; behind the jump, in 4.
  EXPECT_EQ(cyclesOf(taken), cyclesOf(jump) + 5 + 8 - 4);
  EXPECT_EQ(cyclesOf(taken, {{"aggregator.mispredict_cycles", "20"}}),
            cyclesOf(taken) + 12);
  EXPECT_EQ(cyclesOf(taken, {{"aggregator.mispredict_cycles", "1"}}),
            cyclesOf(taken) - 7);
  AggregatorHarness core;
  core.load(taken);
  core.run();
  EXPECT_EQ(core.count("mispredictions"), 1u);
  EXPECT_EQ(core.count("instructions"), 2u);
  core.load({beq(10, 0, 8), nop(), ret()});
  core.run();
  EXPECT_EQ(core.count("mispredictions"), 1u);
}

TEST(AggregatorCore, LoopsAreLearnt) {
  // a0 = 1000; do --a0; while (a0 != 0)
  AggregatorHarness core;
  core.load({addi(10, 0, 1000), addi(10, 10, -1), bne(10, 0, -4), ret()});
  uint64_t cycles = core.run();
  // The first branch and the last one.
  EXPECT_EQ(core.count("mispredictions"), 2u);
  // A cycle for each, as it is a taken branch.
  EXPECT_LT(cycles, 1050u);
  EXPECT_FALSE(core.core.isPolling());
  EXPECT_EQ(core.count("branches"), 1001u);
  // All of it is in one line.
  EXPECT_EQ(core.count("fetched_lines"), 1u);
}

TEST(AggregatorCore, ReturnsArePredictedAndOtherJumpsAreNot) {
  // main saves ra in t1, calls a function ten times, and returns.
  Code calls = {addi(6, 1, 0)};
  for (int32_t index = 0; index != 10; ++index)
    calls.push_back(jal(1, 4 * (12 - index)));
  calls.insert(calls.end(), {addi(1, 6, 0), ret(), addi(10, 0, 7), ret()});
  // From the second one on: calls[11] is behind the last call.
  for (int32_t index = 0; index != 10; ++index)
    calls[size_t(1 + index)] = jal(1, 4 * (13 - (1 + index)));
  AggregatorHarness core;
  core.load(calls);
  core.run();
  EXPECT_EQ(core.result(), 7u);
  EXPECT_EQ(core.count("mispredictions"), 0u);
  EXPECT_EQ(core.count("branches"), 21u);
  // auipc t0, 0; jr 8(t0)
  core.load({0x00000297, jalr(0, 5, 8), ret()});
  core.run();
  EXPECT_EQ(core.count("mispredictions"), 1u);
}

TEST(AggregatorCore, FetchWaitsForLinesAndAsksForTheNextOne) {
  auto cycles = [](uint64_t latency, size_t lines) {
    AggregatorHarness core;
    core.instructions.hit = core.instructions.miss = latency;
    core.load(repeat(lines * kLine, nop()));
    return core.run();
  };
  // A line is eight cycles of work.
  EXPECT_EQ(cycles(8, 9) - cycles(8, 5), 4 * 8u);
  EXPECT_GT(cycles(12, 9) - cycles(12, 5), 4 * 8u);
  AggregatorHarness core;
  core.load(repeat(10 * kLine, nop()));
  core.run();
  EXPECT_EQ(core.count("fetched_lines"), 11u);
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

TEST(AggregatorCore, DevicesAreWrittenAfterCommitAndReadBehind) {
  AggregatorHarness core;
  core.load(
      {sd(11, 10, 0), sd(12, 10, 8), ld(13, 10, 8), add(10, 13, 13), ret()});
  uint64_t cycles = core.run({0x1000, 5, 21});
  EXPECT_EQ(core.result(), 42u);
  // Commit in cycle 5, and 32 cycles.  The read is dispatched then, issued one cycle
  // later, and takes as long.
  using Event = TestDevice::Event;
  EXPECT_EQ(core.device.events,
            (std::vector<Event>{{37, 0x1000, 5, 8, true},
                                {37, 0x1008, 21, 8, true},
                                {37, 0x1008, 21, 8, false}}));
  EXPECT_EQ(cycles, 37u + 1 + 32 + 1 + 1);
  EXPECT_EQ(core.count("device_reads"), 1u);
  EXPECT_EQ(core.count("device_writes"), 2u);
  // The read was fetched with the write before it, and could be dispatched in cycle 4.
  EXPECT_EQ(core.count("stall_device"), 37u - 4);
  EXPECT_TRUE(core.data.records.empty());
}

TEST(AggregatorCore, OneInstructionAtATimeAtDevices) {
  AggregatorHarness core(kSimple);
  core.load({sd(11, 10, 0), ld(13, 10, 0), ret()});
  core.run({0x1000, 5});
  using Event = TestDevice::Event;
  // Fetch in 0, execution in 2, effect in 34, with the next fetch.
  EXPECT_EQ(core.device.events,
            (std::vector<Event>{{34, 0x1000, 5, 8, true},
                                {36, 0x1000, 5, 8, false}}));
}

TEST(AggregatorCore, AFenceWaitsForDevices) {
  auto lastStore = [](uint32_t word) {
    AggregatorHarness core;
    core.load({sd(11, 10, 0), word, sd(11, 12, 0), ret()});
    core.run({0x1000, 5, core.address(&core.shared)});
    return core.data.records.at(0).cycle;
  };
  EXPECT_LT(lastStore(nop()), 10u);
  // The fence begins in 37 and ends in 38.
  EXPECT_EQ(lastStore(fenceAll()), 38u);
}

TEST(AggregatorCore, ADeviceMayStopIt) {
  for (const Overrides &overrides : {Overrides{}, kSimple}) {
    AggregatorHarness core(overrides);
    // Writes its last register, and goes on forever.
    core.load({addi(11, 0, 3), sd(11, 10, -8), addi(12, 12, 1), jal(0, -4)});
    core.run({0x2000});
    EXPECT_FALSE(core.core.isRunning());
    EXPECT_EQ(core.device.values[0x1ff8], 3u);
    // The pipeline has gone on meanwhile.
    EXPECT_EQ(core.core.state().reg(12) > 0, overrides.empty());
    // And again, from the beginning.
    core.run({0x2000});
    EXPECT_EQ(core.count("device_writes"), 2u);
  }
}

TEST(AggregatorCore, CompletionsOfAStoppedProgramAreForgotten) {
  AggregatorHarness core;
  core.data.miss = 500;
  // Stopped in cycle 37, while the second instruction is in memory.
  core.load({sd(11, 12, -8), ld(11, 10, 0), ret()});
  core.run({core.address(&core.shared), 0, 0x2000});
  EXPECT_FALSE(core.core.isRunning());
  // The first load's line comes while the second program waits for its own.
  core.data.miss = 1000;
  core.shared[8] = 77;
  core.load({nop(), ld(10, 10, 64), ret()});
  EXPECT_EQ(core.run(), 1005u);
  EXPECT_EQ(core.result(), 77u);
}

//===----------------------------------------------------------------------===//
// Whole programs
//===----------------------------------------------------------------------===//

struct Insomnia : Component {
  Insomnia(Engine &engine, const Clock &clock) : engine(engine) {
    engine.add(*this, clock);
    engine.wake(*this);
  }
  Activity tick() override {
    engine.wakeAll();
    return Activity::waiting;
  }
  void explain(std::string &) const override {}
  Engine &engine;
};

struct WholeRun {
  uint64_t result, cycles;
  std::vector<uint64_t> data;
  std::string counters;
};

WholeRun runProgram(uint64_t which, const Overrides &overrides,
                    bool isSleepless = false) {
  AggregatorHarness core(overrides);
  std::optional<Insomnia> insomnia;
  if (isSleepless)
    insomnia.emplace(core.engine, core.clock);
  core.data.miss = 60;
  core.data.ports = 1;
  core.instructions.miss = 40;
  std::vector<uint64_t> data(400);
  uint64_t state = 12345 + which;
  for (uint64_t &value : data) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    value = state ^ state >> 29;
  }
  std::vector<uint64_t> onHost = data;
  uint64_t expected = programOnHost(which, onHost.data(), onHost.size());
  // At the same place of a line in all runs.
  auto *placed = static_cast<uint64_t *>(std::aligned_alloc(4096, 4096));
  std::ranges::copy(data, placed);
  core.core.addRegion({core.address(placed), 8 * data.size(), true, "data"});
  core.core.load(Firmware::load(firmwarePrograms()));
  uint64_t cycles = core.run({which, core.address(placed), data.size()});
  std::copy(placed, placed + data.size(), data.begin());
  std::free(placed);
  EXPECT_EQ(core.result(), expected) << which;
  EXPECT_EQ(data, onHost) << which;
  return {core.result(), cycles, data, core.statistics.table()};
}

TEST(AggregatorCore, ProgramsComputeWhatTheHostDoes) {
  for (uint64_t which = 0; which != 7; ++which)
    for (size_t index = 0; index != 4; ++index) {
      WholeRun run = runProgram(which, tableFive(index));
      EXPECT_GT(run.cycles, 1000u);
    }
}

TEST(AggregatorCore, SleepChangesNothing) {
  for (uint64_t which : {0, 4, 5, 6})
    for (size_t index = 0; index != 4; ++index) {
      WholeRun sleeping = runProgram(which, tableFive(index));
      WholeRun awake = runProgram(which, tableFive(index), true);
      EXPECT_EQ(sleeping.cycles, awake.cycles) << which << index;
      EXPECT_EQ(sleeping.counters, awake.counters) << which << index;
    }
}

// The paper: simple 41.5 %, light 35.1 %, 2-way 30.1 %, 4-way 29.8 % of the time in
// Fibonacci.
TEST(AggregatorCore, TheCoresOfTableFiveAreInOrder) {
  uint64_t cycles[4];
  for (size_t index = 0; index != 4; ++index)
    cycles[index] = runProgram(6, tableFive(index)).cycles;
  EXPECT_GT(cycles[0], cycles[1]);
  EXPECT_GT(cycles[1], cycles[2]);
  EXPECT_GE(cycles[2], cycles[3]);
  RecordProperty("cycles", std::to_string(cycles[0]) + " " +
                               std::to_string(cycles[1]) + " " +
                               std::to_string(cycles[2]) + " " +
                               std::to_string(cycles[3]));
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST(AggregatorCore, PollingForeverIsNoMovement) {
  for (const Overrides &base : {Overrides{}, kSimple}) {
    // Reads a register of the device; does nothing; divides.
    for (const Code &loop :
         {Code{ld(11, 10, 0), beq(11, 0, -4)}, Code{jal(0, 0)},
          Code{divu(11, 11, 10), jal(0, -4)}}) {
      AggregatorHarness core(base);
      core.data.isRecording = core.instructions.isRecording = false;
      core.load(loop);
      // A script's lines would be movement, as they are in a cache.
      core.instructions.isQuiet = true;
      try {
        core.run({0x1000, 0, core.address(&core.shared)});
        FAIL();
      } catch (const Stalled &error) {
        std::string text = error.what();
        EXPECT_NE(text.find("aggregator: the scheduler is at pc 0x"),
                  std::string::npos)
            << text;
        EXPECT_NE(text.find("(function `_start`)"), std::string::npos);
        EXPECT_NE(text.find("it only polls"), std::string::npos) << text;
        EXPECT_TRUE(core.core.isPolling());
      }
    }
  }
}

TEST(AggregatorCore, SaysWhatItWaitsFor) {
  AggregatorHarness core;
  core.data.refusesUntil = ~uint64_t(0) / 10000;
  core.load({ld(11, 10, 0), ret()});
  core.core.start({{core.address(&core.shared)}});
  core.engine.run([&] { return core.data.refusals != 0; });
  std::string text = core.engine.explain();
  EXPECT_NE(text.find("its oldest instruction, ld at pc 0x0 (function "
                      "`_start`), waits for 8 bytes at 0x"),
            std::string::npos)
      << text;
}

TEST(AggregatorCore, ErrorsOfTheProgramComeOut) {
  for (const Overrides &overrides : {Overrides{}, kSimple})
    for (auto [code, text] :
         {std::pair(Code{sd(0, 0, 16), ret()},
                    "the scheduler's store of 8 bytes to 0x10 at pc 0x0 "
                    "(function `_start`) is outside of"),
          {Code{0x73}, "the scheduler's ecall at pc 0x0"},
          {Code{nop()}, "the scheduler went to pc 0x4, which is not in its "
                        "code, from pc 0x0"},
          {Code{jalr(0, 10, 0)}, "the scheduler went to pc 0x"}}) {
      AggregatorHarness core(overrides);
      core.load(code);
      try {
        core.run();
        FAIL() << text;
      } catch (const std::runtime_error &error) {
        EXPECT_EQ(std::string(error.what()).find(text), 0u) << error.what();
      }
    }
  AggregatorHarness core;
  EXPECT_THROW(core.core.start(), std::logic_error);
  core.load({ret()});
  core.core.start();
  EXPECT_THROW(core.core.start(), std::logic_error);
  EXPECT_THROW(core.load({ret()}), std::logic_error);
  core.core.stop();
  core.load({ret()});
  EXPECT_THROW(core.core.start(std::vector<uint64_t>(9)), std::logic_error);
}

} // namespace
