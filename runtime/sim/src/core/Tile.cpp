//===- Tile.cpp - Threads that run a kernel together ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Tile.h"

#include <stdexcept>

namespace chansim {

void Tile::refuse(const std::string &what) const {
  throw std::invalid_argument("tile of kernel '" + kernel->header().name +
                              "': " + what);
}

/// The groups of a loop have the numbers of the loop's iterations.
void Tile::refuseRace(uint32_t group, uint32_t waiting,
                      const std::string &line) const {
  const KernelHeader &header = kernel->header();
  uint32_t size = header.groupThreads;
  bool isOfOneLoop = ranges.empty();
  uint64_t number = isOfOneLoop ? first / size + group : group;
  const std::string text = std::to_string(number);
  throw std::runtime_error(
      (line.empty() ? "" : line + ": ") + "work-group " + text +
      (header.source.empty() ? " of kernel '" + header.name + "'"
                             : " of '" + header.source + "'") +
      (isOfOneLoop ? " (iteration " + text + " of the outer loop)"
                   : " (of the tile)") +
      ": " + std::to_string(waiting) + " of " + std::to_string(size) +
      " threads wait at a barrier, and the others have ended; iterations of "
      "its inner loops race" +
      (line.empty() ? " (compile with -g for the line)" : ""));
}

void Tile::check() const {
  const KernelHeader &header = kernel->header();
  const std::string has = "has " + std::to_string(threads) + " threads";
  if (!threads || threads > kernel->tileThreads())
    refuse(has + " of 1 to " + std::to_string(kernel->tileThreads()));
  if (header.groupThreads && threads % header.groupThreads)
    refuse(has + ", which are no whole work-groups of " +
           std::to_string(header.groupThreads));
  if (parameters.size() != header.parameters.size())
    refuse("binds " + std::to_string(parameters.size()) + " of " +
           std::to_string(header.parameters.size()) + " parameters");
}

} // namespace chansim
