//===- Bars.h - Stacked bars ------------------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A picture of horizontal bars of shares, with a legend:
//
//   BarChart chart{"where accesses found their lines", "accesses", {"hit", "miss"}};
//   chart.bars.push_back({"L1", {90, 10}, 100, "100 accesses"});
//   html += drawBars(chart);
//
//   L1 [########################### hit 90 % ###|.. miss ..] 100 accesses
//      0 %       20        40        60        80       100
//      # hit   . miss
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_REPORT_BARS_H
#define CHANSIM_REPORT_BARS_H

#include <cstdint>
#include <string>
#include <vector>

namespace chansim::report {

struct Bar {
  std::string name;
  /// One for each part of the chart.
  std::vector<double> parts;
  /// What all of the bar's width stands for; more than the parts together if some of
  /// it is none of them.
  double whole;
  /// Behind the bar.
  std::string note;
};

struct BarChart {
  std::string label, unit;
  std::vector<std::string> parts;
  std::vector<Bar> bars = {};
  /// The number of the part that is grey, as nothing happens in it.
  size_t idle = SIZE_MAX;
};

/// Parts that are 0 in all bars are left out.
std::string drawBars(const BarChart &chart);

} // namespace chansim::report

#endif // CHANSIM_REPORT_BARS_H
