//===- Levels.h - Channels, batches and tiles by level ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an element goes through:
//
//   channel ---taken---> batch ---cut---> tile ---started---> ended
//   of a core            (Elements)       (Launch) <-yielded-'
//
// Each core fills channels of its own: a tile's may be moved to larger memory
// when its threads have stopped, whatever the other cores do.  A tile that has
// begun stays with its core, whose LVC has its live values.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_LEVELS_H
#define CHANSIM_LEVELS_H

#include "core/Tile.h"
#include "dispatch/Channels.h"
#include "dispatch/Program.h"

#include <list>
#include <memory>
#include <vector>

namespace chansim {

/// Elements that have been taken from a channel, and their kernel.
struct ElementBatch {
  Elements elements;
  DeviceKernel *kernel;
  /// What waited at the level when it was taken, itself included.
  uint64_t together;
  /// Threads that the batch makes: one for each element, or for each iteration
  /// of ranges.
  uint64_t threads;
  /// How many have been given to tiles, and how many of these have ended.
  uint64_t begun = 0, ended = 0;
  /// Of ranges: the element of which the next iteration is, and how many of its
  /// iterations have been given to tiles.
  uint64_t element = 0, offset = 0;

  bool hasRanges() const {
    return kernel->code->header().launch == LaunchKind::range;
  }
  /// The first iteration of an element of ranges, and their number.
  uint64_t &firstIteration(uint64_t element) const {
    return reinterpret_cast<uint64_t *>(elements.column(0))[element];
  }
  uint64_t iterations(uint64_t element) const {
    return reinterpret_cast<uint64_t *>(elements.column(1))[element];
  }
};

struct Level;

/// A tile that has begun.
struct Launch {
  Level *level;
  std::list<ElementBatch>::iterator batch;
  /// The element of the batch that thread 0 treats.
  uint64_t first;
  uint32_t core;
  DeviceKernel *kernel = nullptr;
  std::unique_ptr<Tile> tile = nullptr;
  /// The private memory of its threads.
  void *privateMemory = nullptr;
  uint64_t privateBytes = 0;
  /// The memory of its work-groups, one behind the other.
  void *groupMemory = nullptr;
  uint64_t groupBytes = 0;
  /// Channels below that its threads found by the address of a function.
  std::vector<Channel *> resolved = {};
  /// Threads have yielded, and wait for room in a channel that has its width.
  bool waitsForRoom = false;

  uint64_t stateEnd() const {
    return tile->stateBase +
           uint64_t(tile->kernel->stateBytes()) * tile->threads;
  }
};

/// What there is at one depth of the spawn tree.
struct Level {
  Level(size_t depth, uint32_t cores) : depth(depth), channels(cores) {}

  /// What the core fills of a stack, made when it is needed.
  Channel &channel(uint32_t core, const Stack &stack, Pool &pool);
  /// Whether a full channel keeps the core's threads from going on.
  bool isFull(uint32_t core) const;

  /// The longest channel of the kind that mayTake(core) allows to be taken
  /// from; null if there is none.
  template <class MayTake>
  Channel *longest(uint32_t kind, MayTake &&mayTake) const;
  bool hasWaiting(uint32_t kind) const;
  /// Elements that wait in all channels of the kind.
  uint64_t waiting(uint32_t kind) const;
  /// Whether there is anything at all.
  bool isBusy() const {
    return !launches.empty() || !batches.empty() || hasWaiting(CHAN_ENTRY) ||
           hasWaiting(CHAN_CONTINUATION);
  }
  /// Whether there is what may begin or go on while deeper levels are busy.
  bool hasPreSync() const;

  /// Whether the last batch has elements that are in no tile.
  bool isCutting() const {
    return !batches.empty() && batches.back().begun != batches.back().threads;
  }

  const size_t depth;
  /// By core, and by the number of the stack; null where none was needed.
  std::vector<std::vector<std::unique_ptr<Channel>>> channels;
  /// Those of which not all tiles have ended; only the last is being
  /// cut.
  std::list<ElementBatch> batches;
  std::list<Launch> launches;
};

template <class MayTake>
Channel *Level::longest(uint32_t kind, MayTake &&mayTake) const {
  Channel *result = nullptr;
  for (uint32_t core = 0; core != channels.size(); ++core)
    for (const std::unique_ptr<Channel> &candidate : channels[core])
      if (candidate && candidate->kind() == kind && candidate->waiting() &&
          (!result || candidate->waiting() > result->waiting()) &&
          mayTake(core))
        result = candidate.get();
  return result;
}

} // namespace chansim

#endif // CHANSIM_LEVELS_H
