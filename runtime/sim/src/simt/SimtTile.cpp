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

void SimtTile::Beginning::addTo(Warp &to) const {
  for (auto [pc, mask] : lanes)
    to.add(mask, pc);
  for (auto [pc, mask] : atBarrier)
    to.addWaiting(mask, pc);
}

void SimtTile::keep(const Warp &warp) {
  for (auto [pc, lanes] : warp.yielded)
    yielded.push_back({warp.number, pc, lanes});
  for (const Warp::Split &split : warp.waitingAtBarrier())
    yielded.push_back({warp.number, split.pc, split.lanes, true});
}

std::vector<SimtTile::Beginning> SimtTile::begin(uint32_t lanes) {
  check();
  std::vector<Beginning> warps;
  if (std::exchange(hasYielded, false)) {
    std::map<uint32_t, Beginning> byWarp;
    for (const Waiting &set : std::exchange(yielded, {})) {
      Beginning &warp = byWarp[set.warp];
      warp.warp = set.warp;
      (set.isAtBarrier ? warp.atBarrier : warp.lanes)
          .push_back({set.pc, set.lanes});
    }
    groups.resume();
    for (auto &[number, warp] : byWarp)
      warps.push_back(std::move(warp));
    return warps;
  }
  groups.begin(*this, code().kernel(), lanes);
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
