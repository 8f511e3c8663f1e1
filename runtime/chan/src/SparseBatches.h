//===- SparseBatches.h - Recursion that fills no lanes ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A level of a batch takes a tenth of a microsecond, as long as tens of
// activations in a serial clone.  Where batches have few elements all along, as
// if each activation calls itself before it spawns, clones are better.  So some
// batches in a row are looked at.  If they had few elements on average, clones
// run the small ones for a hundred times as long as looking took, and then
// batches are looked at again: in the midst of a recursion, since one may be
// all that a program does.
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_SPARSEBATCHES_H
#define CHAN_SRC_SPARSEBATCHES_H

#include "Clock.h"

#include <stdint.h>

namespace chan {

/// What a worker has seen of the batches that it has run.  One thread's.
class SparseBatches {
public:
  /// How deep the batches are that matter: each recursion begins with few
  /// elements, also one that fills all lanes further down.
  static constexpr uint32_t kLevels = 6;
  /// What clones run has no more elements.
  static constexpr uint32_t kFew = 8;
  /// How many batches are looked at, and how many elements are enough for them.
  static constexpr uint32_t kBatches = 256, kEnough = 4 * kBatches;
  /// For how long clones run then.
  static constexpr uint64_t kTicks = 4000 * kTicksPerMicrosecond;

  /// Whether clones are to run a batch with so many elements.
  bool isFew(uint32_t count) const { return ticks && count <= kFew; }
  /// A batch begins that has so many.
  void count(uint32_t of) {
    if (ticks)
      return;
    elements += of;
    if (++batches != kBatches)
      return;
    ticks = elements < kEnough ? kTicks : 0;
    batches = elements = 0;
  }
  /// Clones ran one for so long.
  void time(uint64_t duration) { ticks -= duration < ticks ? duration : ticks; }

private:
  uint32_t batches = 0;
  /// Of those, which may be many each.
  uint64_t elements = 0;
  /// For how long clones still run; 0: batches are looked at.
  uint64_t ticks = 0;
};

} // namespace chan

#endif // CHAN_SRC_SPARSEBATCHES_H
