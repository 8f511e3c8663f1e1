//===- SimtTile.cpp - Threads of a SIMT core ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simt/SimtTile.h"

#include <map>
#include <utility>

namespace chansim::simt {

std::vector<SimtTile::Beginning> SimtTile::begin(uint32_t lanes) {
  check();
  std::vector<Beginning> warps;
  if (std::exchange(hasYielded, false)) {
    std::map<uint32_t, Beginning> byWarp;
    for (const Waiting &set : std::exchange(yielded, {})) {
      Beginning &warp = byWarp[set.warp];
      warp.warp = set.warp;
      warp.lanes.push_back({set.pc, set.lanes});
    }
    for (auto &[number, warp] : byWarp)
      warps.push_back(std::move(warp));
    return warps;
  }
  registers.assign(size_t(code().rows()) * threads, 0);
  yielded.clear();
  code().counters.threads += threads;
  for (uint32_t first = 0; first < threads; first += lanes) {
    uint32_t count = std::min(lanes, threads - first);
    warps.push_back(
        {first / lanes, {{0, ~LaneMask(0) >> (kMostLanes - count)}}});
  }
  return warps;
}

} // namespace chansim::simt
