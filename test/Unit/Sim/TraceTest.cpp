//===- TraceTest.cpp - What happened when ---------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SessionHarness.h"

#include <map>
#include <set>

using namespace chansim;

namespace {

class Traces : public Sessions {};

TEST_F(Traces, TheTraceHasBlocksConfigurationsAndMisses) {
  Options options;
  options.trace = path("trace.json");
  SessionHarness harness(options, addAndStore(shippedMachine()));
  std::vector<uint64_t> from(3000, 1), to(3000);
  harness.run(3000, {addressOf(from.data()), addressOf(to.data())});
  // Of another component.
  Trace &trace = *harness.session.trace();
  trace.span(trace.addTrack("aggregator"), "dispatch \"x\"", 5, 2005);
  ASSERT_EQ(harness.session.close(), "");
  std::map<std::string, OrderedJson> spans;
  std::set<std::string> curves;
  std::set<std::string> tracks;
  for (const OrderedJson &event : read("trace.json")) {
    if (event["ph"] == "X")
      spans[event["name"]] = event;
    if (event["ph"] == "C")
      curves.insert(event["name"]);
    if (event["name"] == "thread_name")
      tracks.insert(event["args"]["name"]);
  }
  EXPECT_EQ(tracks,
            (std::set<std::string>{"core 0: blocks", "core 0: configuration",
                                   "aggregator"}));
  // Block 1's configuration was there in time.
  for (const char *name : {"fetch kernel:0", "configure kernel:0", "kernel:0",
                           "configure kernel:1", "kernel:1"})
    EXPECT_TRUE(spans.contains(name)) << name;
  EXPECT_EQ(spans["kernel:0"]["args"],
            (OrderedJson{{"threads", 3000}, {"replicas", 1}}));
  EXPECT_DOUBLE_EQ(spans["configure kernel:0"]["dur"], 0.034);
  EXPECT_DOUBLE_EQ(spans["configure kernel:0"]["ts"], 0.294);
  EXPECT_DOUBLE_EQ(spans["dispatch \"x\""]["dur"], 2.0);
  EXPECT_EQ(curves,
            (std::set<std::string>{"l1.misses", "l2.misses", "lvc.misses"}));
}

TEST_F(Traces, CurvesAreOfAllMisses) {
  // Also of those that are fewer than one in a thousand cycles.
  Options options;
  options.trace = path("trace.json");
  options.set = "control.fetch_cycles=5000";
  SessionHarness harness(options, addAndStore(shippedMachine()));
  uint64_t from = 1, to = 0;
  harness.run(1, {addressOf(&from), addressOf(&to)});
  ASSERT_EQ(harness.session.close(), "");
  double misses = 0, value = 0, since = 0;
  auto until = [&](double cycle) {
    misses += value * (cycle - since) / 1000;
    since = cycle;
  };
  for (const OrderedJson &event : read("trace.json"))
    if (event["name"] == "l1.misses") {
      until(event["ts"].get<double>() * 1000);
      value = event["args"]["in 1000 cycles"];
    }
  until(static_cast<double>(harness.count("run.cycles")));
  double all = static_cast<double>(harness.count("l1.misses"));
  EXPECT_GT(all, 0);
  EXPECT_NEAR(misses, all, 0.1);
}

TEST_F(Traces, TheTraceKeepsToItsCycles) {
  Options options;
  options.trace = path("trace.json");
  options.traceCycles = {300, 320};
  SessionHarness harness(options, addAndStore(shippedMachine()));
  std::vector<uint64_t> from(300, 1), to(300);
  harness.run(300, {addressOf(from.data()), addressOf(to.data())});
  ASSERT_EQ(harness.session.close(), "");
  std::set<std::string> names;
  for (const OrderedJson &event : read("trace.json"))
    if (event["ph"] != "M")
      names.insert(event["name"]);
  EXPECT_EQ(names, std::set<std::string>{"configure kernel:0"});
}

TEST_F(Traces, ATraceThatWasCutOffCanBeRead) {
  Options options;
  options.trace = path("trace.json");
  Session session(shippedText(), options);
  Trace::Track track = session.trace()->addTrack("t");
  for (uint64_t i = 0; i != 2000; ++i)
    session.trace()->span(track, "s", i, i + 1);
  // What there would be after a signal.
  std::string text = readFile(unfinishedName(options.trace, getpid()));
  EXPECT_GT(text.size(), 60000u);
  EXPECT_EQ(text.rfind("[\n{", 0), 0u);
  // All but the last line is whole.
  EXPECT_TRUE(OrderedJson::accept(text.substr(0, text.rfind(",\n")) + "]"));
}

} // namespace
