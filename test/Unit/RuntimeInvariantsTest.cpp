//===- RuntimeInvariantsTest.cpp - Kernels that break the invariants ------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If a kernel violates the invariants of chan/abi.h, the Debug runtime ends
// with a message. All other tests of the runtime assert that the runtime itself
// keeps them.
//===----------------------------------------------------------------------===//

#include "RuntimeKernels.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

#if GTEST_HAS_DEATH_TEST && !defined(NDEBUG)

using namespace kernels;

namespace {

using Task = Element<int>;

void leaf(chan_worker *, chan_block *, uint32_t) {}
const chan_channel Child = makeChannel<Task, leaf, CHAN_ENTRY>("child.0");
const chan_channel After =
    makeChannel<Task, leaf, CHAN_CONTINUATION>("after.1");

/// Enqueues a child one level too deep.
void skipLevel(chan_worker *worker, chan_block *, uint32_t) {
  chan_level *own = worker->level;
  worker->level = own->deeper;
  Task::send(worker, Child, 0);
  worker->level = own;
}

void continueAboveWork(chan_worker *worker, chan_block *block, uint32_t i) {
  skipLevel(worker, block, i);
  Task::send(worker, After, 0);
}

void spawnFromAnotherThread(chan_worker *worker, chan_block *, uint32_t) {
  std::thread([=] { chan_talloc(worker, &Child, 1); }).join();
}

void continueDeeper(chan_worker *worker, chan_block *, uint32_t) {
  chan_talloc(worker, &After, 1);
}

void changeLevel(chan_worker *worker, chan_block *, uint32_t) {
  worker->level = worker->level->deeper;
}

void loseList(chan_worker *worker, chan_block *, uint32_t) {
  worker->level->deeper->entries = nullptr;
}

void fillNoBlock(chan_worker *worker, chan_block *, uint32_t) {
  chan_level *unused = worker->level;
  while (unused->deeper)
    unused = unused->deeper;
  unused->continuations->count = 1;
}

/// Adds a block of its own to the children, with more than CHAN_WIDTH=2 allows.
void overfill(chan_worker *worker, chan_block *, uint32_t) {
  static struct alignas(16) {
    chan_block header;
    int elements[4];
  } block = {{&Child, 3, 4, nullptr, 0}, {}};
  block.header.next = worker->level->deeper->entries;
  worker->level->deeper->entries = &block.header;
  chan_talloc(worker, &Child, 1);
}

template <auto Body> void run() {
  setenv("CHAN_WORKERS", "1", 1);
  setenv("CHAN_WIDTH", "2", 1);
  // Makes some levels.
  fib(6);
  static const chan_channel channel =
      makeChannel<Task, Body, CHAN_ENTRY>("test.0");
  Task::call(channel, 0);
}

class RuntimeInvariantsDeathTest : public testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

} // namespace

TEST_F(RuntimeInvariantsDeathTest, ALeafViolatesNoInvariant) {
  EXPECT_EXIT((run<leaf>(), std::exit(0)), testing::ExitedWithCode(0), "");
}
TEST_F(RuntimeInvariantsDeathTest, I1AContinuationDoesNotRunAboveWork) {
  EXPECT_DEATH(run<continueAboveWork>(), "I1: a deeper level has elements");
}
TEST_F(RuntimeInvariantsDeathTest, I2NoOtherThreadSpawns) {
  EXPECT_DEATH(run<spawnFromAnotherThread>(), "I2: an activation stays");
}
TEST_F(RuntimeInvariantsDeathTest, I2NoContinuationIsAmongTheEntries) {
  EXPECT_DEATH(run<continueDeeper>(), "a continuation's stays");
}
TEST_F(RuntimeInvariantsDeathTest, I3AContextDoesNotEndWithWork) {
  EXPECT_DEATH(run<skipLevel>(), "I3: a context ends with its descendants");
}
TEST_F(RuntimeInvariantsDeathTest, I4AKernelKeepsItsLevel) {
  EXPECT_DEATH(run<changeLevel>(), "I4: a kernel returns with its own level");
}
TEST_F(RuntimeInvariantsDeathTest, I5NoListIsNull) {
  EXPECT_DEATH(run<loseList>(), "I5: lists are never null");
}
TEST_F(RuntimeInvariantsDeathTest, I5TheEmptyListIsNotWritten) {
  EXPECT_DEATH(run<fillNoBlock>(), "");
}
TEST_F(RuntimeInvariantsDeathTest, I6NoMoreThanWidthElementsWait) {
  EXPECT_DEATH(run<overfill>(), "I6: more than width elements wait");
}

#endif
