//===- AggregatorBenchmark.cpp - The speed of the aggregator's model ------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints how many millions of instructions of firmware/Programs.c the host simulates in a
// second of its processor: without time, and on each core of Table 5.
//
//   build/bin/sim-aggregator-benchmark
//
//===----------------------------------------------------------------------===//

#include "AggregatorHarness.h"

#include <ctime>

using namespace chansim;
using namespace chansim::aggregator;

namespace {

constexpr uint64_t kElements = 20000;
const char *const kPrograms[] = {
    "sort", "hash", "arithmetic", "functions", "records", "atomics", "walk"};

/// Of the processor.
double seconds(auto &&function) {
  std::clock_t begin = std::clock();
  function();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

std::vector<uint64_t> input() {
  std::vector<uint64_t> data(kElements);
  uint64_t state = 1;
  for (uint64_t &value : data)
    value = (state = state * 6364136223846793005u + 1) >> 7;
  return data;
}

} // namespace

int main() {
  for (uint64_t which = 0; which != std::size(kPrograms); ++which) {
    std::printf("%-11s", kPrograms[which]);
    {
      std::vector<uint64_t> data = input();
      Firmware firmware = Firmware::load(firmwarePrograms());
      Regions regions;
      for (const Region &region : firmware.regions())
        regions.add(region);
      regions.add({AggregatorHarness::address(data.data()), 8 * kElements, true,
                   "data"});
      TestDevice device;
      Hart hart(firmware, regions, device);
      hart.reset({{which, AggregatorHarness::address(data.data()), kElements}});
      uint64_t count = 0;
      double time = seconds([&] { count = hart.run(~uint64_t(0)); });
      std::printf(" %6.1f", static_cast<double>(count) / time / 1e6);
    }
    for (size_t index = 0; index != 4; ++index) {
      std::vector<uint64_t> data = input();
      AggregatorHarness core(tableFive(index));
      core.data.miss = 60;
      core.data.ports = 1;
      core.data.isRecording = core.instructions.isRecording = false;
      core.core.addRegion(
          {core.address(data.data()), 8 * kElements, true, "data"});
      core.core.load(Firmware::load(firmwarePrograms()));
      double time = seconds(
          [&] { core.run({which, core.address(data.data()), kElements}); });
      std::printf("  %5.1f (ipc %.2f)",
                  static_cast<double>(core.count("instructions")) / time / 1e6,
                  *core.statistics.find("aggregator.ipc"));
    }
    std::printf("\n");
  }
}
