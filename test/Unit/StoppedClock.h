//===- StoppedClock.h - Time that passes by hand ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TEST_UNIT_STOPPEDCLOCK_H
#define TEST_UNIT_STOPPEDCLOCK_H

#include "Clock.h"

#include <utility>

/// For this thread, time passes only by pass(). So two readings show the same
/// time even if the thread loses the processor between them.
class StoppedClock {
public:
  StoppedClock() { chan::stoppedClock = chan::ticks(); }
  ~StoppedClock() {
    // Time does not go back.
    uint64_t shown = std::exchange(chan::stoppedClock, 0);
    while (chan::ticks() < shown)
      ;
  }
  StoppedClock(const StoppedClock &) = delete;
  StoppedClock &operator=(const StoppedClock &) = delete;

  /// REQUIRES: the thread has a stopped clock.
  static void pass(uint64_t ticks) { chan::stoppedClock += ticks; }
};

#endif // TEST_UNIT_STOPPEDCLOCK_H
