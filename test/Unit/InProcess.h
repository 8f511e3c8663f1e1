//===- InProcess.h - Tests in a process of their own ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TEST_UNIT_INPROCESS_H
#define TEST_UNIT_INPROCESS_H

#include "Pool.h"
#include "RuntimeKernels.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#if GTEST_HAS_DEATH_TEST

namespace kernels {

/// Runs body() with `workers` workers. Returns the exit status.
inline int inProcess(const char *workers, void (*body)()) {
  setenv("CHAN_WORKERS", workers, 1);
  unsetenv("CHAN_WIDTH");
  // Failures are printed even if the process ends with an assertion.
  setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  body();
  return ::testing::Test::HasFailure();
}

/// Ends the process with the status of a forked child that begins a tree, plus
/// 10.
inline void exitAsForked() {
  pid_t child = fork();
  if (child == 0) {
    fib(5);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::exit(WIFEXITED(status) ? WEXITSTATUS(status) + 10 : 99);
}

/// Fails if a thread of the pool keeps watching. A watching thread may be about
/// to look once more, and may expect reservations for some periods.
inline void expectNoWorkerWatches() {
  using Clock = std::chrono::steady_clock;
  uint32_t last = 0;
  auto late = Clock::now() + std::chrono::seconds(10);
  do {
    last = chan::Pool::period();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  } while (last != chan::Pool::period() && Clock::now() < late);
  EXPECT_LT(Clock::now(), late);
}

/// For tests that use the macro: the process starts anew.
class InProcess : public testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

} // namespace kernels

#define EXPECT_IN_PROCESS(workers, body)                                       \
  EXPECT_EXIT(std::exit(kernels::inProcess(workers, body)),                    \
              ::testing::ExitedWithCode(0), "")

#endif

#endif
