//===- SimtWarpTest.cpp - Lanes that go different ways --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simt/SimtTile.h"

#include <gtest/gtest.h>

#include <bit>

using namespace chansim;
using namespace chansim::simt;

namespace {

/// A warp that runs the kernel of a text.
class WarpHarness {
public:
  WarpHarness(const std::string &lines, std::vector<uint64_t> words = {},
              uint32_t lanes = 32, uint32_t patience = 1000,
              std::vector<uint64_t> symbols = {})
      : assembly(parse(lines)), code(assembly.kernels[0], symbols, lanes),
        registers(code.rows() * lanes),
        warp(context, 0, parametersOf(lanes, patience)), lanes(lanes) {
    tile.threads = lanes;
    words.resize(2);
    tile.parameters = std::move(words);
    tile.privateMemory = {reinterpret_cast<uint64_t>(memory.data()), lanes, 64,
                          8};
    context = {&code, &tile, registers.data()};
  }

  static SimtParameters parametersOf(uint32_t lanes, uint32_t patience) {
    SimtParameters parameters{};
    parameters.lanes = lanes;
    parameters.reconvergenceLimit = patience;
    return parameters;
  }
  static Assembly parse(const std::string &lines) {
    std::string error;
    auto parsed = Assembly::parse(
        ".kernel k\n.parameter argument 0\n.parameter argument 1\n"
        ".private 64\n.registers s 8 d 8 c 4\n{\n" +
            lines + "\n}\n",
        "k.simt", error);
    EXPECT_TRUE(parsed) << error;
    return parsed.value();
  }

  /// Instructions that the warp executed.
  uint64_t run(uint64_t most = 100000) {
    warp.add(~LaneMask(0) >> (64 - lanes), 0);
    return goOn(most);
  }
  uint64_t goOn(uint64_t most = 100000) {
    uint64_t count = 0;
    while (!warp.isDone() && count < most) {
      masks.push_back(warp.step().lanes);
      ++count;
    }
    return count;
  }
  uint64_t s(uint32_t number, uint32_t lane) const {
    return registers[number * lanes + lane];
  }

  Assembly assembly;
  Code code;
  SimtTile tile;
  std::vector<uint64_t> registers;
  std::vector<uint8_t> memory = std::vector<uint8_t>(64 * 64);
  WarpContext context;
  Warp warp;
  /// The lanes of each instruction.
  std::vector<LaneMask> masks;

private:
  uint32_t lanes;
};

uint64_t addressOf(const void *object) {
  return reinterpret_cast<uint64_t>(object);
}

} // namespace

TEST(SimtWarp, LanesComputeWithTheirOwnWords) {
  std::vector<uint32_t> result(32);
  WarpHarness harness("trunc.i64.i32 s0, id\n"
                      "mul.i32 s1, s0, s0\n"
                      "mad.i64 d0, id, 4, p0\n"
                      "store.i32 [d0], s1\n"
                      "exit",
                      {addressOf(result.data())});
  EXPECT_EQ(harness.run(), 5u);
  for (uint32_t lane = 0; lane != 32; ++lane)
    EXPECT_EQ(result[lane], lane * lane);
}

TEST(SimtWarp, NarrowParametersAreTheirLowBits) {
  WarpHarness harness("mov.i8 s0, p0\nmov.i32 s1, p0\nexit",
                      {0x1122334455667788});
  harness.run();
  EXPECT_EQ(harness.s(0, 3), 0x88u);
  EXPECT_EQ(harness.s(1, 3), 0x55667788u);
}

TEST(SimtWarp, PrivateMemoryIsEachLanesOwn) {
  WarpHarness harness("trunc.i64.i32 s0, id\nstore.i32 [local + 8], s0\n"
                      "load.i32 s1, [local + 8]\nexit");
  harness.run();
  EXPECT_EQ(harness.s(1, 31), 31u);
  EXPECT_EQ(harness.memory[31 * 64 + 8], 31);
}

