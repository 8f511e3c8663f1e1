//===- SimtTile.h - Threads of a SIMT core ----------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads are lanes of warps: of 32 lanes, thread 70 is lane 6 of warp 2.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SIMT_SIMTTILE_H
#define CHANSIM_SIMT_SIMTTILE_H

#include "simt/WorkGroups.h"

#include <memory>

namespace chansim::simt {

/// A tile and what its threads keep while they have yielded.
struct SimtTile final : Tile {
  /// Lanes of a warp that go on at an instruction: at once, or behind a barrier.
  struct Waiting {
    uint32_t warp, pc;
    LaneMask lanes;
    bool isAtBarrier = false;
  };
  /// The lanes of a warp with which a run of the tile begins.
  struct Beginning {
    uint32_t warp;
    std::vector<std::pair<uint32_t, LaneMask>> lanes;
    std::vector<std::pair<uint32_t, LaneMask>> atBarrier = {};

    void addTo(Warp &to) const;
  };

  /// REQUIRES: the kernel is a SIMT machine's.
  Code &code() const { return static_cast<Code &>(*kernel); }

  /// A run begins, of warps of so many lanes: all threads at the first instruction,
  /// or those that have yielded where they go on.  Throws std::invalid_argument if
  /// the tile does not fit its kernel.
  std::vector<Beginning> begin(uint32_t lanes);
  /// Keeps what a warp's threads need that go on in another run of the tile: those
  /// that have yielded, and those at barriers.
  void keep(const Warp &warp);

  /// Rows of words (Code.h).
  std::vector<uint64_t> registers;
  /// The threads that have yielded, and those that wait at a barrier for them.
  std::vector<Waiting> yielded;
  WorkGroups groups;

  // Of kind `apu`:
  /// The wavefront while it has yielded.
  std::unique_ptr<Warp> kept;
  /// The instruction of its last yield.
  uint32_t yieldedAt = 0;
  /// Bytes of its context in memory while it has yielded.
  uint64_t savedBytes = 0;
  /// The core on which it has yielded, to which it returns.
  uint32_t core = 0;
  /// Bytes of that core's scratchpad that it has until it ends.
  uint64_t scratchpadBytes = 0;
};

} // namespace chansim::simt

#endif // CHANSIM_SIMT_SIMTTILE_H
