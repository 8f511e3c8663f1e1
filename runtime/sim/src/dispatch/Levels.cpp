//===- Levels.cpp - Channels, batches and tiles by level ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/Levels.h"

#include <algorithm>

namespace chansim {

Channel &Level::channel(uint32_t core, const Stack &stack, Pool &pool) {
  std::vector<std::unique_ptr<Channel>> &own = channels[core];
  if (own.size() <= stack.id)
    own.resize(stack.id + 1);
  std::unique_ptr<Channel> &found = own[stack.id];
  if (!found)
    found = std::make_unique<Channel>(stack.channel, pool);
  return *found;
}

bool Level::isFull(uint32_t core) const {
  return std::any_of(channels[core].begin(), channels[core].end(),
                     [](const std::unique_ptr<Channel> &channel) {
                       return channel && channel->isFull() &&
                              channel->waiting();
                     });
}

bool Level::hasWaiting(uint32_t kind) const {
  return longest(kind, [](uint32_t) { return true; });
}

uint64_t Level::waiting(uint32_t kind) const {
  uint64_t sum = 0;
  for (const auto &own : channels)
    for (const std::unique_ptr<Channel> &channel : own)
      sum += channel && channel->kind() == kind ? channel->waiting() : 0;
  return sum;
}

bool Level::hasPreSync() const {
  return isCutting() || hasWaiting(CHAN_ENTRY) ||
         std::any_of(launches.begin(), launches.end(),
                     [](const Launch &launch) { return launch.waitsForRoom; });
}

} // namespace chansim