TEST(SimtWarp, LanesVoteAndReadEachOthersRegisters) {
  WarpHarness harness("trunc.i64.i32 s0, id\n"
                      "lane.i64 d0\n"
                      "and.i64 d1, d0, 1\n"
                      "trunc.i64.i1 c0, d1\n"
                      "ballot.i64 d2, c0\n"
                      "mul.i64 d3, d0, 10\n"
                      "sub.i64 d4, 31, d0\n"
                      "read_lane.i64 d5, d3, d4\n" // that of the mirrored lane
                      "read_lane.i64 d3, d3, 3\n"  // read before it is written
                      "exit");
  harness.run();
  auto d = [&](uint32_t number, uint32_t lane) {
    return harness.s(8 + number, lane);
  };
  for (uint32_t lane = 0; lane != 32; ++lane) {
    EXPECT_EQ(d(0, lane), lane);
    EXPECT_EQ(d(2, lane), 0xaaaaaaaau);
    EXPECT_EQ(d(5, lane), (31 - lane) * 10);
    EXPECT_EQ(d(3, lane), 30u);
  }
}

TEST(SimtWarp, OnlyLanesThatExecuteItTogetherVote) {
  // The lower half votes alone, and reads a register of the upper half.
  WarpHarness harness("lane.i64 d0\n"
                      "mov.i64 d1, d0\n"
                      "ult.i64 c0, d0, 16\n"
                      "bra !c0, end, reconverge end\n"
                      "ballot.i64 d2, 1\n"
                      "read_lane.i64 d3, d1, 20\n"
                      "read_lane.i64 d4, d1, 64\n" // there is none
                      "end:\nexit");
  harness.run();
  for (uint32_t lane = 0; lane != 32; ++lane) {
    EXPECT_EQ(harness.s(8 + 2, lane), lane < 16 ? 0xffffu : 0u);
    EXPECT_EQ(harness.s(8 + 3, lane), lane < 16 ? 20u : 0u);
    EXPECT_EQ(harness.s(8 + 4, lane), 0u);
  }
}

TEST(SimtWarp, LanesThatWaitForOthersLetThemRun) {
  // Odd lanes set the word for which even ones wait, which have the first turn.
  auto steps = [](const char *order, const char *between) {
    uint32_t word = 0;
    WarpHarness harness(std::string("and.i64 d1, id, 1\ntrunc.i64.i1 c0, d1\n"
                                    "bra c0, setter, reconverge join\n"
                                    "again:\nload.i32 s1, [p0]") +
                            order + "\n" + between +
                            "trunc.i32.i1 c1, s1\nbra !c1, again\nbra join\n"
                            "setter:\nstore.i32 [p0], 1\n"
                            "join:\nexit",
                        {addressOf(&word)});
    uint64_t count = harness.run();
    EXPECT_EQ(word, 1u);
    return count;
  };
  // They ask twice, in three instructions.
  EXPECT_EQ(steps(", relaxed", ""), 3u + 3 + 1 + 3 + 1 + 1);
  // A loop does not wait for others if its load says nothing of them, or if it stores.
  EXPECT_GT(steps("", ""), 1000u);
  EXPECT_GT(steps(", relaxed", "store.i32 [local], s1\n"), 1000u);
}

TEST(SimtWarp, AtABranchThatWaitsLanesStayHoweverLongItTakes) {
  auto run = [](const char *wait) {
    // Lane 0 goes around 100 times; the limit is 10 instructions.
    WarpHarness harness("trunc.i64.i32 s0, id\n"
                        "ne.i32 c0, s0, 0\n"
                        "bra c0, join, reconverge join" +
                            std::string(wait) +
                            "\nagain:\n"
                            "add.i32 s1, s1, 1\n"
                            "ult.i32 c1, s1, 100\n"
                            "bra c1, again\n"
                            "join:\n"
                            "add.i32 s2, s2, 1\nexit",
                        {}, 32, /*patience=*/10);
    harness.run();
    EXPECT_EQ(harness.s(1, 0), 100u);
    return std::pair(harness.warp.separations, harness.masks.back());
  };
  auto [few, together] = run(", wait");
  EXPECT_EQ(few, 0u);
  EXPECT_EQ(together, 0xffffffffu);
  EXPECT_GT(run("").first, 0u);
}

