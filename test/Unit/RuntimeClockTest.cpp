//===- RuntimeClockTest.cpp - What two clocks show at one moment ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clock.h"

#include <gtest/gtest.h>

using namespace chan;

namespace {

/// Ticks of half a nanosecond; a reading takes 20 ns. The thread loses its
/// processor for 8 ms around each reading whose bit is set in `losses`.
class Clocks {
public:
  explicit Clocks(uint64_t losses) : losses(losses) {}

  Moment read() {
    return Moment::read([this] { return 2 * (pass() - kBegan); },
                        [this] { return pass(); });
  }
  /// Difference between the two clocks, in nanoseconds.
  static uint64_t error(const Moment &moment) {
    uint64_t ticks = kBegan + moment.ticks / 2;
    return ticks > moment.nanoseconds ? ticks - moment.nanoseconds
                                      : moment.nanoseconds - ticks;
  }

private:
  static constexpr uint64_t kBegan = 1'000'000;

  uint64_t pass() {
    uint64_t shown = now += 20;
    if (losses & 1)
      now += 8'000'000;
    losses >>= 1;
    return shown;
  }

  uint64_t losses;
  uint64_t now = kBegan;
};

TEST(RuntimeClock, MomentsAreOfOneTime) {
  EXPECT_EQ(Clocks::error(Clocks(0).read()), 0u);
}

TEST(RuntimeClock, AReadingThatLosesItsProcessorIsRepeated) {
  // Three readings per try.
  EXPECT_EQ(Clocks::error(Clocks(0b001).read()), 0u);
  EXPECT_EQ(Clocks::error(Clocks(0b010).read()), 0u);
  EXPECT_EQ(Clocks::error(Clocks(0b010'001'011'010).read()), 0u);
  EXPECT_EQ(Clocks::error(Clocks(0b001'010'001'011'000).read()), 0u);
}

TEST(RuntimeClock, TicksAreAsLongAsTheyAre) {
  Moment first = Moment::now();
  for (uint64_t began = nanosecondsNow(); nanosecondsNow() - began < 1'000'000;)
    ;
  Moment last = Moment::now();
  double passed =
      Moment::nanosecondsPerTick(first) * double(last.ticks - first.ticks);
  EXPECT_NEAR(passed / double(last.nanoseconds - first.nanoseconds), 1, 0.05);
}

} // namespace
