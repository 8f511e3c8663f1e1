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

#include "memory/Access.h"
#include "memory/FrameTable.h"

namespace chansim {

class AddressMap {
public:
  AddressMap(FrameTable &frames, uint32_t core)
      : frames(frames), shift(frames.frameShift()),
        liveValues(uint64_t(1) << 63 | uint64_t(core) << 52) {}

  /// Where the byte of a placed access lies; the space of each cache is its own.
  uint64_t physical(uint64_t address, Via space) {
    uint64_t key =
        address >> shift | (space == Via::lvc ? liveValues : uint64_t(0));
    if (key != lastKey) {
      lastFrame = frames.frameOf(key);
      lastKey = key;
    }
    return lastFrame << shift | (address & ((uint64_t(1) << shift) - 1));
  }

  /// Places an access by L1: in the private window (null if there is none) as that
  /// says, all in one granule if it begins in it, and in the stack of the process as
  /// if that ended with a frame.  Only then is it known which lines it has.
  void place(Request &request, const PrivateWindow *in) const {
    if (in && in->contains(request.address))
      interleave(request, *in);
    else
      request.address = frames.withAlignedStack(request.address);
  }
  /// Alike, with the window that has been set.
  void place(Request &request) const {
    place(request, window ? &*window : nullptr);
  }
  /// Whether it is an address of the window that has been set, placed or not.
  bool isPrivate(uint64_t address) const {
    return window && window->contains(address);
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
