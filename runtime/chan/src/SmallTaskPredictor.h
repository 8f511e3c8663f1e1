//===- SmallTaskPredictor.h - Trees too small for batches -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A level of a batch takes a tenth of a microsecond, however few elements it
// has. A serial clone runs a tree of a hundred activations faster. No test of
// the root tells the size of its tree. So trees that elements of one channel
// begin are predicted to be as large as the earlier ones were on average. If
// clones would have saved time, the next tree runs as a clone, up to a number
// of activations. If the tree is larger, its remaining activations begin
// batches. One such error costs as much as many small trees save.
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_SMALLTASKPREDICTOR_H
#define CHAN_SRC_SMALLTASKPREDICTOR_H

#include "Tuning.h"
#include "chan/abi.h"

#include <algorithm>
#include <atomic>
#include <stdint.h>

namespace chan {

/// What all workers remember of the trees that single elements of a channel
/// begin. All accesses are relaxed: these are hints, and updates may get lost.
class SmallTaskPredictor {
public:
  /// Whether the next tree is predicted small.
  bool isLikely() const { return saved.load(std::memory_order_relaxed) > 0; }
  /// Whether the prediction would hold after one wrong one.
  bool isCertain() const {
    return saved.load(std::memory_order_relaxed) >= kWrong;
  }
  /// A tree had so many elements, in batches.
  void count(uint64_t elements) {
    elements < kMostSmallTree ? wasRight(uint32_t(elements)) : wasWrong();
  }
  /// A tree without batches took so long.
  void took(uint64_t duration) {
    duration < durations.smallTree ? wasRight(1) : wasWrong();
  }
  /// A tree that was predicted small was small, and polled so often.
  void wasRight(uint32_t polls) { add(int32_t(kUsualTree) - int32_t(polls)); }
  /// A tree that was predicted small was not.
  void wasWrong() { add(-kWrong); }

private:
  /// Cost of a wrong prediction, and bound of the sum that is kept, in
  /// activations of a clone.
  static constexpr int32_t kWrong = kSmallTreesPerError * int32_t(kUsualTree);

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
