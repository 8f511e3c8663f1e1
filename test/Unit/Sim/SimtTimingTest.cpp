//===- SimtTimingTest.cpp - A timed SIMT core, to the cycle ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most tests compare two kernels, or two numbers of threads: the difference is what
// a rule of docs/SIMT.md says.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "dispatch/Processor.h"
#include "simt/GroupLimits.h"
#include "simt/Multiprocessor.h"
#include "simt/Scratchpad.h"

#include <gtest/gtest.h>

using namespace chansim;
using namespace chansim::simt;

namespace {

Machine fermi(const Overrides &overrides = {}) {
  std::string error;
  std::optional<Machine> machine =
      Machine::load(SIM_MACHINES "micro15-fermi.json", error);
  EXPECT_TRUE(machine && machine->set(overrides, error)) << error;
  return *machine;
}

/// A kernel on a core.
class SmHarness {
public:
  explicit SmHarness(const std::string &lines, const Machine &machine = fermi(),
                     std::vector<uint64_t> symbols = {},
                     const std::string &head = "")
      : engine(machine), processor(machine, engine, statistics),
        assembly(parse(lines, head)),
        code(assembly.kernels[0], symbols, tileThreads(machine.simt),
             machine.simt.issueCycles) {}

  static Assembly parse(const std::string &lines, const std::string &head) {
    std::string error;
    auto parsed = Assembly::parse(
        ".kernel k\n.parameter argument 0\n.private 0\n" + head +
            ".registers s 24 d 4 c 2\n{\n" + lines + "exit\n}\n",
        "k.simt", error);
    EXPECT_TRUE(parsed) << error;
    return parsed.value();
  }

  /// Core cycles of a tile.
  uint64_t run(uint32_t threads, const void *argument = nullptr,
               uint64_t groupBytes = 0) {
    SimtTile tile;
    tile.kernel = &code;
    tile.groupMemory = reinterpret_cast<uint64_t>(argument);
    tile.groupBytes = groupBytes;
    tile.threads = threads;
    tile.parameters = {reinterpret_cast<uint64_t>(argument)};
    uint64_t before = count("simt.cycles");
    processor.core(0).run(tile);
    EXPECT_FALSE(tile.hasYielded);
    return count("simt.cycles") - before;
  }
  uint64_t count(const char *name) const { return statistics.value(name); }

  Statistics statistics;
  Engine engine;
  Processor processor;
  Assembly assembly;
  Code code;
};

std::string repeat(unsigned times, const std::string &line) {
  std::string text;
  for (unsigned i = 0; i != times; ++i)
    text += line + "\n";
  return text;
}

/// Cycles of a kernel, of so many warps.
uint64_t cyclesOf(const std::string &lines, uint32_t warps = 1,
                  const Machine &machine = fermi()) {
  return SmHarness(lines, machine).run(32 * warps);
}

/// Cycles that each further line takes.
uint64_t cyclesOfOneMore(const std::string &line,
                         const Machine &machine = fermi()) {
  return cyclesOf(repeat(9, line), 1, machine) -
         cyclesOf(repeat(8, line), 1, machine);
}

} // namespace

TEST(SimtTiming, ADependentAdditionTakesAsLongAsFermis) {
  // Pipeline 10, addition 4, and 2 each to write the result and to read it.
  EXPECT_EQ(cyclesOfOneMore("add.i32 s0, s0, 1"), 18u);
  EXPECT_EQ(cyclesOfOneMore("add.i32 s0, s0, 1",
                            fermi({{"operations.int_add", "9"}})),
            23u);
  EXPECT_EQ(cyclesOfOneMore("add.i32 s0, s0, 1",
                            fermi({{"simt.pipeline_cycles", "0"}})),
            8u);
  EXPECT_EQ(cyclesOfOneMore("fmul.f32 s0, s0, 2.0"), 19u);
}

TEST(SimtTiming, ASchedulerIssuesInTwoCycles) {
  // Nothing reads what was written.
  std::string eight, nine;
  for (unsigned i = 0; i != 9; ++i) {
    nine = eight;
    eight += "mov.i32 s" + std::to_string(i) + ", 1\n";
  }
  std::swap(eight, nine);
  EXPECT_EQ(cyclesOf(nine, 1) - cyclesOf(eight, 1), 2u);
  Machine slow = fermi({{"simt.issue_cycles", "5"}});
  EXPECT_EQ(cyclesOf(nine, 1, slow) - cyclesOf(eight, 1, slow), 5u);
}