TEST(SimtWarp, TurnsPassWhileLanesWaitWithoutALimit) {
  // Lane 0 spins until lane 1 has stored, which is in the other arm; both arms meet
  // in a branch that waits.
  uint32_t flag = 0;
  WarpHarness harness("trunc.i64.i32 s0, id\n"
                      "ne.i32 c0, s0, 0\n"
                      "bra c0, other, reconverge join, wait\n"
                      "spin:\nload.i32 s1, [p0]\n"
                      "eq.i32 c1, s1, 0\n"
                      "bra c1, spin\n"
                      "bra join\n"
                      "other:\n"
                      "add.i32 s2, s2, 1\n"
                      "store.i32 [p0], 1\n"
                      "join:\n"
                      "exit",
                      {addressOf(&flag)}, 32, /*patience=*/10);
  EXPECT_LT(harness.run(1000), 1000u);
  EXPECT_EQ(harness.warp.separations, 0u);
}

TEST(SimtWarp, BothArmsOfABranchMeetAgain) {
  WarpHarness harness("trunc.i64.i32 s0, id\n"            // 0
                      "slt.i32 c0, s0, 10\n"              // 1
                      "bra !c0, other, reconverge join\n" // 2
                      "mov.i32 s1, 1\n"                   // 3
                      "bra join\n"                        // 4
                      "other:\n"
                      "mov.i32 s1, 2\n" // 5
                      "join:\n"
                      "add.i32 s1, s1, 10\n" // 6
                      "exit");               // 7
  // 3 together, 2 + 1 apart, 2 together.
  EXPECT_EQ(harness.run(), 8u);
  EXPECT_EQ(std::popcount(harness.masks[6]), 32);
  EXPECT_EQ(harness.s(1, 9), 11u);
  EXPECT_EQ(harness.s(1, 10), 12u);
  EXPECT_EQ(harness.warp.separations, 0u);
}

TEST(SimtWarp, WithoutAPointOfReconvergenceLanesStayApart) {
  WarpHarness harness("trunc.i64.i32 s0, id\n"
                      "slt.i32 c0, s0, 10\n"
                      "bra c0, join\n"
                      "join:\n"
                      "exit");
  EXPECT_EQ(harness.run(), 5u);
  EXPECT_EQ(std::popcount(harness.masks[3]) + std::popcount(harness.masks[4]),
            32);
}

TEST(SimtWarp, LanesThatLeaveALoopWaitBehindIt) {
  WarpHarness harness("trunc.i64.i32 s0, id\n"
                      "again:\n"
                      "sub.i32 s0, s0, 1\n"
                      "slt.i32 c0, s0, 0\n"
                      "bra !c0, again, reconverge out\n"
                      "out:\n"
                      "mov.i32 s1, 7\n"
                      "exit",
                      {}, 4);
  // Lane i runs the loop i + 1 times: 1 + 3 * 4 + 2 instructions together.
  EXPECT_EQ(harness.run(), 15u);
  EXPECT_EQ(harness.masks.back(), 0xfu);
}

TEST(SimtWarp, LanesThatExitAreNotWaitedFor) {
  WarpHarness harness("trunc.i64.i32 s0, id\n"
                      "slt.i32 c0, s0, 10\n"
                      "bra !c0, join, reconverge join\n"
                      "exit\n"
                      "join:\n"
                      "mov.i32 s1, 5\n"
                      "exit");
  EXPECT_EQ(harness.run(), 6u);
  EXPECT_EQ(harness.s(1, 10), 5u);
  EXPECT_EQ(harness.s(1, 9), 0u);
  EXPECT_EQ(harness.warp.separations, 0u);
}

TEST(SimtWarp, LanesThatYieldKeepTheirRegistersAndGoOnLater) {
  WarpHarness harness("trunc.i64.i32 s0, id\n"
                      "slt.i32 c0, s0, 10\n"
                      "bra !c0, join, reconverge join\n"
                      "mov.i32 s1, 3\n"
                      "yield later\n"
                      "later:\n"
                      "add.i32 s1, s1, s0\n"
                      "join:\n"
                      "exit");
  EXPECT_EQ(harness.run(), 6u);
  ASSERT_EQ(harness.warp.yielded.size(), 1u);
  auto [pc, lanes] = harness.warp.yielded[0];
  EXPECT_EQ(pc, 5u);
  EXPECT_EQ(lanes, 0x3ffu);
  harness.warp.yielded.clear();
  harness.warp.add(lanes, pc);
  EXPECT_EQ(harness.goOn(), 2u);
  EXPECT_EQ(harness.s(1, 9), 12u);
}

