//===- Tile.h - Threads that run a kernel together -------------*- C++ -* -===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_TILE_H
#define CHANSIM_TILE_H

#include "Memory.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace chansim {

class KernelImage;

/// A thread batch: bit i stands for thread base + i (VGIW, 3.2).
struct Batch {
  /// A multiple of 64.
  uint32_t base;
  uint64_t bits;
};

/// Threads and the block that they go on with.
struct ThreadSet {
  uint32_t block;
  /// A bit for each thread of the tile.
  std::vector<uint64_t> bits;
};

/// A run of a kernel by threads 0 to threads - 1.  What yielded can be run on:
/// the same tile with `yielded` as its `starting`.
struct Tile {
  KernelImage *kernel = nullptr;
  /// At most KernelImage::tileThreads().
  uint32_t threads = 0;
  /// One word for each parameter of the kernel.
  std::vector<uint64_t> parameters;
  /// Where its live values lie in the address space of the LVC; tiles that have
  /// yielded must not overlap.
  uint64_t liveBase = 0;
  /// The private memory of its threads, if they have any.
  std::optional<PrivateWindow> privateMemory;
  /// What `initiate` delivers to thread 0 of a kernel for elements (0) or for
  /// one range (an iteration); one more for each further thread.
  uint64_t first = 0;
  /// Of a kernel for several ranges: the first thread of each range, ascending.
  std::vector<uint32_t> ranges;
  /// All threads at block 0 if empty.
  std::vector<ThreadSet> starting;

  /// By ID, then by thread: filled in by the run.
  std::vector<uint64_t> liveValues;
  /// The threads that yielded, by the block to be resumed at.
  std::vector<ThreadSet> yielded;
  /// The threads that wait at barriers, by the block behind.  They go on doing
  /// so when the tile is run on.
  std::vector<ThreadSet> waiting;

  /// What `initiate` delivers to the thread.
  uint64_t delivered(uint32_t thread) const {
    if (ranges.empty())
      return first + thread;
    auto behind = std::upper_bound(ranges.begin(), ranges.end(), thread);
    return (uint64_t(behind - ranges.begin() - 1) << 32) | thread;
  }
  uint32_t words() const { return (threads + 63) / 64; }
};

} // namespace chansim

#endif // CHANSIM_TILE_H
