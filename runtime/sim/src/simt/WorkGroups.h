//===- WorkGroups.h - Threads that wait for each other ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of the work-groups of a tile: how many threads wait at a barrier, and how many have
// ended.  A barrier is complete when all threads of the group wait at one, whichever
// that is.  If some wait and all others have ended, the program is wrong: each thread
// of a group comes to the same barriers.
//
// A group is consecutive threads.  Either it has whole warps, or a warp has whole
// groups:
//
//     warps   | 0         | 1         | 2         |
//     groups of 2 warps   |           |           |
//             | 0                     | 1
//     groups of half a warp
//             | 0   | 1   | 2   | 3   | 4   | 5   |
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SIMT_WORKGROUPS_H
#define CHANSIM_SIMT_WORKGROUPS_H

#include "simt/Warp.h"

#include <vector>

namespace chansim::simt {

class WorkGroups {
public:
  /// Lanes of a warp that go on behind their barrier.
  struct Released {
    uint32_t warp;
    LaneMask lanes;
  };

  /// All threads of a tile begin.  REQUIRES: the groups fit warps of so many lanes
  /// (groupProblem() in GroupLimits.h).
  void begin(const Tile &tile, const Kernel &kernel, uint32_t lanes);
  /// The tile goes on: no thread has yielded any more.
  void resume();

  /// Whether there are any.
  bool isEmpty() const { return groups.empty(); }
  /// Warps that wait for each other.
  uint32_t warpsTogether() const;

  /// What became of lanes of a warp by an instruction.  Returns those that go on, warp
  /// by warp: none, until the barrier of a group is complete.  Throws
  /// std::runtime_error if threads of a group wait and the others have ended.
  const std::vector<Released> &note(uint32_t warp,
                                    const Warp::Executed &executed);
  /// Whether threads of the warp's groups have yielded in this run of the tile.
  bool hasYielded(uint32_t warp) const;

  /// Barriers that have been complete, by group.
  uint64_t barriers = 0;

private:
  struct Group {
    uint32_t waiting, ended, yielded;
    /// The barrier to which a thread came last: its place in the kernel.
    uint32_t barrier;
  };
  /// Those of which a warp has lanes: from the first to before the second.
  std::pair<uint32_t, uint32_t> groupsOf(uint32_t warp) const;
  LaneMask lanesOf(uint32_t group) const;
  void release(uint32_t group);
  void check(uint32_t number) const;

  const Tile *tile = nullptr;
  const Kernel *kernel = nullptr;
  uint32_t size = 0, lanes = 0;
  std::vector<Group> groups;
  std::vector<Released> released;
};

} // namespace chansim::simt

#endif // CHANSIM_SIMT_WORKGROUPS_H
