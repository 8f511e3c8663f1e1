//===- ByteMask.h - Some bytes of a line ------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of lines of at most kMaskBytes bytes, a bit for each.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_BYTEMASK_H
#define CHANSIM_BYTEMASK_H

#include "machine/Machine.h"

#include <array>
#include <bit>

namespace chansim {

/// Some bytes of a line.
class ByteMask {
public:
  ByteMask() = default;
  ByteMask(uint64_t first, uint32_t count) {
    for (uint64_t byte = first; byte != first + count; ++byte)
      words[byte / 64] |= uint64_t(1) << byte % 64;
  }
  bool contains(const ByteMask &other) const {
    return !(other.words[0] & ~words[0]) && !(other.words[1] & ~words[1]);
  }
  ByteMask &operator|=(const ByteMask &other) {
    words[0] |= other.words[0];
    words[1] |= other.words[1];
    return *this;
  }
  uint32_t count() const {
    return static_cast<uint32_t>(std::popcount(words[0]) +
                                 std::popcount(words[1]));
  }
  friend bool operator==(const ByteMask &, const ByteMask &) = default;

private:
  std::array<uint64_t, kMaskBytes / 64> words{};
};

} // namespace chansim

#endif // CHANSIM_BYTEMASK_H
