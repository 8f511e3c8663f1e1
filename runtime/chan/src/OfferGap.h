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

  /// Whether it is over, so long after the last offer.
  bool isOver(uint64_t sinceOffer) const { return sinceOffer >= gap; }
  /// What another worker took was over after `duration`.
  void learn(uint64_t duration) {
    if (duration >= kWorthTaking)
      gap = 0;
    else if (gap < kMost)
      gap = 2 * gap + kBetweenOffers;
  }
  /// Another tree begins.
  void forget() { gap = 0; }

private:
  uint64_t gap = 0;
};

} // namespace chan

#endif // CHAN_SRC_OFFERGAP_H
