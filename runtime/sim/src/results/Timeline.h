//===- Timeline.h - Counters over the cycles of a run -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Samples of all counters, at most 256 of a run of any length.  Samples are
// `interval` cycles apart, or more.  When there are as many as there may be, two
// neighbours become one, and the interval doubles:
//
//   Timeline timeline(100, 4);
//   // at cycles 100, 200, 300 and 400:
//   if (timeline.isDue(cycle))
//     timeline.add(cycle, {count});
//   // samples now end at 200 and 400; the next one is due at 600
//
// A sample holds values as they were at its end.  So what happened in a sample is
// the difference to the sample before, and merging loses nothing but resolution.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_TIMELINE_H
#define CHANSIM_TIMELINE_H

#include "results/Statistics.h"

#include <cstdint>
#include <string>
#include <vector>

namespace chansim {

class Timeline {
public:
  static constexpr size_t kMostSamples = 256;

  /// REQUIRES: `most` is even and not 0.
  explicit Timeline(uint64_t interval, size_t most = kMostSamples)
      : ownInterval(interval), most(most) {}

  /// Core cycles between the ends of samples, at least.
  uint64_t interval() const { return ownInterval; }
  /// Whether a sample is to end at this cycle.
  bool isDue(uint64_t cycle) const { return cycle >= lastEnd() + ownInterval; }
  /// Ends a sample.  `values` are those of all counters since the beginning of the
  /// run, in an order that is always the same.  The last sample of a run may end
  /// before it is due; a sample without a cycle is left out.
  void add(uint64_t cycle, std::vector<uint64_t> values);

  size_t size() const { return samples.size(); }
  /// The cycle in which a sample ends.
  uint64_t end(size_t sample) const { return samples[sample].end; }
  /// By how much a counter rose in a sample.
  uint64_t rise(size_t sample, size_t counter) const {
    uint64_t before = sample ? samples[sample - 1].values[counter] : 0;
    return samples[sample].values[counter] - before;
  }

  /// {"format": "chansim-timeline", "version": 1, "program": NAME, "machine": NAME,
  ///  "interval": CYCLES, "ends": [CYCLE, ...], "rises": {COUNTER: [...], ...}}
  /// Counters that never rose are left out.  `names` are those of the counters, in
  /// the order of their values.  Equal runs have equal texts.
  std::string json(const RunInfo &run,
                   const std::vector<std::string> &names) const;

private:
  struct Sample {
    uint64_t end;
    std::vector<uint64_t> values;
  };
  uint64_t lastEnd() const { return samples.empty() ? 0 : samples.back().end; }

  std::vector<Sample> samples;
  uint64_t ownInterval;
  const size_t most;
};

} // namespace chansim

#endif // CHANSIM_TIMELINE_H
