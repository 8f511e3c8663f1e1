//===- ValidateTest.cpp - Stores that fetch nothing, to the cycle ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `l1.write_policy` and `lvc.write_policy` are `validate`: lines of which only some
// bytes are valid, and lines that wait to be written back.
//
//===----------------------------------------------------------------------===//

#include "CoreHarness.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace chansim;

namespace {

constexpr uint64_t kBase = 0x7f0000000000;
constexpr uint64_t kLine = 128;
constexpr uint64_t kWarm = 1000; // a cycle by which all is quiet again
/// As in MemoryTest.cpp: a hit, what a hit in L2 takes more at an even cycle, and
/// when a line from DRAM is there.
constexpr uint64_t kHit = 35, kL2 = 240, kCome = 486;

Machine validating(Overrides overrides = {}) {
  overrides.push_back({"l1.write_policy", "validate"});
  overrides.push_back({"lvc.write_policy", "validate"});
  // Physical addresses as the virtual ones: one frame.
  overrides.push_back({"memory.frame_bytes", "1048576"});
  return shippedMachine(overrides);
}

/// L1 has one set of two lines.
Machine withTwoLines(Overrides overrides = {}) {
  overrides.push_back({"l1.bytes", "256"});
  overrides.push_back({"l1.ways", "2"});
  return validating(overrides);
}

size_t store(MemoryHarness &core, uint64_t cycle, uint64_t address,
             uint32_t bytes = 4) {
  return core.at(cycle, Access::write, address, bytes);
}

TEST(SimValidate, AStoreThatMissesCompletesAsAHit) {
  MemoryHarness core(validating());
  size_t missing = store(core, 0, kBase);
  size_t again = store(core, 1, kBase + 4);
  size_t read = core.read(2, kBase);
  size_t both = core.read(3, kBase, 8);
  core.run();
  for (size_t access : {missing, again, read, both})
    EXPECT_EQ(core[access].latency(), kHit);
  EXPECT_EQ(core.count("l1.validated"), 1u);
  EXPECT_EQ(core.count("l1.hits"), 3u);
  EXPECT_EQ(core.count("l1.misses"), 0u);
  EXPECT_EQ(core.count("dram.reads"), 0u);
}

TEST(SimValidate, FetchAsksForTheLine) {
  MemoryHarness core(shippedMachine({{"l1.write_policy", "fetch"}}));
  size_t missing = store(core, 0, kBase);
  core.run();
  EXPECT_EQ(core[missing].latency(), kCome + kHit);
  EXPECT_EQ(core.count("l1.validated"), 0u);
  EXPECT_EQ(core.count("l1.misses"), 1u);
}

// The line comes as for any miss; with it are merged the bytes that are there.
TEST(SimValidate, ALoadOfOtherBytesFetchesTheLine) {
  for (auto [offset, bytes] : {std::pair(4u, 4u), std::pair(124u, 4u),
                               std::pair(0u, 8u), std::pair(3u, 2u)}) {
    MemoryHarness core(validating());
    store(core, 0, kBase);
    size_t other = core.read(kWarm, kBase + offset, bytes);
    size_t own = core.read(kWarm + 1, kBase);
    size_t stored = store(core, kWarm + 2, kBase + 64);
    size_t valid = core.read(kWarm + 3, kBase + 64);
    size_t merged = core.read(kWarm + 4, kBase + 32);
    size_t after = core.read(3 * kWarm, kBase + 96);
    core.run();
    // 1000 is no edge of the DRAM's clock as 0 is.
    EXPECT_NEAR(core[other].latency(), kCome + kHit, 3);
    EXPECT_EQ(core[merged].completed, core[other].completed);
    // Bytes that are valid wait for nothing, nor do stores.
    EXPECT_EQ(core[own].latency(), kHit);
    EXPECT_EQ(core[stored].latency(), kHit);
    EXPECT_EQ(core[valid].latency(), kHit);
    EXPECT_EQ(core[after].latency(), kHit);
    EXPECT_EQ(core.count("l1.misses"), 1u);
    EXPECT_EQ(core.count("l1.merged"), 1u);
    EXPECT_EQ(core.count("dram.reads"), 1u);
    // What was stored is still to be written.
    core.flush();
    EXPECT_EQ(core.count("memory.flushed_lines"), 1u);
  }
}

TEST(SimValidate, AStoreToALineUnderWayWaitsForIt) {
  MemoryHarness core(validating());
  size_t read = core.read(0, kBase);
  size_t written = store(core, 1, kBase + 4);
  core.run();
  EXPECT_EQ(core[read].completed, kCome + kHit);
  EXPECT_EQ(core[written].completed, kCome + kHit);
  EXPECT_EQ(core.count("l1.merged"), 1u);
  EXPECT_EQ(core.count("l1.validated"), 0u);
  core.flush();
  EXPECT_EQ(core.count("memory.flushed_lines"), 1u);
}

// A line is whole when each byte has been stored.
TEST(SimValidate, ALineThatIsStoredWholeIsNeverFetched) {
  MemoryHarness core(validating());
  for (unsigned i = 0; i != 32; ++i)
    store(core, i, kBase + i * 4);
  size_t read = core.read(kWarm, kBase + 60, 8);
  core.run();
  EXPECT_EQ(core[read].latency(), kHit);
  // The L2 has the line, too: a load after the flush needs no DRAM.
  EXPECT_EQ(core.flush(), 4 + 1u);
  size_t again = core.read(core.cycle() / 2 * 2 + 100, kBase);
  core.run();
  EXPECT_EQ(core[again].latency(), kHit + kL2);
  EXPECT_EQ(core.count("dram.reads"), 0u);
}

// The link carries the bytes that were stored, 32 in a cycle.
TEST(SimValidate, AFlushWritesTheBytesThatWereStored) {
  for (auto [words, cycles] : {std::pair(1u, 1u), std::pair(8u, 1u),
                               std::pair(9u, 2u), std::pair(32u, 4u)}) {
    MemoryHarness core(validating());
    for (unsigned i = 0; i != words; ++i)
      store(core, i, kBase + i * 4);
    core.run();
    EXPECT_EQ(core.flush(), cycles + 1) << words;
  }
}

// Also if the line was fetched.
TEST(SimValidate, AFlushOfAFetchedLineWritesTheBytesThatWereStored) {
  MemoryHarness core(validating());
  core.read(0, kBase);
  store(core, kWarm, kBase + 8);
  core.run();
  EXPECT_EQ(core.flush(), 1 + 1u);
  MemoryHarness whole(shippedMachine());
  whole.read(0, kBase);
  store(whole, kWarm, kBase + 8);
  whole.run();
  EXPECT_EQ(whole.flush(), 4 + 1u);
}

// The L2 has only the bytes that it was sent, and asks DRAM for the line when one
// is loaded.
TEST(SimValidate, L2KeepsAPartOfALine) {
  MemoryHarness core(validating());
  store(core, 0, kBase);
  core.run();
  core.flush();
  EXPECT_EQ(core.count("l2.writes"), 0u); // on its way
  size_t read = core.read(kWarm, kBase);
  core.run();
  EXPECT_EQ(core.count("l2.writes"), 1u);
  EXPECT_NEAR(core[read].latency(), kCome + kHit, 3);
  EXPECT_EQ(core.count("dram.reads"), 1u);
  // Now it is whole.
  core.flush();
  size_t again = core.read(3 * kWarm, kBase + 64);
  core.run();
  EXPECT_EQ(core[again].latency(), kHit + kL2);
}

// If only LVC has masks, L1 writes whole lines, and L2 needs nothing of them.
TEST(SimValidate, OneCacheMayFetchAndTheOtherNot) {
  MemoryHarness core(shippedMachine(
      {{"lvc.write_policy", "validate"}, {"memory.frame_bytes", "1048576"}}));
  size_t live = core.at(0, Access::write, 0, 8, Via::lvc);
  size_t word = store(core, 0, kBase);
  core.run();
  EXPECT_EQ(core[live].latency(), kHit);
  EXPECT_EQ(core[word].latency(), kCome + kHit);
  core.flush();
  size_t read = core.read(2 * kWarm, kBase + 64);
  core.run();
  EXPECT_EQ(core[read].latency(), kHit + kL2);
  EXPECT_EQ(core.count("dram.reads"), 1u);
}

TEST(SimValidate, AVictimIsWrittenByItsMask) {
  MemoryHarness core(withTwoLines());
  store(core, 0, kBase, 8);
  store(core, 1, kBase + kLine);
  size_t third = store(core, 2, kBase + 2 * kLine); // displaces the first
  // A cycle for the 8 bytes, then the address: a hit in L2 would be at kL2.
  size_t read = core.read(kWarm, kBase, 8);
  core.run();
  EXPECT_EQ(core[third].latency(), kHit);
  // And the line that came displaced the second.
  EXPECT_EQ(core.count("l1.write_backs"), 2u);
  EXPECT_EQ(core.count("l2.writes"), 2u);
  EXPECT_EQ(core.count("dram.reads"), 1u); // L2 has 8 bytes of it
  EXPECT_NEAR(core[read].latency(), kCome + kHit, 3);
}

// Its MSHR keeps what was stored; it is written when it is displaced again.
TEST(SimValidate, ALineMayBeDisplacedWhileItIsFetched) {
  MemoryHarness core(withTwoLines());
  store(core, 0, kBase);
  core.read(kWarm, kBase + 64);
  store(core, kWarm + 1, kBase + kLine);
  store(core, kWarm + 2, kBase + 2 * kLine);
  size_t waits = store(core, kWarm + 3, kBase + 8); // in the MSHR now
  core.run();
  EXPECT_GT(core[waits].latency(), kL2);
  // When it came, it displaced the second.
  EXPECT_EQ(core.count("l1.write_backs"), 1u);
  EXPECT_EQ(core.flush(), 2 * 1 + 1u);
  EXPECT_EQ(core.count("l1.write_backs"), 3u);
  EXPECT_EQ(core.count("memory.flushed_lines"), 2u);
}

TEST(SimValidate, AnAtomicWritesTheBytesOfItsLineFirst) {
  MemoryHarness core(validating());
  store(core, 0, kBase);
  core.read(0, kBase + kLine); // L2 fetches neighbours of another bank
  size_t atomic = core.at(kWarm, Access::atomic, kBase, 4);
  core.run();
  EXPECT_EQ(core.count("l1.write_backs"), 1u);
  EXPECT_EQ(core.count("dram.reads"), 2u);
  EXPECT_NEAR(core[atomic].latency(), kCome + kHit + 2, 3);
}

TEST(SimValidate, DiscardedLiveValuesAreNotWritten) {
  MemoryHarness core(validating());
  core.at(0, Access::write, 0, 8, Via::lvc);
  core.run();
  core.memory.discardLiveValues();
  size_t again = core.at(kWarm, Access::write, 8, 8, Via::lvc);
  size_t dead = core.at(kWarm + 1, Access::read, 0, 8, Via::lvc);
  core.run();
  EXPECT_EQ(core[again].latency(), kHit);
  EXPECT_GT(core[dead].latency(), kHit + kL2);
  EXPECT_EQ(core.count("lvc.write_backs"), 0u);
}

//===----------------------------------------------------------------------===//
// memory.write_back_entries
//===----------------------------------------------------------------------===//

/// Stores of whole lines, a cycle after the other, of which each displaces one
/// from the third on.  The last is answered.
MemoryHarness::Record lastOf(unsigned lines, const char *entries,
                             uint64_t *refusals = nullptr) {
  MemoryHarness core(withTwoLines({{"memory.write_back_entries", entries}}));
  size_t last = 0;
  for (unsigned i = 0; i != lines; ++i)
    last = store(core, i, kBase + i * kLine, 128);
  core.run();
  if (refusals)
    *refusals = core.count("memory.write_back_full");
  return core[last];
}

// Lines are displaced in 2, 3 and so on, and the link takes 4 cycles for each: it
// has carried the first in 6.
TEST(SimValidate, AStoreWaitsForRoomForWhatItDisplaces) {
  EXPECT_EQ(lastOf(4, "2").taken, 3u);
  uint64_t refusals;
  MemoryHarness::Record fifth = lastOf(5, "2", &refusals);
  EXPECT_EQ(fifth.firstAnswer, Taken::noWriteBack);
  EXPECT_EQ(fifth.taken, 6u);
  EXPECT_EQ(fifth.latency(), kHit);
  EXPECT_EQ(refusals, 2u);
  EXPECT_EQ(lastOf(5, "3").taken, 4u);
  EXPECT_EQ(lastOf(6, "2").taken, 10u);
}

// The line of a load waits, too, and with it what comes behind.
TEST(SimValidate, ALineThatComesWaitsForRoomForWhatItDisplaces) {
  auto completed = [](const char *entries, unsigned lines) {
    MemoryHarness core(withTwoLines({{"memory.write_back_entries", entries}}));
    size_t read = core.read(0, kBase + 64 * kLine);
    // Before the line comes, in kCome: the first two displace nothing.
    for (unsigned i = 0; i != lines; ++i)
      store(core, kCome - lines, kBase + i * kLine, 128);
    core.run();
    return core[read].completed;
  };
  EXPECT_EQ(completed("2", 3), kCome + kHit);
  // The third store is in kCome - 2, so that the link has carried what it
  // displaces in kCome + 2.
  EXPECT_EQ(completed("8", 4), kCome + kHit);
  EXPECT_EQ(completed("3", 4), kCome + kHit);
  EXPECT_EQ(completed("2", 4), kCome + 2 + kHit);
  // The last store waits as well; the line is first.
  EXPECT_EQ(completed("2", 5), kCome + 1 + kHit);
}

TEST(SimValidate, AnAtomicWaitsForRoomForItsLine) {
  MemoryHarness core(withTwoLines({{"memory.write_back_entries", "2"}}));
  for (unsigned i = 0; i != 4; ++i)
    store(core, i, kBase + i * kLine, 128);
  size_t atomic = core.at(4, Access::atomic, kBase + 3 * kLine);
  core.run();
  EXPECT_EQ(core[atomic].firstAnswer, Taken::noWriteBack);
  EXPECT_EQ(core[atomic].taken, 6u);
}

TEST(SimValidate, AStoreAcrossLinesNeedsRoomForTwo) {
  MemoryHarness core(withTwoLines({{"memory.write_back_entries", "2"}}));
  for (unsigned i = 0; i != 3; ++i)
    store(core, i, kBase + i * kLine, 128);
  size_t across = store(core, 3, kBase + 9 * kLine - 4, 8);
  core.run();
  EXPECT_EQ(core[across].firstAnswer, Taken::noWriteBack);
  EXPECT_EQ(core[across].taken, 6u);
  EXPECT_EQ(core[across].latency(), kHit);
  EXPECT_EQ(core.count("l1.write_backs"), 3u);
}

//===----------------------------------------------------------------------===//
// All together
//===----------------------------------------------------------------------===//

/// Whether the accesses to bytes of a small range end, whatever is displaced,
/// and which bytes each line that was written had.
TEST(SimValidate, RandomAccessesAllCompleteAndCountAsTheySay) {
  for (unsigned seed : {1u, 2u, 3u}) {
    MemoryHarness core(validating({{"l1.bytes", "1024"},
                                   {"l1.ways", "2"},
                                   {"l1.mshrs", "4"},
                                   {"lvc.bytes", "1024"},
                                   {"lvc.ways", "1"},
                                   {"l2.bytes", "12288"},
                                   {"l2.ways", "2"},
                                   {"memory.write_back_entries", "2"}}));
    std::mt19937_64 random(seed);
    unsigned atomics = 0, splits = 0;
    for (unsigned i = 0; i != 4000; ++i) {
      uint64_t address = random() % 16384;
      unsigned kind = random() % 8;
      Access access = kind == 0  ? Access::atomic
                      : kind < 5 ? Access::write
                                 : Access::read;
      if (access == Access::atomic)
        address &= ~uint64_t(7);
      Via via = random() % 4 || access == Access::atomic ? Via::l1 : Via::lvc;
      atomics += access == Access::atomic;
      splits += address % kLine + 8 > kLine;
      core.at(i / 8, access, address, 8, via);
    }
    core.run();
    EXPECT_EQ(core.order.size(), 4000u);
    EXPECT_EQ(core.count("l1.accesses") + core.count("lvc.accesses"),
              4000 - atomics + splits);
    for (std::string level : {"l1.", "lvc."}) {
      auto count = [&](const char *name) {
        return core.count((level + name).c_str());
      };
      EXPECT_EQ(count("hits") + count("misses") + count("merged") +
                    count("validated"),
                count("accesses"));
      EXPECT_GT(count("validated"), 0u);
    }
    EXPECT_GT(core.count("memory.write_back_full"), 0u);
  }
}

/// Each thread stores a word beside one that it leaves alone; a second block
/// adds both.  The lines are displaced, and L2 merges their parts.
TEST(SimValidate, AKernelLoadsWhatItStoredAndWhatWasThere) {
  for (const char *policy : {"fetch", "validate"}) {
    Machine machine = shippedMachine({{"l1.bytes", "1024"},
                                      {"l1.write_policy", policy},
                                      {"lvc.bytes", "1024"},
                                      {"lvc.write_policy", policy},
                                      {"control.tile_limit", "cvt"}});
    BlockBuilder first(machine.fabric), second(machine.fabric);
    uint32_t thread = first.node("split", {first.initiate()});
    uint32_t own = first.node("mad.i64", {thread, constant(16), parameter(0)});
    uint32_t stored = first.node("store.i64", {own, thread});
    first.terminate({first.node("join", {stored, first.liveStore(0, thread)})});
    uint32_t again = second.node("split", {second.initiate()});
    uint32_t live = second.node("split", {second.liveLoad(0, again)});
    uint32_t one = second.node("mad.i64", {again, constant(16), parameter(0)});
    uint32_t other =
        second.node("mad.i64", {live, constant(16), parameter(0, 8)});
    uint32_t sum = second.node("add.i64", {second.node("load.i64", {one}),
                                           second.node("load.i64", {other})});
    uint32_t place = second.node("mad.i64", {live, constant(8), parameter(1)});
    second.terminate({second.node("store.i64", {place, sum})});
    CoreHarness harness(
        machine,
        configurationText(
            machine, {first.build(0, {1}), second.build(1, {"exit"})}, 2, 1));
    constexpr uint64_t threads = 500;
    std::vector<uint64_t> words(2 * threads, 7000), sums(threads);
    harness.run(threads, {addressOf(words.data()), addressOf(sums.data())});
    for (uint64_t i = 0; i != threads; ++i)
      ASSERT_EQ(sums[i], i + 7000) << policy;
    EXPECT_EQ(harness.count("l1.validated") > 0, policy[0] == 'v');
    EXPECT_EQ(harness.count("lvc.validated") > 0, policy[0] == 'v');
    EXPECT_GT(harness.count("l1.write_backs"), 0u);
  }
}

/// What the cache says of bytes, against sets of bytes: one access after the
/// other, and lines that come later.
TEST(SimValidate, TheCacheKnowsWhichBytesItHas) {
  Machine machine = validating({{"l1.bytes", "1024"}, {"l1.ways", "2"}});
  Statistics statistics;
  Cache cache(machine.l1, "cache", /*hasMasks=*/true, statistics);
  std::mt19937_64 random(1);
  constexpr uint64_t range = 24 * kLine;
  // Bytes stored since they were last written back, and all that are valid.
  std::map<uint64_t, std::set<uint64_t>> stored, valid;
  std::set<uint64_t> underWay;
  uint64_t written = 0, displacedUnderWay = 0;
  auto writeBack = [&](const std::optional<Cache::WriteBack> &line) {
    if (!line)
      return;
    ++written;
    ByteMask expected;
    for (uint64_t byte : stored[line->line])
      expected |= ByteMask(byte, 1);
    ASSERT_EQ(line->mask, expected);
    ASSERT_EQ(line->bytes, stored[line->line].size());
    ASSERT_GT(line->bytes, 0u);
    stored.erase(line->line);
    valid.erase(line->line);
  };
  for (unsigned i = 0; i != 100000; ++i) {
    uint64_t address = random() % range;
    uint32_t bytes = 1 + random() % 8;
    uint64_t line = cache.lineOf(address), first = address - line;
    if (first + bytes > kLine)
      continue;
    if (!underWay.empty() && random() % 4 == 0) {
      uint64_t comes = *underWay.begin();
      underWay.erase(underWay.begin());
      uint64_t before = statistics.value("cache.write_backs");
      Cache::Filled filled = cache.fill(comes);
      writeBack(filled.writeBack);
      EXPECT_EQ(statistics.value("cache.write_backs") - before,
                filled.writeBack.has_value());
      for (uint64_t byte = 0; byte != kLine; ++byte)
        valid[comes].insert(byte);
    }
    bool isStore = random() % 2;
    Cache::Found found = cache.find(address, bytes, isStore);
    if (found.outcome == Cache::Outcome::noMshr ||
        found.outcome == Cache::Outcome::noTarget)
      continue;
    if (found.outcome == Cache::Outcome::validated) {
      ASSERT_TRUE(isStore);
      ASSERT_FALSE(underWay.contains(line));
      valid.erase(line);
      writeBack(cache.validate(found, address, bytes));
    } else {
      cache.access(found, address, bytes, isStore, {});
    }
    if (found.outcome == Cache::Outcome::hit && !isStore)
      for (uint64_t byte = first; byte != first + bytes; ++byte)
        ASSERT_TRUE(valid[line].contains(byte)) << i;
    if (found.outcome == Cache::Outcome::miss) {
      ASSERT_FALSE(isStore);
      ASSERT_FALSE(underWay.contains(line));
      underWay.insert(line);
    }
    if (found.outcome == Cache::Outcome::merged) {
      ASSERT_TRUE(underWay.contains(line));
      displacedUnderWay += isStore;
    }
    for (uint64_t byte = first; isStore && byte != first + bytes; ++byte) {
      stored[line].insert(byte);
      valid[line].insert(byte);
    }
  }
  EXPECT_GT(written, 1000u);
  EXPECT_GT(displacedUnderWay, 100u);
  // Nothing is lost.
  while (!underWay.empty()) {
    writeBack(cache.fill(*underWay.begin()).writeBack);
    underWay.erase(underWay.begin());
  }
  uint32_t cursor = 0;
  while (std::optional<Cache::WriteBack> line = cache.cleanNext(cursor))
    writeBack(line);
  EXPECT_TRUE(stored.empty());
}

} // namespace
