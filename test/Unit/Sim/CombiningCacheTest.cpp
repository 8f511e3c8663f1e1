//===- CombiningCacheTest.cpp - Caches that combine stores ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ISCA'14 machine with memory.protocol = write_combining, to the cycle; and messages
// that pass from core to core: a core that has read a flag must read the data stored before it.
//
//===----------------------------------------------------------------------===//

#include "coherence/CombiningCache.h"
#include "CoherenceHarness.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace chansim;
using moesi::State;

namespace {

constexpr uint64_t kBase = 0x7f0000000000;
constexpr uint64_t kLine = 64;
constexpr uint64_t kWarm = 1000; // a cycle by which all is quiet again
constexpr uint64_t kHit = 4, kMessage = 2, kLookup = 16, kDram = 30;
constexpr uint64_t kL2 = kMessage + kLookup + kMessage + kHit;

Machine combiningMachine(std::vector<Override> overrides = {}) {
  overrides.push_back({"memory.protocol", "write_combining"});
  return apuMachine(overrides);
}

using Core = RequesterOf<CombiningCache>;

/// So many cores, and the aggregator's data cache.
class CombiningSystem {
public:
  explicit CombiningSystem(unsigned count,
                           const Machine &machine = combiningMachine())
      : engine(machine), uncore(machine, engine, statistics) {
    for (unsigned i = 0; i != count; ++i)
      cores.push_back(std::make_unique<Core>(
          machine, machine.l1, "core " + std::to_string(i), engine.coreClock(),
          engine, uncore));
    aggregator = std::make_unique<Requester>(
        machine, machine.aggregatorCore.l1d, "aggregator",
        engine.clock(machine.clockOf.aggregator), engine, uncore);
  }
  Core &operator[](size_t index) { return *cores[index]; }
  size_t size() const { return cores.size(); }
  void run() {
    engine.run([&] {
      for (const auto &one : cores)
        if (!one->isDone() || !one->cache.isIdle())
          return false;
      return aggregator->isDone() && aggregator->cache.isIdle() &&
             uncore.directory.isIdle();
    });
  }
  uint64_t count(const char *name) const { return statistics.value(name); }
  /// A line of the L2.
  uint64_t physical(uint64_t address) {
    return AddressMap(uncore.frames, 0).physical(address, Via::l1);
  }

