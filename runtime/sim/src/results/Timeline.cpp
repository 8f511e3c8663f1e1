//===- Timeline.cpp - Counters over the cycles of a run -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "results/Timeline.h"

#include <nlohmann/json.hpp>

namespace chansim {

void Timeline::add(uint64_t cycle, std::vector<uint64_t> values) {
  if (cycle == lastEnd())
    return;
  samples.push_back({cycle, std::move(values)});
  if (samples.size() != most)
    return;
  for (size_t i = 0; i != most / 2; ++i)
    samples[i] = std::move(samples[2 * i + 1]);
  samples.resize(most / 2);
  ownInterval *= 2;
}

std::string Timeline::json(const RunInfo &run,
                           const std::vector<std::string> &names) const {
  using Json = nlohmann::ordered_json;
  Json ends = Json::array();
  for (const Sample &sample : samples)
    ends.push_back(sample.end);
  Json rises = Json::object();
  for (size_t counter = 0; counter != names.size(); ++counter) {
    if (samples.empty() || samples.back().values[counter] == 0)
      continue;
    Json &list = rises[names[counter]] = Json::array();
    for (size_t i = 0; i != samples.size(); ++i)
      list.push_back(rise(i, counter));
  }
  Json root = {{"format", "chansim-timeline"}, {"version", 1},
               {"program", run.program},       {"machine", run.machine.name},
               {"interval", ownInterval},      {"ends", std::move(ends)},
               {"rises", std::move(rises)}};
  return root.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace chansim
