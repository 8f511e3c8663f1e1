//===- CoherenceLitmusTest.cpp - Random accesses to few lines -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some caches of a few lines each, one of them with a clock of its own and one that is
// only read, and an L2 that holds little more.  In each cycle of each requester, all
// states must go together; when a write or an atomic operation is done, no other
// cache may have the line.  In the end, the home must know who holds what.
//
//===----------------------------------------------------------------------===//

#include "CoherenceHarness.h"

#include <gtest/gtest.h>

#include <random>

using namespace chansim;
using moesi::State;

namespace {

constexpr uint64_t kBase = 0x7f0000000000;
constexpr uint64_t kLine = 64;

struct Setting {
  const char *name;
  unsigned lines;
  uint32_t putEntries;
  std::vector<Override> overrides;
};

const Setting kSettings[] = {
    {"tiny",
     10,
     2,
     {{"l1.bytes", "128"},
      {"l1.ways", "2"},
      {"l1.mshrs", "2"},
      {"l1.mshr_targets", "2"},
      {"aggregator.l1d.bytes", "256"},
      {"aggregator.l1d.ways", "1"},
      {"l2.bytes", "512"},
      {"l2.ways", "2"},
      {"l2.banks", "2"},
      {"l2.mshrs", "2"},
      {"l2.mshr_targets", "2"},
      {"dram.queue_entries", "1"}}},
    {"small",
     24,
     3,
     {{"l1.bytes", "512"},
      {"l1.ways", "4"},
      {"l1.mshrs", "3"},
      {"l1.mshr_targets", "4"},
      {"l1.banks", "2"},
      {"l2.bytes", "1024"},
      {"l2.ways", "4"},
      {"l2.banks", "2"},
      {"l2.mshrs", "4"},
      {"memory.link_bytes", "16"},
      {"memory.message_cycles", "0"}}},
    {"slow hits",
     12,
     2,
     {{"l1.bytes", "256"},
      {"l1.ways", "2"},
      {"l1.hit_cycles", "40"},
      {"l2.hit_cycles", "1"},
      {"l2.bytes", "512"},
      {"l2.ways", "1"},
      {"l2.banks", "4"},
      {"memory.message_cycles", "1"}}},
    {"no evictions", 3, 8, {}},
};

class Litmus {
public:
  static constexpr unsigned kCaches = 5;

  Litmus(const Setting &setting, uint64_t seed)
      : lines(setting.lines),
        system(kCaches, apuMachine(setting.overrides),
               /*hasAggregator=*/true, setting.putEntries) {
    std::mt19937_64 random(seed);
    for (unsigned i = 0; i != system.size(); ++i) {
      Requester &one = system[i];
      one.onCompletion = [this](Requester &self, const Request &request) {
        checkCompletion(self, request);
      };
      one.onCycle = [this] { checkStates(); };
      uint64_t cycle = 0;
      for (unsigned n = 0; n != kAccesses; ++n) {
        // Bursts, and pauses.
        cycle += random() % 8 ? random() % 3 : random() % 300;
        uint32_t bytes = 1u << random() % 4;
        uint64_t offset = random() % (lines * kLine - 8);
        unsigned kind = random() % 8;
        if (i == 0 || kind < 4)
          one.read(cycle, kBase + offset, bytes); // the first only reads
        else if (kind < 6)
          one.at(cycle, Access::write, kBase + offset, bytes,
                 /*isPosted=*/kind == 5);
        else
          one.atomic(cycle, kBase + (offset & ~uint64_t(7)), bytes);
      }
    }
  }

  void run() {
    system.run();
    checkEnd();
  }

  const unsigned lines;
  CoherentSystem system;
  unsigned faults = 0;

private:
  static constexpr unsigned kAccesses = 400;

  State stateOf(unsigned cache, unsigned line) {
    return system[cache].cache.stateOf(kBase + line * kLine);
  }
  void fault(const char *what, unsigned line) {
    if (++faults == 1)
      ADD_FAILURE() << what << ", line " << line << ", tick "
                    << system.engine.now();
  }