TEST(SimtTiming, TwoSchedulersServeTwoWarps) {
  std::string lines;
  for (unsigned i = 0; i != 20; ++i)
    lines += "mov.i32 s" + std::to_string(i) + ", 1\n";
  // The second warp is the other scheduler's; the third is the first one's.
  uint64_t one = cyclesOf(lines, 1);
  EXPECT_EQ(cyclesOf(lines, 2), one);
  // 20 moves and an exit more.
  EXPECT_EQ(cyclesOf(lines, 3) - one, 42u);
  EXPECT_EQ(cyclesOf(lines, 4), cyclesOf(lines, 3));
  EXPECT_EQ(cyclesOf(lines, 3, fermi({{"simt.schedulers", "3"}})), one);
}

TEST(SimtTiming, AWriteWaitsForTheWriteBefore) {
  EXPECT_EQ(cyclesOfOneMore("mov.i32 s0, 1"), 14u); // no operand to read
}

TEST(SimtTiming, TheGreedySchedulerStaysWithItsWarp) {
  // Of two warps of a scheduler, the first does all of its independent moves
  // before the second does any; so the first chain ends as if alone.
  SmHarness harness("mov.i32 s0, 1\nmov.i32 s1, 1\nmov.i32 s2, 1\n");
  harness.run(96);
  EXPECT_EQ(harness.count("simt.instructions"), 12u);
  EXPECT_EQ(harness.count("simt.lane_operations"), 12u * 32);
}

TEST(SimtTiming, RegistersOfOneBankAreReadOneByOne) {
  // s0 and s16 are in one bank, s1 is in another.
  EXPECT_EQ(cyclesOf("add.i32 s2, s0, s16\nadd.i32 s3, s2, 1\n") -
                cyclesOf("add.i32 s2, s0, s1\nadd.i32 s3, s2, 1\n"),
            2u);
  EXPECT_EQ(cyclesOf("add.i32 s2, s0, s16\nadd.i32 s3, s2, 1\n", 1,
                     fermi({{"simt.register_banks", "32"}})),
            cyclesOf("add.i32 s2, s0, s1\nadd.i32 s3, s2, 1\n", 1,
                     fermi({{"simt.register_banks", "32"}})));
  // A register of class d is two rows in neighbouring banks: 24 and 25 of the
  // file, 8 and 9 of the banks.
  EXPECT_EQ(cyclesOf("trunc.i64.i32 s2, d0\nadd.i32 s3, s2, 1\n"),
            cyclesOf("add.i32 s2, s0, s1\nadd.i32 s3, s2, 1\n"));
  SmHarness harness("trunc.i64.i32 s2, d0\nadd.i64 d1, d0, d2\n");
  harness.run(32);
  EXPECT_EQ(harness.count("registers.reads"), 2u + 4);
  EXPECT_EQ(harness.count("registers.writes"), 1u + 2);
}

TEST(SimtTiming, WarpsHaveTheirRegistersInDifferentBanks) {
  // Two warps read the same register in the same cycle, and write one.
  SmHarness two("add.i32 s1, s0, 1\n");
  two.run(64);
  EXPECT_EQ(two.count("registers.conflicts"), 0u);
  // With one bank, the second reads after the first, and so writes after it.
  SmHarness one("add.i32 s1, s0, 1\n", fermi({{"simt.register_banks", "1"}}));
  one.run(64);
  EXPECT_EQ(one.count("registers.conflicts"), 2u);
}

TEST(SimtTiming, InstructionsWaitForACollector) {
  Machine machine =
      fermi({{"simt.collectors", "1"}, {"simt.issue_cycles", "1"}});
  // Three rows of one bank: the collector is free after 6 cycles.
  std::string lines;
  for (unsigned i = 1; i != 5; ++i)
    lines += "mad.i32 s" + std::to_string(i) + ", s0, s16, s0\n";
  std::string more = lines + "mad.i32 s5, s0, s16, s0\n";
  EXPECT_EQ(cyclesOf(more, 1, machine) - cyclesOf(lines, 1, machine), 6u);
  SmHarness harness(lines, machine);
  harness.run(32);
  EXPECT_GT(harness.count("simt.stall_collector"), 0u);
}

