//===- AddressMap.h - From addresses to simulated physical memory -*- C++
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frames of physical memory are handed out in the order in which they are first
// touched, so that cycles do not depend on where the host placed things (ASLR).
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_ADDRESSMAP_H
#define CHANSIM_ADDRESSMAP_H

#include "Memory.h"

#include <vector>

namespace chansim {

class AddressMap {
public:
  /// `frameBytes` is a power of two.
  explicit AddressMap(uint32_t frameBytes);

  /// Where the byte lies; the space of each cache is its own.
  uint64_t physical(uint64_t address, Via space) {
    if (address - stackLow < stackBytes && space == Via::l1)
      address = (address + stackShift) | kStack;
    uint64_t key = (address >> shift) | uint64_t(space) << 63;
    if (key != lastKey) {
      lastFrame = frameOf(key);
      lastKey = key;
    }
    return lastFrame << shift | (address & ((uint64_t(1) << shift) - 1));
  }

  /// Where a request's bytes lie as the private windows say, all in one granule
  /// if they begin in a window.
  void place(Request &request) const {
    for (const PrivateWindow &window : windows)
      if (request.address - window.base <
          uint64_t(window.threads) * window.bytesPerThread)
        return interleave(request, window);
  }

  /// The bytes from `low` to `high` lie as if `high` were the end of a frame.
  void alignStack(uint64_t low, uint64_t high) {
    stackLow = low;
    stackBytes = high - low;
    stackShift = -high & ((uint64_t(1) << shift) - 1);
  }

  void addWindow(const PrivateWindow &window) { windows.push_back(window); }
  void clearWindows() { windows.clear(); }

private:
  static void interleave(Request &request, const PrivateWindow &window);
  uint64_t frameOf(uint64_t key);
  size_t slotOf(uint64_t key) const;
  void grow();

  struct Slot {
    uint64_t key = kFree, frame = 0;
  };
  /// No key: addresses have fewer than 64 bits.
  static constexpr uint64_t kFree = ~uint64_t(0);
  /// In no address of a process: keeps the frames of the stack apart.
  static constexpr uint64_t kStack = uint64_t(1) << 62;

  unsigned shift;
  uint64_t lastKey = kFree, lastFrame = 0;
  /// Open addressing, at most half full.
  std::vector<Slot> slots;
  uint64_t frames = 0;
  std::vector<PrivateWindow> windows;
  uint64_t stackLow = 0, stackBytes = 0, stackShift = 0;
};

} // namespace chansim

#endif // CHANSIM_ADDRESSMAP_H
