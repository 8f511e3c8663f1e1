//===- SharingPredictor.cpp - Trees too small to share --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharingPredictor.h"
#include "Tuning.h"

#include <algorithm>

namespace chan {

bool SharingPredictor::begin(const chan_channel *root) {
  if (kind != root)
    *this = SharingPredictor();
  kind = root;
  return count != 0 || trial == Alone || trial == Refused;
}

void SharingPredictor::refuse() {
  trial = Refused;
  limit = std::max(kAlikeFactor * alone, durations.shortTree);
}

void SharingPredictor::end(uint64_t duration, bool offered) {
  if (duration >= durations.shortTree)
    count /= 2;
  else if (count != kMostShortTrees)
    ++count;
  spent += duration;
  bool isOver = duration >= durations.longTree || ++age == kTreesPerTrial ||
                spent >= durations.trialLasts;
  switch (trial) {
  case Untried:
    if (!offered || isOver)
      break;
    // The next tree is given enough time to show what it takes alone.
    trial = Alone;
    age = 0;
    spent = 0;
    shared = duration;
    limit = std::max(2 * duration, durations.shortTree);
    return;
  case Alone:
    alone = duration;
    if (!offered && duration <= shared)
      return refuse();
    trial = Accepted;
    losses = 0;
    limit = durations.shortTree;
    return;
  case Refused:
    if (!offered && !isOver)
      return;
    break;
  case Accepted:
    if (isOver || duration > kAlikeFactor * alone ||
        kAlikeFactor * duration < alone)
      break;
    losses = duration > alone ? losses + 1 : 0;
    if (losses == kMostLosses)
      refuse();
    return;
  }
  trial = Untried;
  age = 0;
  spent = 0;
  limit = durations.shortTree;
}

} // namespace chan
