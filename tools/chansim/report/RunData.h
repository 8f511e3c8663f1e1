//===- RunData.h - What a run wrote, for its page ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The files of --stats, --timeline and --lines of one run, read:
//
//   RunData run = RunData::read("stats.json", "timeline.json", "lines.json");
//   if (run.has("l1.hits"))
//     share = shareOf(run["l1.hits"], run["l1.accesses"]);
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_REPORT_RUNDATA_H
#define CHANSIM_REPORT_RUNDATA_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace chansim::report {

struct Counter {
  std::string name, unit, description;
  double value;
};

/// A line of C, or an operation without one: in how many cycles of kernels threads
/// waited there, worked, had results on links, or saved and restored their states.
struct LineCost {
  std::string place;
  double waiting = 0, working = 0, moving = 0, yielding = 0;
  double cycles() const { return waiting + working + moving + yielding; }
};

struct RunData {
  /// Throws Refusal or Json::exception if a file cannot be read.
  static RunData read(const std::string &statistics,
                      const std::string &timeline, const std::string &lines);

  bool has(llvm::StringRef counter) const {
    return values.count(counter.str()) != 0;
  }
  /// Whether it is there and not 0.
  bool counts(llvm::StringRef counter) const { return (*this)[counter] != 0; }
  /// 0 if there is none.
  double operator[](llvm::StringRef counter) const {
    auto found = values.find(counter.str());
    return found == values.end() ? 0 : found->second;
  }
  double parameter(llvm::StringRef key) const {
    auto found = parameters.find(key.str());
    return found == parameters.end() ? 0 : found->second;
  }
  /// Core cycles of all cores.
  double coreCycles() const {
    return (*this)["run.cycles"] * parameter("cores");
  }

  std::string program, machine, failure;
  std::vector<Counter> counters;
  std::map<std::string, double> values;
  /// Those that are numbers; and the clock of the cores, in MHz.
  std::map<std::string, double> parameters;
  double megahertz = 0;

  /// The ends of samples, and by how much counters rose in each.
  std::vector<uint64_t> ends;
  std::map<std::string, std::vector<uint64_t>> rises;

  /// Those that cost most are first.
  std::vector<LineCost> lines;
  /// With a tile: streaming, configuring and fetching.
  double lineCycles = 0;
};

} // namespace chansim::report

#endif // CHANSIM_REPORT_RUNDATA_H
