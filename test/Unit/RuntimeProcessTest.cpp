//===- RuntimeProcessTest.cpp - Environment, exit and fork ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InProcess.h"
#include "RuntimeKernels.h"

#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace kernels;

namespace {

using Task = Element<int>;

void exitInTask(chan_worker *, chan_block *block, uint32_t i) {
  int number = Task::get<0>(block, i);
  if (number == 5)
    std::exit(7);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

void forkInTask(chan_worker *, chan_block *, uint32_t) { exitAsForked(); }

template <auto Body> void spawnMany(int children) {
  static const chan_channel child =
      makeChannel<Task, Body, CHAN_ENTRY>("child.0");
  static const chan_channel parent =
      makeChannel<Task,
                  +[](chan_worker *worker, chan_block *block, uint32_t i) {
                    for (int k = 0; k != Task::get<0>(block, i); ++k)
                      Task::send(worker, child, k);
                  },
                  CHAN_ENTRY>("parent.0");
  Task::call(parent, children);
}

/// Runs a death test with one variable set, in a new process.
class RuntimeProcessDeathTest : public testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

struct BadValue {
  const char *name, *value, *message;
};
class RuntimeOptionsDeathTest : public testing::TestWithParam<BadValue> {};

} // namespace

TEST_P(RuntimeOptionsDeathTest, AMalformedValueIsRefused) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  BadValue bad = GetParam();
  EXPECT_EXIT(
      {
        setenv(bad.name, bad.value, 1);
        fib(3);
      },
      testing::ExitedWithCode(1), bad.message);
}

INSTANTIATE_TEST_SUITE_P(
    BadValues, RuntimeOptionsDeathTest,
    testing::Values(
        BadValue{
            "CHAN_WORKERS", "abc",
            "cilk2chan: CHAN_WORKERS='abc' is not a number from 1 to 1024"},
        BadValue{"CHAN_WORKERS", "", "CHAN_WORKERS='' is not"},
        BadValue{"CHAN_WORKERS", "0", "CHAN_WORKERS='0' is not"},
        BadValue{"CHAN_WORKERS", "-2", "CHAN_WORKERS='-2' is not"},
        BadValue{"CHAN_WORKERS", " 2", "CHAN_WORKERS=' 2' is not"},
        BadValue{"CHAN_WORKERS", "2x", "CHAN_WORKERS='2x' is not"},
        BadValue{"CHAN_WORKERS", "18446744073709551617", "is not a number"},
        BadValue{"CHAN_WIDTH", "0", "CHAN_WIDTH='0' is not a number from 1 to"},
        BadValue{"CHAN_WIDTH", "1e3", "CHAN_WIDTH='1e3' is not"},
        BadValue{"CHAN_STACK", "1", "CHAN_STACK='1' is not a size from"},
        BadValue{"CHAN_STACK", "M", "CHAN_STACK='M' is not a size from"},
        BadValue{"CHAN_TUNE", "slic=5", "CHAN_TUNE='slic=5' is no list of"},
        BadValue{"CHAN_STATS", "/dev/null/file",
                 "cannot write '/dev/null/file' .CHAN_STATS.: Not a directory"},
        BadValue{
            "CHAN_TRACE", "/dev/null/file",
            "cannot write '/dev/null/file' .CHAN_TRACE.: Not a directory"}));

TEST_F(RuntimeProcessDeathTest, StackSizesHaveSuffixes) {
  for (const char *size : {"1M", "1048576", "1024k", "1G"})
    EXPECT_EXIT(
        {
          setenv("CHAN_STACK", size, 1);
          std::exit(fib(10) == 55 ? 0 : 1);
        },
        testing::ExitedWithCode(0), "")
        << size;
}

TEST_F(RuntimeProcessDeathTest, ExitInsideATaskEndsTheProcess) {
  for (const char *workers : {"1", "2", "8"})
    EXPECT_EXIT(
        {
          setenv("CHAN_WORKERS", workers, 1);
          alarm(60);
          spawnMany<exitInTask>(20);
        },
        testing::ExitedWithCode(7), "")
        << workers;
}

TEST_F(RuntimeProcessDeathTest, ForkInsideATaskIsRefusedInTheChild) {
  for (const char *workers : {"1", "4"})
    EXPECT_EXIT(
        {
          setenv("CHAN_WORKERS", workers, 1);
          alarm(60);
          spawnMany<forkInTask>(1);
        },
        testing::ExitedWithCode(11), "forked in a function that spawns")
        << workers;
}

TEST_F(RuntimeProcessDeathTest, ForkBetweenTasksWorksInTheChild) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "ThreadSanitizer starts no threads in a forked process";
#endif
#endif
  EXPECT_EXIT(
      {
        setenv("CHAN_WORKERS", "3", 1);
        alarm(60);
        int before = fib(20);
        pid_t child = fork();
        if (child == 0)
          std::exit(fib(20) == before ? 3 : 4);
        int status = 0;
        waitpid(child, &status, 0);
        std::exit(fib(20) == before && WIFEXITED(status) ? WEXITSTATUS(status)
                                                         : 99);
      },
      testing::ExitedWithCode(3), "");
}
