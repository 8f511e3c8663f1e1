//===- RuntimeProgramsTest.cpp - Whole programs on the runtime ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Run by ctest at several widths and numbers of workers.
#include "RuntimeKernels.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace kernels;

TEST(RuntimePrograms, FibAgreesWithTheSerialOne) {
  int a = 0, b = 1;
  for (int n = 0; n != 24; ++n) {
    EXPECT_EQ(fib(n), a) << n;
    int next = a + b;
    a = b;
    b = next;
  }
}

TEST(RuntimePrograms, SpawnLoopRunsEveryChildOnce) {
  for (long children : {0L, 1L, 2L, 3L, 100L, 5000L, 100000L})
    EXPECT_EQ(sumInLoop(children), children * (children - 1) / 2) << children;
}

TEST(RuntimePrograms, RecursionAlongAList) {
  EXPECT_EQ(listLength(0), 0);
  EXPECT_EQ(listLength(1), 1);
  EXPECT_EQ(listLength(30000), 30000);
}

TEST(RuntimePrograms, SecondPhaseStartsAfterTheFirst) {
  for (int count : {1, 2, 3, 70, 9000})
    EXPECT_EQ(twoPhases(count), long(count - 1) * (count - 1)) << count;
}

TEST(RuntimePrograms, MutualRecursion) {
  EXPECT_EQ(isEven(10), 1);
  EXPECT_EQ(isEven(10001), 0);
}

TEST(RuntimePrograms, TwoChannelsShareALevel) {
  EXPECT_EQ(twoKinds(1), 1001);
  EXPECT_EQ(twoKinds(700), 700700);
}

TEST(RuntimePrograms, CallsInsideKernelsNest) {
  EXPECT_EQ(fibByCalls(15), 610);
}

TEST(RuntimePrograms, ThreadsOfTheProgramEnterAtOnce) {
  std::vector<std::thread> threads;
  std::vector<int> results(6);
  for (size_t t = 0; t != results.size(); ++t)
    threads.emplace_back([&results, t] {
      for (int round = 0; round != 5; ++round)
        results[t] += fib(18);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int result : results)
    EXPECT_EQ(result, 5 * 2584);
}
