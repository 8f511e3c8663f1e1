//===- TagArray.h - Which lines are where in a cache ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tags of a set-associative cache and the order of their use, without states.
// Ways are numbered through all sets; sets are those of Cache.h.
//
//   2 ways, 2 sets:  set 0: ways 0, 1    set 1: ways 2, 3
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_COHERENCE_TAGARRAY_H
#define CHANSIM_COHERENCE_TAGARRAY_H

#include "machine/Machine.h"

#include <bit>

namespace chansim {

class TagArray {
public:
  static constexpr uint64_t kNone = ~uint64_t(0);
  static constexpr uint32_t kAbsent = ~uint32_t(0);

  explicit TagArray(const CacheParameters &parameters)
      : lineMask(~uint64_t(parameters.lineBytes - 1)),
        lineShift(
            static_cast<unsigned>(std::countr_zero(parameters.lineBytes))),
        bankShift(
            static_cast<unsigned>(std::countr_zero(parameters.bankBytes))),
        banks(parameters.banks), bankBytes(parameters.bankBytes),
        setMask(parameters.sets() - 1), ways(parameters.ways),
        spansBanks(parameters.spansBanks()),
        lines(parameters.bytes / parameters.lineBytes, kNone),
        used(lines.size()) {}

  uint64_t lineOf(uint64_t address) const { return address & lineMask; }
  uint32_t bankOf(uint64_t address) const {
    return banks == 1 ? 0
                      : static_cast<uint32_t>((address >> bankShift) % banks);
  }
  uint32_t size() const { return static_cast<uint32_t>(lines.size()); }

  /// The way that holds the line, or kAbsent.
  uint32_t wayOf(uint64_t line) const {
    uint32_t first = firstWay(line);
    for (uint32_t way = first; way != first + ways; ++way)
      if (lines[way] == line)
        return way;
    return kAbsent;
  }
  /// The line that the way holds, or kNone.
  uint64_t lineAt(uint32_t way) const { return lines[way]; }
  void put(uint32_t way, uint64_t line) {
    lines[way] = line;
    touch(way);
  }
  void clear(uint32_t way) {
    lines[way] = kNone;
    used[way] = 0;
  }
  void touch(uint32_t way) { used[way] = ++uses; }

  /// Of the ways of the line's set that mayLeave(way), one that is empty, or else the
  /// one whose use is longest ago; kAbsent if there is none.
  template <class MayLeave>
  uint32_t leastRecent(uint64_t line, MayLeave &&mayLeave) const {
    uint32_t first = firstWay(line), best = kAbsent;
    for (uint32_t way = first; way != first + ways; ++way)
      if ((best == kAbsent || used[way] < used[best]) && mayLeave(way))
        best = way;
    return best;
  }

  uint32_t firstWay(uint64_t line) const {
    if (spansBanks || banks == 1)
      return static_cast<uint32_t>((line >> lineShift) & setMask) * ways;
    uint64_t block = line >> bankShift, within = line & (bankBytes - 1);
    uint64_t local = (block / banks) << bankShift | within;
    auto set = static_cast<uint32_t>((local >> lineShift) & setMask);
    return (bankOf(line) * (setMask + 1) + set) * ways;
  }

private:
  const uint64_t lineMask;
  const unsigned lineShift, bankShift;
  const uint32_t banks, bankBytes, setMask, ways;
  const bool spansBanks;
  std::vector<uint64_t> lines, used;
  uint64_t uses = 0;
};

} // namespace chansim

#endif // CHANSIM_COHERENCE_TAGARRAY_H
