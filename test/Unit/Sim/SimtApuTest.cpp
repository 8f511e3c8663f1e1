//===- SimtApuTest.cpp - A SIMT core as a compute unit --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What machines of kind `apu` have: several tiles at once, instructions that are
// fetched, wavefronts that yield as a whole, and atomic operations that have their
// effect when they complete.
//
//===----------------------------------------------------------------------===//

#include "SimtApuHarness.h"

#include "chan/scheduler.h"

#include <numeric>

using namespace chansim;
using namespace chansim::simt;

namespace {

std::string repeat(unsigned times, const std::string &line) {
  std::string text;
  for (unsigned i = 0; i != times; ++i)
    text += line + "\n";
  return text;
}

} // namespace

//===----------------------------------------------------------------------===//
// Several tiles
//===----------------------------------------------------------------------===//

TEST(SimtApu, TheCoreRunsATileForEachSlot) {
  // Tiles of two kernels count in words of their own.
  ApuHarness harness({"mad.i64 d0, id, 4, p0\nstore.i32 [d0], 7\n",
                      "mad.i64 d0, id, 4, p0\nstore.i32 [d0], 9\n"});
  EXPECT_EQ(harness.core.tilesAtOnce(), 40u);
  std::vector<std::vector<uint32_t>> words(41, std::vector<uint32_t>(64));
  for (size_t tile = 0; tile != 41; ++tile) {
    SimtTile &made =
        harness.makeTile(words[tile].data(), tile % 3 ? 64 : 10, tile % 2);
    EXPECT_EQ(harness.core.canStart(), tile != 40);
    if (tile != 40)
      harness.core.start(made);
  }
  EXPECT_FALSE(harness.core.isIdle());
  harness.finish();
  std::span<Tile *const> finished = harness.core.takeFinished();
  EXPECT_EQ(finished.size(), 40u);
  EXPECT_EQ(std::set<Tile *>(finished.begin(), finished.end()).size(), 40u);
  EXPECT_TRUE(harness.core.takeFinished().empty());
  // The last one finds a free slot now.
  EXPECT_TRUE(harness.core.canStart());
  harness.run(*harness.tiles[40]);
  for (size_t tile = 0; tile != 41; ++tile) {
    uint32_t each = tile % 2 ? 9 : 7, threads = tile % 3 ? 64 : 10;
    EXPECT_EQ(std::accumulate(words[tile].begin(), words[tile].end(), 0u),
              each * threads);
  }
  EXPECT_EQ(harness.count("simt.wavefronts"), 41u);
  EXPECT_EQ(harness.count("core.tiles"), 41u);
}

TEST(SimtApu, ATileEndsWhileOthersRun) {
  ApuHarness harness(
      {repeat(3, "add.i32 s0, s0, 1"), repeat(300, "add.i32 s0, s0, 1")});
  SimtTile &shortOne = harness.makeTile(nullptr, 64, 0);
  SimtTile &longOne = harness.makeTile(nullptr, 64, 1);
  harness.core.start(longOne);
  harness.core.start(shortOne);
  std::vector<Tile *> order;
  harness.engine.run([&] {
    for (Tile *tile : harness.core.takeFinished())
      order.push_back(tile);
    return !order.empty();
  });
  EXPECT_EQ(order, std::vector<Tile *>{&shortOne});
  EXPECT_FALSE(harness.core.isIdle());
  EXPECT_TRUE(harness.core.canStart());
  harness.finish();
  EXPECT_EQ(harness.core.takeFinished()[0], &longOne);
}

TEST(SimtApu, NoTileThatHasEndedIsForgotten) {
  // Also if the core has a single slot.
  ApuHarness harness({""}, apu({{"simt.warps", "1"}}));
  SimtTile &first = harness.makeTile(), &second = harness.makeTile();
  harness.run(first);
  harness.run(second);
  std::span<Tile *const> finished = harness.core.takeFinished();
  EXPECT_EQ(std::vector<Tile *>(finished.begin(), finished.end()),
            (std::vector<Tile *>{&first, &second}));
}

