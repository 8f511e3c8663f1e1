//===- RuntimeBackOffTest.cpp - When sharing pauses, and clones run -------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CloneTesting.h"
#include "Demand.h"
#include "InProcess.h"
#include "Pool.h"

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

class RuntimeBackOffDeathTest : public InProcess {};

/// Sharing backs off when thieves have gained nothing for long. Then clones
/// run.
void fruitlessBacksOff(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  uint64_t backOffTicks = chan::durations.backOff;
  for (int i = 0; i != 6; ++i) {
    EXPECT_FALSE(own.isBackingOff());
    EXPECT_TRUE(isRequested(worker));
    uint64_t began = chan::ticks();
    EXPECT_GE(countRefusals(worker) + 1, chan::kMostFruitless);
    uint64_t ended = chan::ticks();
    EXPECT_GE(ended - began, chan::durations.fruitless);
    EXPECT_TRUE(chan::Demand::wanted());
    EXPECT_FALSE(isRequested(worker));
    // Each back-off is longer, up to a limit.
    EXPECT_GE(own.backOff.end, began + backOffTicks);
    EXPECT_LE(own.backOff.end, ended + backOffTicks);
    // However slow this machine is.
    own.backOff.end = UINT64_MAX;
    for (int k = 0; k != 100; ++k)
      EXPECT_TRUE(maySerialize(worker));
    if (backOffTicks < chan::durations.backOff << chan::kMostDoublings)
      backOffTicks *= 2;
    own.backOff.end = chan::ticks();
    EXPECT_FALSE(own.isBackingOff());
  }
  auto stays = [&](auto happens) {
    for (uint32_t i = 0; i != 4 * chan::kMostFruitless; ++i) {
      uint64_t began = chan::ticks();
      while (chan::ticks() - began < chan::durations.fruitless / 32)
        ;
      // However long it was interrupted.
      happens((chan::ticks() - began) / 2);
      if (maySerialize(worker))
        return false;
    }
    return true;
  };
  // There is no back-off if thieves do a part of the work, unless that is all
  // that is done.
  EXPECT_TRUE(stays([&](uint64_t part) { own.helping.helped += part; }));
  EXPECT_FALSE(stays([&](uint64_t part) {
    own.helping.helped += part;
    own.backOff.history.waited(part);
  }));
  own.endBackOff();
  // Nor if they are about to.
  own.helping.helpers = 1;
  EXPECT_TRUE(stays([](uint64_t) {}));
  own.helping.helpers = 0;
  // If thieves have enough work, there is no back-off, though clones run after
  // a while. A thread of the pool that came to watch has gone to sleep by then.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  uint32_t wanting = chan::Demand::demanded();
  auto all = [&](void (*act)()) {
    for (uint32_t i = 0; i != wanting; ++i)
      act();
  };
  all(chan::Demand::busy);
  EXPECT_EQ(countRefusals(worker) + 1, chan::kMostUnrequested);
  EXPECT_TRUE(maySerialize(worker));
  EXPECT_FALSE(own.backOff.isOn);
  all(chan::Demand::idle);
  EXPECT_FALSE(maySerialize(worker));
  all(chan::Demand::busy);
  EXPECT_EQ(countRefusals(worker) + 1, chan::kMostUnrequested);
  all(chan::Demand::idle);
}

TEST_F(RuntimeBackOffDeathTest, SharingBacksOffIfThievesGainNothing) {
  EXPECT_IN_PROCESS("2", runInTree<fruitlessBacksOff>);
}

/// While a worker backs off, one of its activations reads the clock every
/// period.
void backingOffIsReminded(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  chan::Pool::setPeriod(1'000'000);
  own.backOffUntil(UINT64_MAX);
  for (int i = 0; i != 3; ++i) {
    EXPECT_FALSE(isRequested(worker));
    for (auto late = Clock::now() + std::chrono::seconds(10);
         !isRequested(worker) && Clock::now() < late;)
      std::this_thread::yield();
    ASSERT_TRUE(isRequested(worker));
    if (i == 2)
      own.backOff.end = chan::ticks();
    // It goes on as before, or is promoted.
    chan_late *late = chan_late_open(worker);
    EXPECT_EQ(late != nullptr, i == 2);
    if (late)
      chan_late_close(worker, late);
  }
}

TEST_F(RuntimeBackOffDeathTest, AWorkerThatBacksOffIsReminded) {
  EXPECT_IN_PROCESS("2", runInTree<backingOffIsReminded>);
}

