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

#include "simt/Warp.h"

namespace chansim::simt {

/// A tile and what its threads keep while they have yielded.
struct SimtTile final : Tile {
  /// Lanes of a warp that go on at an instruction.
  struct Waiting {
    uint32_t warp, pc;
    LaneMask lanes;
  };
  /// The lanes of a warp with which a run of the tile begins.
  struct Beginning {
    uint32_t warp;
    std::vector<std::pair<uint32_t, LaneMask>> lanes;
  };

  /// REQUIRES: the kernel is a SIMT machine's.
  Code &code() const { return static_cast<Code &>(*kernel); }

  /// A run begins, of warps of so many lanes: all threads at the first instruction,
  /// or those that have yielded where they go on.  Throws std::invalid_argument if
  /// the tile does not fit its kernel.
  std::vector<Beginning> begin(uint32_t lanes);

  /// Rows of words (Code.h).
  std::vector<uint64_t> registers;
  /// The threads that have yielded.
  std::vector<Waiting> yielded;
};

} // namespace chansim::simt

#endif // CHANSIM_SIMT_SIMTTILE_H