TEST(SimtTiming, SpecialUnitsHaveFewLanes) {
  std::string lines, more;
  for (unsigned i = 1; i != 6; ++i) {
    lines = more;
    more += "fdiv.f32 s" + std::to_string(i) + ", s0, 2.0\n";
  }
  // 32 threads by 4 lanes.
  EXPECT_EQ(cyclesOf(more) - cyclesOf(lines), 8u);
  lines = more = "";
  for (unsigned i = 1; i != 4; ++i) {
    lines = more;
    more += "fadd.f64 d" + std::to_string(i) + ", d0, 2.0\n";
  }
  EXPECT_EQ(cyclesOf(more) - cyclesOf(lines), 16u);
  EXPECT_EQ(cyclesOf(more, 1, fermi({{"simt.double_lanes", "16"}})) -
                cyclesOf(lines, 1, fermi({{"simt.double_lanes", "16"}})),
            2u);
}

TEST(SimtTiming, TheLanesOfALoadBecomeLines) {
  alignas(128) static uint32_t words[32 * 32];
  auto lines = [](uint32_t stride) {
    SmHarness harness("mad.i64 d0, id, " + std::to_string(stride) +
                      ", p0\nload.i32 s0, [d0]\n");
    harness.run(32, words);
    return harness.count("simt.lines");
  };
  EXPECT_EQ(lines(0), 1u);
  EXPECT_EQ(lines(4), 1u);
  EXPECT_EQ(lines(8), 2u);
  EXPECT_EQ(lines(64), 16u);
  EXPECT_EQ(lines(128), 32u);
}

TEST(SimtTiming, L1GetsALineInTwoCycles) {
  alignas(128) static uint32_t words[32 * 32];
  // All lines are in L1; the last instruction needs the value.
  auto cycles = [](uint32_t stride, const Machine &machine) {
    SmHarness harness("mad.i64 d0, id, " + std::to_string(stride) +
                          ", p0\nload.i32 s0, [d0]\nadd.i32 s1, s0, 1\n",
                      machine);
    harness.run(32, words);
    return harness.run(32, words);
  };
  uint64_t one = cycles(4, fermi());
  EXPECT_EQ(cycles(8, fermi()) - one, 2u);
  EXPECT_EQ(cycles(128, fermi()) - one, 62u);
  // By 8 lanes it takes four.
  Machine narrow = fermi({{"simt.load_store_lanes", "8"}});
  EXPECT_EQ(cycles(128, narrow) - cycles(4, narrow), 124u);
}

TEST(SimtTiming, LoadsWaitForAPlaceInTheQueue) {
  alignas(128) static uint32_t words[32 * 32];
  // A load of 32 lines keeps its place for 63 cycles; it leaves as the last line
  // is given to L1.
  auto stalls = [](unsigned loads, const char *places) {
    std::string lines = "mad.i64 d0, id, 128, p0\n";
    for (unsigned i = 0; i != loads; ++i)
      lines += "load.i32 s" + std::to_string(i) + ", [d0]\n";
    SmHarness harness(lines, fermi({{"simt.load_store_queue", places}}));
    harness.run(32, words);
    uint64_t before = harness.count("simt.stall_load_store");
    harness.run(32, words);
    return harness.count("simt.stall_load_store") - before;
  };
  EXPECT_EQ(stalls(1, "1"), 0u);
  EXPECT_EQ(stalls(2, "1"), 61u);
  EXPECT_EQ(stalls(2, "2"), 0u);
  // The scheduler tries again two cycles after each load that it issued.
  EXPECT_EQ(stalls(3, "2"), 59u);
}

TEST(SimtTiming, ALoadThatHitsTakesL1sTime) {
  alignas(128) static uint32_t words[32];
  auto cycles = [](const char *hit) {
    SmHarness harness("load.i32 s0, [p0]\nadd.i32 s1, s0, 1\n",
                      fermi({{"l1.hit_cycles", hit}}));
    harness.run(32, words);
    return harness.run(32, words);
  };
  EXPECT_EQ(cycles("50") - cycles("35"), 15u);
}

