//===- Regions.h - The memory that the aggregator may access ----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The aggregator's program works on the memory of this process, at its addresses.  It
// may access only what has been registered:
//
//   0x5550000  code     read only     \  of the program itself (Firmware.h)
//   0x5552000  data     writable      /
//   0x7f00000  channel  writable         registered by the dispatcher
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_AGGREGATOR_REGIONS_H
#define CHANSIM_AGGREGATOR_REGIONS_H

#include <cstdint>
#include <string>
#include <vector>

namespace chansim::aggregator {

struct Region {
  uint64_t base, bytes;
  bool writable;
  /// For messages.
  std::string name;
  /// Whether it belongs to the program alone: what it does there is no progress of the
  /// simulated machine.
  bool isOwn = false;
};

/// Regions that do not overlap.
class Regions {
public:
  /// Throws std::logic_error if the region is empty or overlaps another.
  void add(Region region);
  /// The region at that base.  Throws std::logic_error if there is none.
  void remove(uint64_t base);

  /// The region that has all bytes of an access; null if there is none.
  const Region *find(uint64_t address, uint32_t bytes) const {
    if (last < sorted.size() && holds(sorted[last], address, bytes)) [[likely]]
      return &sorted[last];
    return search(address, bytes);
  }

private:
  static bool holds(const Region &region, uint64_t address, uint32_t bytes) {
    uint64_t offset = address - region.base;
    return offset < region.bytes && region.bytes - offset >= bytes;
  }
  const Region *search(uint64_t address, uint32_t bytes) const;

  /// By base.
  std::vector<Region> sorted;
  /// The one that was found last.
  mutable size_t last = 0;
};

} // namespace chansim::aggregator

#endif // CHANSIM_AGGREGATOR_REGIONS_H
