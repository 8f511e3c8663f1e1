//===- Regions.cpp - The memory that the aggregator may access ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "aggregator/Regions.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace chansim::aggregator {

void Regions::add(Region region) {
  auto next = std::ranges::upper_bound(sorted, region.base, {}, &Region::base);
  bool overlaps =
      (next != sorted.end() && next->base - region.base < region.bytes) ||
      (next != sorted.begin() &&
       region.base - std::prev(next)->base < std::prev(next)->bytes);
  if (region.bytes == 0 || overlaps)
    throw std::logic_error("the region `" + region.name +
                           "` of the aggregator's memory " +
                           (overlaps ? "overlaps another" : "is empty"));
  sorted.insert(next, std::move(region));
}

void Regions::remove(uint64_t base) {
  auto found = std::ranges::find(sorted, base, &Region::base);
  if (found == sorted.end())
    throw std::logic_error("the aggregator's memory has no such region");
  sorted.erase(found);
}

const Region *Regions::search(uint64_t address, uint32_t bytes) const {
  auto next = std::ranges::upper_bound(sorted, address, {}, &Region::base);
  if (next == sorted.begin() || !holds(*std::prev(next), address, bytes))
    return nullptr;
  last = static_cast<size_t>(std::prev(next) - sorted.begin());
  return &sorted[last];
}

} // namespace chansim::aggregator
