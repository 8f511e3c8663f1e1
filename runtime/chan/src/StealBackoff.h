//===- StealBackoff.h - When sharing pauses ---------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_STEALBACKOFF_H
#define CHAN_SRC_STEALBACKOFF_H

#include "Clock.h"

namespace chan {

/// When a worker pauses sharing, and how long. Kernels below grain leave a gap
/// between two offers. The gap grows while task blocks are finished soon after
/// they were taken, as in a tree that consists mainly of one long path. One
/// thread.
class StealBackoff {
public:
  /// About as long as a thief takes to wake and to find a task block.
  static constexpr uint64_t kWorthTaking = 10 * kTicksPerMicrosecond;
  /// The largest gap, within a factor of two.
  static constexpr uint64_t kMost = 1000 * kTicksPerMicrosecond;

  /// After so many useless offers in turn, offers count as useless for so long.
  static constexpr uint64_t kMostUseless = 16;
  static constexpr uint64_t kUselessFor = 1000 * kTicksPerMicrosecond;

  /// Whether the gap is over, `sinceOffer` ticks after the last offer.
  bool isOver(uint64_t sinceOffer) const { return sinceOffer >= gap; }
  /// A task block that a thief took was finished after `duration`.
  void learn(uint64_t duration) {
    useless = duration >= kWorthTaking ? 0 : useless + 1;
    if (duration >= kWorthTaking)
      gap = 0;
    else if (gap < kMost)
      gap = 2 * gap + kBetweenOffers;
  }
  /// The owner needed the task block before a thief took it.
  void takeBack() { ++useless; }
  /// Whether many offers in turn were useless, the last of them recently.
  bool areOffersUseless(uint64_t sinceOffer) {
    if (useless >= kMostUseless && sinceOffer >= kUselessFor)
      useless = 0;
    return useless >= kMostUseless;
  }

  /// Kernels that ran in place of clones are fruitless under three conditions.
  /// There were so many. They took at least `kFruitlessFor`, or
  /// `kFruitlessOffersFor` if something was offered meanwhile. And thieves did
  /// less than one in `kLeastGain` of what they could have done.
  static constexpr uint32_t kMostFruitless = 64;
  static constexpr uint64_t kFruitlessFor = 32 * kTicksPerMicrosecond;
  static constexpr uint64_t kFruitlessOffersFor = 200 * kTicksPerMicrosecond;
  static constexpr int64_t kLeastGain = 8;
  /// Length of the first back-off. Each fruitless one after it is twice as
  /// long, up to so many doublings.
  static constexpr uint64_t kBackOffTicks = 1000 * kTicksPerMicrosecond;
  static constexpr uint32_t kMostDoublings = 3;

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
    if (lasted <
        (lastOffer > kernelsSince ? kFruitlessOffersFor : kFruitlessFor))
      return 0;
    kernels = 0;
    // What thieves did while this worker waited, it could have done itself.
    int64_t gained = int64_t(helped - helpedBefore) - int64_t(waitedSince);
    if (gained * kLeastGain >= int64_t(lasted)) {
      doublings = 0;
      return 0;
    }
    uint64_t time = kBackOffTicks << doublings;
    doublings += doublings < kMostDoublings;
    return time;
  }
  /// As backOffFor, while no worker wants work. Returns whether so many kernels
  /// have run in a row that a request is unlikely. If one comes, clones are
  /// promoted.
  static constexpr uint32_t kMostUnrequested = 64;
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
