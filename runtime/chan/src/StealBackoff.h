//===- StealBackoff.h - When sharing pauses ---------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_STEALBACKOFF_H
#define CHAN_SRC_STEALBACKOFF_H

#include "Tuning.h"

namespace chan {

/// When a worker pauses sharing, and how long. Kernels below grain leave a gap
/// between two offers. The gap grows while task blocks are finished soon after
/// they were taken, as in a tree that consists mainly of one long path. One
/// thread.
class StealBackoff {
public:
  /// Whether the gap is over, `sinceOffer` ticks after the last offer.
  bool isOver(uint64_t sinceOffer) const { return sinceOffer >= gap; }
  /// A task block that a thief took was finished after `duration`.
  void learn(uint64_t duration) {
    useless = duration >= durations.worthTaking ? 0 : useless + 1;
    if (duration >= durations.worthTaking)
      gap = 0;
    else if (gap < durations.mostGap)
      gap = 2 * gap + durations.betweenOffers;
  }
  /// The owner needed the task block before a thief took it.
  void takeBack() { ++useless; }
  /// Whether many offers in turn were useless, the last of them recently.
  bool areOffersUseless(uint64_t sinceOffer) {
    if (useless >= kMostUseless && sinceOffer >= durations.uselessFor)
      useless = 0;
    return useless >= kMostUseless;
  }

  /// A kernel is to run in place of a clone, so that thieves find work.
  /// `lastOffer` is the time of the last offer, `helped` the time that thieves
  /// have worked on this worker's offers, `taken` how many they run now.
  /// Returns how long to back off, 0 if not at all.
  template <typename Clock>
  uint64_t backOffFor(uint64_t lastOffer, uint64_t helped, uint32_t taken,
                      Clock clock) {
    unrequested = 0;
    if (kernels == 0) {
      kernelsSince = clock();
      helpedBefore = helped;
      waitedSince = 0;
    }
    if (++kernels % kMostFruitless || taken)
      return 0;
    uint64_t lasted = clock() - kernelsSince;
    if (lasted < (lastOffer > kernelsSince ? durations.fruitlessOffers
                                           : durations.fruitless))
      return 0;
    kernels = 0;
    // What thieves did while this worker waited, it could have done itself.
    int64_t gained = int64_t(helped - helpedBefore) - int64_t(waitedSince);
    if (gained * kLeastGain >= int64_t(lasted)) {
      doublings = 0;
      return 0;
    }
    uint64_t time = durations.backOff << doublings;
    doublings += doublings < kMostDoublings;
    return time;
  }
  bool isUnrequested() {
    kernels = 0;
    return unrequested == kMostUnrequested || ++unrequested == kMostUnrequested;
  }
  /// This worker waited for thieves for `duration`.
  void waited(uint64_t duration) { waitedSince += duration; }

  /// Another tree of the same kind begins.
  void forget() { gap = useless = kernels = unrequested = 0; }

private:
  uint64_t gap = 0, useless = 0;
  uint32_t kernels = 0, unrequested = 0, doublings = 0;
  /// When the first of those kernels ran, how long thieves had worked by then,
  /// and how long this worker has waited since. Ticks.
  uint64_t kernelsSince = 0, helpedBefore = 0, waitedSince = 0;
};

} // namespace chan

#endif // CHAN_SRC_STEALBACKOFF_H
