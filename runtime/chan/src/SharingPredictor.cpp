//===- SharingPredictor.cpp - Trees too small to share --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharingPredictor.h"

#include <algorithm>

namespace chan {

/// The bound keeps one interrupted tree from changing the prediction for long.
static constexpr uint32_t kMostCounted = 8;

/// A tree that takes longer gains from sharing, or loses little.
static constexpr uint64_t kLongTreeTicks = 2000 * kTicksPerMicrosecond;

/// After so many trees, or so long, the trial is repeated: the load of the
/// machine changes.
static constexpr uint32_t kTreesPerTrial = 1024;
static constexpr uint64_t kTicksPerTrial = 100'000 * kTicksPerMicrosecond;

/// A single loss may come from an interrupt during the trial.
static constexpr uint32_t kMostLosses = 4;

/// Times that differ by this factor are not alike.
static constexpr uint64_t kAlike = 4;

bool SharingPredictor::begin(const chan_channel *root) {
  if (kind != root)
    *this = SharingPredictor();
  kind = root;
  return count != 0 || trial == Alone || trial == Refused;
}

void SharingPredictor::refuse() {
  trial = Refused;
  limit = std::max(kAlike * alone, kShortTreeTicks);
}

void SharingPredictor::end(uint64_t duration, bool offered) {
  if (duration >= kShortTreeTicks)
    count /= 2;
  else if (count != kMostCounted)
    ++count;
  spent += duration;
  bool isOver = duration >= kLongTreeTicks || ++age == kTreesPerTrial ||
                spent >= kTicksPerTrial;
  switch (trial) {
  case Untried:
    if (!offered || isOver)
      break;
    // The next tree is given enough time to show what it takes alone.
    trial = Alone;
    age = 0;
    spent = 0;
    shared = duration;
    limit = std::max(2 * duration, kShortTreeTicks);
    return;
  case Alone:
    alone = duration;
    if (!offered && duration <= shared)
      return refuse();
    trial = Accepted;
    losses = 0;
    limit = kShortTreeTicks;
    return;
  case Refused:
    if (!offered && !isOver)
      return;
    break;
  case Accepted:
    if (isOver || duration > kAlike * alone || kAlike * duration < alone)
      break;
    losses = duration > alone ? losses + 1 : 0;
    if (losses == kMostLosses)
      refuse();
    return;
  }
  trial = Untried;
  age = 0;
  spent = 0;
  limit = kShortTreeTicks;
}

} // namespace chan
