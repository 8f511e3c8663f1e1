//===- RuntimePlacementTest.cpp - Which processor a thread wakes on -------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include <gtest/gtest.h>
#include <thread>

using namespace chan;

namespace {

cpu_set_t affinity() {
  cpu_set_t set;
  EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  return set;
}

void restrictTo(const cpu_set_t &set) {
  EXPECT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
}

cpu_set_t only(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  return set;
}

class RuntimePlacement : public testing::Test {
protected:
  void SetUp() override {
    all = affinity();
    if (CPU_COUNT(&all) < 2)
      GTEST_SKIP() << "one processor";
    while (!CPU_ISSET(first, &all))
      ++first;
    second = first + 1;
    while (!CPU_ISSET(second, &all))
      ++second;
  }
  void TearDown() override { restrictTo(all); }

  /// The processors that a thread may use after a caller on `first` has kept it
  /// off. The thread was last on `before` and has affinity `usual`, which it
  /// has again in the end.
  cpu_set_t keptOff(int before, const cpu_set_t &usual) {
    Placement placement;
    restrictTo(only(before));
    placement.leave();
    restrictTo(usual);
    pthread_t sleeper = pthread_self();
    std::thread([&] {
      restrictTo(only(first));
      placement.keepOff(sleeper);
    }).join();
    cpu_set_t kept = affinity();
    placement.arrive();
    cpu_set_t after = affinity();
    EXPECT_TRUE(CPU_EQUAL(&after, &usual));
    return kept;
  }

  cpu_set_t all;
  int first = 0, second = 0;
};

TEST_F(RuntimePlacement, AWokenThreadRunsOnAnotherProcessor) {
  cpu_set_t kept = keptOff(first, all), others = all;
  CPU_CLR(first, &others);
  EXPECT_TRUE(CPU_EQUAL(&kept, &others));
}

TEST_F(RuntimePlacement, AThreadOnAnotherProcessorStaysThere) {
  cpu_set_t kept = keptOff(second, all);
  EXPECT_TRUE(CPU_EQUAL(&kept, &all));
}

TEST_F(RuntimePlacement, AThreadWithOneProcessorStaysThere) {
  cpu_set_t one = only(first), kept = keptOff(first, one);
  EXPECT_TRUE(CPU_EQUAL(&kept, &one));
}

TEST_F(RuntimePlacement, ANewThreadBeginsOnAnotherProcessor) {
  Placement placement;
  pthread_t self = pthread_self();
  std::thread([&] {
    restrictTo(only(first));
    placement.keepOff(self);
  }).join();
  cpu_set_t kept = affinity();
  EXPECT_FALSE(CPU_ISSET(first, &kept));
  EXPECT_EQ(CPU_COUNT(&kept), CPU_COUNT(&all) - 1);
  placement.arrive();
}

TEST_F(RuntimePlacement, ACalledThreadIsMovedWhileItWaits) {
  Placement placement;
  restrictTo(only(second));
  placement.leave();
  restrictTo(all);
  pthread_t sleeper = pthread_self();
  auto hurried = [&] {
    std::thread([&] {
      restrictTo(only(first));
      placement.moveWoken(sleeper);
    }).join();
    return affinity();
  };
  cpu_set_t before = hurried();
  EXPECT_TRUE(CPU_EQUAL(&before, &all));
  placement.call();
  cpu_set_t called = hurried(), others = all;
  CPU_CLR(first, &others);
  EXPECT_TRUE(CPU_EQUAL(&called, &others));
  placement.arrive();
  cpu_set_t after = hurried();
  EXPECT_TRUE(CPU_EQUAL(&after, &all));
}

} // namespace
