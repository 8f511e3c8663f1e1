//===- SimtTile.cpp - Threads of a SIMT core ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simt/SimtTile.h"

#include <map>
#include <stdexcept>
#include <utility>

namespace chansim::simt {

static void check(const SimtTile &tile) {
  const KernelHeader &kernel = tile.kernel->header();
  auto refuse = [&](const std::string &what) {
    throw std::invalid_argument("tile of kernel '" + kernel.name +
                                "': " + what);
  };
  if (!tile.threads || tile.threads > tile.kernel->tileThreads())
    refuse("has " + std::to_string(tile.threads) + " threads of 1 to " +
           std::to_string(tile.kernel->tileThreads()));
  if (tile.parameters.size() != kernel.parameters.size())
    refuse("binds " + std::to_string(tile.parameters.size()) + " of " +
           std::to_string(kernel.parameters.size()) + " parameters");
}

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
  check(*this);
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
  groups.begin(kernel->header(), threads, lanes);
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
