//===- Tile.h - Threads that run a kernel together -------------*- C++ -* -===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work that a dispatcher gives a core.  A core of each kind makes tiles of
// its own (Core::makeTile), which have besides what their threads keep while
// they have yielded.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_TILE_H
#define CHANSIM_TILE_H

#include "core/Kernel.h"
#include "memory/Access.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

struct chan_array;

namespace chansim {

/// A run of a kernel by threads 0 to threads - 1.
struct Tile {
  virtual ~Tile() = default;

  KernelCode *kernel = nullptr;
  /// At most KernelCode::tileThreads().
  uint32_t threads = 0;
  /// One word for each parameter of the kernel.
  std::vector<uint64_t> parameters;
  /// Where KernelCode::stateBytes() of each thread lie; those of tiles that have
  /// yielded must not overlap.
  uint64_t stateBase = 0;
  /// The private memory of its threads, if they have any.
  std::optional<PrivateWindow> privateMemory;
  /// The memory of its work-groups, one behind the other, if they have any.
  uint64_t groupMemory = 0, groupBytes = 0;
  /// What `initiate` delivers to thread 0 of a kernel for elements (0) or for
  /// one range (an iteration); one more for each further thread.
  uint64_t first = 0;
  /// Of a kernel for several ranges: the first thread of each range, ascending.
  std::vector<uint32_t> ranges;
  /// Whether threads have yielded: set by the core when the tile stops.  If so,
  /// the next run of the tile lets these go on, and no others.
  bool hasYielded = false;

  // Of machines of kind `apu`, whose wavefronts yield as a whole:
  /// What the dispatcher has set aside for the state of the tile while it has yielded
  /// (contextBytes() in simt/Code.h); 0 if the tile must not yield.
  uint64_t contextBase = 0, contextRoom = 0;
  /// The channel in memory in which a restart tells the scheduler that it has yielded
  /// (chan/scheduler.h), or null.
  const chan_array *restarts = nullptr;
  /// If it has yielded: the address of the resource for which it waits, or 0.
  uint64_t waitsFor = 0;

  /// What `initiate` delivers to the thread.
  uint64_t delivered(uint32_t thread) const {
    if (ranges.empty())
      return first + thread;
    auto behind = std::upper_bound(ranges.begin(), ranges.end(), thread);
    return (uint64_t(behind - ranges.begin() - 1) << 32) | thread;
  }
  bool isOfGroups(uint64_t address) const {
    return address - groupMemory < groupBytes;
  }
  uint32_t words() const { return (threads + 63) / 64; }

  /// Throws std::invalid_argument if the tile does not fit its kernel: by its
  /// threads, its work-groups or its parameters.
  void check() const;
  /// Throws std::invalid_argument of the tile.
  [[noreturn]] void refuse(const std::string &what) const;
  /// Throws std::runtime_error: of that work-group of the tile, so many threads wait at a
  /// barrier, and the others have ended.  `line` is that of the barrier ("f.c:3"), or
  /// empty.
  [[noreturn]] void refuseRace(uint32_t group, uint32_t waiting,
                               const std::string &line) const;

protected:
  /// Only cores' own tiles are copied, as a whole.
  Tile() = default;
  Tile(const Tile &) = default;
  Tile &operator=(const Tile &) = default;
};

} // namespace chansim

#endif // CHANSIM_TILE_H