TEST(SimtTiming, NothingWaitsForAStore) {
  alignas(128) static uint32_t words[32 * 32];
  const char *address = "mad.i64 d0, id, 4, p0\n";
  SmHarness with(address + std::string("store.i32 [d0], s0\n"));
  SmHarness without(address);
  // The address must be known; then the store is issued in two cycles.
  EXPECT_LE(with.run(32, words) - without.run(32, words), 4u);
  EXPECT_EQ(with.count("l1.passed"), 1u);
  EXPECT_EQ(with.count("l1.misses"), 0u);
}

TEST(SimtTiming, AStoreMakesL1GiveTheLineUp) {
  alignas(128) static uint32_t words[32] = {};
  SmHarness harness("load.i32 s0, [p0]\nadd.i32 s1, s0, 1\nstore.i32 [p0], s1\n"
                    "load.i32 s2, [p0]\nadd.i32 s3, s2, 1\n");
  harness.run(1, words);
  EXPECT_EQ(words[0], 1u);
  EXPECT_EQ(harness.count("l1.misses"), 2u);
  EXPECT_EQ(harness.count("l1.hits"), 0u);
  // Of the line, one segment went to the L2, which had it all.
  EXPECT_EQ(harness.count("l2.writes"), 1u);
  EXPECT_EQ(harness.count("dram.reads"), 1u);
}

TEST(SimtTiming, AnAtomicOperationOfALaneIsOneOfL2) {
  static uint32_t sum = 0;
  SmHarness harness("atomic_add.i32 s0, [p0], 1\n");
  harness.run(96, &sum);
  EXPECT_EQ(sum, 96u);
  EXPECT_EQ(harness.count("l2.atomics"), 96u);
  EXPECT_EQ(harness.count("simt.atomics"), 96u);
}

TEST(SimtTiming, BothArmsOfABranchTakeTheirTime) {
  auto kernel = [](const char *limit) {
    return "trunc.i64.i32 s0, id\nslt.i32 c0, s0, " + std::string(limit) +
           "\nbra c0, other, reconverge join\n" +
           repeat(5, "add.i32 s1, s1, 1") + "bra join\nother:\n" +
           repeat(3, "add.i32 s2, s2, 1") + "join:\nadd.i32 s3, s0, 1\n";
  };
  auto run = [&](const char *limit) {
    SmHarness harness(kernel(limit));
    uint64_t cycles = harness.run(32);
    return std::pair(cycles, harness.count("simt.instructions"));
  };
  auto [all, ofAll] = run("32");  // 3 additions
  auto [none, ofNone] = run("0"); // 5 and a branch
  auto [some, ofSome] = run("7"); // all of them
  EXPECT_EQ(ofAll, 3u + 3 + 2);
  EXPECT_EQ(ofNone, 3u + 6 + 2);
  EXPECT_EQ(ofSome, 3u + 6 + 3 + 2);
  EXPECT_GT(some, none);
  EXPECT_GT(none, all);
}

TEST(SimtTiming, ABranchHoldsItsWarpBack) {
  // Pipeline and addition; it has no operands.
  EXPECT_EQ(cyclesOf("bra L0\nL0:\nbra L1\nL1:\n") - cyclesOf("bra L0\nL0:\n"),
            14u);
}

TEST(SimtTiming, CyclesBelongToInstructions) {
  SmHarness harness("add.i32 s0, s0, 1\nadd.i32 s1, s0, 1\n");
  uint64_t cycles = harness.run(32);
  const auto &counters = harness.code.counters;
  EXPECT_EQ(counters.executed, (std::vector<uint64_t>{1, 1, 1}));
  EXPECT_EQ(counters.cycles, cycles);
  // The first addition is read in 2 cycles and done 14 later; issuing it took two
  // of them.  The scheduler that has no warp waits with nothing.
  using Stalls = std::array<uint64_t, Code::kStalls.size()>;
  EXPECT_EQ(counters.stalled[0], Stalls{});
  EXPECT_EQ(counters.stalled[1], (Stalls{14, 0, 0, 0})); // for a result
}

