//===- OfferGap.h - How long nothing light is offered -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_OFFERGAP_H
#define CHAN_SRC_OFFERGAP_H

#include "Clock.h"

namespace chan {

/// The least time between two offers out of light kernels: the longer, the more
/// often what was taken was over at once, as in a tree that is little but its
/// trunk.  One thread.
class OfferGap {
public:
  /// Waking somebody, and his looking for a parcel, take about as long.
  static constexpr uint64_t kWorthTaking = 10 * kTicksPerMicrosecond;
  /// The longest, but for a factor of two.
  static constexpr uint64_t kMost = 1000 * kTicksPerMicrosecond;

  /// So many offers in turn that were worth nothing are in vain for so long.
  static constexpr uint64_t kMostInVain = 16;
  static constexpr uint64_t kVainFor = 1000 * kTicksPerMicrosecond;

  /// Whether it is over, so long after the last offer.
  bool isOver(uint64_t sinceOffer) const { return sinceOffer >= gap; }
  /// What another worker took was over after `duration`.
  void learn(uint64_t duration) {
    inVain = duration >= kWorthTaking ? 0 : inVain + 1;
    if (duration >= kWorthTaking)
      gap = 0;
    else if (gap < kMost)
      gap = 2 * gap + kBetweenOffers;
  }
  /// Nobody took it before this worker needed it.
  void takeBack() { ++inVain; }
  /// Whether many offers in turn were worth nothing, the last of them of late.
  bool isInVain(uint64_t sinceOffer) {
    if (inVain >= kMostInVain && sinceOffer >= kVainFor)
      inVain = 0;
    return inVain >= kMostInVain;
  }

  /// So many kernels in turn that ran in place of clones, for so long, with
  /// nothing to offer, show a part of the tree that has no parallelism.
  static constexpr uint32_t kMostFruitless = 64;
  static constexpr uint64_t kFruitlessFor = 32 * kTicksPerMicrosecond;

  /// Somebody wants work, so that a kernel is to run in place of a clone, and
  /// `lastOffer` is as it is.  Whether all that did so far was fruitless: then
  /// it counts anew.  clock() is now, in ticks.
  template <typename Clock> bool isFruitless(uint64_t lastOffer, Clock clock) {
    if (fruitless == 0 || lastOffer > fruitlessSince) {
      fruitless = 0;
      fruitlessSince = clock();
    }
    bool isLong = ++fruitless >= kMostFruitless &&
                  clock() - fruitlessSince >= kFruitlessFor;
    if (isLong)
      fruitless = 0;
    turnsAway = isLong;
    return isLong;
  }
  /// Nobody wants work.  Whether that is because who did was turned away.
  bool hasTurnedAway() {
    fruitless = 0;
    return turnsAway;
  }

  /// Another tree begins.  Who was turned away is not back for that.
  void forget() { gap = inVain = fruitless = 0; }

private:
  uint64_t gap = 0, inVain = 0;
  uint32_t fruitless = 0;
  bool turnsAway = false;
  uint64_t fruitlessSince = 0;
};

} // namespace chan

#endif // CHAN_SRC_OFFERGAP_H
