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
