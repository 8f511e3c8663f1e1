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
  EXPECT_EQ(statistics.json("m"), R"({
  "format": "chansim-statistics",
  "version": 1,
  "machine": "m",
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
  ]
}
)");
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
  nlohmann::json root = nlohmann::json::parse(core.statistics.json("m"));
  EXPECT_GT(root["statistics"].size(), 40u);
  EXPECT_EQ(core.count("l1.misses"), 1u);
}

} // namespace
