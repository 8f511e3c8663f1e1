//===- AddressMap.h - From addresses to simulated physical memory -*- C++
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A core's view: the process's memory, which all cores have in common, live
// values of its own, and the private memory of the threads of its tile.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_ADDRESSMAP_H
#define CHANSIM_ADDRESSMAP_H

#include "FrameTable.h"
#include "Memory.h"

namespace chansim {

class AddressMap {
public:
  AddressMap(FrameTable &frames, uint32_t core)
      : frames(frames), shift(frames.frameShift()),
        liveValues(uint64_t(1) << 63 | uint64_t(core) << 52) {}

  /// Where the byte lies; the space of each cache is its own.
  uint64_t physical(uint64_t address, Via space) {
    uint64_t key = space == Via::lvc
                       ? address >> shift | liveValues
                       : (address = frames.withAlignedStack(address)) >> shift;
    if (key != lastKey) {
      lastFrame = frames.frameOf(key);
      lastKey = key;
    }
    return lastFrame << shift | (address & ((uint64_t(1) << shift) - 1));
  }

  /// Where a request's bytes lie as the private window says, all in one granule
  /// if they begin in it.
  void place(Request &request) const {
    if (isPrivate(request.address))
      interleave(request, *window);
  }
  /// Whether it is an address of the private window, placed or not.
  bool isPrivate(uint64_t address) const {
    return window && address - window->base <
                         uint64_t(window->threads) * window->bytesPerThread;
  }

  /// A placed address, with the process's stack where the frames have it: of
  /// these addresses, those with the same line number lie in one line.
  uint64_t inFrames(uint64_t address) const {
    return frames.withAlignedStack(address);
  }

  void setWindow(const std::optional<PrivateWindow> &to) { window = to; }

private:
  static void interleave(Request &request, const PrivateWindow &window);

  FrameTable &frames;
  unsigned shift;
  /// Above the addresses of a process.
  uint64_t liveValues;
  uint64_t lastKey = FrameTable::kNoKey, lastFrame = 0;
  std::optional<PrivateWindow> window;
};

} // namespace chansim

#endif // CHANSIM_ADDRESSMAP_H