  Statistics statistics;
  Engine engine;
  CoherentUncore uncore;
  std::vector<std::unique_ptr<Core>> cores;
  std::unique_ptr<Requester> aggregator;
};

size_t ordered(Core &core, uint64_t cycle, Access access, uint64_t address,
               Order order) {
  return core.at(cycle, access, address, 4, /*isPosted=*/false, order);
}

//===----------------------------------------------------------------------===//
// To the cycle: the table of docs/APU.md
//===----------------------------------------------------------------------===//

TEST(SimCombining, LoadsGoToTheL2AndHit) {
  CombiningSystem system(2);
  Core &one = system[0];
  size_t miss = one.read(0, kBase);
  size_t hit = one.read(kWarm, kBase + 8);
  size_t l2 = system[1].read(2 * kWarm, kBase);
  system.run();
  EXPECT_EQ(one[miss].latency(), kL2 + kDram);
  EXPECT_EQ(one[hit].latency(), kHit);
  EXPECT_EQ(system[1][l2].latency(), kL2);
  EXPECT_EQ(one.count("lines_from_l2"), 1u);
  // The directory does not know that these caches have the line.
  EXPECT_FALSE(system.uncore.directory.holdersOf(system.physical(kBase)).any());
  EXPECT_EQ(system.count("directory.copies"), 2u);
}

TEST(SimCombining, StoresAreDoneWhenAnEntryHasThem) {
  CombiningSystem system(1);
  Core &one = system[0];
  size_t first = one.write(0, kBase);
  size_t second = one.write(1, kBase + 4, 8);
  size_t own = one.read(10, kBase + 4, 8);
  size_t others = one.read(20, kBase + 8, 8);
  system.run();
  EXPECT_EQ(one[first].latency(), kHit);
  EXPECT_EQ(one[second].latency(), kHit);
  // A load of bytes that are all in the entry, and of some that are not.
  EXPECT_EQ(one[own].latency(), kHit);
  EXPECT_EQ(one[others].latency(), kL2 + kDram);
  EXPECT_EQ(one.cache.bytesToWrite(kBase), 12u);
  EXPECT_EQ(one.count("combined"), 1u);
  EXPECT_EQ(one.count("forwarded"), 1u);
  EXPECT_EQ(system.count("l2.writes"), 0u);
}

TEST(SimCombining, AWholeLineGoesAtOnceAndFetchesNothing) {
  CombiningSystem system(1);
  for (unsigned i = 0; i != 8; ++i)
    system[0].write(i, kBase + 8 * i, 8);
  system.run();
  EXPECT_EQ(system[0].cache.bytesToWrite(kBase), 0u);
  EXPECT_EQ(system.count("directory.full_writes"), 1u);
  EXPECT_EQ(system.count("directory.written_bytes"), 64u);
  EXPECT_EQ(system.count("dram.reads"), 0u);
}

TEST(SimCombining, TheOldestEntryMakesRoom) {
  CombiningSystem system(1,
                         combiningMachine({{"memory.combining_entries", "2"}}));
  Core &one = system[0];
  one.write(0, kBase);
  one.write(1, kBase + kLine);
  one.write(2, kBase); // does not make it younger
  size_t third = one.write(3, kBase + 2 * kLine);
  system.run();
  EXPECT_EQ(one[third].latency(), kHit);
  EXPECT_EQ(one.cache.bytesToWrite(kBase), 0u);
  EXPECT_EQ(one.cache.bytesToWrite(kBase + kLine), 4u);
  EXPECT_EQ(one.count("displaced"), 1u);
  EXPECT_EQ(system.count("directory.partial_writes"), 1u);
  // The L2 has the rest of the line from DRAM.
  EXPECT_EQ(system.count("dram.reads"), 1u);
}

TEST(SimCombining, AtomicOperationsArePerformedInTheL2) {
  CombiningSystem system(8);
  system[0].read(0, kBase);
  for (unsigned i = 0; i != 8; ++i)
    ordered(system[i], kWarm, Access::atomic, kBase, Order::relaxed);
  system.run();
  // The line stays where it is: one in each cycle.
  EXPECT_EQ(system[0][1].latency(), kL2);
  for (unsigned i = 1; i != 8; ++i)
    EXPECT_EQ(system[i][0].latency(), kL2 + i);
  EXPECT_FALSE(system[0].cache.isValid(kBase));
  EXPECT_EQ(system.count("directory.atomics"), 8u);
  EXPECT_EQ(system.count("directory.waits"), 0u);
}

TEST(SimCombining, ALoadWithAnOrderSeesTheL2) {
  CombiningSystem system(1);
  system[0].read(0, kBase);
  size_t relaxed =
      ordered(system[0], kWarm, Access::read, kBase, Order::relaxed);
  size_t plain = system[0].read(2 * kWarm, kBase);
  size_t acquire =
      ordered(system[0], 3 * kWarm, Access::read, kBase, Order::acquire);
  size_t again = system[0].read(4 * kWarm, kBase);
  system.run();
  EXPECT_EQ(system[0][relaxed].latency(), kL2);
  EXPECT_EQ(system[0][plain].latency(), kHit);
  EXPECT_EQ(system[0][acquire].latency(), kL2);
  EXPECT_EQ(system[0][again].latency(), kL2);
  EXPECT_EQ(system[0].count("acquires"), 1u);
  EXPECT_EQ(system[0].count("forgotten"), 1u);
}

TEST(SimCombining, AReleaseWaitsForTheStoresBeforeIt) {
  CombiningSystem system(1);
  Core &one = system[0];
  one.read(0, kBase);
  one.read(1, kBase + kLine);
  one.read(2, kBase + 2 * kLine);
  one.write(kWarm, kBase);
  one.write(kWarm + 1, kBase + kLine);
  size_t flag = ordered(one, kWarm + 10, Access::write, kBase + 2 * kLine,
                        Order::release);
  size_t nothing =
      ordered(one, 2 * kWarm, Access::write, kBase + 2 * kLine, Order::release);
  size_t relaxed =
      ordered(one, 3 * kWarm, Access::write, kBase + 2 * kLine, Order::relaxed);
  size_t empty = one.at(4 * kWarm, Access::fence, 0);
  one.write(5 * kWarm, kBase);
  size_t fence = one.at(5 * kWarm + 1, Access::fence, 0);
  system.run();
  // Two lines on the link, one after the other; then the flag.
  EXPECT_EQ(one[flag].latency(), kMessage + kLookup + kMessage + 1 + kL2);
  EXPECT_EQ(one[nothing].latency(), kL2);
  EXPECT_EQ(one[relaxed].latency(), kL2);
  EXPECT_EQ(one[empty].latency(), 1u);
  EXPECT_EQ(one[fence].latency(), kMessage + kLookup + kMessage + 1);
  EXPECT_EQ(one.count("release_cycles"),
            2 * (kMessage + kLookup + kMessage) + 1);
}

// Its owner sends the data home, and keeps the line.
TEST(SimCombining, ALineOfTheAggregatorComesThroughTheL2) {
  CombiningSystem system(2);
  system.aggregator->write(0, kBase);
  size_t read = system[0].read(kWarm, kBase);
  size_t next = system[1].read(2 * kWarm, kBase);
  system.run();
  EXPECT_EQ(system[0][read].latency(), kMessage + kLookup + kMessage +
                                           kHit / 2 + kMessage + kMessage +
                                           kHit);
  EXPECT_EQ(system[1][next].latency(), kL2);
  EXPECT_EQ(system.aggregator->cache.stateOf(kBase), State::shared);
  moesi::Holders holders =
      system.uncore.directory.holdersOf(system.physical(kBase));
  EXPECT_EQ(holders.owner, moesi::kNobody);
  EXPECT_EQ(holders.sharers, 4u);
  EXPECT_EQ(system.count("directory.downgrades"), 1u);
}

// An inv and its ack take no longer than that; of a modified line, the owner's L1 does.
TEST(SimCombining, WritesTakeTheLineFromTheAggregator) {
  for (bool isModified : {false, true}) {
    CombiningSystem system(1);
    system.aggregator->at(0, isModified ? Access::write : Access::read, kBase);
    size_t atomic =
        ordered(system[0], kWarm, Access::atomic, kBase, Order::relaxed);
    system.run();
    EXPECT_EQ(system[0][atomic].latency(), kMessage + kLookup + kMessage +
                                               (isModified ? kHit / 2 : 1) +
                                               kMessage + kMessage + kHit);
    EXPECT_FALSE(system.aggregator->cache.isValid(kBase));
    EXPECT_FALSE(
        system.uncore.directory.holdersOf(system.physical(kBase)).any());
    EXPECT_EQ(system.count("directory.clears"), 1u);
  }
}

TEST(SimCombining, BytesOccupyANarrowLink) {
  CombiningSystem system(1, combiningMachine({{"memory.link_bytes", "4"}}));
  Core &one = system[0];
  one.read(0, kBase);
  one.write(kWarm, kBase, 8);
  one.write(kWarm + 1, kBase + 8, 4);
  size_t fence = one.at(kWarm + 10, Access::fence, 0);
  system.run();
  // Twelve bytes are three parts; what the L2 answers is one.
  EXPECT_EQ(one[fence].latency(), 2 + kMessage + kLookup + kMessage + 1);
}

TEST(SimCombining, WhatLacksRoomIsRefusedAndItsConsumerWoken) {
  CombiningSystem system(1,
                         combiningMachine({{"l1.mshrs", "2"},
                                           {"l1.mshr_targets", "2"},
                                           {"memory.combining_entries", "2"}}));
  Core &one = system[0];
  one.read(0, kBase);
  one.read(1, kBase);
  size_t target = one.read(2, kBase);
  for (unsigned i = 0; i != 2; ++i)
    ordered(one, kWarm + i, Access::atomic, kBase, Order::relaxed);
  size_t mshr = one.read(kWarm + 2, kBase + kLine);
  for (unsigned i = 0; i != 4; ++i)
    one.write(2 * kWarm + i, kBase + i * kLine);
  size_t write = one.write(2 * kWarm + 4, kBase + 4 * kLine);
  system.run();
  EXPECT_EQ(one[target].firstAnswer, Taken::noTarget);
  EXPECT_EQ(one[target].latency(), kHit);
  EXPECT_EQ(one[mshr].firstAnswer, Taken::noMshr);
  EXPECT_EQ(one[mshr].taken, kWarm + kMessage + kLookup + kMessage);
  EXPECT_EQ(one[write].firstAnswer, Taken::noWriteBack);
  // Its first write left when the third line came.
  EXPECT_EQ(one[write].taken, 2 * kWarm + 2 + kMessage + kLookup + kMessage);
}

TEST(SimCombining, TheWatchdogSaysWhoWaitsForWhat) {
  CombiningSystem system(1);
  system[0].write(0, kBase);
  ordered(system[0], 1, Access::write, kBase + kLine, Order::release);
  system[0].read(2, kBase + 2 * kLine);
  system[0].read(21, kBase); // so that time does not leap over it
  system.engine.run([&] { return system.engine.coreCycle() >= 21; });
  std::string text = system.engine.explain();
  EXPECT_NE(text.find("core 0: line 0x0: 4 bytes are on their way to the L2"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("core 0: line 0x40 waits for stores before it"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("core 0: line 0x80: 1 accesses wait for the L2"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("L2: line 0x0: write of core 0 waits for DRAM"),
            std::string::npos)
      << text;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// Each core stores to lines of its own and of others, publishes this by a release to
/// its flag, looks at the flags of others by loads that acquire, and loads.  What the L2
/// has performed is noted in its order.
///
///   release  when the flag is written, the L2 has all bytes stored before it
///   acquire  what a load sees is no older than a flag that was seen before it began
class Messages {
public:
  static constexpr unsigned kCores = 4, kData = 10;

  Messages(const std::vector<Override> &overrides, uint64_t seed)
      : system(kCores, combiningMachine(overrides)) {
    std::mt19937_64 random(seed);
    system.uncore.directory.onDirect = [this](const moesi::Message &answer) {
      note(answer);
    };
    for (unsigned i = 0; i != kCores; ++i) {
      Core &one = system[i];
      one.onCompletion = [this, i](Core &self, const Request &request) {
        check(i, self, request);
      };
      uint64_t cycle = 0;
      for (unsigned n = 0; n != 500; ++n) {
        cycle += random() % 8 ? random() % 4 : random() % 200;
        uint64_t data = kBase + random() % kData * kLine + random() % 8 * 8;
        uint64_t flag = flagOf(random() % kCores);
        switch (random() % 8) {
        case 0:
          ordered(one, cycle, Access::write, flagOf(i), Order::release);
          break;
        case 1:
          ordered(one, cycle, Access::atomic, flag, Order::both);
          break;
        case 2:
        case 3:
          ordered(one, cycle, Access::read, flag, Order::acquire);
          break;
        case 4:
          one.write(cycle, data, 8);
          break;
        default:
          one.read(cycle, data, 8);
        }
      }
    }
    // The aggregator takes lines away.
    uint64_t cycle = 0;
    for (unsigned n = 0; n != 300; ++n) {
      cycle += random() % 60;
      uint64_t address = random() % 3 ? kBase + random() % kData * kLine
                                      : flagOf(random() % kCores);
      system.aggregator->at(cycle, random() % 2 ? Access::read : Access::write,
                            address, 8);
    }
  }
  void run() { system.run(); }

  CombiningSystem system;
  unsigned faults = 0;
  uint64_t releases = 0, seen = 0, hits = 0;

private:
  uint64_t flagOf(uint64_t core) { return kBase + (kData + core) * kLine; }
  void fault(const char *what) {
    if (++faults == 1)
      ADD_FAILURE() << what << ", tick " << system.engine.now();
  }

  /// A request has its effect in the L2.
  void note(const moesi::Message &answer) {
    if (answer.kind == moesi::Kind::copy)
      return;
    for (unsigned i = 0; i != kCores; ++i) {
      if (answer.line != system.physical(flagOf(i)))
        continue;
      // Whose?  A release of a flag's core, or an atomic operation of any.
      unsigned writer = answer.to;
      ++releases;
      for (unsigned data = 0; data != kData; ++data)
        if (storedBefore(writer, data))
          fault("a release is performed before a store ahead of it");
      return;
    }
    performed[{answer.to, answer.line}].push_back(system.engine.now());
  }

  /// Whether bytes of the line that the core stored before its oldest release that has
  /// not been performed are still to be written.
  bool storedBefore(unsigned core, unsigned data) {
    uint64_t address = kBase + data * kLine;
    const Core &one = system[core];
    // The release that is being performed: the oldest that is not complete.
    uint64_t released = ~uint64_t(0);
    for (const Core::Record &record : one.records)
      if (record.wasTried && record.taken && !record.completed &&
          releases_(record.request) && record.request.address >= flagOf(0))
        released = std::min(released, record.taken);
    uint64_t stored = 0;
    bool any = false;
    for (const Core::Record &record : one.records) {
      const Request &request = record.request;
      if (request.access != Access::write || request.order != Order::plain ||
          request.address / kLine != address / kLine || !record.completed ||
          record.taken >= released)
        continue;
      stored = std::max(stored, record.taken);
      any = true;
    }
    if (!any || released == ~uint64_t(0))
      return false;
    const std::vector<Tick> &done = performed[{core, system.physical(address)}];
    Tick at = system.engine.coreClock().ticks(stored);
    return done.empty() || done.back() <= at;
  }
  static bool releases_(const Request &request) {
    return chansim::releases(request.order);
  }

  void check(unsigned number, Core &self, const Request &request) {
    Tick at = self.cache.readAt()[self.completion];
    if (request.access == Access::read && request.order == Order::acquire) {
      // Whatever the flag's word was then, it has been seen.
      newest[number] = std::max(newest[number], at);
      newestSince[number] = self.cycle();
      return;
    }
    if (request.access != Access::read || !at)
      return;
    // A load that began behind the acquire.
    const Core::Record &record = self.records[request.tag];
    if (record.taken < newestSince[number])
      return;
    ++seen;
    hits += record.completed - record.taken == kHit;
    if (at < newest[number])
      fault("a load sees older data than a flag before it");
  }

  std::map<std::pair<unsigned, uint64_t>, std::vector<Tick>> performed;
  Tick newest[kCores] = {};
  uint64_t newestSince[kCores] = {};
};

const std::vector<Override> kSettings[] = {
    {},
    {{"memory.combining_entries", "2"}, {"l1.mshrs", "3"}},
    {{"l1.bytes", "256"}, {"l1.ways", "2"}, {"memory.link_bytes", "8"}},
    {{"l2.hit_cycles", "1"}, {"memory.message_cycles", "0"}, {"l2.banks", "2"}},
    {{"l2.bytes", "1024"},
     {"l2.ways", "2"},
     {"l2.mshrs", "2"},
     {"l2.mshr_targets", "2"},
     {"dram.queue_entries", "1"}}};

TEST(SimCombiningLitmus, WhoSeesAFlagSeesTheDataBeforeIt) {
  uint64_t releases = 0, seen = 0, hits = 0, notKept = 0;
  for (const std::vector<Override> &overrides : kSettings)
    for (uint64_t seed = 1; seed != 9; ++seed) {
      SCOPED_TRACE(
          (overrides.empty() ? std::string("default") : overrides[0].key) +
          ", seed " + std::to_string(seed));
      Messages messages(overrides, seed);
      try {
        messages.run();
      } catch (const Stalled &stalled) {
        FAIL() << stalled.what();
      }
      ASSERT_EQ(messages.faults, 0u);
      releases += messages.releases;
      seen += messages.seen;
      hits += messages.hits;
      for (unsigned i = 0; i != Messages::kCores; ++i)
        notKept += messages.system[i].count("not_kept");
    }
  std::printf("releases %llu, loads behind a flag %llu, hits of these %llu, "
              "lines not kept %llu\n",
              (unsigned long long)releases, (unsigned long long)seen,
              (unsigned long long)hits, (unsigned long long)notKept);
  EXPECT_GT(releases, 1000u);
  EXPECT_GT(seen, 1000u);
  EXPECT_GT(hits, 100u);
  EXPECT_GT(notKept, 100u);
}

TEST(SimCombiningLitmus, EqualRunsAreEqual) {
  auto endOf = [] {
    Messages messages({}, 99);
    messages.run();
    std::string text = std::to_string(messages.system.engine.now());
    for (unsigned i = 0; i != Messages::kCores; ++i)
      for (size_t access : messages.system[i].order)
        text += " " + std::to_string(access) + "@" +
                std::to_string(messages.system[i][access].completed);
    return text + messages.system.statistics.table();
  };
  EXPECT_EQ(endOf(), endOf());
}

} // namespace