/// The release stands behind the loop, at the place where the lanes would meet:
/// the holder must not wait for the lanes that wait for it.
constexpr const char *kSpinLock = "again:\n"
                                  "cas.i32 s0, [p0], 0, 1\n"
                                  "eq.i32 c0, s0, 0\n"
                                  "bra !c0, again, reconverge held\n"
                                  "held:\n"
                                  "load.i32 s1, [p1]\n"
                                  "add.i32 s1, s1, 1\n"
                                  "store.i32 [p1], s1\n"
                                  "store.i32 [p0], 0\n"
                                  "exit";

TEST(SimtWarp, ASpinLockIsReleasedThoughItsHolderWouldReconverge) {
  uint32_t lock = 0, count = 0;
  WarpHarness harness(kSpinLock, {addressOf(&lock), addressOf(&count)}, 32,
                      /*patience=*/100);
  harness.run();
  EXPECT_TRUE(harness.warp.isDone());
  EXPECT_EQ(count, 32u);
  EXPECT_EQ(lock, 0u);
  // All but the last lane have left others behind.
  EXPECT_EQ(harness.warp.separations, 31u);
}

TEST(SimtWarp, HoldersWaitAsLongAsTheyMay) {
  uint32_t lock = 0, count = 0;
  WarpHarness harness(kSpinLock, {addressOf(&lock), addressOf(&count)}, 2,
                      /*patience=*/1000);
  // 3 instructions together, then the other lane alone: the holder arrived with
  // the third.
  harness.run(3 + 999);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(harness.warp.separations, 0u);
  harness.goOn(8);
  EXPECT_EQ(harness.warp.separations, 1u);
  EXPECT_EQ(count, 1u);
  harness.goOn();
  EXPECT_EQ(count, 2u);
}

/// In each round of their loop, the lanes that wait for the holder part and meet
/// again: that does not give them another turn.
TEST(SimtWarp, LanesThatSpinAndDivergeDoNotKeepTheHolderBack) {
  uint32_t lock = 1;
  WarpHarness harness("eq.i64 c0, id, 0\n"
                      "bra c0, holder, reconverge end\n"
                      "trunc.i64.i1 c1, id\n"
                      "again:\n"
                      "bra c1, even, reconverge both\n"
                      "mov.i32 s1, 1\n"
                      "even:\n"
                      "mov.i32 s1, 2\n"
                      "both:\n"
                      "load.i32 s0, [p0]\n"
                      "eq.i32 c2, s0, 0\n"
                      "bra !c2, again, reconverge end\n"
                      "bra end\n"
                      "holder:\n"
                      "store.i32 [p0], 0\n"
                      "end:\n"
                      "exit",
                      {addressOf(&lock)}, 32, /*patience=*/100);
  // The patience runs out once for those that spin, and once for the holder behind.
  EXPECT_LT(harness.run(), 300u);
  EXPECT_TRUE(harness.warp.isDone());
}

TEST(SimtWarp, CallsAreMadeLaneByLane) {
  static std::vector<uint64_t> calls;
  calls.clear();
  void (*function)(void *) = [](void *record) {
    calls.push_back(addressOf(record));
  };
  WarpHarness harness("syscall @f, id\nheap_call @f, id\nexit", {}, 3, 1000,
                      {reinterpret_cast<uint64_t>(function)});
  harness.run();
  EXPECT_EQ(calls, (std::vector<uint64_t>{0, 1, 2, 0, 1, 2}));
}

TEST(SimtWarp, NestedBranchesMeetInsideOut) {
  WarpHarness harness("trunc.i64.i32 s0, id\n"
                      "slt.i32 c0, s0, 16\n"
                      "bra !c0, end, reconverge end\n"
                      "slt.i32 c1, s0, 8\n"
                      "bra !c1, inner, reconverge inner\n"
                      "mov.i32 s1, 1\n"
                      "inner:\n"
                      "add.i32 s1, s1, 1\n" // by 16 lanes
                      "end:\n"
                      "add.i32 s1, s1, 1\n" // by all
                      "exit");
  harness.run();
  std::vector<int> counts;
  for (LaneMask mask : harness.masks)
    counts.push_back(std::popcount(mask));
  EXPECT_EQ(counts, (std::vector<int>{32, 32, 32, 16, 16, 8, 16, 32, 32}));
  EXPECT_EQ(harness.s(1, 0), 3u);
  EXPECT_EQ(harness.s(1, 8), 2u);
  EXPECT_EQ(harness.s(1, 16), 1u);
}

