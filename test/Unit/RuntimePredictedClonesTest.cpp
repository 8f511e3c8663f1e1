//===- RuntimePredictedClonesTest.cpp - Clones of predicted small trees ---===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Demand.h"
#include "InProcess.h"
#include "Pool.h"
#include "RuntimeKernels.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

#if GTEST_HAS_DEATH_TEST

using namespace kernels;

namespace {

using Nothing = Element<int>;

class RuntimePredictedClonesDeathTest : public InProcess {};

/// The kernel of the trees.
void doNothing(chan_worker *, chan_block *, uint32_t) {}
const chan_batch_form form = {};
const chan_channel Tree = [] {
  chan_channel tree =
      makeClonedChannel<Nothing, doNothing, doNothing>("tree.0");
  tree.batch = &form;
  return tree;
}();
chan::SmallTaskPredictor &predictor() {
  return chan::memoriesOf(&Tree).smallTasks;
}
void makeCertain() {
  while (!predictor().isCertain())
    predictor().count(1);
}

/// How a tree was begun.
enum class By { nothing, symbol, runtime, comparison };

/// How many activations of the last tree polled, and how many were promoted.
uint32_t polled, left;
/// The tree: its activations poll where compiled code would.
[[gnu::noinline]] void runTree(chan_worker *worker, uint32_t activations) {
  char deep[2048];
  asm volatile("" : : "r"(deep) : "memory");
  polled = left = 0;
  for (uint32_t k = 0; k != activations; ++k)
    if (isRequested(worker)) {
      ++polled;
      left += chan_promote(worker) != nullptr;
      chan::self(worker).byKernel = false;
      chan_cloning = worker;
    }
  asm volatile("" : : "r"(deep) : "memory");
}

/// What the compiler makes of a clone's call; `stack` is the stack pointer
/// there.
By begin(chan_worker *worker, uint32_t activations, char *stack) {
  polled = left = 0;
  if (stack - static_cast<char *>(worker->predicted_stack) >= 0 &&
      stack - static_cast<char *>(worker->predicted_stack) <
          CHAN_PREDICTED_STACK_ROOM) {
    worker->predicted_polls =
        std::min(worker->predicted_polls_left + CHAN_PREDICTED_POLLS_USUAL,
                 CHAN_PREDICTED_POLLS_MAX);
    runTree(worker, activations);
    worker->predicted_polls_left = worker->predicted_polls;
    worker->predicted_polls = 0;
    return By::comparison;
  }
  uintptr_t token = chan_predict_small(worker, &Tree, stack);
  if (!token)
    return By::symbol;
  runTree(worker, activations);
  chan_end_predicted(worker, &Tree, token, stack);
  return By::runtime;
}

/// Runs Body(worker, stack) as the clone of an element.
template <auto Body> void runClone(chan_worker *worker) {
  static const chan_channel channel =
      makeClonedChannel<Nothing, doNothing,
                        +[](chan_worker *worker, chan_block *, uint32_t) {
                          Body(worker,
                               static_cast<char *>(__builtin_frame_address(0)));
                        }>("caller.0");
  alignas(16) char memory[CHAN_BLOCK_HEADER + 16] = {};
  auto *block = new (memory) chan_block{&channel, 1, 1, nullptr, 0};
  chan::Worker &own = chan::self(worker);
  own.runClones(block, 0, 1);
  // Whatever the clone left, what follows is not predicted.
  EXPECT_EQ(own.predicted_polls, 0u);
  EXPECT_EQ(own.predicted_stack, nullptr);
  EXPECT_FALSE(own.smallTrees.inSeries);
}
template <auto Body> void inTree() {
  static const chan_channel channel =
      makeChannel<Nothing,
                  +[](chan_worker *worker, chan_block *, uint32_t) {
                    runClone<Body>(worker);
                    EXPECT_EQ(chan::self(worker).arePollsRequested(),
                              chan::Demand::wanted());
                  },
                  CHAN_ENTRY>("part.0");
  Nothing::call(channel, 0);
}
#define EXPECT_IN_CLONE(workers, body) EXPECT_IN_PROCESS(workers, inTree<body>)

void learn(chan_worker *worker, char *stack) {
  // Nothing is known of the first tree.
  EXPECT_EQ(begin(worker, 1, stack), By::symbol);
  predictor().count(1);
  // Then the runtime decides for each, until one tree more or less makes no
  // difference.
  int runtimeCalls = 0;
  while (!predictor().isCertain()) {
    EXPECT_EQ(begin(worker, 9, stack), By::runtime);
    EXPECT_EQ(polled, 9u);
    EXPECT_EQ(left, 0u);
    EXPECT_EQ(worker->predicted_polls, 0u);
    ++runtimeCalls;
  }
  EXPECT_GE(runtimeCalls, 40);
  for (int i = 0; i != 100; ++i)
    EXPECT_EQ(begin(worker, 9, stack), By::comparison);
  // The result is the same a little deeper and a little further up, but not
  // elsewhere.
  EXPECT_EQ(begin(worker, 1, stack - 100), By::comparison);
  EXPECT_EQ(begin(worker, 1, stack + 300), By::comparison);
  EXPECT_EQ(begin(worker, 1, stack + 500), By::runtime);
  EXPECT_EQ(begin(worker, 1, stack), By::runtime);
  EXPECT_EQ(begin(worker, 1, stack - 200), By::runtime);
}
TEST_F(RuntimePredictedClonesDeathTest, SmallTreesInTurnNeedNoCalls) {
  EXPECT_IN_CLONE("1", learn);
}

void beLarge(chan_worker *worker, char *stack) {
  makeCertain();
  EXPECT_EQ(begin(worker, 9, stack), By::runtime);
  EXPECT_EQ(begin(worker, 2000, stack), By::comparison);
  EXPECT_EQ(polled, 2000u);
  EXPECT_EQ(left, 2000 - (CHAN_PREDICTED_POLLS_MAX - 1));
  // The error is found before the next tree.
  EXPECT_TRUE(predictor().isCertain());
  EXPECT_EQ(begin(worker, 9, stack), By::symbol);
  EXPECT_FALSE(predictor().isLikely());
  EXPECT_FALSE(chan::self(worker).arePollsRequested());
  // The same if the first tree is large.
  makeCertain();
  EXPECT_EQ(begin(worker, 2000, stack), By::runtime);
  EXPECT_EQ(left, 2000 - (CHAN_PREDICTED_POLLS_MAX - 1));
  EXPECT_FALSE(chan::self(worker).arePollsRequested());
  EXPECT_EQ(begin(worker, 9, stack), By::symbol);
}
TEST_F(RuntimePredictedClonesDeathTest, ALargeTreeIsPromoted) {
  EXPECT_IN_CLONE("1", beLarge);
}

void beLargeOnAverage(chan_worker *worker, char *stack) {
  makeCertain();
  begin(worker, 1, stack);
  int trees = 0;
  do
    begin(worker, 356, stack);
  while (!left && ++trees != 100);
  // Each tree is a hundred activations too large.
  EXPECT_GE(trees, 6);
  EXPECT_LE(trees, 12);
}
TEST_F(RuntimePredictedClonesDeathTest, TheAverageTreeMustBeSmall) {
  EXPECT_IN_CLONE("1", beLargeOnAverage);
}

void askOneself(chan_worker *worker, char *stack) {
  makeCertain();
  begin(worker, 9, stack);
  EXPECT_EQ(begin(worker, 9, stack), By::comparison);
  EXPECT_NE(worker->stack_limit, chan::self(worker).stack.cloneLimit());
  // A poll between two trees belongs to neither.
  EXPECT_EQ(chan_promote(worker), nullptr);
  EXPECT_EQ(worker->stack_limit, chan::self(worker).stack.cloneLimit());
  EXPECT_EQ(begin(worker, 9, stack), By::runtime);
  EXPECT_EQ(begin(worker, 9, stack), By::comparison);
}
TEST_F(RuntimePredictedClonesDeathTest, TheCallerPollsAsBefore) {
  EXPECT_IN_CLONE("1", askOneself);
}

void beDemanded(chan_worker *worker, char *stack) {
  using Clock = std::chrono::steady_clock;
  while (chan::Demand::wanted())
    chan::Demand::busy();
  chan::self(worker).refreshLimit();
  makeCertain();
  begin(worker, 9, stack);
  EXPECT_EQ(begin(worker, 9, stack), By::comparison);
  chan::Demand::idle();
  EXPECT_TRUE(chan::self(worker).arePollsRequested());
  // This tree goes on, and does not count as an error.
  EXPECT_EQ(begin(worker, 1, stack), By::comparison);
  EXPECT_EQ(polled, 1u);
  EXPECT_EQ(left, 0u);
  EXPECT_EQ(begin(worker, 9, stack), By::symbol);
  EXPECT_TRUE(predictor().isCertain());
  chan::Demand::busy();
  // A worker may want work by now, or not.
  chan::self(worker).refreshLimit();
  if (chan::Demand::wanted())
    return;
  // A tree that takes long does not go on.
  begin(worker, 9, stack);
  EXPECT_EQ(begin(worker, 9, stack), By::comparison);
  chan::Demand::idle();
  worker->predicted_polls = CHAN_PREDICTED_POLLS_MAX;
  uint32_t promotes = 0;
  for (auto late = Clock::now() + std::chrono::seconds(10);
       !promotes && Clock::now() < late;)
    promotes += chan_promote(worker) != nullptr;
  EXPECT_EQ(promotes, 1u);
  chan::self(worker).byKernel = false;
  chan_cloning = worker;
  worker->predicted_polls_left = std::exchange(worker->predicted_polls, 0);
  EXPECT_EQ(begin(worker, 9, stack), By::symbol);
}
TEST_F(RuntimePredictedClonesDeathTest, RequestsAreNoticedBeforeTheNextTree) {
  EXPECT_IN_CLONE("2", beDemanded);
}

/// In a tree that is predicted small itself, its remaining polls serve both.
void beInside(chan_worker *worker, char *stack) {
  makeCertain();
  worker->predicted_polls = 100;
  uintptr_t limit = worker->stack_limit;
  EXPECT_EQ(begin(worker, 9, stack), By::runtime);
  EXPECT_EQ(begin(worker, 9, stack), By::runtime);
  EXPECT_EQ(polled, 9u);
  EXPECT_EQ(worker->predicted_polls, 82u);
  EXPECT_EQ(worker->stack_limit, limit);
  EXPECT_EQ(begin(worker, 90, stack), By::runtime);
  EXPECT_EQ(left, 90u - 81u);
  EXPECT_TRUE(chan::self(worker).arePollsRequested());
  EXPECT_FALSE(predictor().isCertain());
  EXPECT_EQ(begin(worker, 9, stack), By::symbol);
  worker->predicted_polls = 0;
  chan::self(worker).refreshLimit();
}
TEST_F(RuntimePredictedClonesDeathTest, PredictionsNest) {
  EXPECT_IN_CLONE("1", beInside);
}

/// Without batches a prediction gains nothing.
const chan_channel Plain =
    makeClonedChannel<Nothing, doNothing, doNothing>("plain.0");
void haveNoBatches(chan_worker *worker, char *stack) {
  uintptr_t limit = worker->stack_limit;
  uintptr_t token = chan_predict_small(worker, &Plain, stack);
  EXPECT_NE(token, 0u);
  EXPECT_EQ(worker->stack_limit, limit);
  EXPECT_EQ(worker->predicted_polls, 0u);
  chan_end_predicted(worker, &Plain, token, stack);
  EXPECT_EQ(worker->stack_limit, limit);
  EXPECT_EQ(worker->predicted_stack, nullptr);
}
TEST_F(RuntimePredictedClonesDeathTest, WithoutBatchesThereAreClones) {
  EXPECT_IN_CLONE("1", haveNoBatches);
}

/// A clone that is called inside a tree predicts by itself.
void nestInner(chan_worker *worker, char *stack) {
  EXPECT_EQ(worker->predicted_stack, nullptr);
  EXPECT_EQ(begin(worker, 9, stack), By::runtime);
}
void nest(chan_worker *worker, char *stack) {
  makeCertain();
  begin(worker, 9, stack);
  static const chan_channel inner = makeClonedChannel<
      Nothing, doNothing, +[](chan_worker *worker, chan_block *, uint32_t) {
        nestInner(worker, static_cast<char *>(__builtin_frame_address(0)));
      }>("inner.0");
  alignas(16) char memory[CHAN_BLOCK_HEADER + 16] = {};
  auto *block = new (memory) chan_block{&inner, 1, 1, nullptr, 0};
  worker->predicted_polls = 500;
  chan::self(worker).runClones(block, 0, 1);
  EXPECT_EQ(worker->predicted_polls, 491u);
  worker->predicted_polls = 0;
  // The limit may have changed.
  EXPECT_EQ(begin(worker, 9, stack), By::runtime);
  EXPECT_EQ(begin(worker, 9, stack), By::comparison);
  chan::self(worker).refreshLimit();
  EXPECT_EQ(begin(worker, 9, stack), By::runtime);
}
TEST_F(RuntimePredictedClonesDeathTest, NestedClonesPredictByThemselves) {
  EXPECT_IN_CLONE("1", nest);
}

} // namespace

#endif