TEST(SimtTiming, WarpsBeyondTheRegisterFileTakeTheirTurns) {
  // 32 words of registers for each of 32 lanes: 4 KB a warp.
  std::string lines = repeat(10, "add.i32 s0, s0, 1");
  Machine small =
      fermi({{"simt.registers", "32"}, {"simt.register_file", "4096"}});
  uint64_t one = cyclesOf(lines, 1, small), three = cyclesOf(lines, 3, small);
  EXPECT_GE(three, 3 * one - 20);
  EXPECT_LT(cyclesOf(lines, 3), one + 20);
  // And those beyond simt.warps.
  EXPECT_GE(cyclesOf(lines, 3, fermi({{"simt.warps", "1"}})), 3 * one - 20);
}

TEST(SimtTiming, StoresOfPartsOfALineAreMerged) {
  std::vector<LineAccess> lines;
  std::vector<uint64_t> addresses = {0x1000, 0x1004, 0x1008, 0x107e};
  coalesce(addresses, 4, 128, lines);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].line, 0x1000u);
  // Segments 0 and 3; the last access crosses into the next line.
  EXPECT_EQ(lines[0].mask.count(), 64u);
  EXPECT_EQ(lines[1].line, 0x1080u);
  EXPECT_EQ(lines[1].mask.count(), 32u);
}

TEST(SimtTiming, ABarrierOfOneWarpTakesAsLongAsABranch) {
  auto cycles = [](unsigned barriers) {
    SmHarness harness(repeat(barriers, "bar"), fermi(), {}, ".group 32 0\n");
    uint64_t result = harness.run(32);
    EXPECT_EQ(harness.count("simt.barriers"), barriers);
    EXPECT_EQ(harness.count("simt.barrier_cycles"), 0u);
    return result;
  };
  // Pipeline and addition.
  EXPECT_EQ(cycles(3) - cycles(2), 14u);
}

TEST(SimtTiming, WarpsWaitAtABarrierForTheLastOfTheirGroup) {
  // Threads 32 to 63 make additions that depend on each other; of 18 cycles each.
  auto kernel = [](unsigned additions) {
    return "lshr.i64 d0, id, 5\ntrunc.i64.i1 c0, d0\n"
           "bra !c0, wait, reconverge wait\n" +
           repeat(additions, "add.i32 s0, s0, 1") + "wait:\nbar\n";
  };
  auto measure = [&](unsigned additions) {
    SmHarness harness(kernel(additions), fermi(), {}, ".group 64 0\n");
    uint64_t cycles = harness.run(64);
    EXPECT_EQ(harness.count("simt.barriers"), 1u);
    return std::pair(cycles, harness.count("simt.barrier_cycles"));
  };
  auto [few, fewWaited] = measure(4);
  auto [many, manyWaited] = measure(9);
  EXPECT_EQ(many - few, 5u * 18);
  // The first warp came to the barrier when the other began with them. It is issued
  // two cycles after an addition, as nothing reads what it computes.
  EXPECT_EQ(manyWaited - fewWaited, 5u * 18);
  EXPECT_EQ(fewWaited, 3u * 18 + 2);
}

TEST(SimtTiming, AWarpAtABarrierIssuesNothing) {
  // Of two groups, one waits for its second warp; the scheduler serves the other.
  std::string lines = "lshr.i64 d0, id, 5\neq.i64 c0, d0, 1\n"
                      "bra !c0, wait, reconverge wait\n" +
                      repeat(50, "add.i32 s0, s0, 1") + "wait:\nbar\n" +
                      repeat(4, "add.i32 s1, s1, 1");
  SmHarness harness(lines, fermi(), {}, ".group 64 0\n");
  harness.run(128);
  EXPECT_EQ(harness.count("simt.barriers"), 2u);
  // Scheduler 0 has warps 0 and 2. When warp 2 has ended, warp 0 waits alone.
  EXPECT_GT(harness.count("simt.stall_barrier"), 600u);
  EXPECT_LT(harness.count("simt.stall_barrier"), 50u * 18);
}