  void checkStates() {
    for (unsigned line = 0; line != lines; ++line) {
      unsigned readable = 0, writable = 0, owners = 0;
      for (unsigned i = 0; i != system.size(); ++i) {
        State state = stateOf(i, line);
        readable += moesi::isReadable(state);
        writable += moesi::isWritable(state);
        owners += moesi::isReadable(state) && state != State::shared;
      }
      if ((writable && readable > 1) || owners > 1)
        fault("states do not go together", line);
    }
  }
  void checkCompletion(Requester &self, const Request &request) {
    if (request.access == Access::read)
      return;
    uint64_t first = (request.address - kBase) / kLine,
             last = (request.address + request.bytes - 1 - kBase) / kLine;
    for (unsigned i = 0; i != system.size(); ++i)
      if (&system[i] != &self)
        // Of an access to two lines, the first may have gone on.
        if (first == last && system[i].cache.isValid(request.address))
          fault("another cache has the line", unsigned(first));
  }
  void checkEnd() {
    for (unsigned line = 0; line != lines; ++line) {
      moesi::Holders holders;
      for (unsigned i = 0; i != system.size(); ++i) {
        State state = stateOf(i, line);
        if (state == State::shared)
          holders.sharers |= uint64_t(1) << i;
        else if (moesi::isReadable(state))
          holders.owner = static_cast<moesi::Node>(i);
      }
      if (holders !=
          system.uncore.directory.holdersOf(physical(kBase + line * kLine)))
        fault("the home does not know who holds the line", line);
    }
  }
  uint64_t physical(uint64_t address) {
    return AddressMap(system.uncore.frames, 0).physical(address, Via::l1);
  }
};

TEST(SimCoherenceLitmus, RandomAccessesKeepCachesCoherent) {
  for (const Setting &setting : kSettings) {
    uint64_t atomics = 0, recalls = 0, puts = 0, forwards = 0, upgrades = 0,
             stale = 0, delayed = 0;
    for (uint64_t seed = 1; seed != 13; ++seed) {
      SCOPED_TRACE(std::string(setting.name) + ", seed " +
                   std::to_string(seed));
      Litmus litmus(setting, seed);
      try {
        litmus.run();
      } catch (const Stalled &stalled) {
        FAIL() << stalled.what();
      }
      ASSERT_EQ(litmus.faults, 0u);
      CoherentSystem &system = litmus.system;
      recalls += system.count("directory.recalls");
      stale += system.count("directory.puts_stale");
      forwards += system.count("directory.forwards");
      upgrades += system.count("directory.upgrades");
      puts += system.count("directory.puts_dirty");
      for (unsigned i = 0; i != system.size(); ++i) {
        atomics += system[i].count("atomics");
        delayed += system[i].count("delayed_probes");
        EXPECT_EQ(system[i].count("accesses"),
                  system[i].count("hits") + system[i].count("misses") +
                      system[i].count("upgrades") + system[i].count("merged"));
      }
    }
    std::printf("%-12s atomics %llu, forwards %llu, upgrades %llu, delayed "
                "probes %llu, dirty puts %llu, recalls %llu, stale puts %llu\n",
                setting.name, (unsigned long long)atomics,
                (unsigned long long)forwards, (unsigned long long)upgrades,
                (unsigned long long)delayed, (unsigned long long)puts,
                (unsigned long long)recalls, (unsigned long long)stale);
    EXPECT_GT(forwards, 100u);
    EXPECT_GT(upgrades, 10u);
    EXPECT_GT(delayed, 0u);
    if (setting.lines > 3) {
      EXPECT_GT(puts, 100u);
      EXPECT_GT(stale, 0u);
      EXPECT_GT(recalls, 100u);
    }
  }
}

TEST(SimCoherenceLitmus, EqualRunsAreEqual) {
  auto endOf = [](const Setting &setting) {
    Litmus litmus(setting, 99);
    litmus.run();
    std::string text = std::to_string(litmus.system.engine.now());
    for (unsigned i = 0; i != litmus.system.size(); ++i)
      for (size_t access : litmus.system[i].order)
        text += " " + std::to_string(access) + "@" +
                std::to_string(litmus.system[i][access].completed);
    return text + litmus.system.statistics.table();
  };
  for (const Setting &setting : kSettings)
    EXPECT_EQ(endOf(setting), endOf(setting));
}

} // namespace
