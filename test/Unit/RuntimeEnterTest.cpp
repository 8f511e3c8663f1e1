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

/// What ran a tree last.
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
template <auto Body> chan::SmallTaskPredictor &tinyTreesOf() {
  return chan::memoriesOf(&channelOf<Body>()).smallTasks;
}
/// The same where it is taken for small.
template <auto Body> void enterTiny() {
  chan::Worker::current();
  // One that met an interrupt was not.
  while (!tinyTreesOf<Body>().isLikely())
    tinyTreesOf<Body>().count(1);
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

TEST_F(RuntimeEnterDeathTest, AloneThereIsNothingToPrepare) {
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
  // If it was no interrupt that made it last, nor a sanitizer.
  uint64_t shortest = UINT64_MAX;
  for (int i = 0; i != 1000 && ran != As::cloneWithoutContext; ++i) {
    uint64_t began = chan::ticks();
    enter<doNothing>();
    shortest = std::min(shortest, chan::ticks() - began);
  }
  if (shortest < chan::SmallTaskPredictor::kMostTicks)
    EXPECT_EQ(ran, As::cloneWithoutContext);
  // One in some is measured.
  enterTiny<waitAwhile>();
  int times = 1;
  for (; tinyTreesOf<waitAwhile>().isLikely() && times != 100; ++times)
    enter<waitAwhile>();
  EXPECT_LE(times, 16);
  // That it was not small is not forgotten at once.
  tinyTreesOf<waitAwhile>().count(1);
  EXPECT_FALSE(tinyTreesOf<waitAwhile>().isLikely());
  // The time tells, where there are no batches.
  chan::SmallTaskPredictor trees{};
  trees.took(1);
  EXPECT_TRUE(trees.isLikely());
  trees.took(chan::SmallTaskPredictor::kMostTicks);
  EXPECT_FALSE(trees.isLikely());
}

TEST_F(RuntimeEnterDeathTest, WithOthersOnlyWhatWasTiny) {
  EXPECT_IN_PROCESS("2", enterWithOthers);
}

using Number = Element<int *>;
void writeSeven(chan_worker *, chan_block *block, uint32_t i) {
  *Number::get<0>(block, i) = 7;
}
const chan_channel NumberEntry =
    makeChannel<Number, writeSeven, CHAN_ENTRY>("seven.0");

/// Waits until a question is answered as is wanted; false if it never is.
template <typename F> bool untilPressed(chan_worker *worker, F isAnswered) {
  for (auto late = Clock::now() + std::chrono::seconds(10);
       Clock::now() < late;)
    if (isPressed(worker) && isAnswered())
      return true;
  return false;
}

/// A loop that turns out to be long spawns what is left.
void spawnLate(chan_worker *worker) {
  EXPECT_FALSE(isPressed(worker));
  chan_late *late = nullptr;
  EXPECT_TRUE(untilPressed(
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
  // From now on, all that ask are answered.
  EXPECT_TRUE(isPressed(worker));
}
/// A few activations tell, if they take long.
void askRarely(chan_worker *worker) {
  int questions = 0;
  EXPECT_TRUE(untilPressed(worker, [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++questions;
    chan_late *late = chan_late_open(worker);
    if (late)
      chan_late_close(worker, late);
    return late != nullptr;
  }));
  EXPECT_LE(questions, 3);
}
/// What has had no effect starts again.
void leave(chan_worker *worker) {
  EXPECT_TRUE(
      untilPressed(worker, [&] { return chan_promote(worker) != nullptr; }));
  EXPECT_EQ(chan_cloning, nullptr);
  ran = As::nothing;
  Nothing::call(channelOf<leave>(), 0);
  EXPECT_EQ(ran, As::kernel);
  EXPECT_EQ(chan_cloning, worker);
  ran = As::cloneWithoutContext;
}
template <auto Body> void turnOutLong() {
  chan::Pool::setPeriod(1'000'000);
  fib(10); // whoever wants work has come
  std::this_thread::sleep_for(std::chrono::milliseconds(20)); // and sleeps
  enterTiny<Body>();
  EXPECT_FALSE(tinyTreesOf<Body>().isLikely());
  EXPECT_FALSE(chan::Worker::current().isCounted);
}

TEST_F(RuntimeEnterDeathTest, LongOnesAreSharedAfterAWhile) {
  EXPECT_IN_PROCESS("2", turnOutLong<spawnLate>);
}
TEST_F(RuntimeEnterDeathTest, LongTasksAreFew) {
  EXPECT_IN_PROCESS("2", turnOutLong<askRarely>);
}
TEST_F(RuntimeEnterDeathTest, LongOnesMayStartAgain) {
  EXPECT_IN_PROCESS("2", turnOutLong<leave>);
}

/// A C symbol begins a tree on the same stack, and then the clone goes on as
/// before.
void callOthers(chan_worker *worker) {
  EXPECT_EQ(fib(10), 55);
  EXPECT_EQ(fibByCalls(10), 55);
  Nothing::call(channelOf<doNothing>(), 0);
  EXPECT_EQ(chan::self(worker).running, &channelOf<callOthers>());
  if (!chan::self(worker).sharable)
    EXPECT_FALSE(isPressed(worker));
}
void nest() {
  for (int i = 0; i != 3; ++i)
    enterTiny<callOthers>();
}

TEST_F(RuntimeEnterDeathTest, CallsInsideBeginTrees) {
  for (const char *workers : {"1", "2"})
    EXPECT_IN_PROCESS(workers, nest);
}

/// Nobody watches when no tree is left.
void watchEnds() {
  chan::Pool::setPeriod(1'000'000);
  fib(10);
  for (int i = 0; i != 100; ++i)
    enterTiny<doNothing>();
  expectNobodyWatches();
}

TEST_F(RuntimeEnterDeathTest, NobodyWatchesBehindTheLast) {
  EXPECT_IN_PROCESS("2", watchEnds);
}

void exitWithSeven(chan_worker *) { std::exit(7); }
void endInside() { enterTiny<exitWithSeven>(); }

TEST_F(RuntimeEnterDeathTest, ExitInsideEndsTheProcess) {
  for (const char *workers : {"1", "2"})
    EXPECT_EXIT(inProcess(workers, endInside), testing::ExitedWithCode(7), "");
}

void forkInside(chan_worker *) { exitAsForked(); }
void divideInside() { enterTiny<forkInside>(); }

TEST_F(RuntimeEnterDeathTest, ForkInsideIsRefusedInTheChild) {
  for (const char *workers : {"1", "2"})
    EXPECT_EXIT(inProcess(workers, divideInside), testing::ExitedWithCode(11),
                "forked in a function that spawns");
}

} // namespace

#endif