TEST(SimtTiming, GroupsThatWaitForYieldedThreadsLeaveTheirSlots) {
  // Thread 32 of each group of 64 yields, and two warps are resident.
  std::string lines = "and.i64 d0, id, 63\neq.i64 c0, d0, 32\n"
                      "bra !c0, wait, reconverge wait\nyield wait\n"
                      "wait:\nbar\natomic_add.i32 s0, [p0], 1\n";
  uint32_t sum = 0;
  SmHarness harness(lines, fermi({{"simt.warps", "2"}}), {}, ".group 64 0\n");
  SimtTile tile;
  tile.kernel = &harness.code;
  tile.threads = 256;
  tile.parameters = {reinterpret_cast<uint64_t>(&sum)};
  harness.processor.core(0).run(tile);
  EXPECT_TRUE(tile.hasYielded);
  EXPECT_EQ(sum, 0u);
  harness.processor.core(0).run(tile);
  EXPECT_FALSE(tile.hasYielded);
  EXPECT_EQ(sum, 256u);
  EXPECT_EQ(harness.count("simt.barriers"), 4u);
}

TEST(SimtTiming, AGroupOfMoreWarpsThanTheCoreHoldsIsRefused) {
  SmHarness harness("bar\n", fermi({{"simt.warps", "1"}}), {}, ".group 64 0\n");
  try {
    harness.run(64);
    FAIL();
  } catch (const std::invalid_argument &error) {
    EXPECT_STREQ(error.what(),
                 "tile of kernel 'k': its work-groups have 64 threads, or 2 "
                 "warps of simt.lanes 32, which a core holds together; "
                 "simt.warps is 1");
  }
}

TEST(SimtTiming, LimitsOfGroupsNameTheKeyItsValueAndTheNeed) {
  Machine machine = fermi({{"simt.register_file", "8064"}});
  GroupNeeds small{64, 4096, 31}, large{64, 4096, 32};
  EXPECT_EQ(groupProblem(small, machine.simt), "");
  EXPECT_EQ(groupProblem(large, machine.simt),
            "its work-groups have 64 threads, or 2 warps of simt.lanes 32, "
            "which a core holds together; simt.register_file is 8064, and "
            "their registers are 8192 bytes");
  EXPECT_EQ(scratchpadProblem(large, machine.simt), "");
  machine.simt.lanes = 24;
  EXPECT_EQ(groupProblem(small, machine.simt),
            "it has work-groups, and simt.lanes is 24, which is no power of "
            "two");
  machine.simt.lanes = 32;
  machine.simt.scratchpadBytes = 4095;
  EXPECT_EQ(scratchpadProblem(large, machine.simt),
            "those of a work-group take 4096 bytes, and simt.scratchpad_bytes "
            "is 4095");
  EXPECT_EQ(scratchpadProblem({16, 2048, 32}, machine.simt),
            "those of the 2 work-groups of a warp take 4096 bytes, and "
            "simt.scratchpad_bytes is 4095");
  // Without a scratchpad, the memory is behind L1 by choice.
  machine.simt.scratchpadBytes = 0;
  EXPECT_EQ(scratchpadProblem(large, machine.simt), "");
}

TEST(SimtTiming, BanksOfTheScratchpadDeliverAWordInATurn) {
  auto turns = [](uint64_t stride, uint32_t bytes, uint32_t banks = 32) {
    std::vector<uint64_t> addresses;
    for (uint64_t lane = 0; lane != 32; ++lane)
      addresses.push_back(0x1000 + lane * stride);
    return scratchpadTurns(addresses, bytes, banks);
  };
  EXPECT_EQ(turns(4, 4), 1u);
  EXPECT_EQ(turns(0, 4), 1u); // one word, to all
  EXPECT_EQ(turns(1, 1), 1u); // four lanes share a word
  EXPECT_EQ(turns(8, 4), 2u);
  EXPECT_EQ(turns(8, 8), 2u);
  EXPECT_EQ(turns(128, 4), 32u);
  EXPECT_EQ(turns(132, 4), 1u); // a row has a word more than there are banks
  EXPECT_EQ(turns(4, 4, 16), 2u);
}

namespace {
alignas(128) uint32_t scratchpadWords[32 * 32 + 1];

/// Cycles of a load of each lane and an addition, in the memory of a group or not;
/// L1 has all lines.
uint64_t cyclesOfLoad(uint32_t stride, bool isOfGroup,
                      const Machine &machine = fermi()) {
  SmHarness harness("mad.i64 d0, id, " + std::to_string(stride) +
                        ", p0\nload.i32 s0, [d0]\nadd.i32 s1, s0, 1\n",
                    machine, {}, ".group 32 4096\n");
  uint64_t bytes = isOfGroup ? 4096 : 0;
  harness.run(32, scratchpadWords, bytes);
  uint64_t cycles = harness.run(32, scratchpadWords, bytes);
  bool isInScratchpad = isOfGroup && machine.simt.scratchpadBytes >= 4096;
  EXPECT_EQ(harness.count("scratchpad.instructions"), isInScratchpad ? 2u : 0u);
  EXPECT_EQ(harness.count("l1.accesses") == 0, isInScratchpad);
  return cycles;
}
} // namespace