TEST(SimtApu, EqualRunsTakeEqualTimes) {
  auto cycles = [] {
    uint32_t words[64 * 41] = {};
    ApuHarness harness({"mad.i64 d0, id, 4, p0\natomic_add.i32 s0, [p0], 1\n"
                        "and.i32 s1, s0, 3\neq.i32 c0, s1, 0\n"
                        "bra c0, end, reconverge end\n"
                        "load.i32 s2, [d0]\nend:\nstore.i32 [d0 + 4], s2\n"},
                       apu(), 30, true);
    for (unsigned tile = 0; tile != 40; ++tile)
      harness.core.start(harness.makeTile(words + tile));
    return harness.finish();
  };
  EXPECT_EQ(cycles(), cycles());
}

TEST(SimtApu, AWavefrontHasAtMostSimtLanesThreads) {
  ApuHarness harness({""});
  EXPECT_THROW(harness.core.start(harness.makeTile(nullptr, 65)),
               std::invalid_argument);
}

TEST(SimtApu, SlotsAreSharedOutOverTheSchedulers) {
  auto cycles = [](unsigned tiles) {
    // Nothing reads what was written.
    std::string lines;
    for (unsigned i = 0; i != 16; ++i)
      lines += "mov.i32 s" + std::to_string(i) + ", 1\n";
    ApuHarness harness({lines});
    for (unsigned tile = 0; tile != tiles; ++tile)
      harness.core.start(harness.makeTile());
    return harness.finish();
  };
  // 16 moves and an exit of four cycles each; the fifth shares a scheduler.
  EXPECT_EQ(cycles(4), cycles(1));
  EXPECT_EQ(cycles(5) - cycles(4), 17u * 4);
  EXPECT_EQ(cycles(8), cycles(5));
}

TEST(SimtApu, ANewTileGoesToTheSchedulerWithTheFewest) {
  std::string moves;
  for (unsigned i = 0; i != 320; ++i)
    moves += "mov.i32 s" + std::to_string(i % 16) + ", 1\n";
  auto cycles = [&](bool isSecond) {
    ApuHarness harness({moves, ""}, apu({{"simt.schedulers", "2"}}));
    // Slots 0, 1 and 3 are free soon; slot 2 is of the same scheduler as slot 0.
    for (size_t kernel : {1, 1, 0, 1})
      harness.core.start(harness.makeTile(nullptr, 64, kernel));
    harness.runUntil(100);
    EXPECT_EQ(harness.core.takeFinished().size(), 3u);
    if (isSecond)
      harness.core.start(harness.makeTile(nullptr, 64, 0));
    return harness.finish();
  };
  // It ends as much later as it began, and takes nothing from the other.
  EXPECT_LT(cycles(true) - cycles(false), 120u);
}

TEST(SimtApu, ASchedulerServesItsWavefrontsInTurn) {
  auto order = [](const char *policy) {
    std::string lines;
    for (unsigned i = 0; i != 4; ++i)
      lines += "store.i32 [p0 + " + std::to_string(64 * i) + "], s0\n";
    ApuHarness harness(
        {lines}, apu({{"simt.schedulers", "1"}, {"simt.policy", policy}}));
    alignas(64) static uint32_t words[3][64];
    for (auto &row : words)
      harness.core.start(harness.makeTile(row, 1));
    harness.finish();
    std::string text;
    for (const auto &one : harness.memory.seen)
      text += static_cast<char>(
          'A' + (one.request.address - reinterpret_cast<uint64_t>(words)) /
                    sizeof words[0]);
    return text;
  };
  EXPECT_EQ(order("round_robin"), "ABCABCABCABC");
  EXPECT_EQ(order("greedy"), "AAAABBBBCCCC");
}

TEST(SimtApu, AccessesArePlacedByTheWindowOfTheirTile) {
  ApuHarness harness({"store.i32 [local], 1\n"});
  std::vector<uint8_t> memory(2 * 64 * 64);
  auto base = reinterpret_cast<uint64_t>(memory.data());
  for (uint32_t tile : {0, 1}) {
    SimtTile &made = harness.makeTile(nullptr, 1);
    made.privateMemory = {base + tile * 4096, 64, 64, 8};
    harness.core.start(made);
  }
  harness.finish();
  ASSERT_EQ(harness.memory.seen.size(), 2u);
  for (uint32_t tile : {0, 1}) {
    uint64_t address = base + tile * 4096 + ScriptedMemory::kMoved;
    EXPECT_EQ(harness.memory.seen[tile].request.address, address & ~63ull);
    EXPECT_EQ(memory[tile * 4096], 1);
  }
}

