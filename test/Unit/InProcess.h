//===- InProcess.h - Tests in a process of their own ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TEST_UNIT_INPROCESS_H
#define TEST_UNIT_INPROCESS_H

#include <cstdlib>
#include <gtest/gtest.h>

#if GTEST_HAS_DEATH_TEST

namespace kernels {

/// Runs body() with so many workers; the status to exit with.
inline int inProcess(const char *workers, void (*body)()) {
  setenv("CHAN_WORKERS", workers, 1);
  unsetenv("CHAN_WIDTH");
  body();
  return ::testing::Test::HasFailure();
}

/// Of tests that use the macro: the process begins anew.
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