//===----------------------------------------------------------------------===//
// Work-groups
//===----------------------------------------------------------------------===//

namespace {

/// The warps of a tile, each of which executes an instruction in turn if it can.
class GroupHarness {
public:
  GroupHarness(const std::string &group, const std::string &lines,
               uint32_t threads, uint32_t lanes = 32)
      : assembly(parse(group, lines)),
        code(assembly.kernels[0], {}, tileThreads(parametersOf(lanes))) {
    tile.kernel = &code;
    tile.threads = threads;
    tile.parameters = {addressOf(memory.data())};
    start(lanes);
  }

  static SimtParameters parametersOf(uint32_t lanes) {
    SimtParameters parameters{};
    parameters.lanes = lanes;
    parameters.warps = 48;
    parameters.reconvergenceLimit = 1000;
    return parameters;
  }
  static Assembly parse(const std::string &group, const std::string &lines) {
    std::string error;
    auto parsed = Assembly::parse(
        ".kernel k\n.parameter argument 0\n.private 0\n" + group +
            "\n.registers s 8 d 8 c 4\n{\n" + lines + "\n}\n",
        "k.simt", error);
    EXPECT_TRUE(parsed) << error;
    return parsed.value();
  }

  void start(uint32_t lanes) {
    std::vector<SimtTile::Beginning> beginnings = tile.begin(lanes);
    context = {&code, &tile, tile.registers.data()};
    warps.clear();
    for (const SimtTile::Beginning &beginning : beginnings)
      beginning.addTo(
          warps.emplace_back(context, beginning.warp, parametersOf(lanes)));
  }
  /// Until no warp can go on; then the tile has what its threads need to do so.
  void run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (Warp &warp : warps) {
        if (!warp.isRunning())
          continue;
        moved = true;
        Warp::Executed executed = warp.step();
        masks.push_back(executed.lanes);
        for (const WorkGroups::Released &released :
             tile.groups.note(warp.number, executed))
          warps[released.warp].release(released.lanes);
        warp.settle();
      }
    }
    for (const Warp &warp : warps) {
      tile.keep(warp);
      separations += warp.separations;
    }
    tile.hasYielded = !tile.yielded.empty();
  }

  Assembly assembly;
  Code code;
  SimtTile tile;
  WarpContext context;
  std::vector<Warp> warps;
  std::vector<uint32_t> memory = std::vector<uint32_t>(256);
  std::vector<LaneMask> masks;
  uint64_t separations = 0;
};

/// Each thread stores its number, waits, and adds that of the thread opposite in
/// its group of `size`.
std::string opposite(unsigned size) {
  return "trunc.i64.i32 s0, id\nmad.i64 d0, id, 4, p0\nstore.i32 [d0], s0\n"
         "bar\nxor.i64 d1, id, " +
         std::to_string(size - 1) +
         "\nmad.i64 d1, d1, 4, p0\nload.i32 s1, [d1]\nbar\n"
         "mad.i32 s0, s1, 1000, s0\nstore.i32 [d0], s0\nexit";
}

} // namespace

TEST(SimtWorkGroups, ThreadsSeeWhatTheirGroupDidBeforeTheBarrier) {
  for (uint32_t size : {1u, 4u, 16u, 32u, 64u}) {
    GroupHarness harness(".group " + std::to_string(size) + " 0",
                         opposite(size), 192, 16);
    harness.run();
    EXPECT_FALSE(harness.tile.hasYielded);
    for (uint32_t thread = 0; thread != 192; ++thread)
      EXPECT_EQ(harness.memory[thread], (thread ^ (size - 1)) * 1000 + thread)
          << size;
    EXPECT_EQ(harness.tile.groups.barriers, 2u * 192 / size);
    // All lanes of a warp stay together.
    EXPECT_EQ(harness.masks.size(), 12u * 11);
  }
}