/// In a tree that is predicted short, and only there, sharing backs off from
/// the start. The root's children still run by kernels.
bool wasBackingOff, wasRequested, hadClone;
void lookAround(chan_worker *worker) {
  wasBackingOff = chan::self(worker).backOff.isOn;
  wasRequested = isRequested(worker);
  hadClone = maySerialize(worker);
}
void beAnother(chan_worker *worker) { lookAround(worker); }
void sharingPredictor() {
  chan::Pool::setPeriod(1'000'000'000);
  runInTree<lookAround>();
  EXPECT_FALSE(wasBackingOff);
  EXPECT_TRUE(wasRequested);
  // As if the tree had been short, however slow this machine is.
  chan::Worker::current().times.predictor.end(0, /*offered=*/false);
  runInTree<lookAround>();
  EXPECT_TRUE(wasBackingOff);
  EXPECT_FALSE(wasRequested);
  EXPECT_FALSE(hadClone);
  runInTree<beAnother>();
  EXPECT_FALSE(wasBackingOff);
  EXPECT_TRUE(wasRequested);
}

TEST_F(RuntimeBackOffDeathTest, ShortTreesBackOff) {
  EXPECT_IN_PROCESS("2", sharingPredictor);
}

/// No worker watches because of one that never polls.
void backOffForEver(chan_worker *worker) {
  chan::self(worker).backOffUntil(UINT64_MAX);
}
void watchEnds() {
  chan::Worker &own = chan::Worker::current();
  chan::Pool::setPeriod(1'000'000);
  for (int i = 0; i != 3; ++i) {
    runInTree<backOffForEver>();
    EXPECT_TRUE(isRemindedSoon(own));
    expectNoWorkerWatches();
  }
}

TEST_F(RuntimeBackOffDeathTest, ARemindedWorkerIsNotWatched) {
  EXPECT_IN_PROCESS("2", watchEnds);
}

/// Waits at the caller's level.
const chan_channel WaitingEntry =
    makeChannel<Nothing, +[](chan_worker *, chan_block *, uint32_t) {},
                CHAN_ENTRY>("waiting.0");

/// If sharing was fruitless, a promoted activation calls its children again.
void callAfterAll(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  chan_late *late = chan_late_open(worker);
  ASSERT_TRUE(late);
  EXPECT_FALSE(chan_late_calls(worker, late));
  EXPECT_GE(countRefusals(worker), 1u);
  EXPECT_TRUE(own.backOff.isFruitless);
  own.backOff.end = UINT64_MAX;
  EXPECT_TRUE(chan_late_calls(worker, late));
  // Not while anything waits here, is reserved, or has a result to be assigned.
  chan_level *level = worker->level;
  Nothing::send(worker, WaitingEntry, 0);
  EXPECT_FALSE(chan_late_calls(worker, late));
  chan_late_sync(worker, late);
  EXPECT_EQ(worker->level, level);
  EXPECT_TRUE(chan_late_calls(worker, late));
  chan_late_defer(worker, late, nullptr, nullptr, 8, 8);
  EXPECT_FALSE(chan_late_calls(worker, late));
  chan_late_sync(worker, late);
  EXPECT_TRUE(chan_late_calls(worker, late));
  whereStackIsDeep([&] { EXPECT_FALSE(chan_late_calls(worker, late)); });
  // Once reminded, it reads the clock.
  own.requestPolls();
  EXPECT_TRUE(chan_late_calls(worker, late));
  own.backOff.end = 0;
  EXPECT_FALSE(chan_late_calls(worker, late));
  // A back-off in a tree that is predicted short has no such effect.
  own.backOffUntil(UINT64_MAX);
  EXPECT_FALSE(own.backOff.isFruitless);
  EXPECT_FALSE(chan_late_calls(worker, late));
  own.endBackOff();
  chan_late_close(worker, late);
}

TEST_F(RuntimeBackOffDeathTest, ChildrenAreCalledAgainAfterFruitlessSharing) {
  EXPECT_IN_PROCESS("2", runInTree<callAfterAll>);
}

/// A worker whose activations are promoted again and again without a gain backs
/// off.
void promoteFruitlessly(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  int promotes = 0;
  while (chan_late *late = chan_late_open(worker)) {
    chan_late_close(worker, late);
    if (++promotes == 10000000)
      break;
  }
  EXPECT_GE(promotes + 1, int(chan::kMostFruitless));
  EXPECT_LT(promotes, 10000000);
  EXPECT_TRUE(own.backOff.isFruitless);
  EXPECT_FALSE(isRequested(worker));
}

TEST_F(RuntimeBackOffDeathTest, FruitlessPromotionsCauseABackOff) {
  EXPECT_IN_PROCESS("2", runInTree<promoteFruitlessly>);
}

/// A sync waits for reserved elements, though the level shows none.
void syncReserved(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  chan_late *late = chan_late_open(worker);
  ASSERT_TRUE(late);
  while (chan::Demand::wanted())
    chan::Demand::busy();
  own.backOff.isOn = own.backOff.isFruitless = true;
  own.backOff.end = UINT64_MAX;
  int result = 0;
  Number::send(worker, NumberEntry, &result, 7);
  chan_poll(worker);
  EXPECT_TRUE(own.reservation.hidden);
  EXPECT_FALSE(chan_late_calls(worker, late));
  chan_late_sync(worker, late);
  EXPECT_EQ(result, 7);
  EXPECT_TRUE(chan_late_calls(worker, late));
  own.endBackOff();
  chan_late_close(worker, late);
}

TEST_F(RuntimeBackOffDeathTest, ASyncWaitsForReservedElements) {
  EXPECT_IN_PROCESS("2", runInTree<syncReserved>);
}

/// A row of predicted small trees counts as fruitless, too.
void predictFruitlessly(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  int predictions = 0;
  for (; !own.isBackingOff() && predictions != 10000000; ++predictions)
    EXPECT_TRUE(own.mayPredictSmall(static_cast<chan::Level *>(worker->level)));
  EXPECT_GE(predictions + 1, int(chan::kMostFruitless));
  EXPECT_TRUE(own.backOff.isFruitless);
  EXPECT_FALSE(isRequested(worker));
}

TEST_F(RuntimeBackOffDeathTest, SmallTreesInARowCauseABackOff) {
  EXPECT_IN_PROCESS("2", runInTree<predictFruitlessly>);
}

} // namespace

#endif
