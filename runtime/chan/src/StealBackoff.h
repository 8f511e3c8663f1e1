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

/// The least time between two offers out of light kernels: the longer, the more
/// often what was taken was over at once, as in a tree that is little but its
/// trunk.  One thread.
class StealBackoff {
public:
  /// Waking somebody, and his looking for a task block, take about as long.
  static constexpr uint64_t kWorthTaking = 10 * kTicksPerMicrosecond;
  /// The longest, but for a factor of two.
  static constexpr uint64_t kMost = 1000 * kTicksPerMicrosecond;

  /// So many offers in turn that were worth nothing are for nothing for so
  /// long.
  static constexpr uint64_t kMostUseless = 16;
  static constexpr uint64_t kUselessFor = 1000 * kTicksPerMicrosecond;

  /// Whether it is over, so long after the last offer.
  bool isOver(uint64_t sinceOffer) const { return sinceOffer >= gap; }
  /// What another worker took was over after `duration`.
  void learn(uint64_t duration) {
    useless = duration >= kWorthTaking ? 0 : useless + 1;
    if (duration >= kWorthTaking)
      gap = 0;
    else if (gap < kMost)
      gap = 2 * gap + kBetweenOffers;
  }
  /// Nobody took it before this worker needed it.
  void takeBack() { ++useless; }
  /// Whether many offers in turn were worth nothing, the last of them of late.
  bool areOffersUseless(uint64_t sinceOffer) {
    if (useless >= kMostUseless && sinceOffer >= kUselessFor)
      useless = 0;
    return useless >= kMostUseless;
  }

  /// So many kernels that ran in place of clones, in so long if nothing was
  /// offered meanwhile, or in so long if something was, are fruitless if others
  /// did less than such a part of what they could have done in that time.
  static constexpr uint32_t kMostFruitless = 64;
  static constexpr uint64_t kFruitlessFor = 32 * kTicksPerMicrosecond;
  static constexpr uint64_t kFruitlessOffersFor = 200 * kTicksPerMicrosecond;
  static constexpr int64_t kLeastGain = 8;
  /// Then who wants work is ignored for so long, and each time after that for
  /// twice as long, up to so many times.
  static constexpr uint64_t kBackOffTicks = 1000 * kTicksPerMicrosecond;
  static constexpr uint32_t kMostDoublings = 3;

  /// A kernel is to run in place of a clone, for the sake of others.
  /// `lastOffer` is as it is; they have worked so long by now on what this
  /// worker offered, of which they run `taken` parts.  How long to ignore them,
  /// since all that was fruitless so far; 0 if it was not.
  template <typename Clock>
  uint64_t backOffFor(uint64_t lastOffer, uint64_t helped, uint32_t taken,
                      Clock clock) {
    alone = 0;
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
    // What they did while this worker waited, it could have done itself.
    int64_t gained = int64_t(helped - helpedBefore) - int64_t(waitedSince);
    if (gained * kLeastGain >= int64_t(lasted)) {
      doublings = 0;
      return 0;
    }
    uint64_t time = kBackOffTicks << doublings;
    doublings += doublings < kMostDoublings;
    return time;
  }
  /// The same, while nobody wants anything: whether so many have run in a row
  /// that what others may lack will hardly come up.  Should they come to want
  /// it, clones answer.
  static constexpr uint32_t kMostAlone = 64;
  bool isLeftAlone() {
    kernels = 0;
    return alone == kMostAlone || ++alone == kMostAlone;
  }
  /// This worker had nothing to do until others were done, for so long.
  void waited(uint64_t duration) { waitedSince += duration; }

  /// Another tree begins, of the same kind as the last.
  void forget() { gap = useless = kernels = alone = 0; }

private:
  uint64_t gap = 0, useless = 0;
  uint32_t kernels = 0, alone = 0, doublings = 0;
  /// When the first of those kernels ran, how long others had worked by then,
  /// and how long this worker has waited since.  Ticks.
  uint64_t kernelsSince = 0, helpedBefore = 0, waitedSince = 0;
};

} // namespace chan

#endif // CHAN_SRC_STEALBACKOFF_H
