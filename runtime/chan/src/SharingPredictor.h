//===- SharingPredictor.h - Trees too small to share ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sleeping thread takes tens of microseconds to wake, and an offer costs time
// as well. For a tree that takes about as long, only a trial shows whether
// sharing pays: one tree is shared, the next is not. Trees are of one kind if
// their roots are elements of one channel. Trees of one kind count as alike
// until their times differ.
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_SHARINGPREDICTOR_H
#define CHAN_SRC_SHARINGPREDICTOR_H

#include "Tuning.h"

#include <stdint.h>

struct chan_channel;

namespace chan {

/// What is known of trees of one kind. One thread.
class SharingPredictor {
public:
  /// A tree begins whose root is an element of `root`. Returns whether it is
  /// predicted to end before sharing pays.
  bool begin(const chan_channel *root);
  /// Whether the last tree had this root.
  bool isOf(const chan_channel *root) const { return root == kind; }
  /// The tree has taken `duration`. `offered`: something of it was offered to
  /// thieves.
  void end(uint64_t duration, bool offered);
  /// For so long nothing is offered of a tree that is predicted short.
  uint64_t sharingDelay() const { return limit; }

private:
  enum Trial { Untried, Alone, Refused, Accepted };
  void refuse();

  const chan_channel *kind = nullptr;
  /// How many of the last trees were short.
  uint32_t count = 0;
  Trial trial = Untried;
  /// Trees since the trial, and what they took.
  uint32_t age = 0;
  uint64_t spent = 0;
  /// What a tree took when something was offered, and when nothing was.
  uint64_t shared = 0, alone = 0;
  /// How many trees in a row took longer with offers than one took without.
  uint32_t losses = 0;
  uint64_t limit = durations.shortTree;
};

} // namespace chan

#endif
