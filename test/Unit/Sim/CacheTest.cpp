//===- CacheTest.cpp - A cache against a simple one -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memory/Cache.h"
#include "Harness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <random>
#include <set>

using namespace chansim;

namespace {

/// LRU lists, one a set; lines come at once.
class SimpleCache {
public:
  explicit SimpleCache(const CacheParameters &parameters)
      : parameters(parameters) {}

  struct Answer {
    bool isHit = false, writesBack = false;
    uint64_t victim = 0;
    friend bool operator==(const Answer &, const Answer &) = default;
  };

  Answer access(uint64_t address, bool isWrite) {
    uint64_t line = address / parameters.lineBytes;
    uint64_t banks = parameters.spansBanks() ? 1 : parameters.banks;
    uint64_t bank = line % banks, set = line / banks % parameters.sets();
    auto &lines = sets[{bank, set}];
    Answer answer;
    auto it = std::find(lines.begin(), lines.end(), line);
    if (it != lines.end()) {
      answer.isHit = true;
      lines.erase(it);
    } else if (lines.size() == parameters.ways) {
      uint64_t victim = lines.back();
      lines.pop_back();
      answer.writesBack = dirty.erase(victim) != 0;
      answer.victim = answer.writesBack ? victim * parameters.lineBytes : 0;
    }
    lines.push_front(line);
    if (isWrite)
      dirty.insert(line);
    return answer;
  }

private:
  CacheParameters parameters;
  std::map<std::pair<uint64_t, uint64_t>, std::list<uint64_t>> sets;
  std::set<uint64_t> dirty;
};

TEST(SimCache, RandomAccessesHitAndReplaceAsInASimpleModel) {
  Machine machine = shippedMachine();
  Machine small = shippedMachine({{"l1.bytes", "2048"},
                                  {"l1.ways", "2"},
                                  {"l2.bytes", "6144"},
                                  {"l2.ways", "4"},
                                  {"l2.banks", "3"},
                                  {"lvc.ways", "1"}});
  for (const CacheParameters &parameters :
       {machine.l1, machine.l2, small.l1, small.l2, small.lvc})
    for (unsigned seed : {1u, 2u}) {
      Statistics statistics;
      Cache cache(parameters, "cache", /*hasMasks=*/false, statistics);
      SimpleCache simple(parameters);
      std::mt19937_64 random(seed);
      uint64_t range = uint64_t(parameters.bytes) * 3, hits = 0;
      for (unsigned i = 0; i != 50000; ++i) {
        uint64_t address = random() % range;
        bool isWrite = random() % 3 == 0;
        SimpleCache::Answer answer;
        Cache::Found found = cache.find(address, 1, isWrite);
        cache.access(found, address, 1, isWrite, {1, i});
        answer.isHit = found.outcome == Cache::Outcome::hit;
        hits += answer.isHit;
        if (!answer.isHit) {
          ASSERT_EQ(found.outcome, Cache::Outcome::miss);
          Cache::Filled filled = cache.fill(cache.lineOf(address));
          ASSERT_EQ(filled.targets.size(), 1u);
          ASSERT_EQ(filled.targets[0].tag, i);
          answer.writesBack = filled.writeBack.has_value();
          answer.victim = answer.writesBack ? filled.writeBack->line : 0;
        }
        ASSERT_EQ(answer, simple.access(address, isWrite)) << i;
      }
      EXPECT_EQ(statistics.value("cache.hits"), hits);
      EXPECT_GT(hits, 0u);
      EXPECT_EQ(statistics.value("cache.hits") +
                    statistics.value("cache.misses"),
                statistics.value("cache.accesses"));
    }
}

TEST(SimCache, AWholeLineFromAboveNeedsNoneFromBelow) {
  Statistics statistics;
  Cache cache(shippedMachine().l2, "cache", /*hasMasks=*/false, statistics);
  EXPECT_FALSE(cache.writeLine(0, {}));
  EXPECT_EQ(cache.find(0, 1, false).outcome, Cache::Outcome::hit);
  EXPECT_TRUE(cache.remove(0)); // dirty
  EXPECT_FALSE(cache.remove(0));
  EXPECT_EQ(cache.find(0, 1, false).outcome, Cache::Outcome::miss);
  // One that is under way is dirty when it comes.
  cache.access(cache.find(0, 1, false), 0, 1, false, {});
  EXPECT_EQ(cache.linesUnderWay(), 1u);
  cache.writeLine(0, {});
  EXPECT_EQ(cache.fill(0).targets.size(), 1u);
  EXPECT_EQ(cache.linesUnderWay(), 0u);
  uint32_t cursor = 0;
  std::optional<Cache::WriteBack> line = cache.cleanNext(cursor);
  ASSERT_TRUE(line);
  EXPECT_EQ(line->line, 0u);
  EXPECT_EQ(line->bytes, 128u);
  EXPECT_FALSE(cache.cleanNext(cursor));
}

TEST(SimCache, MshrsAreThoseOfTheBank) {
  Statistics statistics;
  Machine machine = shippedMachine({{"l2.mshrs", "1"}});
  Cache cache(machine.l2, "cache", /*hasMasks=*/false, statistics);
  cache.access(cache.find(0, 1, false), 0, 1, false, {});
  EXPECT_EQ(cache.find(6 * 128, 1, false).outcome, Cache::Outcome::noMshr);
  EXPECT_EQ(cache.find(128, 1, false).outcome, Cache::Outcome::miss);
}

TEST(SimMemory, RandomAccessesAllCompleteAndCountAsTheySay) {
  for (unsigned seed : {1u, 2u, 3u}) {
    MemoryHarness core(shippedMachine({{"l1.bytes", "4096"},
                                       {"l1.mshrs", "4"},
                                       {"l1.mshr_targets", "2"},
                                       {"l2.bytes", "12288"},
                                       {"l2.ways", "2"},
                                       {"l2.mshrs", "2"},
                                       {"dram.queue_entries", "2"}}));
    std::mt19937_64 random(seed);
    unsigned atomics = 0, splits = 0;
    for (unsigned i = 0; i != 4000; ++i) {
      uint64_t address = random() % 65536;
      unsigned kind = random() % 8;
      Access access = kind == 0  ? Access::atomic
                      : kind < 4 ? Access::write
                                 : Access::read;
      if (access == Access::atomic)
        address &= ~uint64_t(7);
      Via via = random() % 4 || access == Access::atomic ? Via::l1 : Via::lvc;
      atomics += access == Access::atomic;
      splits += address % 128 + 8 > 128;
      core.at(i / 8, access, address, 8, via);
    }
    core.run();
    EXPECT_EQ(core.order.size(), 4000u);
    EXPECT_EQ(core.count("memory.atomics"), atomics);
    EXPECT_EQ(core.count("l2.atomics"), atomics);
    EXPECT_EQ(core.count("memory.split_accesses"), splits);
    EXPECT_EQ(core.count("l1.accesses") + core.count("lvc.accesses"),
              4000 - atomics + splits);
    for (std::string level : {"l1", "lvc"})
      EXPECT_EQ(core.count((level + ".hits").c_str()) +
                    core.count((level + ".misses").c_str()) +
                    core.count((level + ".merged").c_str()),
                core.count((level + ".accesses").c_str()));
    // Each was refused in the course of this.
    for (const char *refusal : {"l1.bank_conflicts", "l1.mshr_full",
                                "l1.targets_full", "l2.blocked_cycles"})
      EXPECT_GT(core.count(refusal), 0u) << refusal;
    EXPECT_GT(core.count("dram.writes"), 0u);
  }
}

} // namespace