TEST(SimtTiming, TheMemoryOfGroupsIsInTheScratchpad) {
  // A hit of L1 takes 35 cycles, and the scratchpad 26.
  EXPECT_EQ(cyclesOfLoad(4, false) - cyclesOfLoad(4, true), 9u);
  EXPECT_EQ(cyclesOfLoad(4, true, fermi({{"simt.scratchpad_cycles", "40"}})) -
                cyclesOfLoad(4, true),
            14u);
  // A turn takes two cycles.
  EXPECT_EQ(cyclesOfLoad(8, true) - cyclesOfLoad(4, true), 2u);
  EXPECT_EQ(cyclesOfLoad(128, true) - cyclesOfLoad(4, true), 62u);
  // Without room for a group, it is behind L1.
  Machine small = fermi({{"simt.scratchpad_bytes", "4095"}});
  EXPECT_EQ(cyclesOfLoad(4, true, small), cyclesOfLoad(4, false));
}

TEST(SimtTiming, LanesMayAccessTheScratchpadAndL1AtOnce) {
  // The group has the first half of the words: 16 lanes' lines are elsewhere.
  SmHarness harness("mad.i64 d0, id, 128, p0\nload.i32 s0, [d0]\n"
                    "store.i32 [d0], s0\n",
                    fermi(), {}, ".group 32 2048\n");
  harness.run(32, scratchpadWords, 2048);
  EXPECT_EQ(harness.count("scratchpad.turns"), 2u * 16);
  EXPECT_EQ(harness.count("simt.lines"), 2u * 16);
}

TEST(SimtTiming, AnAtomicOperationOfTheScratchpadTakesATurnForEachLane) {
  uint32_t sum = 0;
  SmHarness harness("atomic_add.i32 s0, [p0], 1\n", fermi(), {},
                    ".group 32 4\n");
  harness.run(32, &sum, 4);
  EXPECT_EQ(sum, 32u);
  EXPECT_EQ(harness.count("scratchpad.turns"), 32u);
  EXPECT_EQ(harness.count("l2.atomics"), 0u);
}

TEST(SimtTiming, GroupsAreResidentAsAWholeAndAsFarAsThereIsRoom) {
  std::string lines = repeat(20, "add.i32 s0, s0, 1");
  auto cycles = [&](const char *key, const char *value,
                    const std::string &group) {
    SmHarness harness(lines, fermi({{key, value}}), {}, group);
    return harness.run(256, scratchpadWords, 0);
  };
  std::string pair = ".group 64 0\n";
  uint64_t all = cycles("simt.groups", "8", pair);
  uint64_t one = cycles("simt.groups", "1", pair);
  EXPECT_GT(one, 3 * all);
  // Three warps have room, of which a group leaves one.
  EXPECT_EQ(cycles("simt.warps", "3", pair), one);
  // The scratchpad has room for one.
  EXPECT_EQ(cycles("simt.scratchpad_bytes", "5000", ".group 64 4096\n"), one);
  EXPECT_EQ(cycles("simt.scratchpad_bytes", "16384", ".group 64 4096\n"), all);
  // A warp of two groups is there as a whole.
  EXPECT_EQ(cycles("simt.groups", "1", ".group 16 0\n"),
            cycles("simt.warps", "1", ".group 32 0\n"));
}

TEST(SimtTiming, EqualRunsTakeEqualTimes) {
  std::string lines = "trunc.i64.i32 s0, id\nand.i32 s1, s0, 3\n"
                      "eq.i32 c0, s1, 0\nbra c0, end, reconverge end\n"
                      "mad.i32 s2, s1, s1, s0\nend:\n";
  EXPECT_EQ(cyclesOf(lines, 200), cyclesOf(lines, 200));
}
