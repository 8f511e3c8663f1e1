//===- LinkTest.cpp - The link to L2 and first-level caches ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ticks: a core cycle and one of the link are 33, an L2 cycle is 66.  The link
// carries 32 bytes in a cycle: a line takes 4, a word 1.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include <gtest/gtest.h>

using namespace chansim;

namespace {

constexpr Tick kCycle = 33, kLineTicks = 4 * kCycle, kWordTicks = kCycle;
constexpr uint32_t kLine = 128;

/// In place of a core's memory.
struct Owner : Component {
  Activity tick() override {
    ++ticks;
    return Activity::asleep;
  }
  void explain(std::string &) const override {}
  unsigned ticks = 0;
};

class LinkTest : public testing::Test {
protected:
  explicit LinkTest(const Overrides &overrides = {})
      : machine(shippedMachine(overrides)), engine(machine),
        uncore(machine, engine, statistics),
        link(machine, engine, uncore.l2, owner) {
    engine.add(owner, engine.coreClock());
    engine.add(clock, engine.coreClock());
  }
  /// Keeps time going on, in core cycles.
  struct Going : Component {
    Activity tick() override { return Activity::moved; }
    void explain(std::string &) const override {}
  };
  void runTo(Tick tick) {
    engine.wake(clock);
    engine.run([&] { return engine.now() >= tick; });
  }
  static Message read(uint64_t line) {
    return {line, Message::Kind::readForL1};
  }

  Machine machine;
  Statistics statistics;
  Engine engine;
  Uncore uncore;
  Owner owner;
  Going clock;
  Link link;
};

TEST_F(LinkTest, TheWayDownCarriesOneMessageAfterTheOther) {
  EXPECT_TRUE(link.isDownFree());
  link.writeBack(0, ByteMask(0, kLine), kLine);
  EXPECT_FALSE(link.isDownFree());
  link.send(read(0x1000), Link::kWordBytes);
  runTo(kLineTicks);
  EXPECT_FALSE(link.isDownFree());
  runTo(kLineTicks + kWordTicks - 1);
  EXPECT_EQ(engine.now(), kLineTicks + kWordTicks);
  EXPECT_TRUE(link.isDownFree());
}

TEST_F(LinkTest, PartsOfALineTakeWholeCyclesOfTheLink) {
  for (auto [bytes, cycles] : {std::pair(1u, 1u), std::pair(32u, 1u),
                               std::pair(33u, 2u), std::pair(128u, 4u)}) {
    Tick begin = engine.now();
    link.writeBack(0, ByteMask(0, bytes), bytes);
    runTo(begin + 1);
    while (!link.isDownFree())
      runTo(engine.now() + 1);
    EXPECT_EQ(engine.now() - begin, cycles * kCycle) << bytes;
  }
}

TEST_F(LinkTest, ALineHasAnEntryUntilItHasBeenCarried) {
  machine.memory.writeBackEntries = 2;
  Link narrow(machine, engine, uncore.l2, owner);
  EXPECT_TRUE(narrow.hasRoom(2));
  EXPECT_FALSE(narrow.hasRoom(3));
  narrow.writeBack(0, ByteMask(0, kLine), kLine);
  EXPECT_TRUE(narrow.hasRoom());
  EXPECT_FALSE(narrow.hasRoom(2));
  narrow.writeBack(kLine, ByteMask(0, kLine), kLine);
  EXPECT_FALSE(narrow.hasRoom());
  EXPECT_EQ(narrow.roomAt(), kLineTicks);
  runTo(kLineTicks - kCycle);
  EXPECT_FALSE(narrow.hasRoom());
  runTo(kLineTicks);
  EXPECT_TRUE(narrow.hasRoom());
  EXPECT_FALSE(narrow.hasRoom(2));
  EXPECT_EQ(narrow.roomAt(), 2 * kLineTicks);
}

TEST_F(LinkTest, TheWayUpCarriesALineInFourCycles) {
  // Two lines that the L2 has, in two banks, asked for in two cycles: both are
  // there before the link has carried the first.
  for (uint64_t line : {uint64_t(0), uint64_t(kLine)})
    link.writeBack(line, ByteMask(0, kLine), kLine);
  runTo(100 * kCycle);
  link.send(read(0), Link::kWordBytes);
  link.send(read(kLine), Link::kWordBytes);
  EXPECT_EQ(link.arrived(), nullptr);
  while (!link.arrived())
    runTo(engine.now() + 1);
  Tick begin = engine.now();
  EXPECT_LE(link.nextArrival(), begin);
  EXPECT_EQ(link.take().line, 0u);
  EXPECT_EQ(link.arrived(), nullptr);
  EXPECT_EQ(link.nextArrival(), begin + kLineTicks);
  runTo(begin + kLineTicks - kCycle);
  EXPECT_EQ(link.arrived(), nullptr);
  runTo(begin + kLineTicks);
  ASSERT_NE(link.arrived(), nullptr);
  EXPECT_EQ(link.take().line, kLine);
  EXPECT_EQ(link.nextArrival(), kNever);
}

TEST_F(LinkTest, AResponseIsItsRequestAndGoesToItsPort) {
  Link other(machine, engine, uncore.l2, owner);
  EXPECT_EQ(link.port(), 0u);
  EXPECT_EQ(other.port(), 1u);
  other.send({0x2000, Message::Kind::atomic, /*slot=*/7}, Link::kWordBytes);
  engine.wake(clock);
  engine.run([&] { return other.arrived(); });
  EXPECT_EQ(link.arrived(), nullptr);
  Message response = other.take();
  EXPECT_EQ(response.line, 0x2000u);
  EXPECT_EQ(response.kind, Message::Kind::atomic);
  EXPECT_EQ(response.slot, 7u);
  EXPECT_EQ(response.port, 1u);
  // A word only.
  EXPECT_EQ(other.nextArrival(), kNever);
  EXPECT_GE(owner.ticks, 1u);
}

//===----------------------------------------------------------------------===//
// First-level caches
//===----------------------------------------------------------------------===//

constexpr Tick kHit = 35 * kCycle;

class FirstLevelTest : public LinkTest {
protected:
  FirstLevel &cache(WritePolicy policy = WritePolicy::fetch) {
    machine.l1.writePolicy = policy;
    made.emplace(machine.l1, "test", Message::Kind::readForL1, engine, owner,
                 link, statistics);
    return *made;
  }
  static Request of(Access access, uint32_t tag, bool isPosted = false) {
    return {/*address=*/0,   /*bytes=*/4, access,  Via::l1,
            /*requester=*/3, tag,         isPosted};
  }
  /// What completes at a time, by tag.
  std::vector<uint32_t> completeAt(Tick tick) {
    runTo(tick);
    std::vector<Completion> done;
    made->complete(done);
    std::vector<uint32_t> tags;
    for (Completion one : done)
      tags.push_back(one.tag);
    return tags;
  }
  uint64_t count(const char *name) const { return statistics.value(name); }

