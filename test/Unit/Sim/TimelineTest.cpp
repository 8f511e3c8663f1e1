//===- TimelineTest.cpp - Counters over the cycles of a run ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SessionHarness.h"

#include "results/Timeline.h"

using namespace chansim;

namespace {

TEST(SimTimeline, ASampleHasWhatRoseSinceTheOneBefore) {
  Timeline timeline(100, 4);
  EXPECT_FALSE(timeline.isDue(99));
  EXPECT_TRUE(timeline.isDue(100));
  timeline.add(130, {7, 1});
  EXPECT_FALSE(timeline.isDue(229));
  EXPECT_TRUE(timeline.isDue(230));
  timeline.add(230, {9, 1});
  ASSERT_EQ(timeline.size(), 2u);
  EXPECT_EQ(timeline.end(0), 130u);
  EXPECT_EQ(timeline.rise(0, 0), 7u);
  EXPECT_EQ(timeline.rise(1, 0), 2u);
  EXPECT_EQ(timeline.rise(1, 1), 0u);
}

TEST(SimTimeline, WhenItIsFullNeighboursBecomeOne) {
  Timeline timeline(100, 4);
  for (uint64_t i = 1; i != 4; ++i)
    timeline.add(100 * i, {i * i});
  EXPECT_EQ(timeline.size(), 3u);
  EXPECT_EQ(timeline.interval(), 100u);
  timeline.add(400, {16});
  ASSERT_EQ(timeline.size(), 2u);
  EXPECT_EQ(timeline.interval(), 200u);
  EXPECT_EQ(timeline.end(0), 200u);
  EXPECT_EQ(timeline.end(1), 400u);
  EXPECT_EQ(timeline.rise(0, 0), 4u);
  EXPECT_EQ(timeline.rise(1, 0), 12u);
  EXPECT_FALSE(timeline.isDue(599));
  EXPECT_TRUE(timeline.isDue(600));
}

TEST(SimTimeline, MergingLosesNothingAndIsBounded) {
  Timeline timeline(1);
  uint64_t last = 0;
  for (uint64_t cycle = 1; cycle <= 100'000; ++cycle)
    if (timeline.isDue(cycle))
      timeline.add(last = cycle, {3 * cycle});
  EXPECT_LT(timeline.size(), Timeline::kMostSamples);
  EXPECT_GE(timeline.size(), Timeline::kMostSamples / 2);
  EXPECT_EQ(timeline.interval(), 512u);
  uint64_t sum = 0, begin = 0;
  for (size_t i = 0; i != timeline.size(); ++i) {
    EXPECT_GE(timeline.end(i) - begin, timeline.interval());
    EXPECT_EQ(timeline.rise(i, 0), 3 * (timeline.end(i) - begin));
    begin = timeline.end(i);
    sum += timeline.rise(i, 0);
  }
  EXPECT_EQ(sum, 3 * last);
}

TEST(SimTimeline, TheLastSampleMayBeShortButNotEmpty) {
  Timeline timeline(100);
  timeline.add(0, {5});
  EXPECT_EQ(timeline.size(), 0u);
  timeline.add(100, {5});
  timeline.add(101, {6});
  timeline.add(101, {6});
  EXPECT_EQ(timeline.size(), 2u);
  RunInfo run{shippedMachine(), "p"};
  EXPECT_EQ(OrderedJson::parse(timeline.json(run, {"hits"})).dump(),
            R"({"format":"chansim-timeline","version":1,"program":"p",)"
            R"("machine":"micro15-vgiw","interval":100,"ends":[100,101],)"
            R"("rises":{"hits":[5,1]}})");
}

class Timelines : public Sessions {};

TEST_F(Timelines, ARunWritesItsCountersAndItsTiles) {
  Options options;
  options.timeline = path("timeline.json");
  options.statistics = path("stats.json");
  SessionHarness harness(options, addAndStore(shippedMachine()));
  harness.session.watch(harness.core);
  std::vector<uint64_t> from(3000, 1), to(3000);
  harness.run(3000, {addressOf(from.data()), addressOf(to.data())});
  uint64_t cycles = harness.session.engine().coreCycle();
  uint64_t reads = harness.count("dram.reads");
  ASSERT_EQ(harness.session.close(), "");
  OrderedJson timeline = read("timeline.json");
  EXPECT_EQ(timeline["ends"].back(), cycles);
  EXPECT_GE(timeline["ends"].size(), 8u);
  auto sum = [&](const char *name) {
    uint64_t all = 0;
    for (const OrderedJson &rise : timeline["rises"][name])
      all += rise.get<uint64_t>();
    return all;
  };
  EXPECT_GT(reads, 0u);
  EXPECT_EQ(sum("dram.reads"), reads);
  EXPECT_EQ(sum("run.cycles"), cycles);
  EXPECT_EQ(sum("timeline.tile_cycles") + sum("timeline.empty_cycles"), cycles);
  EXPECT_GT(sum("timeline.tile_cycles"), cycles * 9 / 10);
}

TEST_F(Timelines, ATimelineBesideATraceKeepsTheTracesCurves) {
  for (bool both : {false, true}) {
    Options options;
    options.trace = path(both ? "both.json" : "trace.json");
    if (both)
      options.timeline = path("timeline.json");
    SessionHarness harness(options, addAndStore(shippedMachine()));
    std::vector<uint64_t> from(3000, 1), to(3000);
    harness.run(3000, {addressOf(from.data()), addressOf(to.data())});
    ASSERT_EQ(harness.session.close(), "");
  }
  auto curves = [&](const char *name) {
    size_t count = 0;
    for (const OrderedJson &event : read(name))
      count += event["ph"] == "C";
    return count;
  };
  EXPECT_GT(curves("trace.json"), 0u);
  EXPECT_EQ(curves("both.json"), curves("trace.json"));
}

} // namespace
