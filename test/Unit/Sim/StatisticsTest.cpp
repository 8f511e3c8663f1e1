//===- StatisticsTest.cpp - What a simulation counted ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace chansim;

namespace {

TEST(SimStatistics, JsonHasNameUnitDescriptionAndValueOfEach) {
  uint64_t hits = 3, all = 4, none = 0;
  Statistics statistics;
  statistics.add("l1.hits", "accesses", "accesses \"at once\"", hits);
  statistics.addRatio("l1.rate", "hits/access", "share", hits, all);
  statistics.addRatio("l1.other", "hits/access", "of nothing", hits, none);
  all = 6; // counters are read when they are asked for
  uint64_t seconds = 5;
  Statistics host;
  host.add("host.time", "s", "on the clock", seconds);
  RunInfo run{shippedMachine(), "p", &host};
  nlohmann::ordered_json root =
      nlohmann::ordered_json::parse(statistics.json(run));
  EXPECT_EQ(root["parameters"]["l1.ways"], 4);
  EXPECT_EQ(root["parameters"]["fabric.folded"], true);
  EXPECT_EQ(root["parameters"].size(), listParameters(run.machine).size());
  root["parameters"] = nullptr;
  EXPECT_EQ(root.dump(1), R"({
 "format": "chansim-statistics",
 "version": 1,
 "program": "p",
 "machine": "micro15-vgiw",
 "parameters": null,
 "statistics": [
  {
   "name": "l1.hits",
   "unit": "accesses",
   "description": "accesses \"at once\"",
   "value": 3
  },
  {
   "name": "l1.rate",
   "unit": "hits/access",
   "description": "share",
   "value": 0.5
  },
  {
   "name": "l1.other",
   "unit": "hits/access",
   "description": "of nothing",
   "value": 0.0
  }
 ],
 "host": [
  {
   "name": "host.time",
   "unit": "s",
   "description": "on the clock",
   "value": 5
  }
 ]
})");
  run.host = nullptr;
  EXPECT_FALSE(nlohmann::json::parse(statistics.json(run)).contains("host"));
}

TEST(SimStatistics, ARatioMayBeScaled) {
  uint64_t starts = 30, cycles = 10;
  Statistics statistics;
  statistics.addRatio("use", "starts/cycle", "of 12", starts, cycles, 1.0 / 12);
  EXPECT_EQ(statistics.find("use"), 0.25);
  EXPECT_EQ(statistics.find("other"), std::nullopt);
}

TEST(SimStatistics, CountersAreFoundByTheEndsOfTheirNames) {
  uint64_t one = 1, two = 2;
  Statistics statistics;
  statistics.add("l1.misses", "b", "c", one);
  statistics.add("l1.hits", "b", "c", one);
  statistics.addRatio("x.misses", "b", "c", one, two);
  statistics.add("core1.l1.misses", "b", "c", two);
  std::vector<Statistics::Named> found = statistics.endingWith(".misses");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].name, "core1.l1.misses");
  EXPECT_EQ(found[1].value, 2u);
}

TEST(SimStatistics, SumsOfSeveralParts) {
  uint64_t hits[] = {1, 10}, tries[] = {4, 16};
  Statistics parts[2], whole, other;
  for (int i = 0; i != 2; ++i) {
    parts[i].add("hits", "b", "c", hits[i]);
    parts[i].addRatio("rate", "b", "c", hits[i], tries[i]);
  }
  const Statistics *both[] = {&parts[0], &parts[1]};
  whole.addSums(both);
  hits[0] = 5;
  EXPECT_EQ(whole.value("hits"), 15u);
  EXPECT_EQ(whole.find("rate"), 0.75);
  EXPECT_THROW(whole.value("rate"), std::out_of_range);
  parts[1].add("more", "b", "c", hits[1]);
  EXPECT_THROW(other.addSums(both), std::logic_error);
}

TEST(SimStatistics, TheTableLeavesOutWhatIsZero) {
  uint64_t hits = 3, none = 0;
  Statistics statistics;
  statistics.add("l1.hits", "accesses", "found", hits);
  statistics.add("l1.misses", "accesses", "not found", none);
  std::string table = statistics.table();
  EXPECT_NE(table.find("l1.hits "), std::string::npos);
  EXPECT_NE(table.find(" 3 accesses "), std::string::npos);
  EXPECT_EQ(table.find("misses"), std::string::npos);
}

TEST(SimStatistics, NamesAreUniqueAndNothingIsUnexplained) {
  uint64_t count = 0;
  Statistics statistics;
  statistics.add("a", "b", "c", count);
  EXPECT_THROW(statistics.add("a", "b", "c", count), std::logic_error);
  EXPECT_THROW(statistics.add("d", "", "c", count), std::logic_error);
  EXPECT_THROW(statistics.add("e", "b", "", count), std::logic_error);
  EXPECT_THROW(statistics.value("f"), std::out_of_range);
}

TEST(SimStatistics, TheMemorySystemRegistersItsOwn) {
  MemoryHarness core;
  core.read(0, 64);
  core.run();
  nlohmann::json root =
      nlohmann::json::parse(core.statistics.json({shippedMachine(), "p"}));
  EXPECT_GT(root["statistics"].size(), 40u);
  EXPECT_EQ(core.count("l1.misses"), 1u);
}

} // namespace