TEST(SimtApu, ATileEndsWhenItsStoresAreDone) {
  auto cycles = [](uint32_t latency) {
    uint32_t word = 0;
    ApuHarness harness({"store.i32 [p0], 1\n"}, apu(), latency);
    return harness.run(harness.makeTile(&word));
  };
  EXPECT_EQ(cycles(500) - cycles(100), 400u);
}

TEST(SimtApu, CyclesWithoutAWavefrontAreCounted) {
  ApuHarness harness({repeat(3, "add.i32 s0, s0, 1")});
  harness.run(harness.makeTile());
  uint64_t end = harness.engine.coreCycle();
  EXPECT_EQ(harness.count("simt.empty_cycles"), 0u);
  harness.runUntil(end + 70);
  uint64_t begin = harness.engine.coreCycle();
  EXPECT_EQ(begin, end + 70);
  harness.run(harness.makeTile());
  EXPECT_EQ(harness.count("simt.empty_cycles"), begin - end);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

TEST(SimtApu, InstructionsComeLineByLineAndAhead) {
  // 24 instructions and an exit are four lines of eight.
  std::string lines = repeat(24, "add.i32 s0, s0, 1");
  ApuHarness with({lines}, apu(), 4, true), without({lines});
  uint64_t more = with.run(with.makeTile()) - without.run(without.makeTile());
  ASSERT_EQ(with.instructions.seen.size(), 4u);
  uint64_t base = with.instructions.seen[0].request.address;
  EXPECT_EQ(base, uint64_t(1) << 61);
  for (uint64_t line = 0; line != 4; ++line)
    EXPECT_EQ(with.instructions.seen[line].request.address, base + 64 * line);
  // Only the first line is waited for: a cycle to the unit, and two in the cache.
  EXPECT_EQ(more, 3u);
  EXPECT_EQ(with.count("simt.stall_fetch"), 3u);
  EXPECT_EQ(with.codes[0]->counters.stalled[0],
            (std::array<uint64_t, 5>{0, 0, 0, 0, 3}));
  // Of a slow cache, lines that are asked for ahead come in time: eight instructions
  // take 32 cycles.  With one line in the buffer, each is waited for.
  auto stalls = [&](const char *lines) {
    ApuHarness harness({repeat(24, "add.i32 s0, s0, 1")},
                       apu({{"fetch.buffer_lines", lines}}), 4, true, 20);
    harness.run(harness.makeTile());
    return harness.count("simt.stall_fetch");
  };
  EXPECT_EQ(stalls("2"), 21u);
  // It is asked for in the cycle behind the last instruction of the line, whose
  // scheduler is free three cycles later.
  EXPECT_EQ(stalls("1"), 21u + 3 * (21 - 3));
}

TEST(SimtApu, ABranchFetchesItsTarget) {
  std::string lines = "bra far\n" + repeat(40, "add.i32 s0, s0, 1") + "far:\n";
  ApuHarness harness({lines}, apu(), 4, true);
  harness.run(harness.makeTile());
  std::vector<uint64_t> fetched;
  for (const auto &one : harness.instructions.seen)
    fetched.push_back((one.request.address & 0xffff) / 64);
  // Lines 0 and 1, and line 5 with the exit, the last one.
  EXPECT_EQ(fetched, (std::vector<uint64_t>{0, 1, 5}));
}

TEST(SimtApu, WavefrontsShareLinesThatAreUnderWay) {
  ApuHarness harness({"add.i32 s0, s0, 1\n", "add.i32 s0, s0, 2\n"}, apu(), 4,
                     true);
  for (unsigned tile = 0; tile != 8; ++tile)
    harness.core.start(harness.makeTile(nullptr, 64, tile % 2));
  harness.finish();
  // A line of each kernel, of which others wait already.
  EXPECT_EQ(harness.count("fetch.requests"), 8u);
  EXPECT_EQ(harness.count("fetch.merged"), 6u);
  ASSERT_EQ(harness.instructions.seen.size(), 2u);
  EXPECT_NE(harness.instructions.seen[0].request.address,
            harness.instructions.seen[1].request.address);
  // The cache gets one in a cycle.
  EXPECT_EQ(harness.instructions.seen[1].cycle,
            harness.instructions.seen[0].cycle + 1);
}

TEST(SimtApu, CoresShareTheInstructionCache) {
  ApuHarness harness({"add.i32 s0, s0, 1\n", "add.i32 s0, s0, 2\n"}, apu(), 4,
                     true);
  Statistics statistics;
  ScriptedMemory memory(harness.engine, 4);
  memory.own = 1;
  Multiprocessor second(harness.machine, harness.engine, memory, harness.host,
                        statistics, memory.number(), &harness.fetchUnit);
  auto run = [&](size_t kernel, size_t other) {
    harness.core.start(harness.makeTile(nullptr, 64, kernel));
    second.start(harness.makeTile(nullptr, 64, other));
    harness.engine.run(
        [&] { return harness.core.isIdle() && second.isIdle(); });
  };
  // The same line is fetched once, and both get it.
  run(0, 0);
  EXPECT_EQ(harness.instructions.seen.size(), 1u);
  EXPECT_EQ(statistics.value("simt.stall_fetch"),
            harness.count("simt.stall_fetch"));
  // Of two lines, one goes a cycle later.
  uint64_t before[] = {harness.count("simt.stall_fetch"),
                       statistics.value("simt.stall_fetch")};
  run(0, 1);
  EXPECT_EQ(harness.instructions.seen.size(), 3u);
  EXPECT_EQ(harness.count("simt.stall_fetch") - before[0] + 1,
            statistics.value("simt.stall_fetch") - before[1]);
}

//===----------------------------------------------------------------------===//
// Yield
//===----------------------------------------------------------------------===//

TEST(SimtApu, ContextsHaveThePapersSize) {
  // Queens: 16 s, 8 d, 3 c.
  ApuHarness harness({""});
  EXPECT_EQ(contextBytes(harness.codes[0]->kernel(), harness.machine), 9072u);
}

TEST(SimtApu, AWavefrontLeavesWhenTheLanesThatDoNotYieldHaveEnded) {
  // Half of the lanes yield; the others, in the other arm, store and end.
  ApuHarness harness({"trunc.i64.i32 s0, id\nand.i64 d1, id, 1\n"
                      "trunc.i64.i1 c0, d1\n"
                      "bra !c0, other, reconverge join\n"
                      "yield again, p0\n"
                      "again:\nadd.i32 s0, s0, 100\nbra join\n"
                      "other:\nadd.i32 s0, s0, 200\n"
                      "join:\nmad.i64 d0, id, 4, p0\nstore.i32 [d0], s0\n"});
  uint32_t words[64] = {};
  SimtTile &tile = harness.makeTile(words);
  harness.run(tile);
  EXPECT_TRUE(tile.hasYielded);
  EXPECT_EQ(tile.waitsFor, reinterpret_cast<uint64_t>(words));
  EXPECT_TRUE(tile.kept);
  EXPECT_EQ(harness.core.takeFinished().size(), 1u);
  for (uint32_t lane = 0; lane != 64; ++lane)
    EXPECT_EQ(words[lane], lane % 2 ? 0 : lane + 200);
  // 9072 bytes are 141 lines and 48 bytes; before them come the lines of the store.
  ASSERT_GE(harness.memory.seen.size(), 142u);
  size_t first = harness.memory.seen.size() - 142;
  EXPECT_LE(first, 5u);
  for (size_t i = 0; i != 142; ++i) {
    const Request &request = harness.memory.seen[first + i].request;
    EXPECT_EQ(request.access, Access::write);
    EXPECT_EQ(request.address, tile.contextBase + 64 * i);
    EXPECT_EQ(request.written.count(), i == 141 ? 48u : 64u);
  }
  EXPECT_EQ(harness.memory.seen[first + 141].cycle -
                harness.memory.seen[first].cycle,
            141u);
  EXPECT_EQ(harness.count("simt.yields"), 1u);
  EXPECT_EQ(harness.count("simt.context_saved"), 9072u);

  harness.memory.seen.clear();
  harness.run(tile);
  EXPECT_FALSE(tile.hasYielded);
  EXPECT_FALSE(tile.kept);
  EXPECT_EQ(harness.count("simt.context_restored"), 9072u);
  EXPECT_EQ(harness.memory.count(Access::read), 142u);
  EXPECT_EQ(harness.memory.seen[0].request.address, tile.contextBase);
  for (uint32_t lane = 0; lane != 64; ++lane)
    EXPECT_EQ(words[lane], lane + (lane % 2 ? 100 : 200));
  EXPECT_EQ(harness.count("core.threads"), 64u);
  EXPECT_EQ(harness.count("simt.wavefronts"), 1u);
}

TEST(SimtApu, AWavefrontMayYieldAgainAndOthersTakeItsSlot) {
  ApuHarness harness({"add.i32 s0, s0, 1\nyield one\none:\n"
                      "add.i32 s0, s0, 1\nyield two, 0\ntwo:\n"
                      "store.i32 [p0], s0\n",
                      "add.i32 s0, s0, 1\n"},
                     apu({{"simt.warps", "1"}}));
  uint32_t word = 0;
  SimtTile &tile = harness.makeTile(&word);
  for (unsigned i = 0; i != 2; ++i) {
    harness.run(tile);
    EXPECT_TRUE(tile.hasYielded);
    EXPECT_EQ(tile.waitsFor, 0u);
    SimtTile &other = harness.makeTile(nullptr, 64, 1);
    harness.run(other);
    EXPECT_FALSE(other.hasYielded);
  }
  harness.run(tile);
  EXPECT_FALSE(tile.hasYielded);
  EXPECT_EQ(word, 2u);
}

TEST(SimtApu, LanesThatYieldAreNotWaitedFor) {
  // The other arm goes on behind the end, where it would wait for the arm that yields.
  ApuHarness harness({"and.i64 d1, id, 1\ntrunc.i64.i1 c0, d1\n"
                      "bra c0, stop, reconverge join, wait\n"
                      "add.i32 s0, s0, 1\nbra join\n"
                      "stop:\nyield again\nagain:\nadd.i32 s0, s0, 2\n"
                      "join:\nadd.i32 s0, s0, 4\n"
                      "mad.i64 d0, id, 4, p0\nstore.i32 [d0], s0\n"});
  uint32_t words[64] = {};
  SimtTile &tile = harness.makeTile(words);
  harness.run(tile);
  EXPECT_TRUE(tile.hasYielded);
  // Three before the arms have parted.
  EXPECT_EQ(harness.count("simt.lanes_all"), 3u);
  // The other arm's three, and behind: an addition, the address, the store, the exit.
  EXPECT_EQ(harness.count("simt.lanes_quarter_2"), 3u + 4);
  harness.run(tile);
  EXPECT_EQ(harness.count("simt.lanes_all"), 3u);
  EXPECT_EQ(harness.count("simt.lanes_quarter_2"), 3u + 4 + 5);
  for (uint32_t lane = 0; lane != 64; ++lane)
    EXPECT_EQ(words[lane], lane % 2 ? 6u : 5u);
}

TEST(SimtApu, AWavefrontGoesOnOnItsCore) {
  ApuHarness harness({"yield on\non:\n"});
  SimtTile &tile = harness.makeTile();
  harness.run(tile);
  tile.core = 3;
  EXPECT_THROW(harness.core.start(tile), std::invalid_argument);
}

TEST(SimtApu, AYieldWaitsForWhatIsUnderWay) {
  uint32_t word = 0;
  ApuHarness harness({"store.i32 [p0], 1\nyield on\non:\n"}, apu(), 300);
  SimtTile &tile = harness.makeTile(&word);
  harness.run(tile);
  ASSERT_EQ(harness.memory.seen.size(), 143u);
  EXPECT_EQ(harness.memory.seen[1].cycle, harness.memory.seen[0].cycle + 300);
}

TEST(SimtApu, AYieldWithoutRoomForItsStateIsRefused) {
  ApuHarness harness({"yield on\non:\n"});
  SimtTile &tile = harness.makeTile();
  tile.contextRoom = 9071;
  try {
    harness.run(tile);
    FAIL();
  } catch (const std::invalid_argument &error) {
    EXPECT_STREQ(error.what(), "tile of kernel 'k': yields, and has 9071 of "
                               "9072 bytes for its state");
  }
}

TEST(SimtApu, AYieldWritesARestartBehindItsState) {
  // Element 2 of 4; its offset in the control array; and then control_tail.
  alignas(64) char data[4 * sizeof(chan_restart)] = {};
  alignas(64) uint32_t control[8] = {};
  alignas(64) chan_array restarts{};
  restarts.tail = restarts.reserve_tail = 6;
  restarts.mask = 3;
  restarts.control_mask = 7;
  restarts.stride = sizeof(chan_restart);
  restarts.data = data;
  restarts.control = control;
  ApuHarness harness({"yield on\non:\n"}, apu(), /*latency=*/20);
  SimtTile &tile = harness.makeTile();
  tile.restarts = &restarts;
  harness.run(tile);
  EXPECT_TRUE(tile.hasYielded);
  const auto &seen = harness.memory.seen;
  ASSERT_EQ(seen.size(), 142u + 3);
  auto line = [](const void *word) {
    return reinterpret_cast<uint64_t>(word) & ~uint64_t(63);
  };
  EXPECT_EQ(seen[142].request.address, line(data + 2 * sizeof(chan_restart)));
  EXPECT_EQ(seen[142].request.written.count(), sizeof(chan_restart));
  EXPECT_EQ(seen[143].request.address, line(control + 6));
  EXPECT_EQ(seen[144].request.address, line(&restarts.control_tail));
  // Each step begins when the last line of the one before is done.
  EXPECT_EQ(seen[142].cycle, seen[141].cycle + 20);
  EXPECT_EQ(seen[143].cycle, seen[142].cycle + 1);
  EXPECT_EQ(seen[144].cycle, seen[143].cycle + 20);
}

TEST(SimtApu, OnlyLiveRegistersAreSavedIfTheMachineSaysSo) {
  // Behind the yield, lanes read s0; or d1 and c0. s1 and d0 are written first.
  ApuHarness harness({"trunc.i64.i32 s0, id\nand.i64 d1, id, 1\n"
                      "trunc.i64.i1 c0, d1\nadd.i32 s1, s0, 1\n"
                      "bra !c0, other, reconverge join\n"
                      "yield again, p0\n"
                      "again:\nadd.i32 s1, s0, 100\nstore.i32 [p0], s1\n"
                      "exit\n"
                      "other:\nyield later, p0\n"
                      "later:\nbra c0, join\nadd.i64 d0, d1, 1\n"
                      "store.i64 [p0 + 8], d0\n"
                      "join:\n"},
                     apu({{"yield.live_only", "true"}}));
  uint64_t words[2] = {};
  SimtTile &tile = harness.makeTile(words);
  harness.run(tile);
  EXPECT_TRUE(tile.hasYielded);
  uint64_t bytes = 856 + 64 * 4 + 64 * 8 + 8;
  EXPECT_EQ(harness.count("simt.context_saved"), bytes);
  EXPECT_EQ(harness.memory.count(Access::write), (bytes + 63) / 64);
  harness.run(tile);
  EXPECT_EQ(harness.count("simt.context_restored"), bytes);
  EXPECT_EQ(words[0], 163u);
  EXPECT_EQ(words[1], 1u);
}

//===----------------------------------------------------------------------===//
// Atomic operations
//===----------------------------------------------------------------------===//

TEST(SimtApu, AnAtomicOperationHasItsEffectWhenItCompletes) {
  ApuHarness harness({"atomic_add.i32 s0, [p0], 1\n"
                      "mad.i64 d0, id, 4, p0\nstore.i32 [d0 + 4], s0\n"},
                     apu(), 200);
  uint32_t words[65] = {};
  SimtTile &tile = harness.makeTile(words);
  harness.core.start(tile);
  harness.runUntil(100);
  // All have gone, one a cycle, in the order of the lanes; none is done.
  ASSERT_EQ(harness.memory.seen.size(), 64u);
  EXPECT_EQ(words[0], 0u);
  uint64_t first = harness.memory.seen[0].cycle;
  EXPECT_EQ(harness.memory.seen[63].cycle, first + 63);
  harness.runUntil(first + 200 + 10);
  EXPECT_GE(words[0], 9u);
  EXPECT_LE(words[0], 11u);
  harness.finish();
  EXPECT_EQ(words[0], 64u);
  for (uint32_t lane = 0; lane != 64; ++lane)
    EXPECT_EQ(words[1 + lane], lane);
}

TEST(SimtApu, LaterAccessesOfAWavefrontWaitForItsAtomicOperations) {
  // The load does not depend on the result.
  ApuHarness harness({"atomic_add.i32 s0, [p0], 5\nload.i32 s1, [p0]\n"
                      "store.i32 [p0 + 4], s1\n",
                      "load.i32 s1, [p0]\n"},
                     apu(), 100);
  uint32_t words[2] = {};
  harness.core.start(harness.makeTile(words, 1));
  harness.core.start(harness.makeTile(words, 1, 1));
  harness.finish();
  EXPECT_EQ(words[1], 5u);
  ASSERT_EQ(harness.memory.seen.size(), 4u);
  // Another wavefront's load goes at once.
  EXPECT_EQ(harness.memory.seen[1].request.access, Access::read);
  EXPECT_LT(harness.memory.seen[1].cycle, harness.memory.seen[0].cycle + 10);
  EXPECT_GE(harness.memory.seen[2].cycle, harness.memory.seen[0].cycle + 100);
}

TEST(SimtApu, ChannelOperationsHaveTheirEffectWhenTheyComplete) {
  // Control words: the tail and the width of a channel.
  ApuHarness harness({"reserve.i64 d1, [p0]\nmad.i64 d0, id, 8, p0\n"
                      "store.i64 [d0 + 16], d1\n"},
                     apu(), 100);
  uint64_t words[2 + 64];
  words[0] = 3;
  words[1] = 100;
  harness.core.start(harness.makeTile(words, 8));
  harness.runUntil(60);
  EXPECT_EQ(words[0], 3u);
  harness.finish();
  EXPECT_EQ(words[0], 11u);
  for (uint64_t lane = 0; lane != 8; ++lane)
    EXPECT_EQ(words[2 + lane], 3 + lane);
}

TEST(SimtApu, AtomicOperationsOfTheScratchpadTakeTheirTurns) {
  ApuHarness harness({"atomic_add.i32 s0, [p0], 1\nadd.i32 s1, s0, 1\n"});
  uint32_t sum = 0;
  const_cast<Kernel &>(harness.codes[0]->kernel()).groupThreads = 64;
  const_cast<Kernel &>(harness.codes[0]->kernel()).groupBytes = 4;
  SimtTile &tile = harness.makeTile(&sum);
  tile.groupMemory = reinterpret_cast<uint64_t>(&sum);
  tile.groupBytes = 4;
  harness.run(tile);
  EXPECT_EQ(sum, 64u);
  EXPECT_EQ(harness.count("scratchpad.turns"), 64u);
  EXPECT_TRUE(harness.memory.seen.empty());
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

TEST(SimtApu, InstructionsAreCountedByTheirLanes) {
  auto quarters = [](uint32_t threads) {
    ApuHarness harness({""});
    harness.run(harness.makeTile(nullptr, threads));
    std::vector<uint64_t> counts;
    for (unsigned i = 1; i != 5; ++i)
      counts.push_back(
          harness.count(("simt.lanes_quarter_" + std::to_string(i)).c_str()));
    counts.push_back(harness.count("simt.lanes_all"));
    return counts;
  };
  using Counts = std::vector<uint64_t>;
  EXPECT_EQ(quarters(1), (Counts{1, 0, 0, 0, 0}));
  EXPECT_EQ(quarters(16), (Counts{1, 0, 0, 0, 0}));
  EXPECT_EQ(quarters(17), (Counts{0, 1, 0, 0, 0}));
  EXPECT_EQ(quarters(48), (Counts{0, 0, 1, 0, 0}));
  EXPECT_EQ(quarters(63), (Counts{0, 0, 0, 1, 0}));
  EXPECT_EQ(quarters(64), (Counts{0, 0, 0, 1, 1}));
}
