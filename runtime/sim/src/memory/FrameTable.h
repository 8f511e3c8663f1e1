//===- FrameTable.h - Frames of simulated physical memory -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frames are handed out in the order in which they are first touched, so that
// cycles do not depend on where the host placed things (ASLR).
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_FRAMETABLE_H
#define CHANSIM_FRAMETABLE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace chansim {

class FrameTable {
public:
  /// `frameBytes` is a power of two.
  explicit FrameTable(uint32_t frameBytes);

  /// A frame is 1 << frameShift() bytes.
  unsigned frameShift() const { return shift; }
  /// The number of the frame that belongs to the key, from 0; a key is any
  /// number but kNoKey.
  uint64_t frameOf(uint64_t key);
  static constexpr uint64_t kNoKey = ~uint64_t(0);

  /// The bytes from `low` to `high` are a stack, whose end the host has put at
  /// any place in a page: from now on it lies as if that were a frame's end.
  void alignStack(uint64_t low, uint64_t high) {
    stackLow = low;
    stackBytes = high - low;
    stackShift = -high & ((uint64_t(1) << shift) - 1);
  }
  /// An address of the process, with its stack where alignStack() says.
  uint64_t withAlignedStack(uint64_t address) const {
    return address - stackLow < stackBytes ? (address + stackShift) | kStack
                                           : address;
  }

private:
  size_t slotOf(uint64_t key) const;
  void grow();

  struct Slot {
    uint64_t key = kNoKey, frame = 0;
  };
  /// In no address of a process: keeps the frames of the stack apart.
  static constexpr uint64_t kStack = uint64_t(1) << 62;

  unsigned shift;
  /// Open addressing, at most half full.
  std::vector<Slot> slots;
  uint64_t frames = 0;
  uint64_t stackLow = 0, stackBytes = 0, stackShift = 0;
};

} // namespace chansim

#endif // CHANSIM_FRAMETABLE_H
