//===- TreeTimes.h - When a worker's tree began and offered -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_TREETIMES_H
#define CHAN_SRC_TREETIMES_H

#include "Clock.h"
#include "SharingPredictor.h"
#include "Tuning.h"

#include <stdint.h>

namespace chan {

/// When the present tree of a worker began, when it offered something, and
/// whether it is predicted to be short. Times are in ticks. One thread.
struct TreeTimes {
  /// When the outermost tree or task block began, and when the worker last
  /// offered something.
  uint64_t treeBegan = 0;
  uint64_t lastOffer = 0;
  /// Durations of the last trees, and whether the present tree is predicted
  /// short.
  SharingPredictor predictor;
  bool isPredictedShort = false;
  /// Slices until a tree that is predicted short reads the clock.
  uint32_t untilClock = 0;

  /// Whether the present tree is young and predicted short.
  bool isShortSoFar(uint64_t now) const {
    return isPredictedShort && now - treeBegan < predictor.sharingDelay();
  }
  /// As isShortSoFar, but reads the clock only now and then.
  bool isShort() {
    if (!isPredictedShort)
      return false;
    if (untilClock-- == 0) {
      untilClock = kSlicesPerClock;
      isPredictedShort = isShortSoFar(ticks());
    }
    return isPredictedShort;
  }
};

} // namespace chan

#endif // CHAN_SRC_TREETIMES_H
