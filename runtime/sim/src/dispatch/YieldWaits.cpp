//===- YieldWaits.cpp - How long wavefronts wait for room -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/YieldWaits.h"

#include <algorithm>
#include <utility>

namespace chansim {

YieldWaits::YieldWaits(uint64_t lanes, Statistics &statistics) : lanes(lanes) {
  statistics.add("aggregator.yielded_cycles", "cycles",
                 "core cycles of wavefronts between a yield and going on",
                 counters.waiting);
  statistics.add("aggregator.done_count_cycles", "cycles",
                 "of those, at most how many because done elements waited for "
                 "others of their done count",
                 counters.held);
}

void YieldWaits::clear() {
  channels.clear();
  held = 0;
}

void YieldWaits::remove(const chan_array *channel) {
  channels.erase(std::find(channels.begin(), channels.end(), channel));
}

void YieldWaits::count(uint64_t cycle) {
  uint64_t passed = cycle - std::exchange(last, cycle);
  counters.waiting += channels.size() * passed;
  counters.held += held * passed;
  held = static_cast<uint64_t>(
      std::count_if(channels.begin(), channels.end(), [&](const auto *channel) {
        return channel && isHeldByDoneCount(*channel);
      }));
}

bool YieldWaits::isHeldByDoneCount(const chan_array &channel) const {
  uint64_t size = uint64_t(1) << channel.done_shift, width = channel.mask + 1;
  auto doneOf = [&](uint64_t head) {
    uint64_t group = (head & channel.mask) >> channel.done_shift;
    return *reinterpret_cast<const uint64_t *>(channel.done +
                                               group * CHAN_ARRAY_LINE) -
           (head >> channel.width_shift) * size;
  };
  // Whole groups may be done that the scheduler has not passed yet.
  uint64_t head = channel.head;
  while (head + size <= channel.tail && doneOf(head) == size)
    head += size;
  uint64_t room = head + width - channel.tail;
  return room < lanes && head != channel.tail && room + doneOf(head) >= lanes;
}

} // namespace chansim
