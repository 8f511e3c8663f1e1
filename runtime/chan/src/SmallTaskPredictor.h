//===- SmallTaskPredictor.h - Trees too small for batches -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A level of a batch takes a tenth of a microsecond however few elements there
// are.  A tree of a hundred activations is over sooner in a serial clone, and
// no test of its root tells how large it is.  So the trees that elements of one
// channel begin are taken to be as those before were on average: if clones
// would have saved time, the next runs as a clone, for so many activations.
// When it turns out to be larger, those that are left begin batches, and that
// once costs what many small ones save.
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_SMALLTASKPREDICTOR_H
#define CHAN_SRC_SMALLTASKPREDICTOR_H

#include "Clock.h"

#include "chan/abi.h"

#include <algorithm>
#include <atomic>
#include <stdint.h>

namespace chan {

/// What all workers remember of the trees that single elements of a channel
/// begin.  relaxed throughout: hints, which may get lost.
class SmallTaskPredictor {
public:
  /// So few elements may begin trees of their own.
  static constexpr uint32_t kFew = 2;
  /// In a clone, an activation more takes about as much longer as one less
  /// than so many elements saves.
  static constexpr uint32_t kUsual = CHAN_PREDICTED_POLLS_USUAL;
  /// So many elements, in batches, or activations that are asked, in a clone,
  /// and the tree is not small.
  static constexpr uint32_t kMostElements = CHAN_PREDICTED_POLLS_MAX - 1;
  /// Nor is one that is kept from others who want work, and takes so long.
  static constexpr uint64_t kMostTicks = 20 * kTicksPerMicrosecond;

  /// Whether the next is likely to be small.
  bool isLikely() const { return saved.load(std::memory_order_relaxed) > 0; }
  /// Whether it would be after one that is not, too.
  bool isCertain() const {
    return saved.load(std::memory_order_relaxed) >= kWrong;
  }
  /// One had so many elements, in batches.
  void count(uint64_t elements) {
    elements < kMostElements ? wasRight(uint32_t(elements)) : wasWrong();
  }
  /// One that has no batches took so long.
  void took(uint64_t duration) {
    duration < kMostTicks ? wasRight(1) : wasWrong();
  }
  /// One that was likely to be small was, of whose activations so many were
  /// asked.
  void wasRight(uint32_t polls) { add(int32_t(kUsual) - int32_t(polls)); }
  /// One that was likely to be small was not.
  void wasWrong() { add(-kWrong); }

private:
  /// What a wrong guess costs, and the most that is kept in mind, in
  /// activations of a clone.
  static constexpr int32_t kWrong = 50 * kUsual;

  void add(int32_t more) {
    int32_t before = saved.load(std::memory_order_relaxed);
    int32_t after = std::clamp(before + more, -kWrong, kWrong);
    if (after != before)
      saved.store(after, std::memory_order_relaxed);
  }

  std::atomic<int32_t> saved;
};

} // namespace chan

#endif // CHAN_SRC_SMALLTASKPREDICTOR_H
