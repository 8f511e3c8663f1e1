//===- RuntimeEnterTest.cpp - Trees that begin as clones ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InProcess.h"
#include "Pool.h"
#include "RuntimeKernels.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

#if GTEST_HAS_DEATH_TEST

using namespace kernels;

namespace {

using Clock = std::chrono::steady_clock;
using Nothing = Element<int>;

class RuntimeEnterDeathTest : public InProcess {};

/// How the last tree was run.
enum class As { nothing, kernel, clone, cloneWithoutContext } ran;
void noteKernel(chan_worker *, chan_block *, uint32_t) { ran = As::kernel; }
void noteClone(chan_worker *worker) {
  ran = chan::self(worker).context ? As::clone : As::cloneWithoutContext;
  EXPECT_EQ(chan_cloning, worker);
  EXPECT_TRUE(chan::self(worker).stack.isCurrent());
}

/// Begins a tree whose clone is Body(worker).
template <auto Body> const chan_channel &channelOf() {
  static const chan_channel channel =
      makeClonedChannel<Nothing, noteKernel,
                        +[](chan_worker *worker, chan_block *, uint32_t) {
                          noteClone(worker);
                          Body(worker);
                        }>("entered.0");
  return channel;
}
template <auto Body> void enter() {
  ran = As::nothing;
  Nothing::call(channelOf<Body>(), 0);
  EXPECT_EQ(chan_cloning, nullptr);
  EXPECT_FALSE(chan::Worker::current().isInTask());
}
template <auto Body> chan::SmallTaskPredictor &predictorOf() {
  return chan::memoriesOf(&channelOf<Body>()).smallTasks;
}
/// Begins a tree that is predicted small.
template <auto Body> void enterSmall() {
  chan::Worker::current();
  // A tree that an interrupt delayed was not small.
  while (!predictorOf<Body>().isLikely())
    predictorOf<Body>().count(1);
  enter<Body>();
  EXPECT_EQ(ran, As::cloneWithoutContext);
}

void doNothing(chan_worker *) {}

void enterAlone() {
  for (int i = 0; i != 3; ++i) {
    enter<doNothing>();
    EXPECT_EQ(ran, As::cloneWithoutContext);
    chan::Worker &own = chan::Worker::current();
    EXPECT_EQ(own.stack_limit, own.stack.cloneLimit());
  }
}

TEST_F(RuntimeEnterDeathTest, WithOneWorkerEveryTreeIsAClone) {
  EXPECT_IN_PROCESS("1", enterAlone);
}

void waitAwhile(chan_worker *) {
  for (auto end = Clock::now() + std::chrono::microseconds(200);
       Clock::now() < end;)
    ;
}
void enterWithOthers() {
  enter<doNothing>();
  EXPECT_NE(ran, As::cloneWithoutContext);
  // Unless an interrupt or a sanitizer delayed it.
  uint64_t shortest = UINT64_MAX;
  for (int i = 0; i != 1000 && ran != As::cloneWithoutContext; ++i) {
    uint64_t began = chan::ticks();
    enter<doNothing>();
    shortest = std::min(shortest, chan::ticks() - began);
  }
  if (shortest < chan::durations.smallTree)
    EXPECT_EQ(ran, As::cloneWithoutContext);
  // Only one tree in sixteen is measured.
  enterSmall<waitAwhile>();
  int times = 1;
  for (; predictorOf<waitAwhile>().isLikely() && times != 100; ++times)
    enter<waitAwhile>();
  EXPECT_LE(times, 16);
  // One small tree does not outweigh the large one.
  predictorOf<waitAwhile>().count(1);
  EXPECT_FALSE(predictorOf<waitAwhile>().isLikely());
  // Without batches, the time decides.
  chan::SmallTaskPredictor trees{};
  trees.took(1);
  EXPECT_TRUE(trees.isLikely());
  trees.took(chan::durations.smallTree);
  EXPECT_FALSE(trees.isLikely());
}

TEST_F(RuntimeEnterDeathTest, WithOtherWorkersOnlySmallTreesAreClones) {
  EXPECT_IN_PROCESS("2", enterWithOthers);
}

using Number = Element<int *>;
void writeSeven(chan_worker *, chan_block *block, uint32_t i) {
  *Number::get<0>(block, i) = 7;
}
const chan_channel NumberEntry =
    makeChannel<Number, writeSeven, CHAN_ENTRY>("seven.0");

/// Waits until a poll has the wanted result. False if it never has.
template <typename F> bool untilRequested(chan_worker *worker, F isAnswered) {
  for (auto late = Clock::now() + std::chrono::seconds(10);
       Clock::now() < late;)
    if (isRequested(worker) && isAnswered())
      return true;
  return false;
}

/// A loop that turns out to be long spawns the rest.
void spawnLate(chan_worker *worker) {
  EXPECT_FALSE(isRequested(worker));
  chan_late *late = nullptr;
  EXPECT_TRUE(untilRequested(
      worker, [&] { return (late = chan_late_open(worker)) != nullptr; }));
  EXPECT_TRUE(chan::self(worker).context);
  int numbers[3] = {};
  for (int &number : numbers) {
    Number::send(worker, NumberEntry, &number);
    chan_late_spawned(worker);
  }
  chan_late_close(worker, late);
  for (int number : numbers)
    EXPECT_EQ(number, 7);
  EXPECT_FALSE(chan::self(worker).context);
  // From now on every poll promotes.
  EXPECT_TRUE(isRequested(worker));
}
/// A few activations are enough if they take long.
void pollRarely(chan_worker *worker) {
  int polls = 0;
  EXPECT_TRUE(untilRequested(worker, [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++polls;
    chan_late *late = chan_late_open(worker);
    if (late)
      chan_late_close(worker, late);
    return late != nullptr;
  }));
  EXPECT_LE(polls, 3);
}
/// An activation without an effect starts again as a kernel.
void leave(chan_worker *worker) {
  EXPECT_TRUE(
      untilRequested(worker, [&] { return chan_promote(worker) != nullptr; }));
  EXPECT_EQ(chan_cloning, nullptr);
  ran = As::nothing;
  Nothing::call(channelOf<leave>(), 0);
  EXPECT_EQ(ran, As::kernel);
  EXPECT_EQ(chan_cloning, worker);
  ran = As::cloneWithoutContext;
}
template <auto Body> void turnOutLong() {
  chan::Pool::setPeriod(1'000'000);
  fib(10); // a thief has come
  std::this_thread::sleep_for(std::chrono::milliseconds(20)); // and sleeps
  enterSmall<Body>();
  EXPECT_FALSE(predictorOf<Body>().isLikely());
  EXPECT_FALSE(chan::Worker::current().thread.isCounted);
}

TEST_F(RuntimeEnterDeathTest, LongClonesAreSharedAfterAWhile) {
  EXPECT_IN_PROCESS("2", turnOutLong<spawnLate>);
}
TEST_F(RuntimeEnterDeathTest, LongTasksArePromotedAfterFewPolls) {
  EXPECT_IN_PROCESS("2", turnOutLong<pollRarely>);
}
TEST_F(RuntimeEnterDeathTest, LongClonesMayStartAgainAsKernels) {
  EXPECT_IN_PROCESS("2", turnOutLong<leave>);
}

/// A C symbol begins a tree on the same stack. Then the clone goes on as
/// before.
void callOthers(chan_worker *worker) {
  EXPECT_EQ(fib(10), 55);
  EXPECT_EQ(fibByCalls(10), 55);
  Nothing::call(channelOf<doNothing>(), 0);
  EXPECT_EQ(chan::self(worker).running, &channelOf<callOthers>());
  if (!chan::self(worker).sharable)
    EXPECT_FALSE(isRequested(worker));
}
void nest() {
  for (int i = 0; i != 3; ++i)
    enterSmall<callOthers>();
}

TEST_F(RuntimeEnterDeathTest, CallsInsideClonesBeginTrees) {
  for (const char *workers : {"1", "2"})
    EXPECT_IN_PROCESS(workers, nest);
}

/// No worker watches when no tree is left.
void watchEnds() {
  chan::Pool::setPeriod(1'000'000);
  fib(10);
  for (int i = 0; i != 100; ++i)
    enterSmall<doNothing>();
  expectNoWorkerWatches();
}

TEST_F(RuntimeEnterDeathTest, NoWorkerWatchesAfterTheLastTree) {
  EXPECT_IN_PROCESS("2", watchEnds);
}

void exitWithSeven(chan_worker *) { std::exit(7); }
void endInside() { enterSmall<exitWithSeven>(); }

TEST_F(RuntimeEnterDeathTest, ExitInsideACloneEndsTheProcess) {
  for (const char *workers : {"1", "2"})
    EXPECT_EXIT(inProcess(workers, endInside), testing::ExitedWithCode(7), "");
}

void forkInside(chan_worker *) { exitAsForked(); }
void divideInside() { enterSmall<forkInside>(); }

TEST_F(RuntimeEnterDeathTest, ForkInsideACloneIsRefusedInTheChild) {
  for (const char *workers : {"1", "2"})
    EXPECT_EXIT(inProcess(workers, divideInside), testing::ExitedWithCode(11),
                "forked in a function that spawns");
}

} // namespace

#endif
