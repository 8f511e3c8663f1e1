//===- PromotionOrder.h - Which clone is promoted to tasks ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_PROMOTIONORDER_H
#define CHAN_SRC_PROMOTIONORDER_H

#include "Clock.h"

namespace chan {

/// Which activation of serial clones spawns for who asks for work.  Others can
/// have only what it spawns from then on, and the deepest, which is asked
/// first, may have little left: in trees with many syncs it is over before
/// somebody has woken.  The longer one has been active, the more it is likely
/// to have.  So the less others made of what they got so far, the longer one is
/// to have been: until then, activations that return make way for older ones.
/// But who asks does not wait for more than a small part of the time that the
/// tree has taken.
///
/// Nobody writes down when an activation begins.  One that is asked and is no
/// deeper than any asked before it has been active since the first was, or is
/// where one was that had.  Where is an address of its stack frame, and the
/// stack grows downwards.
///
/// Thread safety: one thread.
class PromotionOrder {
public:
  /// The least age above none, what is worth an offer, and, but for a factor of
  /// two, the most.  Ticks.
  static constexpr uint64_t kLeast = 10 * kTicksPerMicrosecond;
  static constexpr uint64_t kMost = 2000 * kTicksPerMicrosecond;
  static constexpr uint64_t kPartOfTree = 16;
  /// A question takes as long as many a task.  After so long without an answer
  /// deeper frames do not ask.
  static constexpr uint64_t kLongWait = 20 * kTicksPerMicrosecond;

  /// Whether the activation at `frame` is deeper than one asked before, which
  /// may still come to answer.  clock() is now, in ticks.
  template <typename Clock>
  bool isDeeperThanPolled(uintptr_t frame, Clock clock) {
    if (frame >= candidate)
      return false;
    uint64_t now = clock();
    isLong = now - firstPoll >= kLongWait;
    // The older one calls something long: there may be others inside that.
    if (now - since >= 2 * enough)
      candidate = 0;
    return candidate != 0;
  }

  /// Whether the activation at `frame`, no deeper frames, of a tree that began
  /// at `treeBegan`, is old enough to answer.
  template <typename Clock>
  bool mayPromote(uintptr_t frame, uint64_t treeBegan, Clock clock) {
    if (!age || (topmost && frame >= topmost)) {
      // Nobody older will be asked.
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

  /// Whether no answer has come for long, when the last deeper frames asked.
  bool isLongWait() const { return isLong; }

  /// Where the activation asked last is that may come to answer; 0 if there is
  /// none.
  uintptr_t candidateFrame() const { return candidate; }

  /// Nobody asks any more, or other activations run than those asked so far.
  void stop() { candidate = firstPoll = 0; }

  /// What another worker took was over after `duration`.
  void learn(uint64_t duration) {
    if (duration < kLeast || duration < age / 2)
      grow();
    else if (duration >= 4 * age)
      age = age / 2 < kLeast ? 0 : age / 2;
  }
  /// Nobody took it in time.
  void takeBack() { grow(); }

  /// Another tree begins.
  void forget() { *this = PromotionOrder(); }

private:
  void grow() {
    if (age < kMost)
      age = age ? 2 * age : kLeast;
  }

  /// How long it is to be since the first was asked: in a tree that has taken
  /// long, and this time.
  uint64_t age = 0, enough = 0;
  uint64_t since = 0, firstPoll = 0;
  bool isLong = false;
  /// The activation asked last; 0 if there is none.
  uintptr_t candidate = 0;
  /// The least deep activation that has answered; 0 if none has.
  uintptr_t topmost = 0;
};

} // namespace chan

#endif // CHAN_SRC_PROMOTIONORDER_H
