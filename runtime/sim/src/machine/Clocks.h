//===- Clocks.h - Clocks by name --------------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A machine file names clocks and gives each part of the machine one:
//
//   "clocks":   { "core": 1400, "interconnect": 1400, "l2": 700, "dram": 924 },
//   "clock_of": { "cores": "core", "link": "interconnect", "l2": "l2", ... }
//
// Time is counted in ticks, of which each clock's period is a whole number: a
// microsecond has as many as the least common multiple of all MHz.
//
//   1400, 700 and 924 MHz: 46200 ticks a microsecond; periods 33, 66 and 50
//
// All arithmetic between clocks is here, in integers.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_CLOCKS_H
#define CHANSIM_CLOCKS_H

#include <cassert>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace chansim {

using Tick = uint64_t;

/// The names of the clocks that parts of a machine have.
struct ClockBindings {
  std::string cores, link, l2, dram;
  /// Of a machine of kind `apu` alone.
  std::string aggregator;
};

class Clocks {
public:
  struct Named {
    std::string name;
    uint32_t mhz;
  };
  /// Ticks of a microsecond at most: then 64 bits of them are 16 s.
  static constexpr Tick kMostTicks = Tick(1) << 40;

  /// Null if there is none of the name.
  const Named *find(std::string_view name) const {
    for (const Named &clock : list)
      if (clock.name == name)
        return &clock;
    return nullptr;
  }
  /// In MHz.  REQUIRES: there is such a clock.
  uint32_t rate(std::string_view name) const {
    assert(find(name) && "a machine's bindings are checked");
    return find(name)->mhz;
  }
  /// Ticks of a microsecond; more than kMostTicks if they do not fit.
  Tick ticksPerMicrosecond() const {
    Tick common = 1;
    for (const Named &clock : list) {
      // At most 2^40 x 100,000: no overflow.
      common = std::lcm(common, Tick(clock.mhz));
      if (common > kMostTicks)
        break;
    }
    return common;
  }
  /// Ticks of a cycle.  REQUIRES: there is such a clock.
  Tick period(std::string_view name) const {
    return ticksPerMicrosecond() / rate(name);
  }
  /// What so many cycles of a clock are of another one, rounded down.  REQUIRES:
  /// there are such clocks.
  uint64_t convert(uint64_t cycles, std::string_view from,
                   std::string_view to) const {
    return cycles * rate(to) / rate(from);
  }

  /// Sorted by name.
  std::vector<Named> list;
};

} // namespace chansim

#endif // CHANSIM_CLOCKS_H
