//===- VgiwTile.h - Threads of a VGIW core by block -------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads are bits of words, as in the control vector table:
//
//   thread:   0 1 2 3 ...  63 | 64 ...
//   block 2:  0 1 1 0 ...     |         these two go on with block 2
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_VGIWTILE_H
#define CHANSIM_VGIWTILE_H

#include "core/Tile.h"
#include "fabric/Image.h"

namespace chansim {

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

struct VgiwTile : Tile {
  /// REQUIRES: the kernel is a VGIW machine's.
  KernelImage &image() const { return static_cast<KernelImage &>(*kernel); }

  /// Live values: by ID, then by thread.
  std::vector<uint64_t> liveValues;
  /// The threads that have yielded, by the block to be resumed at.
  std::vector<ThreadSet> yielded;
  /// The threads that wait at barriers, by the block behind.  They go on doing
  /// so when the tile is run on.
  std::vector<ThreadSet> waiting;
  /// Those that had yielded when this run began; all threads at block 0 if empty.
  std::vector<ThreadSet> starting;
};

} // namespace chansim

#endif // CHANSIM_VGIWTILE_H
