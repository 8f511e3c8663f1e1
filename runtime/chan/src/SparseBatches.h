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

#include "Tuning.h"

#include <stdint.h>

namespace chan {

/// What a worker knows of the batches that it has run. One thread.
class SparseBatches {
public:
  /// Whether clones are to run a batch with `count` elements.
  bool isFew(uint32_t count) const { return ticks && count <= kSparseFew; }
  /// A batch with `of` elements begins.
  void count(uint32_t of) {
    if (ticks)
      return;
    elements += of;
    if (++batches != kExaminedBatches)
      return;
    ticks = elements < kEnoughElements ? durations.sparse : 0;
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