  std::optional<FirstLevel> made;
  using Tags = std::vector<uint32_t>;
};

TEST_F(FirstLevelTest, AnAccessCompletesHitCyclesAfterItsLineCame) {
  FirstLevel &l1 = cache();
  EXPECT_EQ(l1.tryAccess(of(Access::read, 5), 0x40), Taken::yes);
  EXPECT_EQ(l1.linesUnderWay(), 1u);
  EXPECT_EQ(l1.nextDue(), kNever);
  runTo(3 * kCycle);
  l1.fill(0);
  EXPECT_EQ(l1.nextDue(), 3 * kCycle + kHit);
  EXPECT_EQ(completeAt(2 * kCycle + kHit), Tags{});
  EXPECT_EQ(completeAt(3 * kCycle + kHit), Tags{5});
  // Now a hit.
  EXPECT_EQ(l1.tryAccess(of(Access::read, 6), 0x40), Taken::yes);
  EXPECT_EQ(l1.nextDue(), engine.now() + kHit);
  EXPECT_EQ(count("test.hits"), 1u);
}

TEST_F(FirstLevelTest, APostedStoreHasNoCompletion) {
  FirstLevel &l1 = cache();
  EXPECT_EQ(l1.tryAccess(of(Access::write, 5, /*isPosted=*/true), 0x40),
            Taken::yes);
  l1.fill(0);
  EXPECT_EQ(l1.nextDue(), kNever);
  // The line is dirty.
  EXPECT_TRUE(link.hasRoom(machine.memory.writeBackEntries));
  l1.beginFlush();
  EXPECT_TRUE(l1.flushNext());
  EXPECT_FALSE(l1.flushNext());
  EXPECT_FALSE(link.hasRoom(machine.memory.writeBackEntries));
}

TEST_F(FirstLevelTest, AStoreThatGoesThroughLeavesNoLine) {
  FirstLevel &l1 = cache(WritePolicy::through);
  EXPECT_EQ(l1.tryAccess(of(Access::read, 0), 0x40), Taken::yes);
  l1.fill(0);
  runTo(kCycle);
  EXPECT_EQ(l1.tryAccess(of(Access::write, 1), 0x40), Taken::yes);
  EXPECT_EQ(count("test.passed"), 1u);
  runTo(2 * kCycle);
  EXPECT_EQ(l1.tryAccess(of(Access::read, 2), 0x40), Taken::yes);
  EXPECT_EQ(count("test.misses"), 2u);
  l1.beginFlush();
  EXPECT_FALSE(l1.flushNext());
}

TEST_F(FirstLevelTest, AStoreThatTakesALineAsksForNone) {
  FirstLevel &l1 = cache(WritePolicy::validate);
  EXPECT_EQ(l1.tryAccess(of(Access::write, 1), 0x40), Taken::yes);
  EXPECT_EQ(l1.linesUnderWay(), 0u);
  EXPECT_EQ(completeAt(kHit - kCycle), Tags{});
  EXPECT_EQ(completeAt(kHit), Tags{1});
  // Of its line only the stored bytes go down: one cycle of the link.
  l1.beginFlush();
  EXPECT_TRUE(l1.flushNext());
  EXPECT_EQ(link.roomAt(), engine.now() + kCycle);
}

TEST_F(FirstLevelTest, AnAccessOfTwoLinesCompletesOnceWithTheSecond) {
  FirstLevel &l1 = cache();
  std::array<FirstLevel::Part, 2> parts = {{{kLine - 2, 2}, {kLine, 2}}};
  EXPECT_EQ(l1.trySplit(of(Access::read, 9), parts), Taken::yes);
  l1.fill(0);
  runTo(10 * kCycle);
  l1.fill(kLine);
  EXPECT_EQ(completeAt(kHit), Tags{});
  EXPECT_EQ(completeAt(9 * kCycle + kHit), Tags{});
  EXPECT_EQ(completeAt(10 * kCycle + kHit), Tags{9});
}

TEST_F(FirstLevelTest, WhatIsRefusedHasChangedNothing) {
  machine.l1.mshrs = 1;
  machine.l1.mshrTargets = 1;
  FirstLevel &l1 = cache();
  EXPECT_EQ(l1.tryAccess(of(Access::read, 0), 0), Taken::yes);
  EXPECT_EQ(l1.tryAccess(of(Access::read, 1), 0), Taken::bankConflict);
  EXPECT_EQ(l1.tryAccess(of(Access::read, 1), 4), Taken::noTarget);
  EXPECT_EQ(l1.tryAccess(of(Access::read, 1), kLine + 4), Taken::noMshr);
  std::array<FirstLevel::Part, 2> parts = {
      {{2 * kLine - 2, 2}, {2 * kLine, 2}}};
  EXPECT_EQ(l1.trySplit(of(Access::read, 1), parts), Taken::noMshr);
  EXPECT_EQ(count("test.misses"), 1u);
  EXPECT_EQ(l1.linesUnderWay(), 1u);
  l1.fill(0);
  EXPECT_EQ(completeAt(kHit), Tags{0});
}

TEST_F(FirstLevelTest, WhatPassesTakesTheLineOut) {
  FirstLevel &l1 = cache();
  EXPECT_EQ(l1.tryAccess(of(Access::write, 0), 0x40), Taken::yes);
  l1.fill(0);
  runTo(kCycle);
  EXPECT_EQ(l1.tryPass({0x40, 4}), Taken::yes);
  // Its copy was dirty, and went down as a whole.
  EXPECT_EQ(link.roomAt(), engine.now() + kLineTicks);
  EXPECT_EQ(l1.tryPass({0x40, 4}), Taken::bankConflict);
  runTo(2 * kCycle);
  EXPECT_EQ(l1.tryAccess(of(Access::read, 1), 0x40), Taken::yes);
  EXPECT_EQ(count("test.misses"), 2u);
}

} // namespace
