//===- Coalescer.h - Accesses of a warp by line -----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The accesses of a warp's lanes that fall into one line become one, in the order
// of the first lane of each line:
//
//   lane:      0    1    2    3           line:   0x100     0x180
//   address:  100  104  180  108          lanes:  0 1 3     2
//
// A store has the segments of 32 bytes that lanes write.  An access that crosses
// into the next line is in both.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SIMT_COALESCER_H
#define CHANSIM_SIMT_COALESCER_H

#include "memory/ByteMask.h"

#include <span>
#include <vector>

namespace chansim::simt {

/// What goes to L1 at once.
struct LineAccess {
  uint64_t line;
  /// The bytes of the segments that are accessed.
  ByteMask mask;
};

inline constexpr uint32_t kSegmentBytes = 32;

/// `addresses` are of the lanes, and `bytes` of each access.  The result is
/// appended to `lines`.
inline void coalesce(std::span<const uint64_t> addresses, uint32_t bytes,
                     uint32_t lineBytes, std::vector<LineAccess> &lines) {
  size_t first = lines.size();
  for (uint64_t address : addresses)
    for (uint64_t at = address / kSegmentBytes * kSegmentBytes;
         at < address + bytes; at += kSegmentBytes) {
      uint64_t line = at & ~uint64_t(lineBytes - 1);
      size_t index = first;
      while (index != lines.size() && lines[index].line != line)
        ++index;
      if (index == lines.size())
        lines.push_back({line, {}});
      lines[index].mask |=
          ByteMask(at - line, std::min(kSegmentBytes, lineBytes));
    }
}

/// Alike, with exactly the bytes that lanes access.
inline void coalesceBytes(std::span<const uint64_t> addresses, uint32_t bytes,
                          uint32_t lineBytes, std::vector<LineAccess> &lines) {
  size_t first = lines.size();
  for (uint64_t address : addresses)
    for (uint64_t at = address; at < address + bytes;) {
      uint64_t line = at & ~uint64_t(lineBytes - 1);
      uint64_t behind = std::min(line + lineBytes, address + bytes);
      size_t index = first;
      while (index != lines.size() && lines[index].line != line)
        ++index;
      if (index == lines.size())
        lines.push_back({line, {}});
      lines[index].mask |=
          ByteMask(at - line, static_cast<uint32_t>(behind - at));
      at = behind;
    }
}

} // namespace chansim::simt

#endif // CHANSIM_SIMT_COALESCER_H
