//===- TinyTrees.h - Trees that are over before lanes fill ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A level of a batch takes a tenth of a microsecond however few elements there
// are.  A tree of a hundred activations is over sooner in a serial clone, and
// no test of its root tells how large it is.  So the trees that elements of one
// channel begin are taken to be alike: after one that was tiny the next runs as
// a clone, for so many activations.  When that turns out to be large for once,
// those that are left begin batches, and it takes more tiny ones in a row, each
// as a batch, before the next guess; trees of two kinds by turns soon are not
// guessed at.
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_TINYTREES_H
#define CHAN_SRC_TINYTREES_H

#include "Clock.h"

#include <atomic>
#include <stdint.h>

namespace chan {

/// What all workers remember of the trees that single elements of a channel
/// begin.  relaxed throughout: hints, which may get lost.
class TinyTrees {
public:
  /// So few elements may begin trees of their own.
  static constexpr uint32_t kFew = 2;
  /// A tiny tree has no more elements, in batches, or activations that may
  /// spawn, in a clone.
  static constexpr uint32_t kMostElements = 256;
  /// Nor does one that is kept from others who want work take longer.
  static constexpr uint64_t kMostTicks = 20 * kTicksPerMicrosecond;

  /// Whether the next is likely to be tiny.
  bool isLikely() const {
    return inARow.load(std::memory_order_relaxed) >
           doubt.load(std::memory_order_relaxed);
  }
  /// One had so many elements, in batches.
  void count(uint64_t elements) {
    uint32_t before = inARow.load(std::memory_order_relaxed);
    uint32_t after = elements > kMostElements  ? 0
                     : before < kMostDoubt + 1 ? before + 1
                                               : before;
    if (after != before)
      inARow.store(after, std::memory_order_relaxed);
  }
  /// One that has no batches took so long.
  void took(uint64_t duration) {
    count(duration < kMostTicks ? 0 : kMostElements + 1);
  }
  /// One that was likely to be tiny was.
  void wasRight() {
    uint32_t doubts = doubt.load(std::memory_order_relaxed);
    if (doubts == 0)
      return;
    // Those that were not may have been interrupted.
    uint32_t rights = inARow.load(std::memory_order_relaxed) + 1;
    if (rights > kMostDoubt) {
      doubt.store(doubts / 2, std::memory_order_relaxed);
      rights = doubts / 2 + 1;
    }
    inARow.store(rights, std::memory_order_relaxed);
  }
  /// One that was likely to be tiny was not.
  void wasWrong() {
    inARow.store(0, std::memory_order_relaxed);
    uint32_t more = 2 * doubt.load(std::memory_order_relaxed) + 1;
    doubt.store(more < kMostDoubt ? more : kMostDoubt,
                std::memory_order_relaxed);
  }

private:
  static constexpr uint32_t kMostDoubt = 1023;
  std::atomic<uint32_t> inARow, doubt;
};

} // namespace chan

#endif // CHAN_SRC_TINYTREES_H
