//===- SessionTest.cpp - What is reported of a run ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SessionHarness.h"

#include <algorithm>
#include <regex>
#include <sys/wait.h>
#include <unistd.h>

using namespace chansim;

namespace {

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

TEST_F(Sessions, AccessesAreCountedByRowsOf32) {
  SessionHarness harness({}, addAndStore(shippedMachine(), 2));
  std::vector<uint64_t> from(100, 1), to(100);
  harness.run(100, {addressOf(from.data()), addressOf(to.data())});
  EXPECT_EQ(to[99], 6u);
  // 3 rows and a rest, in each of two blocks.
  EXPECT_EQ(harness.count("rows.sent"), 8u);
  EXPECT_EQ(harness.count("rows.lvc_accesses"), 4u + 4u);
  EXPECT_EQ(harness.count("rows.register_accesses"), 4 * 6u + 4 * 4u);
  EXPECT_DOUBLE_EQ(*harness.session.statistics().find("rows.lvc_share"), 0.2);
}

TEST_F(Sessions, UtilisationIsOfAllUnitsInCyclesWithATile) {
  SessionHarness harness({}, addAndStore(shippedMachine()));
  std::vector<uint64_t> from(640, 1), to(640);
  for (int i = 0; i != 2; ++i)
    harness.run(640, {addressOf(from.data()), addressOf(to.data())});
  Statistics &statistics = harness.session.statistics();
  EXPECT_EQ(harness.count("core.tiles"), 2u);
  EXPECT_EQ(harness.count("core.threads"), 1280u);
  uint64_t busy = harness.count("bbs.cycles");
  // The second tile begins in the cycle after its start.
  EXPECT_EQ(busy, 1 + harness.count("bbs.cycles_fetching") +
                      harness.count("bbs.cycles_configuring") +
                      harness.count("bbs.cycles_streaming"));
  EXPECT_EQ(harness.count("bbs.cycles_configuring"), 4 * 34u);
  EXPECT_DOUBLE_EQ(*statistics.find("bbs.configuring_share"),
                   4 * 34.0 / double(busy));
  // Three FPU-ALUs start 1280 times each.
  EXPECT_DOUBLE_EQ(*statistics.find("fabric.fpu_alu_utilisation"),
                   3 * 1280.0 / 32 / double(busy));
}

//===----------------------------------------------------------------------===//
// Times of nodes
//===----------------------------------------------------------------------===//

TEST_F(Sessions, TimesOfNodesAreThoseOfThreads) {
  Options options;
  options.lines = path("lines");
  SessionHarness harness(options, addAndStore(shippedMachine()));
  uint64_t from = 1, to = 0;
  harness.run(1, {addressOf(&from), addressOf(&to)});
  const BlockImage &block = harness.image.blocks[0];
  NodeTimes all;
  auto timesOf = [&](std::string_view op) {
    for (size_t i = 0; i != block.nodes.size(); ++i)
      if (block.block->units[block.nodes[i].unit].operation->name == op)
        return block.times[i];
    return NodeTimes{};
  };
  for (const NodeTimes &times : block.times) {
    all.queued += times.queued;
    all.working += times.working;
    all.moving += times.moving;
  }
  // One thread goes one way: on streaming cycles it is always somewhere, but
  // for the cycle of its batch and that of its end, and the way of a batch.
  EXPECT_EQ(all.queued, 0u);
  EXPECT_EQ(all.queued + all.working + all.moving,
            block.counters.streaming - 1 - 1 - 1);
  EXPECT_EQ(timesOf("mad.i64").working, 5u);
  EXPECT_EQ(timesOf("add.i64").working, 4u);
  // A miss in all caches: docs/Simulator.md.
  EXPECT_GE(timesOf("load.i64").working, 519u);
  EXPECT_LE(timesOf("load.i64").working, 522u);
  EXPECT_EQ(timesOf("initiate").working, 1u);
  EXPECT_EQ(timesOf("terminate").working, 0u);
}

TEST_F(Sessions, TheLongestWayIsCounted) {
  Machine machine = shippedMachine();
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();
  uint32_t quick = block.node("add.i64", {thread, constant(1)});
  uint32_t slow = block.node("udiv.i64", {thread, constant(3)});
  uint32_t sum = block.node("add.i32", {quick, slow});
  block.terminate({sum});
  Options options;
  options.lines = path("lines");
  SessionHarness harness(
      options, configurationText(machine, {block.build(0, {"exit"})}));
  harness.run(64);
  ASSERT_EQ(harness.session.close(), "");
  OrderedJson lines = read("lines");
  for (const OrderedJson &node : lines["blocks"][0]["nodes"]) {
    EXPECT_EQ(node["firings"], 64);
    if (node["op"] == "add.i64")
      EXPECT_EQ(node["working"], 0);
    if (node["op"] == "udiv.i64")
      EXPECT_EQ(node["working"], 64 * 145);
    if (node["op"] == "add.i32")
      EXPECT_EQ(node["working"], 64 * 4);
  }
}

TEST_F(Sessions, ThreadsThatWaitForAUnitAreQueued) {
  // Two replicas' threads meet in the same bank of L1: one a cycle.
  Machine machine = shippedMachine();
  BlockBuilder block(machine.fabric);
  for (int i = 0; i != 2; ++i)
    block.terminate({block.node(
        "load.i64", {block.node("mad.i64", {block.initiate(), constant(0),
                                            parameter(0)})})});
  Options options;
  options.lines = path("lines");
  SessionHarness harness(
      options, configurationText(machine, {block.build(0, {"exit"})}, 1));
  uint64_t word = 0;
  harness.run(1024, {addressOf(&word)});
  ASSERT_EQ(harness.session.close(), "");
  OrderedJson nodes = read("lines")["blocks"][0]["nodes"];
  for (const OrderedJson &node : nodes) {
    bool isLoad = node["op"] == "load.i64";
    EXPECT_EQ(node["queued"] > 0, isLoad) << node["op"];
    EXPECT_EQ(node["refusals"].contains("bank_conflict"), isLoad);
    EXPECT_EQ(node["units"], 2);
  }
}

TEST_F(Sessions, RecordingChangesNothing) {
  Options options;
  options.lines = path("lines");
  options.trace = path("trace");
  options.progress = 1;
  std::vector<uint64_t> from(3000, 1), to(3000);
  auto cycles = [&](const Options &options) {
    SessionHarness harness(options, addAndStore(shippedMachine(), 3));
    harness.run(3000, {addressOf(from.data()), addressOf(to.data())});
    harness.session.close();
    return harness.count("run.cycles");
  };
  EXPECT_EQ(cycles(options), cycles({}));
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

TEST_F(Sessions, LinesAreGroupedByLineAndOperation) {
  Options options;
  options.lines = path("lines");
  SessionHarness harness(options, addAndStore(shippedMachine(), 2));
  std::vector<uint64_t> from(200, 1), to(200);
  harness.run(200, {addressOf(from.data()), addressOf(to.data())});
  ASSERT_EQ(harness.session.close(), "");
  OrderedJson lines = read("lines");
  EXPECT_EQ(lines["format"], "chansim-lines");
  ASSERT_EQ(lines["blocks"].size(), 2u);
  OrderedJson block = lines["blocks"][0];
  EXPECT_EQ(block["runs"], 1);
  EXPECT_EQ(block["threads"], 200);
  EXPECT_EQ(block["configuring"], 34);
  bool found = false;
  for (const OrderedJson &node : block["nodes"])
    if (node["line"] == "a.c:3") {
      found = true;
      EXPECT_EQ(node["op"], "load.i64");
      EXPECT_EQ(node["units"], 2);
      EXPECT_EQ(node["firings"], 200);
    }
  EXPECT_TRUE(found);
}

TEST_F(Sessions, StatisticsAreTheSameButForTheHost) {
  std::string texts[2];
  std::vector<uint64_t> from(300, 1), to(300);
  for (std::string &text : texts) {
    Options options;
    options.statistics = path("stats.json");
    options.set = "l1.hit_cycles=20";
    SessionHarness harness(options, addAndStore(shippedMachine()));
    harness.run(300, {addressOf(from.data()), addressOf(to.data())});
    ASSERT_EQ(harness.session.close(), "");
    OrderedJson json = read("stats.json");
    EXPECT_EQ(json["parameters"]["l1.hit_cycles"], 20);
    EXPECT_FALSE(json.contains("failure"));
    std::vector<std::string> host;
    for (const OrderedJson &counter : json["host"])
      host.push_back(counter["name"]);
    EXPECT_EQ(host, (std::vector<std::string>{
                        "host.milliseconds", "host.processor_milliseconds",
                        "host.cycles_per_second", "host.firings_per_second",
                        "host.peak_bytes"}));
    EXPECT_GT(json["host"].back()["value"], 0);
    json.erase("host");
    text = json.dump();
  }
  EXPECT_EQ(texts[0], texts[1]);
}

TEST_F(Sessions, PathsMayHoldTheProcess) {
  Options options;
  options.statistics = path("%p.json");
  SessionHarness harness(options, addAndStore(shippedMachine()));
  ASSERT_EQ(harness.session.close(), "");
  EXPECT_NE(readFile(path((std::to_string(getpid()) + ".json").c_str())), "");
}

TEST_F(Sessions, AFileHasItsNameWhenItIsComplete) {
  Options options;
  options.statistics = path("stats.json");
  std::ofstream(options.statistics) << "old";
  std::string unfinished = unfinishedName(options.statistics, getpid());
  {
    SessionHarness harness(options, addAndStore(shippedMachine()));
    EXPECT_FALSE(std::filesystem::exists(options.statistics));
    EXPECT_TRUE(std::filesystem::exists(unfinished));
  }
  EXPECT_FALSE(std::filesystem::exists(unfinished)) << "was not closed";
  SessionHarness harness(options, addAndStore(shippedMachine()));
  ASSERT_EQ(harness.session.close(), "");
  EXPECT_TRUE(std::filesystem::exists(options.statistics));
  EXPECT_FALSE(std::filesystem::exists(unfinished));
}

TEST_F(Sessions, AForkedChildWritesNothing) {
  Options options;
  options.trace = path("trace.json");
  options.statistics = path("stats.json");
  SessionHarness harness(options, addAndStore(shippedMachine()));
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (!child) {
    harness.session.~Session();
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(readFile(path("trace.json")), "");
  ASSERT_EQ(harness.session.close(), "");
  EXPECT_TRUE(OrderedJson::accept(readFile(path("trace.json"))));
}

//===----------------------------------------------------------------------===//
// What cannot be
//===----------------------------------------------------------------------===//

std::string refusal(const Options &options,
                    const std::string &description = shippedText()) {
  try {
    Session session(description, options);
  } catch (const std::runtime_error &error) {
    return error.what();
  }
  return "";
}

TEST_F(Sessions, RefusalsNameTheVariable) {
  Options set, machine, file, trace;
  set.set = "l1.wayz=8";
  EXPECT_EQ(
      refusal(set),
      "CHANSIM_SET: l1.wayz: is no parameter of a machine of kind 'vgiw'; did "
      "you mean l1.ways?");
  set.fromOptions = "CHANSIM_SET";
  EXPECT_EQ(refusal(set).substr(0, 16), "--set: l1.wayz: ");
  machine.machine = "none.json";
  EXPECT_EQ(refusal(machine), "CHANSIM_MACHINE: none.json: cannot be read");
  file.statistics = "/none/stats.json";
  EXPECT_EQ(refusal(file),
            "CHANSIM_STATS: /none/stats.json: No such file or directory");
  trace.trace = folder;
  EXPECT_EQ(refusal(trace), "CHANSIM_TRACE: " + folder + ": Is a directory");
  EXPECT_EQ(refusal({}, "{}"), "the program's machine file: kind: is missing");
}

TEST_F(Sessions, AFullDiskIsReported) {
  if (access("/dev/full", W_OK) != 0)
    GTEST_SKIP();
  Options options;
  options.statistics = "/dev/full";
  SessionHarness harness(options, addAndStore(shippedMachine()));
  EXPECT_EQ(harness.session.close(), "/dev/full: No space left on device\n");
}

//===----------------------------------------------------------------------===//
// What is printed
//===----------------------------------------------------------------------===//

TEST_F(Sessions, ASummaryOnRequest) {
  Options options;
  std::vector<uint64_t> from(300, 1), to(300);
  for (auto [kind, has, hasNot] :
       {std::tuple(Options::Summary::none, "", "cycles"),
        std::tuple(Options::Summary::brief, "FPU-ALU utilisation",
                   "l1.accesses"),
        std::tuple(Options::Summary::all, "l1.accesses",
                   "FPU-ALU utilisation")}) {
    options.summary = kind;
    SessionHarness harness(options, addAndStore(shippedMachine()));
    harness.run(300, {addressOf(from.data()), addressOf(to.data())});
    testing::internal::CaptureStderr();
    ASSERT_EQ(harness.session.close(), "");
    std::string text = testing::internal::GetCapturedStderr();
    EXPECT_NE(text.find(has), text.npos) << text;
    EXPECT_EQ(text.find(hasNot), text.npos) << text;
  }
}

TEST_F(Sessions, ASummarySaysThatARunFailed) {
  for (auto kind : {Options::Summary::brief, Options::Summary::all})
    for (bool hasRun : {true, false}) {
      Options options;
      options.summary = kind;
      options.statistics = path("stats.json");
      std::vector<uint64_t> from(300, 1), to(300);
      SessionHarness harness(options, addAndStore(shippedMachine()));
      if (hasRun)
        harness.run(300, {addressOf(from.data()), addressOf(to.data())});
      testing::internal::CaptureStderr();
      ASSERT_EQ(harness.session.close("out of luck"), "");
      std::string text = testing::internal::GetCapturedStderr();
      // Without a cycle there is nothing to be summed up.
      EXPECT_EQ(!text.empty(), hasRun) << text;
      EXPECT_EQ(text.find("\n  FAILED: out of luck; what was counted until "
                          "then:\n") != text.npos,
                hasRun)
          << text;
      EXPECT_EQ(read("stats.json")["failure"], "out of luck");
    }
}

TEST_F(Sessions, ProgressIsPrintedEachSecond) {
  Options options;
  options.progress = 1;
  SessionHarness harness(options, addAndStore(shippedMachine()));
  std::vector<uint64_t> from(8192, 1), to(8192);
  testing::internal::CaptureStderr();
  auto begin = time(nullptr);
  while (time(nullptr) < begin + 3)
    harness.run(8192, {addressOf(from.data()), addressOf(to.data())});
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(std::regex_search(
      text, std::regex("^chansim: [12] s, [1-9][0-9.]* \\w+ cycles, "
                       "[1-9][0-9.]* \\w+ a second; "
                       "[1-9][0-9.]* \\w+ firings a second\n")))
      << text;
  // One for each second.
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 4) << text;
}

} // namespace
