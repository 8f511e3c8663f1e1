//===- SharingPredictor.h - Trees too small to share ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that sleeps takes tens of microseconds to wake, and what it takes to
// give something away comes on top.  For a tree of that size nobody can say
// whether it pays, but it can be tried: once with offers, once without.  Trees
// of one kind, which begin with elements of one channel, are taken to be alike
// until they are not.
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_SHARINGPREDICTOR_H
#define CHAN_SRC_SHARINGPREDICTOR_H

#include "Clock.h"

#include <stdint.h>

struct chan_channel;

namespace chan {

/// What is known of trees of one kind.  One thread.
class SharingPredictor {
public:
  /// A tree begins, of elements of `root`.  Returns whether it is likely to be
  /// over before anything of it should be offered.
  bool begin(const chan_channel *root);
  /// Whether the last one was of `root`.
  bool isOf(const chan_channel *root) const { return root == kind; }
  /// It has taken `duration`, and something of it was `offered` or not.
  void end(uint64_t duration, bool offered);
  /// How long nothing is offered of a tree that is likely to be short.
  uint64_t sharingDelay() const { return limit; }

private:
  enum Trial { Untried, Alone, Refused, Accepted };
  void refuse();

  const chan_channel *kind = nullptr;
  /// How many were short lately.
  uint32_t count = 0;
  Trial trial = Untried;
  /// Trees since the trial, and what they took.
  uint32_t age = 0;
  uint64_t spent = 0;
  /// What one took when something was offered, and when nothing was.
  uint64_t shared = 0, alone = 0;
  /// How many in a row took longer with offers than one took without.
  uint32_t losses = 0;
  uint64_t limit = kShortTreeTicks;
};

} // namespace chan

#endif
