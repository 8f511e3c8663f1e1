//===- Memory.h - The allocator of one worker -------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_MEMORY_H
#define CHAN_SRC_MEMORY_H

#include "Tuning.h"
#include "chan/abi.h"

#include <stddef.h>
#include <stdint.h>

namespace chan {

/// All memory of one worker: levels, blocks, frames, arenas. There are free
/// lists by size class over chunks from mmap. The chunks go back when the
/// worker's thread ends. Nothing has a header: the caller of release gives the
/// size. This keeps a level with one element below 256 bytes.
///
/// Sizes up to 1 KiB share their lists with the frames that compiled code
/// recycles inline (chan_worker::free_frames). Above that there are four
/// classes per doubling. Up to 128 KiB they have lists. Larger requests are
/// regions that are mapped on their own. Of the released ones the last few stay
/// mapped, 8 MiB at most. A task that allocates as much as the last one then
/// finds the pages mapped. Otherwise the system would have to take, clear and
/// map them again one by one. Regions of more than 4 MiB do not stay mapped:
/// they use huge pages, which cost less, and a few of them would use up the
/// limit.
///
/// Thread safety: one thread.
class Memory {
public:
  static constexpr size_t kPage = 4096;

  /// `frameLists` is the free_frames array of the worker that this serves.
  explicit Memory(void **frameLists) : small(frameLists) {}

  /// At least `bytes` bytes, 16-byte aligned, not zeroed; null if the system
  /// has none left.
  void *allocate(size_t bytes);
  /// Takes back what allocate(bytes) returned.
  void release(void *memory, size_t bytes);
  /// What allocate(bytes) really hands out.
  static size_t roundUp(size_t bytes);
  /// Returns everything to the system.
  void unmapAll();
  /// Bytes mapped at present.
  size_t held() const { return mapped; }
  /// The most that all workers of the process had mapped at one time.
  static size_t mostMapped();

private:
  static constexpr unsigned kLargeClasses = 28;
  /// As many as fit kMostKept, of the smallest class of regions.
  static constexpr unsigned kMostRegions =
      kMostKept / (kLargestPooled + kLargestPooled / 4);
  struct Chunk {
    Chunk *next;
    size_t bytes;
  };
  struct Region {
    void *memory;
    size_t bytes;
  };

  static size_t largeClass(size_t bytes, size_t &rounded);
  void *carve(size_t bytes);
  void *takeKept(size_t bytes);
  void keep(void *memory, size_t bytes);
  void unmapOldest();
  void *map(size_t bytes);
  void unmap(void *memory, size_t bytes);

  void **small;
  void *large[kLargeClasses] = {};
  char *bump = nullptr;
  char *end = nullptr;
  Chunk *chunks = nullptr;
  /// In the order in which they were released.
  Region kept[kMostRegions];
  unsigned regions = 0;
  size_t keptBytes = 0;
  size_t nextChunk = kFirstChunk;
  size_t mapped = 0;
};

} // namespace chan

#endif
