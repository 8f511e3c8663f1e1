//===- SlotSet.h - A set of wavefronts in contexts --------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers of the slots for which a unit has something to do, so that a cycle in which
// it has nothing to do costs little:
//
//   SlotSet asking(40);
//   asking.add(7);
//   asking.forEach([&](uint32_t slot) { asking.remove(slot); });    // 7
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SIMT_SLOTSET_H
#define CHANSIM_SIMT_SLOTSET_H

#include <bit>
#include <cstdint>
#include <vector>

namespace chansim::simt {

class SlotSet {
public:
  /// Of numbers below `slots`.
  explicit SlotSet(size_t slots) : words((slots + 63) / 64) {}

  void add(uint32_t slot) { words[slot / 64] |= uint64_t(1) << slot % 64; }
  bool contains(uint32_t slot) const {
    return words[slot / 64] >> slot % 64 & 1;
  }
  void remove(uint32_t slot) {
    words[slot / 64] &= ~(uint64_t(1) << slot % 64);
  }

  /// In the order of their numbers.  `visit` may remove the slot that it gets.
  template <class Visitor> void forEach(Visitor &&visit) {
    for (size_t word = 0; word != words.size(); ++word)
      for (uint64_t left = words[word]; left; left &= left - 1)
        visit(static_cast<uint32_t>(64 * word + std::countr_zero(left)));
  }

private:
  std::vector<uint64_t> words;
};

} // namespace chansim::simt

#endif // CHANSIM_SIMT_SLOTSET_H
