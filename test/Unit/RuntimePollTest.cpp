//===- RuntimePollTest.cpp - When clones poll, and which are promoted ---- ===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CloneTesting.h"
#include "Demand.h"
#include "InProcess.h"
#include "Pool.h"
#include "StoppedClock.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#if GTEST_HAS_DEATH_TEST

using namespace kernels;

namespace {

using Clock = std::chrono::steady_clock;

class RuntimePollDeathTest : public InProcess {};

void demandShows(chan_worker *worker) {
  chan::Demand::busy();
  chan::self(worker).refreshLimit();
  EXPECT_FALSE(isRequested(worker));
  EXPECT_EQ(chan_late_open(worker), nullptr);
  chan::Demand::idle();
  EXPECT_TRUE(isRequested(worker));
  chan_late *late = chan_late_open(worker);
  ASSERT_TRUE(late);
  chan_late_close(worker, late);
  // A plain call does not cause a promotion.
  EXPECT_EQ(chan_late_open_if_low(worker), nullptr);
  EXPECT_TRUE(isRequested(worker));
}

TEST_F(RuntimePollDeathTest, ARequestMakesClonesPoll) {
  EXPECT_IN_PROCESS("2", runInTree<demandShows>);
}

/// The result of a poll by an activation called inside the caller's.
[[gnu::noinline]] chan_late *openInside(chan_worker *worker) {
  volatile char space[64] = {};
  chan_late *late = chan_late_open(worker);
  space[0] = 1; // otherwise the call would be the frame's last, and reuse its
                // place
  return late;
}

/// Time passes until the youngest activation that may be promoted is old
/// enough.
void growOlder() { StoppedClock::pass(chan::durations.leastAge); }

/// After a task block was taken back: activations deeper than one that polled
/// are not promoted. That one is, after a while.
void olderIsPromoted(chan_worker *worker) {
  StoppedClock clock;
  chan::Worker &own = chan::self(worker);
  own.times.treeBegan = 0; // it is not young
  own.promotionOrder.takeBack();
  EXPECT_EQ(openInside(worker), nullptr);
  EXPECT_EQ(chan_late_open(worker), nullptr);
  growOlder();
  EXPECT_EQ(openInside(worker), nullptr);
  // Plain calls change nothing.
  EXPECT_EQ(chan_late_open_if_low(worker), nullptr);
  EXPECT_NE(chan_promote(worker), nullptr);
  own.byKernel = false;
  // What runs on levels of its own is not compared with its callers.
  EXPECT_EQ(chan_late_open(worker), nullptr);
  chan::Context inner(own, nullptr);
  own.level = inner.base;
  EXPECT_EQ(openInside(worker), nullptr);
  growOlder();
  chan_late *late = openInside(worker);
  ASSERT_TRUE(late);
  chan_late_close(worker, late);
}

TEST_F(RuntimePollDeathTest, OlderFramesArePromotedAfterUselessOffers) {
  EXPECT_IN_PROCESS("2", runInTree<olderIsPromoted>);
}

/// Deeper than any call below.
[[gnu::noinline]] bool isRequestedInside(chan_worker *worker) {
  volatile char space[1024] = {};
  bool pressed = isRequested(worker);
  space[0] = 1; // as above
  return pressed;
}

/// When there has been no promotion for long, only the candidate and the
/// activations around it poll.
void waitLong(chan_worker *worker) {
  StoppedClock clock;
  EXPECT_EQ(chan_late_open(worker), nullptr);
  EXPECT_EQ(openInside(worker), nullptr);
  EXPECT_TRUE(isRequestedInside(worker));
  StoppedClock::pass(chan::durations.longWait);
  EXPECT_EQ(openInside(worker), nullptr);
  EXPECT_FALSE(isRequestedInside(worker));
  EXPECT_TRUE(isRequested(worker));
}
/// This ends when other activations run, or when a worker that wants work
/// reminds all.
void onlyOlderPoll(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  chan::Pool::setPeriod(500'000'000);
  own.times.treeBegan = 0;
  for (int i = 0; i != 10; ++i)
    own.promotionOrder.takeBack();
  waitLong(worker);
  {
    chan::Context inner(own, nullptr);
    EXPECT_TRUE(isRequestedInside(worker));
  }
  waitLong(worker);
  EXPECT_TRUE(isRemindedSoon(own));
  EXPECT_TRUE(isRequestedInside(worker));
}

TEST_F(RuntimePollDeathTest, DeeperFramesDoNotPollAfterALongWait) {
  EXPECT_IN_PROCESS("2", runInTree<onlyOlderPoll>);
}

/// There is no request any more, so deeper frames do not count as such.
void demandEnds(chan_worker *worker) {
  StoppedClock clock;
  chan::self(worker).times.treeBegan = 0;
  chan::self(worker).promotionOrder.takeBack();
  EXPECT_EQ(chan_late_open(worker), nullptr);
  EXPECT_EQ(openInside(worker), nullptr);
  EXPECT_TRUE(isRequested(worker));
  chan::Demand::busy();
  EXPECT_EQ(openInside(worker), nullptr);
  EXPECT_FALSE(isRequested(worker));
  chan::Demand::idle();
  // This is another request.
  EXPECT_EQ(openInside(worker), nullptr);
  growOlder();
  chan_late *late = openInside(worker);
  ASSERT_TRUE(late);
  chan_late_close(worker, late);
}

TEST_F(RuntimePollDeathTest, ClonesStopPollingWithoutRequests) {
  EXPECT_IN_PROCESS("2", runInTree<demandEnds>);
}

/// In a forked process, no frame is deeper than one that polled in the parent.
void forkAfterPoll(chan_worker *worker) {
  StoppedClock clock;
  chan::self(worker).times.treeBegan = 0;
  chan::self(worker).promotionOrder.takeBack();
  EXPECT_EQ(chan_late_open(worker), nullptr);
  pid_t child = fork();
  if (child == 0) {
    openInside(worker);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

TEST_F(RuntimePollDeathTest, AForkedChildPollsAtOnce) {
  EXPECT_IN_PROCESS("2", runInTree<forkAfterPoll>);
}

/// A tree that is predicted small, with this number of activations.
uint32_t activations, answered;
[[gnu::noinline]] void countAnswersDeep(chan_worker *worker,
                                        chan_block *block) {
  char deep[1024];
  asm volatile("" : : "r"(deep) : "memory");
  EXPECT_EQ(chan_cloning, worker);
  answered = 0;
  for (uint32_t k = 0; k != activations; ++k) {
    EXPECT_TRUE(isRequested(worker));
    // An activation that cannot be promoted counts as well.
    if (k < 100 && k % 2) {
      EXPECT_EQ(chan_late_open_if_low(worker), nullptr);
      continue;
    }
    if (!chan_promote(worker))
      continue;
    ++answered;
    // A call that runs in its place is not counted, and does not poll.
    chan_run(block);
    EXPECT_EQ(chan_cloning, worker);
  }
  // An activation that cannot be promoted goes on.
  if (answered)
    EXPECT_EQ(chan_late_open_if_low(worker), nullptr);
  asm volatile("" : : "r"(deep) : "memory");
}
// Without expectations, which would take much of the stack.
bool requestedBefore, requestedAfter;
void countAnswers(chan_worker *worker, chan_block *block, uint32_t) {
  requestedBefore = isRequested(worker);
  countAnswersDeep(worker, block);
  requestedAfter = isRequested(worker);
}
void seesNoPrediction(chan_worker *worker, chan_block *, uint32_t) {
  EXPECT_EQ(chan_cloning, nullptr);
  EXPECT_FALSE(isRequested(worker));
  EXPECT_EQ(chan_promote(worker), nullptr);
}
const chan_channel PredictedEntry =
    makeClonedChannel<Nothing, seesNoPrediction, countAnswers>("predicted.0");

void predicted_polls(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  chan::SmallTaskPredictor &predictor =
      chan::memoriesOf(&PredictedEntry).smallTasks;
  auto run = [&](uint32_t number) {
    predictor.count(1);
    EXPECT_TRUE(predictor.isLikely());
    activations = number;
    alignas(16) char memory[CHAN_BLOCK_HEADER + 16] = {};
    auto *block = new (memory) chan_block{&PredictedEntry, 1, 1, nullptr, 0};
    own.runPredictedSmall(block, 0, 1);
    EXPECT_FALSE(isRequested(worker));
    EXPECT_EQ(own.predicted_polls, 0u);
    // Activations near the root poll once the tree has turned out to be large.
    EXPECT_FALSE(requestedBefore);
    EXPECT_EQ(requestedAfter, answered != 0);
  };
  run(chan::kUsualTree);
  EXPECT_EQ(answered, 0u);
  EXPECT_TRUE(predictor.isLikely());
  run(chan::kMostSmallTree - 1);
  EXPECT_EQ(answered, 0u);
  // It was less large, but clones took longer than batches.
  EXPECT_FALSE(predictor.isLikely());
  while (!predictor.isLikely())
    predictor.count(1);
  run(chan::kMostSmallTree + 10);
  EXPECT_EQ(answered, 10u);
  EXPECT_FALSE(predictor.isLikely());
}

TEST_F(RuntimePollDeathTest, APredictedSmallTreeThatIsLargeIsPromoted) {
  EXPECT_IN_PROCESS("1", runInTree<predicted_polls>);
}

/// test/Models/demand.pml on the machine.
void raceForLimit() {
  chan::Worker &worker = chan::Worker::current();
  chan::Demand::busy();
  std::atomic<int> round{0}, done{0};
  constexpr int kRounds = 20000;
  std::thread raiser([&] {
    for (int k = 1; k <= kRounds; ++k) {
      while (round != k)
        std::this_thread::yield();
      chan::Demand::idle();
      done = k;
    }
  });
  int missed = 0;
  for (int k = 1; k <= kRounds; ++k) {
    round = k;
    worker.refreshLimit();
    while (done != k)
      std::this_thread::yield();
    missed += !worker.arePollsRequested();
    chan::Demand::busy();
  }
  raiser.join();
  EXPECT_EQ(missed, 0);
  chan::Demand::idle();
}

TEST_F(RuntimePollDeathTest, NoRequestIsMissed) {
  EXPECT_IN_PROCESS("2", raceForLimit);
}

//===----------------------------------------------------------------------===//
// A request in the middle of a clone
//===----------------------------------------------------------------------===//

std::atomic<bool> inClone, childElsewhere;
std::thread::id cloneThread;

using Task = Element<int>;
void beginChild(chan_worker *, chan_block *, uint32_t) {
  if (std::this_thread::get_id() != cloneThread)
    childElsewhere = true;
}
const chan_channel ChildEntry =
    makeChannel<Task, beginChild, CHAN_ENTRY>("child.0");

void spinFor(std::chrono::microseconds time) {
  auto end = Clock::now() + time;
  while (Clock::now() < end)
    ;
}

void taskKernel(chan_worker *, chan_block *, uint32_t) {
  spinFor(std::chrono::microseconds(20));
}

/// The first to run goes on until another worker has nothing left to do, and
/// then until that worker has its child.
void taskSerial(chan_worker *worker, chan_block *, uint32_t) {
  if (inClone.exchange(true))
    return;
  cloneThread = std::this_thread::get_id();
  auto limit = Clock::now() + std::chrono::seconds(20);
  while (!isRequested(worker) && Clock::now() < limit)
    std::this_thread::yield();
  chan_late *late = nullptr;
  while (!late && Clock::now() < limit)
    late = chan_late_open(worker);
  if (!late)
    return;
  Task::send(worker, ChildEntry, 0);
  while (!childElsewhere && Clock::now() < limit)
    chan_late_spawned(worker);
  chan_late_close(worker, late);
}
const chan_channel TaskEntry =
    makeClonedChannel<Task, taskKernel, taskSerial>("task.0");

void rootKernel(chan_worker *worker, chan_block *, uint32_t) {
  for (int k = 0; k != 1000; ++k)
    Task::send(worker, TaskEntry, k);
}
const chan_channel RootEntry =
    makeChannel<Task, rootKernel, CHAN_ENTRY>("root.0");

void demandInClone() {
  Task::call(RootEntry, 0);
  EXPECT_TRUE(inClone);
  EXPECT_TRUE(childElsewhere);
}

TEST_F(RuntimePollDeathTest, AClonePromotesAtARequest) {
  EXPECT_IN_PROCESS("2", demandInClone);
}

} // namespace

#endif
