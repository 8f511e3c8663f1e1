//===- EngineTest.cpp - Clocks, order, sleep and the watchdog -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include <gtest/gtest.h>

#include <functional>

using namespace chansim;

namespace {

/// Does what the test says, and keeps the ticks at which it was ticked.
struct Probe : Component {
  explicit Probe(Engine &engine, Clock clock, const char *waitsFor = nullptr)
      : engine(engine), waitsFor(waitsFor) {
    engine.add(*this, clock);
  }
  Activity tick() override {
    ticks.push_back(engine.now());
    return work ? work() : Activity::asleep;
  }
  void explain(std::string &text) const override {
    if (waitsFor)
      text += std::string("  ") + waitsFor + "\n";
  }

  Engine &engine;
  const char *waitsFor;
  std::function<Activity()> work;
  std::vector<Tick> ticks;
};

using Ticks = std::vector<Tick>;

TEST(SimEngine, PeriodsAreWholeNumbersInTheRatioOfTheClocks) {
  Engine engine(shippedMachine());
  EXPECT_EQ(engine.coreClock().period(), 33u);
  EXPECT_EQ(engine.clock("interconnect").period(), 33u);
  EXPECT_EQ(engine.clock("l2").period(), 66u);
  Clock dram = engine.clock("dram");
  EXPECT_EQ(dram.period(), 50u);
  EXPECT_EQ(dram.edge(0), 0u);
  EXPECT_EQ(dram.edge(1), 50u);
  EXPECT_EQ(dram.edge(50), 50u);
  EXPECT_EQ(dram.cycle(49), 0u);
  EXPECT_EQ(dram.cycle(50), 1u);
  EXPECT_EQ(dram.ticks(3), 150u);
  EXPECT_EQ(engine.clock("l2").edge(67), 132u);
}

TEST(SimEngine, ComponentsTickAtTheEdgesOfTheirClocks) {
  Engine engine(shippedMachine());
  Probe core(engine, engine.coreClock()), dram(engine, engine.clock("dram"));
  for (Probe *probe : {&core, &dram}) {
    probe->work = [] { return Activity::moved; };
    engine.wake(*probe);
  }
  engine.run([&] { return engine.now() >= 100; });
  EXPECT_EQ(core.ticks, (Ticks{0, 33, 66, 99}));
  EXPECT_EQ(dram.ticks, (Ticks{0, 50, 100}));
}

TEST(SimEngine, OneThatSleepsIsTickedWhenItIsWokenOnly) {
  Engine engine(shippedMachine());
  Probe clock(engine, engine.coreClock()),
      sleeper(engine, engine.clock("dram"));
  clock.work = [] { return Activity::moved; };
  engine.wake(clock);
  engine.wakeAt(sleeper, 101);
  engine.wakeAt(sleeper, 1000); // later: does not undo the earlier
  engine.run([&] { return engine.now() >= 2000; });
  EXPECT_EQ(sleeper.ticks, (Ticks{150}));
}

TEST(SimEngine, AMessageToAnEarlierComponentIsSeenAtItsNextEdge) {
  // Whether it is awake or not.
  for (bool isAwake : {false, true}) {
    Engine engine(shippedMachine());
    Probe early(engine, engine.clock("l2")), sender(engine, engine.coreClock()),
        late(engine, engine.coreClock());
    unsigned seen = 0;
    Tick seenAt = 0;
    early.work = [&] {
      if (seen == 1 && !seenAt)
        seenAt = engine.now();
      return isAwake ? Activity::moved : Activity::asleep;
    };
    sender.work = [&] {
      if (engine.now() == 132) {
        seen = 1;
        engine.wake(early);
        engine.wake(late);
      }
      return Activity::moved;
    };
    engine.wake(early);
    engine.wake(sender);
    engine.run([&] { return engine.now() >= 300; });
    EXPECT_EQ(seenAt, 198u);
    EXPECT_EQ(late.ticks, (Ticks{132})); // its turn was still to come
  }
}

TEST(SimEngine, TimeLeapsOverWhatNobodyNeeds) {
  Engine engine(shippedMachine());
  Probe sleeper(engine, engine.coreClock());
  engine.wakeAt(sleeper, 33'000'000'000);
  engine.run([&] { return !sleeper.ticks.empty(); });
  EXPECT_EQ(engine.coreCycle(), 1'000'000'000u);
}

std::string stallOf(Engine &engine) {
  try {
    engine.run([] { return false; });
  } catch (const Stalled &stalled) {
    return stalled.what();
  }
  return "";
}

TEST(SimEngine, TheWatchdogNamesWhatEachComponentWaitsFor) {
  Engine engine(shippedMachine());
  Probe one(engine, engine.coreClock(), "LDST (3,0): thread 5 waits for L1");
  Probe other(engine, engine.coreClock());
  engine.wakeAt(one, 66);
  EXPECT_EQ(stallOf(engine),
            "the simulated machine stalled in core cycle 2: nothing is left "
            "that could move\n  LDST (3,0): thread 5 waits for L1\n");
  other.waitsFor = nullptr;
  one.waitsFor = nullptr;
  EXPECT_NE(stallOf(engine).find("no component waits"), std::string::npos);
}

TEST(SimEngine, TheWatchdogEndsWhatTicksWithoutMoving) {
  Engine engine(shippedMachine({{"watchdog.cycles", "10"}}));
  Probe poller(engine, engine.coreClock(), "polls");
  poller.work = [&] {
    return engine.coreCycle() == 5 ? Activity::moved : Activity::waiting;
  };
  engine.wake(poller);
  EXPECT_NE(stallOf(engine).find("nothing has moved for 10 core cycles\n"
                                 "  polls\n"),
            std::string::npos);
  EXPECT_EQ(poller.ticks.back(), 15u * 33); // not before
}

} // namespace
