//===- SparseBatches.h - Recursion that fills no lanes ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A level of a batch takes a tenth of a microsecond, as long as tens of
// activations in a serial clone. Clones are better where all batches have few
// elements, for example if each activation calls itself before it spawns. So a
// number of batches in turn is examined. If they had few elements on average,
// clones run the small ones for a hundred times as long as the examination
// took. Then batches are examined again, also in the middle of a recursion,
// since one recursion may be all that a program does.
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_SPARSEBATCHES_H
#define CHAN_SRC_SPARSEBATCHES_H

#include "Clock.h"

#include <stdint.h>

namespace chan {

/// What a worker knows of the batches that it has run. One thread.
class SparseBatches {
public:
  /// Only batches at least so deep count. Each recursion begins with few
  /// elements, even if it fills all lanes further down.
  static constexpr uint32_t kLevels = 6;
  /// Clones run only batches with at most so many elements.
  static constexpr uint32_t kFew = 8;
  /// How many batches are examined, and how many elements in all of them are
  /// enough.
  static constexpr uint32_t kBatches = 256, kEnough = 4 * kBatches;
  /// How long clones run before batches are examined again.
  static constexpr uint64_t kTicks = 4000 * kTicksPerMicrosecond;

  /// Whether clones are to run a batch with `count` elements.
  bool isFew(uint32_t count) const { return ticks && count <= kFew; }
  /// A batch with `of` elements begins.
  void count(uint32_t of) {
    if (ticks)
      return;
    elements += of;
    if (++batches != kBatches)
      return;
    ticks = elements < kEnough ? kTicks : 0;
    batches = elements = 0;
  }
  /// Clones ran a batch, in `duration`.
  void time(uint64_t duration) { ticks -= duration < ticks ? duration : ticks; }

private:
  uint32_t batches = 0;
  /// Elements of the examined batches, of which each may have many.
  uint64_t elements = 0;
  /// How long clones still run; 0: batches are examined.
  uint64_t ticks = 0;
};

} // namespace chan

#endif // CHAN_SRC_SPARSEBATCHES_H