TEST(SimtWorkGroups, LanesAtDifferentBarriersWaitForEachOther) {
  // Odd threads come to another barrier, and then to the end of the branch.
  GroupHarness harness(".group 8 0",
                       "trunc.i64.i1 c0, id\n"
                       "trunc.i64.i32 s0, id\n"
                       "mad.i64 d0, id, 4, p0\n"
                       "bra c0, odd, reconverge join\n"
                       "store.i32 [d0], s0\n"
                       "bar\n"
                       "load.i32 s1, [d0 + 4]\n"
                       "bra join\n"
                       "odd:\n"
                       "add.i32 s0, s0, 100\n"
                       "store.i32 [d0], s0\n"
                       "bar\n"
                       "load.i32 s1, [d0 - 4]\n"
                       "join:\n"
                       "store.i32 [d0 + 256], s1\n"
                       "exit",
                       32);
  harness.run();
  for (uint32_t thread = 0; thread != 32; ++thread)
    EXPECT_EQ(harness.memory[64 + thread],
              thread % 2 ? thread - 1 : thread + 101);
  // They meet behind the branch.
  EXPECT_EQ(harness.masks.back(), 0xffffffffu);
  EXPECT_EQ(harness.separations, 0u);
}

TEST(SimtWorkGroups, ABarrierDoesNotWaitForLanesThatWaitToMeetThoseAtIt) {
  // Odd threads come to their barrier behind the place at which they would wait for
  // the even ones, which are at theirs.
  GroupHarness harness(".group 32 0",
                       "trunc.i64.i1 c0, id\n"
                       "bra c0, join, reconverge join\n"
                       "bar\n"
                       "bar\n"
                       "exit\n"
                       "join:\n"
                       "bar\n"
                       "bar\n"
                       "exit",
                       32);
  harness.run();
  EXPECT_FALSE(harness.tile.hasYielded);
  EXPECT_EQ(harness.tile.groups.barriers, 2u);
  EXPECT_EQ(harness.separations, 1u);
}

TEST(SimtWorkGroups, ThreadsAtABarrierWaitForThoseThatHaveYielded) {
  GroupHarness harness(".group 64 0",
                       "mad.i64 d0, id, 4, p0\n"
                       "eq.i64 c0, id, 3\n"
                       "bra !c0, late, reconverge late\n"
                       "yield late\n"
                       "late:\n"
                       "store.i32 [d0], 1\n"
                       "bar\n"
                       "load.i32 s0, [p0 + 12]\n"
                       "store.i32 [d0], s0\n"
                       "exit",
                       64);
  harness.run();
  EXPECT_TRUE(harness.tile.hasYielded);
  EXPECT_EQ(harness.tile.groups.barriers, 0u);
  EXPECT_EQ(harness.memory[3], 0u);
  harness.start(32);
  harness.run();
  EXPECT_FALSE(harness.tile.hasYielded);
  EXPECT_EQ(harness.tile.groups.barriers, 1u);
  EXPECT_EQ(harness.memory[63], 1u);
}

TEST(SimtWorkGroups, ThreadsThatWaitForThoseThatHaveEndedAreAnError) {
  GroupHarness harness(".group 64 0",
                       "eq.i64 c0, id, 168\n"
                       "bra c0, end, reconverge end\n"
                       ".line \"f.c:3\"\n"
                       "bar\n"
                       ".line \"f.c:4\"\n"
                       "end:\n"
                       "exit",
                       64);
  harness.tile.first = 128;
  try {
    harness.run();
    FAIL();
  } catch (const std::runtime_error &error) {
    EXPECT_STREQ(error.what(),
                 "f.c:3: work-group 2 of kernel 'k' (iteration 2 of the outer "
                 "loop): 63 of 64 threads wait at a barrier, and the others "
                 "have ended; iterations of its inner loops race");
  }
}

TEST(SimtWorkGroups, TilesAndWarpsHaveWholeGroups) {
  auto problemOf = [](uint32_t threads, uint32_t lanes) -> std::string {
    try {
      GroupHarness harness(".group 16 0", "bar\nexit", threads, lanes);
    } catch (const std::invalid_argument &error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(problemOf(48, 32), "");
  EXPECT_EQ(problemOf(40, 32), "tile of kernel 'k': has 40 threads, which are "
                               "no whole work-groups of 16");
}
