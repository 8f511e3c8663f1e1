//===- CoherenceTimingTest.cpp - Coherent caches, to the cycle ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ISCA'14 machine: a hit in L1 takes 4 cycles, a message 2, a lookup in the L2 16,
// DRAM 30 and 3.2 for each line.
//
//===----------------------------------------------------------------------===//

#include "CoherenceHarness.h"

#include <gtest/gtest.h>

using namespace chansim;
using moesi::State;

namespace {

constexpr uint64_t kBase = 0x7f0000000000;
constexpr uint64_t kLine = 64;
constexpr uint64_t kWarm = 1000; // a cycle by which all is quiet again
constexpr uint64_t kHit = 4, kMessage = 2, kLookup = 16, kDram = 30;

TEST(SimCoherence, AMissGoesToDramAndAHitNotToL2) {
  CoherentSystem system(1);
  size_t miss = system[0].read(0, kBase);
  size_t hit = system[0].read(kWarm, kBase + 8);
  size_t write = system[0].write(kWarm + 10, kBase + 8);
  size_t atomic = system[0].atomic(kWarm + 20, kBase + 8);
  system.run();
  EXPECT_EQ(system[0][miss].latency(),
            kMessage + kLookup + kDram + kMessage + kHit);
  EXPECT_EQ(system[0][hit].latency(), kHit);
  // It came as exclusive.
  EXPECT_EQ(system[0][write].latency(), kHit);
  EXPECT_EQ(system[0][atomic].latency(), kHit);
  EXPECT_EQ(system[0].cache.stateOf(kBase), State::modified);
  EXPECT_EQ(system.count("dram.reads"), 1u);
  EXPECT_EQ(system.count("directory.exclusives"), 1u);
}

TEST(SimCoherence, ALineThatOthersShareComesFromL2) {
  CoherentSystem system(3);
  system[0].read(0, kBase);
  system[1].read(kWarm, kBase);
  size_t hit = system[2].read(2 * kWarm, kBase);
  system.run();
  EXPECT_EQ(system[2][hit].latency(), kMessage + kLookup + kMessage + kHit);
  EXPECT_EQ(system[2].count("lines_from_l2"), 1u);
  for (unsigned i = 0; i != 3; ++i)
    EXPECT_EQ(system[i].cache.stateOf(kBase), State::shared);
}

// The owner looks the line up, and sends it directly.
TEST(SimCoherence, ALineThatAnotherCacheOwnsComesFromThere) {
  for (bool isWrite : {false, true}) {
    CoherentSystem system(2);
    system[0].write(0, kBase);
    size_t access =
        system[1].at(kWarm, isWrite ? Access::write : Access::read, kBase);
    system.run();
    EXPECT_EQ(system[1][access].latency(),
              kMessage + kLookup + kMessage + kHit + kMessage + kHit);
    EXPECT_EQ(system[1].count("cache_to_cache"), 1u);
    EXPECT_EQ(system[0].count("forwards"), 1u);
    EXPECT_EQ(system[0].cache.stateOf(kBase),
              isWrite ? State::invalid : State::owned);
    EXPECT_EQ(system[1].cache.stateOf(kBase),
              isWrite ? State::modified : State::shared);
    EXPECT_EQ(system.count("dram.reads"), 1u);
  }
}

// An inv leaves before the grant, an ack a cycle after the inv came.
TEST(SimCoherence, AnUpgradeWaitsForTheAcksOfAllSharers) {
  for (unsigned sharers : {1u, 2u, 5u}) {
    CoherentSystem system(sharers + 1);
    system[0].write(0, kBase);
    for (unsigned i = 1; i <= sharers; ++i)
      system[i].read(i * kWarm, kBase);
    size_t write = system[0].write(9 * kWarm, kBase);
    system.run();
    EXPECT_EQ(system[0][write].latency(), kMessage + kLookup + (sharers - 1) +
                                              kMessage + 1 + kMessage + kHit);
    EXPECT_EQ(system[0].count("upgrades"), 1u);
    EXPECT_EQ(system.count("directory.upgrades"), 1u);
    EXPECT_EQ(system.count("directory.invalidations"), sharers);
    for (unsigned i = 1; i <= sharers; ++i)
      EXPECT_FALSE(system[i].cache.isValid(kBase));
    EXPECT_EQ(system[0].cache.stateOf(kBase), State::modified);
  }
}

// A cache that holds an owned line alone.
TEST(SimCoherence, AnUpgradeWithoutSharersIsAGrant) {
  Machine machine = apuMachine({{"l1.ways", "1"}, {"l1.bytes", "128"}});
  CoherentSystem system(2, machine);
  system[0].write(0, kBase);
  system[1].read(kWarm, kBase);
  system[1].read(2 * kWarm, kBase + 2 * kLine); // displaces it
  size_t write = system[0].write(3 * kWarm, kBase);
  system.run();
  EXPECT_EQ(system[0][write].latency(), kMessage + kLookup + kMessage + kHit);
  EXPECT_EQ(system[1].count("clean_puts"), 1u);
  EXPECT_EQ(system.count("directory.upgrades"), 1u);
}

// From one to the next: unblock, lookup, forward, the owner's hit, data.
TEST(SimCoherence, AContendedLineGoesFromCacheToCache) {
  constexpr unsigned kCaches = 8;
  CoherentSystem system(kCaches);
  for (unsigned i = 0; i != kCaches; ++i)
    system[i].atomic(0, kBase);
  system.run();
  uint64_t first = kMessage + kLookup + kDram + kMessage + kHit;
  uint64_t next = kMessage + kLookup + kMessage + kHit + kMessage;
  for (unsigned i = 0; i != kCaches; ++i)
    EXPECT_EQ(system[i][0].latency(), first + i * next) << i;
  EXPECT_EQ(system.count("directory.waits"), kCaches - 1);
  EXPECT_EQ(system.count("directory.forwards"), kCaches - 1);
}

TEST(SimCoherence, AtomicOperationsOfOneCacheGoOneACycle) {
  CoherentSystem system(1);
  // While the line is under way, and when it is there.
  for (unsigned i = 0; i != 5; ++i)
    system[0].atomic(i, kBase + 4 * i);
  for (unsigned i = 0; i != 5; ++i)
    system[0].atomic(kWarm, kBase + 4 * i);
  system.run();
  uint64_t first = kMessage + kLookup + kDram + kMessage + kHit;
  for (unsigned i = 0; i != 5; ++i) {
    EXPECT_EQ(system[0][i].completed, first + i);
    EXPECT_EQ(system[0][5 + i].completed, kWarm + kHit + i);
  }
  EXPECT_EQ(system[0].count("merged"), 4u);
  EXPECT_EQ(system[0].count("atomics"), 10u);
}

// All that wait for a line are served before it goes on; what comes later asks again.
TEST(SimCoherence, ALineServesAllThatWaitForItAndNoMore) {
  CoherentSystem system(2);
  constexpr unsigned kFirst = 40, kAll = 200;
  for (unsigned i = 0; i != kFirst; ++i)
    system[0].atomic(i, kBase);
  size_t other = system[1].atomic(1, kBase);
  for (unsigned i = kFirst; i != kAll; ++i)
    system[0].atomic(55 + i - kFirst, kBase);
  system.run();
  const Requester &own = system[0];
  uint64_t served = system[1][other].completed;
  unsigned before = 0;
  for (unsigned i = 0; i != kAll; ++i)
    before += own[i].completed < served;
  EXPECT_EQ(before, kFirst);
  // The last of the first is done when the line leaves.
  uint64_t last = kMessage + kLookup + kDram + kMessage + kHit + kFirst - 1;
  EXPECT_EQ(own[kFirst - 1].completed, last);
  EXPECT_EQ(served, last + kHit + kMessage + kHit);
  EXPECT_EQ(own.count("delayed_probes"), 1u);
  EXPECT_GT(own.count("probe_delay"), 0u);
  // In the order in which they were asked for.
  EXPECT_TRUE(std::is_sorted(own.order.begin(), own.order.end()));
}

TEST(SimCoherence, TheAggregatorsCacheHasItsOwnClock) {
  CoherentSystem system(1, apuMachine(), /*hasAggregator=*/true);
  Requester &aggregator = system[1];
  size_t miss = aggregator.read(0, kBase);
  size_t hit = aggregator.read(2 * kWarm + 1, kBase);
  size_t other = system[0].read(3 * kWarm, kBase);
  system.run();
  // In cycles of 2 GHz: all else is twice as long.
  EXPECT_EQ(aggregator[miss].latency(),
            2 * (kMessage + kLookup + kDram + kMessage) + kHit);
  EXPECT_EQ(aggregator[hit].latency(), kHit);
  // The owner's hit takes half of its cycles.
  EXPECT_EQ(system[0][other].latency(),
            kMessage + kLookup + kMessage + kHit / 2 + kMessage + kHit);
}

TEST(SimCoherence, ABankLooksUpARequestACycleAndALinkCarriesAMessage) {
  CoherentSystem system(2);
  // Lines of one bank, that are in the L2, and both caches share.
  auto line = [](unsigned i) { return kBase + 4 * kLine * i; };
  for (unsigned i = 0; i != 6; ++i)
    system[0].write(i * 100, line(i));
  for (unsigned i = 0; i != 6; ++i)
    system[1].read(kWarm + i, line(i));
  system.run();
  for (unsigned i = 0; i != 6; ++i)
    EXPECT_EQ(system[1][i].latency(),
              kMessage + kLookup + kMessage + kHit + kMessage + kHit);
}

TEST(SimCoherence, ALineOccupiesANarrowLink) {
  CoherentSystem system(3, apuMachine({{"memory.link_bytes", "16"}}));
  system[0].write(0, kBase);
  system[0].write(100, kBase + kLine);
  size_t first = system[1].read(kWarm, kBase);
  size_t second = system[2].read(kWarm, kBase + kLine);
  system.run();
  uint64_t one =
      kMessage + kLookup + kMessage + kHit + (kLine / 16 - 1) + kMessage + kHit;
  EXPECT_EQ(system[1][first].latency(), one);
  EXPECT_EQ(system[2][second].latency(), one + kLine / 16);
}

TEST(SimCoherence, AnAccessToTwoLinesWaitsForBoth) {
  CoherentSystem system(2);
  system[0].read(0, kBase);
  size_t split = system[0].write(kWarm, kBase + kLine - 2, 4);
  size_t again = system[0].write(2 * kWarm, kBase + kLine - 2, 4);
  system.run();
  EXPECT_EQ(system[0][split].latency(),
            kMessage + kLookup + kDram + kMessage + kHit);
  EXPECT_EQ(system[0][again].latency(), kHit);
  EXPECT_EQ(system[0].count("split_accesses"), 2u);
  EXPECT_EQ(system[0].order.size(), 3u);
}

TEST(SimCoherence, APostedWriteTakesOwnershipWithoutACompletion) {
  CoherentSystem system(2);
  system[1].read(0, kBase);
  system[0].at(kWarm, Access::write, kBase, 4, /*isPosted=*/true);
  system.run();
  EXPECT_TRUE(system[0].order.empty());
  EXPECT_EQ(system[0].cache.stateOf(kBase), State::modified);
  EXPECT_FALSE(system[1].cache.isValid(kBase));
}

TEST(SimCoherence, WhatLacksRoomIsRefusedAndItsConsumerWoken) {
  CoherentSystem system(1, apuMachine({{"l1.mshrs", "2"},
                                       {"l1.mshr_targets", "2"},
                                       {"l1.bytes", "128"},
                                       {"l1.ways", "2"}}));
  Requester &one = system[0];
  one.read(0, kBase);
  one.read(1, kBase);
  size_t target = one.read(2, kBase);
  size_t mshr = one.write(kWarm, kBase + kLine);
  one.read(kWarm + 1, kBase + 2 * kLine);
  size_t third = one.read(kWarm + 2, kBase + 3 * kLine);
  system.run();
  EXPECT_EQ(one[target].firstAnswer, Taken::noTarget);
  EXPECT_EQ(one[target].latency(), kHit);
  EXPECT_EQ(one[mshr].firstAnswer, Taken::yes);
  EXPECT_EQ(one[third].firstAnswer, Taken::noMshr);
  // Both ways are asked for until DRAM has answered the first.
  EXPECT_EQ(one[third].taken,
            kWarm + kMessage + kLookup + kDram + kMessage + kHit);
  EXPECT_EQ(one.count("targets_full"), 1u);

  CoherentSystem other(1, apuMachine({{"l1.bytes", "256"}, {"l1.ways", "4"}}),
                       /*hasAggregator=*/false, /*putEntries=*/2);
  Requester &two = other[0];
  for (unsigned i = 0; i != 4; ++i)
    two.read(i * 100, kBase + i * kLine);
  two.read(kWarm, kBase + 4 * kLine);
  two.read(kWarm + 1, kBase + 5 * kLine);
  size_t put = two.read(kWarm + 2, kBase + 6 * kLine);
  other.run();
  EXPECT_EQ(two[put].firstAnswer, Taken::noWriteBack);
  // Behind the first putAck: the put left before the getS, in the same cycle.
  EXPECT_EQ(two[put].taken, kWarm + kMessage + kLookup + kMessage);
  EXPECT_EQ(two.count("write_back_full"), 1u);
}

TEST(SimCoherence, TheL2RecallsWhatItReplaces) {
  // Two lines in a bank of the L2.
  CoherentSystem system(
      2,
      apuMachine({{"l2.bytes", "256"}, {"l2.ways", "2"}, {"l2.banks", "2"}}));
  system[0].write(0, kBase);
  system[1].read(100, kBase + 2 * kLine);
  size_t recalls = system[1].read(kWarm, kBase + 4 * kLine);
  system.run();
  // The recall takes no longer than DRAM.
  EXPECT_EQ(system[1][recalls].latency(),
            kMessage + kLookup + kDram + kMessage + kHit);
  EXPECT_FALSE(system[0].cache.isValid(kBase));
  EXPECT_EQ(system[0].count("recalls"), 1u);
  EXPECT_EQ(system.count("directory.recalls"), 1u);
  EXPECT_EQ(system.count("directory.dirty_recalls"), 1u);
  EXPECT_EQ(system.count("dram.writes"), 1u);
}

TEST(SimCoherence, PrivateMemoryIsInterleavedAsTheCallerSays) {
  CoherentSystem system(1);
  PrivateWindow window{kBase, /*threads=*/64, /*bytesPerThread=*/32,
                       /*granule=*/4};
  CoherentCache &cache = system[0].cache;
  EXPECT_EQ(cache.place(kBase + 32 * 5 + 8, 4, &window),
            kBase + (2 * 64 + 5) * 4);
  EXPECT_EQ(cache.place(kBase + 32 * 5 + 8, 4, nullptr), kBase + 32 * 5 + 8);
  EXPECT_EQ(cache.place(kBase + 64 * 32, 4, &window), kBase + 64 * 32);
}

TEST(SimCoherence, TheWatchdogSaysWhoWaitsForWhat) {
  CoherentSystem system(2);
  system[0].write(0, kBase);
  system[1].write(10, kBase);
  system[0].read(20, kBase); // so that time does not leap over it
  std::string text;
  system.engine.run([&] { return system.engine.coreCycle() >= 20; });
  text = system.engine.explain();
  EXPECT_NE(text.find("cache 0: line 0x0 (invalid): 2 accesses wait for getM"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("L2: line 0x0: getM of cache 0 waits for DRAM"),
            std::string::npos)
      << text;
}

TEST(SimFlatDram, LinesFollowOneAnotherExactly) {
  struct Consumer : Component {
    Consumer(Engine &engine, FlatDram &dram) : engine(engine), dram(dram) {
      engine.add(*this, engine.coreClock());
      dram.setConsumer(*this);
    }
    Activity tick() override {
      for (uint64_t line; dram.receive(line);)
        cycles.push_back(engine.coreCycle());
      if (dram.nextArrival() != kNever)
        engine.wakeAt(*this, dram.nextArrival());
      return Activity::asleep;
    }
    void explain(std::string &) const override {}
    Engine &engine;
    FlatDram &dram;
    std::vector<uint64_t> cycles;
  };
  Machine machine = apuMachine();
  Statistics statistics;
  Engine engine(machine);
  FlatDram dram(machine, engine, statistics);
  Consumer consumer(engine, dram);
  for (unsigned i = 0; i != 11; ++i)
    dram.send(i * kLine, /*isWrite=*/i == 3);
  engine.run([&] { return consumer.cycles.size() == 10; });
  // 3.2 cycles each, of which a cycle sees those that are complete.
  EXPECT_EQ(consumer.cycles,
            (std::vector<uint64_t>{30, 34, 37, 43, 46, 50, 53, 56, 59, 62}));
  EXPECT_EQ(statistics.value("dram.reads"), 10u);
  EXPECT_EQ(statistics.value("dram.writes"), 1u);

  Machine small = apuMachine({{"dram.queue_entries", "2"}});
  FlatDram full(small, engine, statistics = Statistics());
  full.setConsumer(consumer);
  full.send(0, false);
  full.send(64, false);
  EXPECT_FALSE(full.isFull());
  full.send(128, false);
  EXPECT_TRUE(full.isFull());
  EXPECT_EQ(full.roomAt(), engine.now() + 7); // 3.2 cycles of 2 ticks
}

} // namespace
