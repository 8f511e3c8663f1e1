//===- PromotionOrder.h - Which clone is promoted to tasks ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_PROMOTIONORDER_H
#define CHAN_SRC_PROMOTIONORDER_H

#include "Tuning.h"

namespace chan {

/// Chooses the activation of a serial clone that is promoted when a worker
/// wants work. A promoted activation turns its remaining children into tasks.
/// The deepest activation polls first, but may have few children left: in trees
/// with many syncs it ends before a thief has woken. An older activation is
/// likely to have more left. So the less thieves gained from earlier offers,
/// the older the promoted activation must be. Until then activations return,
/// and older ones poll. The wait is bounded by a small part of the time that
/// the tree has taken.
///
/// The start of an activation is not recorded. Its age is derived from the
/// polls. If an activation polls and is no deeper than any that polled before,
/// it has been active since the first poll; or it stands where such an
/// activation stood. The place is the address of its stack frame; the stack
/// grows downwards.
///
/// Thread safety: one thread.
class PromotionOrder {
public:
  /// Whether the activation at `frame` is deeper than one that polled before
  /// and may still be promoted. clock() is the time now, in ticks.
  template <typename Clock>
  bool isDeeperThanPolled(uintptr_t frame, Clock clock) {
    if (frame >= candidate)
      return false;
    uint64_t now = clock();
    isLong = now - firstPoll >= durations.longWait;
    // The older activation runs a long call. Activations inside that call may
    // be better candidates.
    if (now - since >= 2 * enough)
      candidate = 0;
    return candidate != 0;
  }

  /// Whether the activation at `frame` is old enough to be promoted. It is not
  /// deeper than the candidate, and its tree began at `treeBegan`.
  template <typename Clock>
  bool mayPromote(uintptr_t frame, uint64_t treeBegan, Clock clock) {
    if (!age || (topmost && frame >= topmost)) {
      // No older activation will poll.
      topmost = topmost < frame ? frame : topmost;
      stop();
      return true;
    }
    uint64_t now = clock();
    if (!candidate) {
      since = now;
      uint64_t part = (now - treeBegan) / kPartOfTree;
      enough = age < part ? age : part;
      if (!firstPoll)
        firstPoll = now;
    }
    candidate = frame;
    if (now - since < enough)
      return false;
    stop();
    return true;
  }

  /// Whether there had been no promotion for long when a deeper frame polled
  /// last.
  bool isLongWait() const { return isLong; }

  /// Frame of the candidate: the last activation to poll that may be promoted.
  /// 0 if there is none.
  uintptr_t candidateFrame() const { return candidate; }

  /// No worker wants work any more, or other activations run than those that
  /// polled.
  void stop() { candidate = firstPoll = 0; }

  /// A task block that a thief took was finished after `duration`.
  void learn(uint64_t duration) {
    if (duration < durations.leastAge || duration < age / 2)
      grow();
    else if (duration >= 4 * age)
      age = age / 2 < durations.leastAge ? 0 : age / 2;
  }
  /// No thief took the task block in time.
  void takeBack() { grow(); }

  /// Another tree begins.
  void forget() { *this = PromotionOrder(); }

private:
  void grow() {
    if (age < durations.mostAge)
      age = age ? 2 * age : durations.leastAge;
  }

  /// Required age since the first poll: in a tree that has run for long, and
  /// for this request.
  uint64_t age = 0, enough = 0;
  uint64_t since = 0, firstPoll = 0;
  bool isLong = false;
  /// The last activation to poll that may be promoted. 0 if there is none.
  uintptr_t candidate = 0;
  /// The oldest activation that was promoted. 0 if there was none.
  uintptr_t topmost = 0;
};

} // namespace chan

#endif // CHAN_SRC_PROMOTIONORDER_H
