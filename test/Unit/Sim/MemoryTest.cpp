//===- MemoryTest.cpp - The memory hierarchy, to the cycle ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include <gtest/gtest.h>

using namespace chansim;

namespace {

constexpr uint64_t kBase = 0x7f0000000000;
constexpr uint64_t kLine = 128;
constexpr uint64_t kWarm = 1000; // a cycle by which all is quiet again
/// Core cycles of a hit in L1, those that a hit in L2 takes more at an even
/// cycle, and when a line from DRAM is there that was asked for in cycle 0.
constexpr uint64_t kHit = 35, kL2 = 240, kCome = 486;

TEST(SimMemory, AHitCompletesInHitCyclesAndNotBefore) {
  for (auto [text, cycles] : {std::pair("35", 35u), std::pair("20", 20u)}) {
    MemoryHarness core(shippedMachine({{"l1.hit_cycles", text}}));
    core.read(0, kBase);
    size_t hit = core.read(kWarm, kBase + 4);
    core.run();
    EXPECT_EQ(core[hit].taken, kWarm);
    EXPECT_EQ(core[hit].latency(), cycles);
    EXPECT_EQ(core.count("l1.hits"), 1u);
    EXPECT_EQ(core.count("l1.misses"), 1u);
  }
}

// In ticks: L2 looks up at 66, the path ends in DRAM cycle 134 (6700), the data
// in 134 + RCD 12 + CCDL 3 + CL 12 + CCD 2 = 163 (8150), L2 has them at 8184 and
// L1 119 L2 cycles later, at 16038: core cycle 486, and 35 more.
TEST(SimMemory, AMissGoesThroughL2AndDramToTheCycle) {
  MemoryHarness core;
  size_t miss = core.read(0, kBase);
  core.run();
  EXPECT_EQ(core[miss].latency(), kCome + kHit);
  EXPECT_EQ(core.count("dram.reads"), 1u);
}

// A DRAM cycle more is an L2 edge more here: no slack hides it.
TEST(SimMemory, AMissWaitsForEachTimingOfTheDram) {
  for (auto [key, cycles, more] :
       {std::tuple("dram.rcd", "13", 2u), std::tuple("dram.cl", "13", 2u),
        std::tuple("dram.ccd", "3", 2u), std::tuple("dram.ccdl", "4", 2u),
        std::tuple("dram.path_cycles", "133", 2u),
        std::tuple("l2.hit_cycles", "121", 2u)}) {
    MemoryHarness core(shippedMachine({{key, cycles}}));
    size_t miss = core.read(0, kBase);
    core.run();
    EXPECT_EQ(core[miss].latency(), kCome + more + kHit) << key;
  }
}

TEST(SimMemory, AnL2HitTakes240CyclesMoreThanAnL1Hit) {
  for (uint64_t start : {kWarm, kWarm + 1}) {
    MemoryHarness core;
    core.read(0, kBase);
    core.run();
    core.flush(); // L1 forgets
    size_t hit = core.read(start, kBase);
    core.run();
    // An even core cycle is an L2 edge, which has passed; an odd one waits
    // less.
    EXPECT_EQ(core[hit].latency(), kHit + kL2 - start % 2) << start;
    EXPECT_EQ(core.count("l2.hits"), 1u);
    EXPECT_EQ(core.count("dram.reads"), 1u);
  }
}

TEST(SimMemory, ABankTakesOneAccessACycle) {
  MemoryHarness core;
  core.read(0, kBase);
  size_t first = core.read(kWarm, kBase + 8);
  size_t otherBank = core.read(kWarm, kBase + 12);
  size_t sameBank = core.read(kWarm, kBase + 8);
  size_t overlaps = core.read(kWarm, kBase + 4, 8);
  core.run();
  EXPECT_EQ(core[first].taken, kWarm);
  EXPECT_EQ(core[otherBank].taken, kWarm);
  EXPECT_EQ(core[sameBank].firstAnswer, Taken::bankConflict);
  EXPECT_EQ(core[sameBank].taken, kWarm + 1);
  // The bank of +8 is taken by `sameBank` once more.
  EXPECT_EQ(core[overlaps].taken, kWarm + 2);
  EXPECT_EQ(core.count("l1.bank_conflicts"), 3u);
  EXPECT_EQ(core[overlaps].latency(), 35u);
}

TEST(SimMemory, AccessesToALineUnderWayWaitForItTogether) {
  MemoryHarness core;
  size_t first = core.read(0, kBase);
  size_t second = core.read(1, kBase + 4);
  size_t last = core.read(200, kBase + 4);
  core.run();
  EXPECT_EQ(core.count("l1.misses"), 1u);
  EXPECT_EQ(core.count("l1.merged"), 2u);
  EXPECT_EQ(core.count("dram.reads"), 1u);
  EXPECT_EQ(core[first].completed, kCome + kHit);
  EXPECT_EQ(core[second].completed, kCome + kHit);
  EXPECT_EQ(core[last].completed, kCome + kHit);
  EXPECT_EQ(core.order, (std::vector<size_t>{first, second, last}));
}

TEST(SimMemory, MshrsAndTheirTargetsAreLimited) {
  MemoryHarness core(
      shippedMachine({{"l1.mshrs", "1"}, {"l1.mshr_targets", "2"}}));
  core.read(0, kBase);
  core.read(1, kBase + 4);
  size_t third = core.read(2, kBase + 8);
  size_t otherLine = core.read(3, kBase + kLine);
  core.run();
  EXPECT_EQ(core[third].firstAnswer, Taken::noTarget);
  EXPECT_EQ(core[otherLine].firstAnswer, Taken::noMshr);
  // The line is there in cycle kCome, before the core's turn.
  EXPECT_EQ(core[third].taken, kCome);
  EXPECT_EQ(core[third].latency(), 35u);
  EXPECT_EQ(core[otherLine].taken, kCome);
  EXPECT_EQ(core.count("l1.mshr_full"), kCome - 3);
}

/// Lines of one L1 set: 128 sets of 128 bytes.
uint64_t inOneSet(unsigned i) { return kBase + i * 128 * kLine; }

TEST(SimMemory, TheLeastRecentlyUsedLineIsReplaced) {
  // Physical addresses as the virtual ones: one frame.
  MemoryHarness core(shippedMachine({{"memory.frame_bytes", "1048576"}}));
  for (unsigned i = 0; i != 4; ++i)
    core.read(i * kWarm, inOneSet(i));
  core.read(4 * kWarm, inOneSet(0)); // now 1 is the oldest
  core.read(5 * kWarm, inOneSet(4));
  size_t stays = core.read(6 * kWarm, inOneSet(0));
  size_t gone = core.read(7 * kWarm, inOneSet(1));
  core.run();
  EXPECT_EQ(core[stays].latency(), 35u);
  EXPECT_GE(core[gone].latency(), kHit + kL2 - 1);
  EXPECT_EQ(core.count("l1.misses"), 6u);
  EXPECT_EQ(core.count("l1.write_backs"), 0u);
}

TEST(SimMemory, ADirtyVictimIsWrittenBack) {
  MemoryHarness core(shippedMachine({{"memory.frame_bytes", "1048576"}}));
  size_t write = core.at(0, Access::write, inOneSet(0));
  for (unsigned i = 1; i != 6; ++i)
    core.read(i * kWarm, inOneSet(i));
  core.run();
  EXPECT_EQ(core[write].latency(), kCome + kHit); // write-allocate
  EXPECT_EQ(core.count("l1.write_backs"), 1u);
  // It stays in L2, where it is a hit.
  EXPECT_EQ(core.count("l2.writes"), 1u);
  EXPECT_EQ(core.count("l2.hits"), 1u);
  EXPECT_EQ(core.count("dram.writes"), 0u);
}

TEST(SimMemory, ADirtyVictimOfL2GoesToDram) {
  MemoryHarness core(shippedMachine({{"l2.bytes", "768"},
                                     {"l2.ways", "1"},
                                     {"memory.frame_bytes", "1048576"}}));
  core.at(0, Access::write, kBase);
  core.run();
  core.flush();
  core.read(core.cycle() + 1, kBase + 6 * kLine); // the same L2 set
  core.run();
  EXPECT_EQ(core.count("l2.write_backs"), 1u);
  core.engine.run([&] { return core.count("dram.writes") == 1; });
}

TEST(SimMemory, AFlushWritesDirtyLinesAtTheRateOfTheLink) {
  MemoryHarness core;
  for (unsigned i = 0; i != 10; ++i)
    core.at(i, Access::write, kBase + i * kLine);
  core.read(20, kBase + 10 * kLine);
  core.run();
  // Four cycles for 128 bytes, and one to see that there is nothing to do.
  EXPECT_EQ(core.flush(), 10 * 4 + 1u);
  EXPECT_EQ(core.count("memory.flushed_lines"), 10u);
  size_t after = core.read(core.cycle() + 100, kBase);
  core.run();
  EXPECT_GE(core[after].latency(), kHit + kL2 - 1); // L1 has forgotten it
  EXPECT_EQ(core.flush(), 1u);
}

TEST(SimMemory, AFlushMayKeepTheLines) {
  MemoryHarness core(shippedMachine({{"memory.flush_invalidates", "false"}}));
  core.at(0, Access::write, kBase);
  core.run();
  core.flush();
  size_t after = core.read(core.cycle() + 1, kBase);
  core.run();
  EXPECT_EQ(core[after].latency(), 35u);
  EXPECT_EQ(core.flush(), 1u); // clean
}

TEST(SimMemory, NoAccessStartsDuringAFlush) {
  MemoryHarness core;
  core.at(0, Access::write, kBase);
  core.run();
  core.memory.flush();
  EXPECT_EQ(core.memory.tryAccess({kBase, 4, Access::read, Via::l1, 0, 0}),
            Taken::flushing);
  core.engine.run([&] { return !core.memory.isFlushing(); });
}

TEST(SimMemory, AtomicsArePerformedInL2) {
  MemoryHarness core;
  core.at(0, Access::write, kBase);
  // L1 gives its dirty line up, of which 4 cycles on the link; L2 looks the
  // operation up at the edge of cycle +6.
  size_t first = core.at(kWarm, Access::atomic, kBase);
  size_t second = core.at(2 * kWarm, Access::atomic, kBase);
  core.run();
  EXPECT_EQ(core.count("l1.write_backs"), 1u);
  EXPECT_EQ(core[first].latency(), kHit + kL2 + 2);
  EXPECT_EQ(core[second].latency(), kHit + kL2);
  EXPECT_EQ(core.count("l2.atomics"), 2u);
  EXPECT_EQ(core.count("l1.hits"), 0u);
}

TEST(SimMemory, AtomicsOccupyTheirBank) {
  for (auto [text, cycles] : {std::pair("2", 2u), std::pair("9", 9u)}) {
    MemoryHarness core(shippedMachine({{"memory.atomic_cycles", text}}));
    core.at(0, Access::atomic, kBase);
    size_t first = core.at(kWarm, Access::atomic, kBase);
    size_t second = core.at(kWarm + 1, Access::atomic, kBase + 4);
    size_t otherBank = core.at(kWarm + 2, Access::atomic, kBase + kLine);
    core.run();
    EXPECT_EQ(core[second].completed - core[first].completed, 2 * cycles);
    EXPECT_EQ(core[otherBank].completed - core[otherBank].taken, kCome + kHit);
  }
}

TEST(SimMemory, AnAccessAcrossLinesWaitsForBoth) {
  MemoryHarness core;
  core.read(0, kBase);
  size_t across = core.read(kWarm, kBase + kLine - 4, 8);
  size_t hits = core.read(2 * kWarm, kBase + kLine - 4, 8);
  core.run();
  EXPECT_GE(core[across].latency(), kHit + kL2 - 1);
  EXPECT_EQ(core[hits].latency(), 35u);
  EXPECT_EQ(core.count("memory.split_accesses"), 2u);
  EXPECT_EQ(core.count("l1.misses"), 2u);
  EXPECT_EQ(core.count("l1.hits"), 3u);
  EXPECT_EQ(core.order.size(), 3u);
}

TEST(SimMemory, AnAccessAcrossLinesNeedsTwoMshrs) {
  MemoryHarness core(shippedMachine({{"l1.mshrs", "2"}}));
  core.read(0, kBase + 8 * kLine);
  size_t across = core.read(1, kBase + kLine - 4, 8);
  core.run();
  EXPECT_EQ(core[across].firstAnswer, Taken::noMshr);
  EXPECT_EQ(core[across].taken, kCome);
}

TEST(SimMemory, TheLvcHasItsOwnLinesAndBanksOfWords) {
  MemoryHarness core;
  core.at(0, Access::write, 0, 8, Via::lvc);
  core.read(0, 0);
  size_t word = core.at(kWarm, Access::read, 0, 8, Via::lvc);
  size_t next = core.at(kWarm, Access::read, 8, 8, Via::lvc);
  size_t again = core.at(kWarm, Access::read, 0, 8, Via::lvc);
  core.run();
  EXPECT_EQ(core.count("lvc.misses"), 1u);
  EXPECT_EQ(core.count("l1.misses"), 1u);
  EXPECT_EQ(core.count("dram.reads"), 2u);
  EXPECT_EQ(core[word].taken, kWarm);
  EXPECT_EQ(core[next].taken, kWarm);
  EXPECT_EQ(core[again].taken, kWarm + 1);
  EXPECT_EQ(core[again].latency(), 35u);
  core.memory.discardLiveValues();
  size_t after = core.at(core.cycle() + 1, Access::read, 0, 8, Via::lvc);
  core.run();
  EXPECT_GE(core[after].latency(), kHit + kL2 - 1);
  EXPECT_EQ(core.count("lvc.write_backs"), 0u);
}

TEST(SimMemory, LinesShareTheLinkToTheCore) {
  MemoryHarness core;
  // Two lines of different channels come together; the second needs the link
  // for the four cycles after the first.
  size_t first = core.read(0, kBase);
  size_t second = core.read(0, kBase + kLine + 4);
  core.run();
  EXPECT_EQ(core[first].completed, kCome + kHit);
  EXPECT_EQ(core[second].completed, kCome + kHit + 4);
}

/// Completion cycles of a fixed pattern over two regions.
std::vector<uint64_t> play(uint64_t a, uint64_t b, const char *frame) {
  MemoryHarness core(shippedMachine({{"memory.frame_bytes", frame}}));
  uint64_t state = 1;
  for (unsigned i = 0; i != 3000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint64_t offset = (state >> 33) % 200000 & ~uint64_t(3);
    core.at(i, state >> 60 & 1 ? Access::write : Access::read,
            (state >> 61 & 1 ? a : b) + offset);
  }
  core.run();
  std::vector<uint64_t> cycles;
  for (size_t i = 0; i != 3000; ++i)
    cycles.push_back(core[i].completed);
  return cycles;
}

TEST(SimMemory, CyclesDoNotDependOnWhereTheHostPlacedThings) {
  for (const char *frame : {"128", "4096"})
    EXPECT_EQ(play(0x555500000000, 0x7fff12340000, frame),
              play(0x7f1234567000, 0x10000, frame));
  // They would if physical addresses were the host's.
  EXPECT_NE(play(0x555500000000, 0x7fff12340000, "1073741824"),
            play(0x7f1234567000, 0x10000, "1073741824"));
}

TEST(SimMemory, LinesOfTheStackDoNotDependOnWhereItEnds) {
  for (uint64_t end : {0x7fff00001000, 0x7fff00001010, 0x7fff00000ff0}) {
    MemoryHarness core;
    core.uncore.frames.alignStack(end - 65536, end);
    // By the distance from the end: across lines, and not.
    core.read(0, end - kLine - 4, 8);
    core.read(1, end - kLine - 16, 8);
    core.run();
    EXPECT_EQ(core.count("memory.split_accesses"), 1u) << end;
    // So a core that asks for whole lines finds them.
    EXPECT_EQ(core.memory.place(end - kLine, 8, nullptr) % kLine, 0u) << end;
    EXPECT_EQ(core.memory.place(end - 8, 8, nullptr) % kLine, kLine - 8) << end;
  }
}

TEST(SimMemory, PrivateMemoryIsInterleavedByThread) {
  // 16 threads read the second word of their own kilobyte: 16 lines, or one.
  for (bool isInterleaved : {false, true}) {
    MemoryHarness core;
    if (isInterleaved)
      core.memory.setPrivateWindow(PrivateWindow{kBase, 16, 1024, 8});
    for (unsigned thread = 0; thread != 16; ++thread)
      core.read(thread * kWarm, kBase + thread * 1024 + 8, 8);
    core.read(20 * kWarm, kBase + 16 * 1024 + 8, 8); // beyond the window
    core.run();
    EXPECT_EQ(core.count("l1.misses"), isInterleaved ? 2u : 17u);
  }
}

TEST(SimMemory, ACoreOfSeveralTilesPlacesAccessesByTheirWindows) {
  MemoryHarness core(shippedMachine({{"l1.write_policy", "through"}}));
  const MemoryPort &port = core.memory;
  PrivateWindow one{kBase, 16, 1024, 8}, other{kBase + 65536, 4, 64, 8};
  EXPECT_EQ(port.place(kBase + 1024 + 8, 8, &one), kBase + 16 * 8 + 8);
  EXPECT_EQ(port.place(other.base + 64 + 8, 8, &other), other.base + 4 * 8 + 8);
  // Of the window of another tile, and of none.
  EXPECT_EQ(port.place(other.base + 64, 8, &one), other.base + 64);
  EXPECT_EQ(port.place(kBase + 1024, 8, nullptr), kBase + 1024);
  EXPECT_TRUE(one.contains(kBase + 16 * 1024 - 1));
  EXPECT_FALSE(one.contains(kBase + 16 * 1024));
  EXPECT_FALSE(one.contains(kBase - 1));
}

TEST(SimMemory, PlacesOnTheStackDoNotDependOnItsEnd) {
  for (uint64_t end : {kBase, kBase + 16, kBase + 112, kBase + 2000}) {
    MemoryHarness core;
    core.uncore.frames.alignStack(end - 8192, end);
    // The stack ends where a line does.
    EXPECT_EQ(core.memory.place(end - 8, 8, nullptr) % kLine, kLine - 8);
    EXPECT_EQ(core.memory.place(end - kLine, 8, nullptr) % kLine, 0u);
    // A request with such an address is for that line.
    uint64_t line = core.memory.place(end - kLine, 8, nullptr);
    EXPECT_EQ(core.memory.place(line, 8, nullptr), line);
    core.read(0, end - kLine);
    size_t again = core.read(kWarm, line);
    core.run();
    EXPECT_EQ(core[again].latency(), kHit);
  }
}

TEST(SimMemory, PrivateMemoryIsWrittenInACacheThatStoresPassBy) {
  MemoryHarness core(shippedMachine({{"l1.write_policy", "through"}}));
  core.memory.setPrivateWindow(PrivateWindow{kBase, 16, 1024, 8});
  uint64_t shared = kBase + 16 * 1024;
  core.read(0, kBase);
  core.read(1, shared);
  // Stores to lines that are there: one stays, and the other goes to the L2.
  core.post(kWarm, kBase + 4);
  core.post(kWarm + 1, shared + 4);
  size_t kept = core.read(2 * kWarm, kBase + 4);
  size_t gone = core.read(2 * kWarm + 1, shared + 4);
  // A store that misses goes to the L2 in any case.
  core.post(3 * kWarm, kBase + 512);
  size_t missed = core.read(4 * kWarm, kBase + 512);
  core.run();
  EXPECT_EQ(core[kept].latency(), kHit);
  EXPECT_EQ(core[gone].latency(), kHit + kL2 - 1);
  EXPECT_GT(core[missed].latency(), kHit);
  EXPECT_EQ(core.count("l1.passed"), 2u);
  core.flush();
  EXPECT_EQ(core.count("memory.flushed_lines"), 1u);
}

//===----------------------------------------------------------------------===//
// Two cores
//===----------------------------------------------------------------------===//

/// In which cycle a read of a line in L2 ends, if another core reads `other`,
/// which is there, too, in the same cycle.
uint64_t readBeside(bool isBeside, uint64_t other) {
  Machine machine = shippedMachine({{"cores", "2"}});
  MemoryHarness first(machine), second(machine, first);
  first.read(0, kBase);
  first.read(kWarm, kBase + other);
  first.run();
  // Their own caches have neither.
  first.flush();
  uint64_t at = (first.cycle() / 2 + 50) * 2;
  if (isBeside)
    first.read(at, kBase + other);
  size_t mine = second.read(at, kBase);
  first.start();
  second.run();
  EXPECT_EQ(second.count("l1.misses"), 1u);
  return second[mine].completed - at;
}

TEST(SimMemory, CoresMeetInABankOfL2) {
  uint64_t alone = readBeside(false, 0);
  EXPECT_EQ(alone, kHit + kL2); // from L2: the other core has fetched it
  // A line of another bank: each core has a link of its own.
  EXPECT_EQ(readBeside(true, 128), alone);
  // Of the same bank, the same line or not: the core that was first in its
  // cycle is served; the other when the bank's link has carried that line.
  EXPECT_EQ(readBeside(true, 6 * 128), alone + 4);
  EXPECT_EQ(readBeside(true, 0), alone + 4);
}

/// How long a core waits for a line of bank 0, 20 cycles after another core has
/// read lines of bank 1 and of bank 0, all of them in L2.
uint64_t readBehind(bool ofBank1, bool ofBank0) {
  Machine machine =
      shippedMachine({{"cores", "2"}, {"memory.link_bytes", "1"}});
  MemoryHarness first(machine), second(machine, first);
  for (unsigned line : {0, 1, 6})
    first.read(line * kWarm, kBase + line * kLine);
  first.run();
  first.flush();
  uint64_t at = (first.cycle() / 2 + 50) * 2;
  if (ofBank1)
    first.read(at, kBase + kLine);
  if (ofBank0)
    first.read(at + ofBank1, kBase);
  size_t mine = second.read(at + 20, kBase + 6 * kLine);
  first.start();
  second.run();
  return second[mine].latency();
}

TEST(SimMemory, ResponsesOfABankLeaveInOrder) {
  uint64_t alone = kHit + kL2, line = kLine; // at a byte a cycle
  EXPECT_EQ(readBehind(false, false), alone);
  // Each core and each bank has a link of its own.
  EXPECT_EQ(readBehind(true, false), alone);
  // That of bank 0 carries the other core's line first.
  EXPECT_EQ(readBehind(false, true), alone - 20 + line);
  // And if the other core is receiving one of bank 1, not even that one.
  EXPECT_EQ(readBehind(true, true), alone - 20 + 2 * line);
}

TEST(SimMemory, LiveValuesOfCoresLieApart) {
  Machine machine = shippedMachine({{"cores", "2"}});
  MemoryHarness first(machine), second(machine, first);
  first.at(0, Access::read, 0, 8, Via::lvc);
  first.run();
  uint64_t reads = first.count("dram.reads");
  second.at(first.cycle() + 10, Access::read, 0, 8, Via::lvc);
  second.run();
  EXPECT_EQ(first.count("dram.reads"), reads + 1);
  // Memory does not.
  first.at(first.cycle() + 10, Access::read, kBase, 8);
  first.run();
  second.at(first.cycle() + 10, Access::read, kBase, 8);
  second.run();
  EXPECT_EQ(first.count("dram.reads"), reads + 2);
}

TEST(SimMemory, WhatIsUnderWayIsExplained) {
  MemoryHarness core;
  core.read(0, kBase);
  core.at(1, Access::atomic, kBase);
  core.start();
  core.engine.run([&] { return core.cycle() >= 6; });
  EXPECT_EQ(core.engine.explain(), "  requests to DRAM channel 0: 1\n"
                                   "  lines from DRAM to L2 under way: 1\n"
                                   "  lines from L2 to L1 under way: 1\n"
                                   "  atomic operations in L2 under way: 1\n"
                                   "  harness: 2 accesses\n");
  core.run();
  EXPECT_EQ(core.engine.explain(), "  harness: 0 accesses\n");
}

TEST(SimMemory, AStalledMachineNamesTheWaitingAccesses) {
  MemoryHarness core;
  core.read(0, kBase);
  core.run();
  try {
    core.engine.run([] { return false; });
    FAIL() << "an engine that nobody keeps awake went on";
  } catch (const Stalled &stalled) {
    EXPECT_NE(std::string(stalled.what()).find("nothing is left"),
              std::string::npos);
    EXPECT_NE(std::string(stalled.what()).find("harness: 0"),
              std::string::npos);
  }
}

//===----------------------------------------------------------------------===//
// Posted writes
//===----------------------------------------------------------------------===//

// Nothing waits for them; a read of the line waits for the line.
TEST(SimMemory, APostedWriteHasNoCompletion) {
  MemoryHarness core;
  core.post(0, kBase);
  size_t read = core.read(1, kBase + 4);
  size_t hit = core.post(kWarm, kBase + 8);
  core.run();
  EXPECT_EQ(core.order, std::vector<size_t>{read});
  EXPECT_EQ(core[read].completed, kCome + kHit);
  EXPECT_EQ(core[hit].taken, kWarm);
  EXPECT_EQ(core.count("l1.misses"), 1u);
  EXPECT_EQ(core.count("l1.merged"), 1u);
  EXPECT_EQ(core.count("l1.hits"), 1u);
}

TEST(SimMemory, PostedWritesTakeTargetsOfTheirLine) {
  MemoryHarness core(shippedMachine({{"l1.mshr_targets", "2"}}));
  core.post(0, kBase);
  core.post(1, kBase + 4);
  size_t third = core.post(2, kBase + 8);
  core.run();
  EXPECT_EQ(core[third].firstAnswer, Taken::noTarget);
  EXPECT_EQ(core[third].taken, kCome);
}

TEST(SimMemory, APostedWriteMayCrossLines) {
  MemoryHarness core;
  core.post(0, kBase + kLine - 4, 8);
  core.run();
  EXPECT_EQ(core.flush(), core.count("memory.flush_cycles"));
  EXPECT_EQ(core.count("memory.split_accesses"), 1u);
  EXPECT_EQ(core.count("memory.flushed_lines"), 2u);
}

// Else what the write has done would be lost.
TEST(SimMemory, AFlushWaitsForLinesOfPostedWrites) {
  MemoryHarness core;
  core.post(0, kBase);
  core.run();
  uint64_t begun = core.cycle();
  core.flush();
  EXPECT_GE(core.cycle(), kCome);
  EXPECT_LT(begun, kCome);
  EXPECT_EQ(core.count("memory.flushed_lines"), 1u);
}

// Live values are dead then, and so is what was written to them.
TEST(SimMemory, DiscardedLiveValuesUnderWayAreNotWrittenBack) {
  MemoryHarness core(shippedMachine({{"lvc.bytes", "512"},
                                     {"lvc.ways", "4"},
                                     {"lvc.banks", "4"},
                                     {"lvc.bank_bytes", "32"}}));
  core.post(0, 0, 8, Via::lvc);
  core.run();
  core.memory.discardLiveValues();
  // All four ways are needed, after the line has come.
  for (uint64_t line = 1; line <= 4; ++line)
    core.at(kWarm * line, Access::read, line * kLine, 8, Via::lvc);
  core.run();
  EXPECT_EQ(core.count("lvc.write_backs"), 0u);
}

} // namespace
