//===- RuntimeSerialTest.cpp - Serial clones ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CloneTesting.h"
#include "Demand.h"
#include "InProcess.h"
#include "Pool.h"
#include "Reserving.h"
#include "RuntimeKernels.h"
#include "Sharing.h"
#include "StoppedClock.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace kernels;

namespace {

using Clock = std::chrono::steady_clock;

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

using Fib = Element<long *, int>;
void fibEntry(chan_worker *, chan_block *, uint32_t);
void fibSerial(chan_worker *, chan_block *, uint32_t);
const chan_channel FibEntry =
    makeClonedChannel<Fib, fibEntry, fibSerial>("fib.0");

void spawnFib(chan_worker *worker, long *destination, int n) {
  Fib::send(worker, FibEntry, destination, n);
  chan_late_spawned(worker);
}

/// As the compiler clones it: the second child becomes a task if the first one
/// did.
long fibClone(chan_worker *worker, int n) {
  if (n < 2)
    return n;
  long x = 0, y = 0;
  chan_late *late = nullptr;
  if (isRequested(worker) && (late = chan_late_open(worker)))
    spawnFib(worker, &x, n - 1);
  else
    x = fibClone(worker, n - 1);
  if (late || (isRequested(worker) && (late = chan_late_open(worker))))
    spawnFib(worker, &y, n - 2);
  else
    y = fibClone(worker, n - 2);
  if (late)
    chan_late_sync(worker, late);
  long sum = x + y;
  if (late)
    chan_late_close(worker, late);
  return sum;
}
void fibSerial(chan_worker *worker, chan_block *block, uint32_t i) {
  *Fib::get<0>(block, i) = fibClone(worker, Fib::get<1>(block, i));
}

struct FibFrame {
  long *destination;
  long x, y;
};
using Handle = Element<FibFrame *>;
void fibSync(chan_worker *worker, chan_block *block, uint32_t i) {
  FibFrame *frame = Handle::get<0>(block, i);
  *frame->destination = frame->x + frame->y;
  deleteFrame(worker, frame);
}
const chan_channel FibSync =
    makeChannel<Handle, fibSync, CHAN_CONTINUATION>("fib.1", sizeof(FibFrame));
void fibEntry(chan_worker *worker, chan_block *block, uint32_t i) {
  long *destination = Fib::get<0>(block, i);
  int n = Fib::get<1>(block, i);
  if (n < 2) {
    *destination = n;
    return;
  }
  auto *frame = newFrame<FibFrame>(worker);
  frame->destination = destination;
  Fib::send(worker, FibEntry, &frame->x, n - 1);
  Fib::send(worker, FibEntry, &frame->y, n - 2);
  Handle::send(worker, FibSync, frame);
}

TEST(RuntimeSerial, ClonesAndKernelsAgree) {
  for (int n : {0, 1, 2, 9, 24}) {
    long result = -1, previous = 0, expected = n ? 1 : 0;
    for (int i = 2; i <= n; ++i) {
      long next = previous + expected;
      previous = expected;
      expected = next;
    }
    Fib::call(FibEntry, &result, n);
    EXPECT_EQ(result, expected) << n;
  }
}

//===----------------------------------------------------------------------===//
// Late children: the activation was promoted before them
//===----------------------------------------------------------------------===//

std::vector<int> applied;
void append(void *destination, void *result) {
  static_cast<std::vector<int> *>(destination)
      ->push_back(*static_cast<int *>(result));
}

constexpr int kNumbers = 200;

/// Two phases of deferred results, and memory of the activation.
void deferLate(chan_worker *worker) {
  whereStackIsDeep([&] {
    chan::self(worker).requestPolls();
    Cloning cloning(worker);
    chan_late *late = chan_late_open(worker);
    ASSERT_TRUE(late);
    for (int phase = 0; phase != 2; ++phase) {
      for (int k = 0; k != kNumbers; ++k) {
        auto *big = static_cast<char *>(
            chan_late_alloc(worker, late, 100, alignof(int)));
        big[0] = big[99] = 1;
        auto *kept = static_cast<char *>(chan_late_keep(worker, late, 100, 64));
        EXPECT_EQ(reinterpret_cast<uintptr_t>(kept) % 64, 0u);
        EXPECT_NE(kept, big);
        kept[0] = kept[99] = 2;
        void *slot = chan_late_defer(worker, late, append, &applied,
                                     sizeof(int), alignof(int));
        Number::send(worker, NumberEntry, static_cast<int *>(slot), k);
        chan_late_spawned(worker);
      }
      chan_late_sync(worker, late);
      chan_late_release(worker, late);
      EXPECT_EQ(chan_cloning, worker);
      EXPECT_EQ(applied.size(), size_t(kNumbers) * size_t(phase + 1));
    }
    chan_late_close(worker, late);
  });
}

TEST(RuntimeSerial, LateResultsAreAppliedInOrder) {
  applied.clear();
  runInTree<deferLate>();
  ASSERT_EQ(applied.size(), size_t(2 * kNumbers));
  for (int k = 0; k != 2 * kNumbers; ++k)
    EXPECT_EQ(applied[size_t(k)], k % kNumbers);
}

/// Levels nest as activations do.
long nestLate(chan_worker *worker, int depth) {
  long below = 0, own = 0;
  chan_late *late = chan_late_open_if_low(worker);
  EXPECT_TRUE(late);
  spawnFib(worker, &own, depth);
  if (depth)
    below = nestLate(worker, depth - 1);
  chan_late_close(worker, late);
  return below + own;
}
long nested;
void nestTen(chan_worker *worker) {
  EXPECT_EQ(chan_late_open_if_low(worker), nullptr);
  whereStackIsDeep([&] { nested = nestLate(worker, 10); });
}
TEST(RuntimeSerial, LevelsOfActivationsNest) {
  runInTree<nestTen>();
  EXPECT_EQ(nested, 143); // the sum of fib(0) to fib(10)
}

#if GTEST_HAS_DEATH_TEST

class RuntimeSerialDeathTest : public InProcess {};

//===----------------------------------------------------------------------===//
// When clones run
//===----------------------------------------------------------------------===//

void oneWorkerSerializes(chan_worker *worker) {
  EXPECT_TRUE(maySerialize(worker));
  EXPECT_FALSE(isRequested(worker));
  EXPECT_EQ(chan_late_open(worker), nullptr);
  whereStackIsDeep([&] {
    EXPECT_FALSE(maySerialize(worker));
    EXPECT_TRUE(isRequested(worker));
  });
}

TEST_F(RuntimeSerialDeathTest, OneWorkerRunsClonesUntilTheStackIsDeep) {
  EXPECT_IN_PROCESS("1", runInTree<oneWorkerSerializes>);
}

/// A worker wants work in the beginning, and then none does.
void slackDecides(chan_worker *worker) {
  EXPECT_TRUE(chan::Demand::wanted());
  EXPECT_FALSE(maySerialize(worker));
  chan::Demand::busy();
  chan_level *own = worker->level;
  EXPECT_FALSE(maySerialize(worker));
  int results[4];
  for (int k = 0; k != 4; ++k) {
    EXPECT_FALSE(maySerialize(worker));
    Number::send(worker, NumberEntry, &results[k], k);
    worker->level = own->deeper;
    EXPECT_EQ(maySerialize(worker), k == 3);
    worker->level = own;
  }
  chan::self(worker).yieldTo(static_cast<chan::Level *>(own->deeper));
  chan::Demand::idle();
}

TEST_F(RuntimeSerialDeathTest, ClonesRunOnlyWhenOtherWorkersHaveEnough) {
  EXPECT_IN_PROCESS("2", runInTree<slackDecides>);
}

/// Whether a clone may run in a call inside another call inside the kernel.
bool maySerializeInside(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  chan::Context outer(own, nullptr);
  own.level = outer.base;
  own.ensureDeeper(outer.base);
  chan::Context inner(own, nullptr);
  own.level = inner.base;
  return maySerialize(worker);
}

/// Thieves find what waits outside of nested calls.
void outerSlackDecides(chan_worker *worker) {
  chan::Demand::busy();
  int results[4];
  for (int k = 0; k != 4; ++k) {
    EXPECT_FALSE(maySerializeInside(worker));
    Number::send(worker, NumberEntry, &results[k], k);
  }
  EXPECT_TRUE(maySerializeInside(worker));
  chan::self(worker).yieldTo(static_cast<chan::Level *>(worker->level->deeper));
  chan::Demand::idle();
}

TEST_F(RuntimeSerialDeathTest,
       ElementsOutsideNestedCallsCountAsWorkForThieves) {
  EXPECT_IN_PROCESS("2", runInTree<outerSlackDecides>);
}

/// A thief that waits inside a task block does not count as helping its owner.
void helpEnds(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  chan::Worker first, second;
  EXPECT_EQ(own.helping.help(&first.helping), nullptr);
  EXPECT_EQ(first.helping.helpers, 1u);
  EXPECT_EQ(own.helping.help(&second.helping), &first.helping);
  EXPECT_EQ(first.helping.helpers, 0u);
  uint64_t helped = first.helping.helped;
  EXPECT_GT(helped, 0u);
  EXPECT_EQ(second.helping.helpers, 1u);
  EXPECT_EQ(own.helping.help(nullptr), &second.helping);
  EXPECT_EQ(second.helping.helpers, 0u);
  helped = second.helping.helped;
  EXPECT_EQ(own.helping.help(&second.helping), nullptr);
  EXPECT_EQ(second.helping.helped, helped);
  EXPECT_EQ(own.helping.help(nullptr), &second.helping);
  EXPECT_GT(second.helping.helped, helped);
}

TEST(RuntimeSerial, HelpIsCountedWhileItLasts) { runInTree<helpEnds>(); }

/// A thief that takes a reservation has enough.
void reservationIsSlack(chan_worker *worker) {
  chan::Demand::busy();
  chan::Worker &own = chan::self(worker);
  auto *deeper = static_cast<chan::Level *>(worker->level->deeper);
  int results[4];
  for (int k = 0; k != 4; ++k) {
    Number::send(worker, NumberEntry, &results[k], k);
    chan::openReservation(own, deeper, deeper->entries);
    worker->level = deeper;
    bool may = maySerialize(worker);
    worker->level = deeper->shallower;
    // Unless a thief has taken it meanwhile.
    if (own.reservation.isOpen()) {
      EXPECT_EQ(may, k == 3);
    }
    chan::closeReservation(own);
  }
  own.yieldTo(deeper);
  chan::Demand::idle();
}

TEST_F(RuntimeSerialDeathTest, ReservedElementsCountAsWorkForThieves) {
  EXPECT_IN_PROCESS("2", runInTree<reservationIsSlack>);
}

/// Deferred assignments of an activation, after `number` of them.
uint32_t deferMany(chan_worker *worker, uint32_t number) {
  chan_pending pending = {};
  long place = 0;
  for (uint32_t i = 0; i != number; ++i)
    chan_defer(worker, &pending, nullptr, &place, sizeof place, alignof(long));
  uint32_t count = uint32_t(pending.count);
  chan_apply(worker, &pending);
  return count;
}

/// Only near the root of the whole tree are there more than usual. Otherwise
/// deep recursion through nested calls would have as many in each call.
void deferNested(chan_worker *worker) {
  EXPECT_EQ(deferMany(worker, 5000), 5000u);
  chan_late *late = chan_late_open(worker);
  ASSERT_TRUE(late);
  EXPECT_EQ(deferMany(worker, 5000), 5000u - 4096u);
  chan_late_close(worker, late);
}

TEST_F(RuntimeSerialDeathTest, ManyAssignmentsArePendingOnlyNearTheRoot) {
  EXPECT_IN_PROCESS("2", runInTree<deferNested>);
}

/// A promoted clone runs by its kernel, whatever is requested meanwhile.
int byKernel, byClone;
void countKernel(chan_worker *, chan_block *, uint32_t) {
  EXPECT_EQ(chan_cloning, nullptr);
  ++byKernel;
}
void countClone(chan_worker *worker, chan_block *, uint32_t) {
  EXPECT_EQ(chan_cloning, worker);
  ++byClone;
}
const chan_channel CountedEntry =
    makeClonedChannel<Nothing, countKernel, countClone>("counted.0");

void leaveOnce(chan_worker *worker) {
  chan::Demand::busy();
  int results[4];
  for (int k = 0; k != 4; ++k)
    Number::send(worker, NumberEntry, &results[k], k);
  chan_level *own = worker->level;
  worker->level = own->deeper;
  chan::self(worker).ensureDeeper(static_cast<chan::Level *>(own->deeper));
  Cloning cloning(worker);
  EXPECT_EQ(chan_promote(worker), nullptr);
  EXPECT_EQ(chan_cloning, worker);
  chan::Demand::idle();
  EXPECT_NE(chan_promote(worker), nullptr);
  EXPECT_EQ(chan_cloning, nullptr);
  chan::Demand::busy();
  EXPECT_TRUE(maySerialize(worker));
  Nothing::call(CountedEntry, 0);
  EXPECT_EQ(byKernel, 1);
  EXPECT_EQ(byClone, 0);
  // The clone goes on, and the next call is an ordinary one.
  EXPECT_EQ(chan_cloning, worker);
  Nothing::call(CountedEntry, 0);
  EXPECT_EQ(byKernel, 1);
  EXPECT_EQ(byClone, 1);
  {
    Cloning kernel(nullptr);
    Nothing::call(CountedEntry, 0);
    EXPECT_EQ(byClone, 2);
    EXPECT_EQ(chan_cloning, nullptr);
  }
  worker->level = own;
  chan::self(worker).yieldTo(static_cast<chan::Level *>(own->deeper));
  chan::Demand::idle();
}

TEST_F(RuntimeSerialDeathTest, APromotedCloneStartsAgainAsKernel) {
  EXPECT_IN_PROCESS("2", runInTree<leaveOnce>);
}

void cloneFromC() {
  Nothing::call(CountedEntry, 0);
  EXPECT_EQ(byClone, 1);
  EXPECT_EQ(chan_cloning, nullptr);
}

TEST_F(RuntimeSerialDeathTest, ClonesMarkThatTheyRun) {
  EXPECT_IN_PROCESS("1", cloneFromC);
}

/// A late-promoting element that is alone begins as a clone, even if a worker
/// wants work.
chan_channel makeLate(const char *name, uint32_t flags) {
  chan_channel channel =
      makeClonedChannel<Nothing, countKernel, countClone>(name);
  channel.flags = flags;
  return channel;
}
const chan_channel ImpatientEntry = makeLate("impatient.0", 0);
const chan_channel LateEntry = makeLate("late.0", CHAN_CLONE_LATE_PROMOTING);
void beginWhereWanted(chan_worker *worker) {
  EXPECT_TRUE(chan::Demand::wanted());
  auto runs = [&](const chan_channel &channel, int &what) {
    byKernel = byClone = 0;
    Nothing::call(channel, 0);
    EXPECT_EQ(what, 1);
    EXPECT_EQ(byKernel + byClone, 1);
  };
  runs(ImpatientEntry, byKernel);
  runs(LateEntry, byClone);
  // Not if it was promoted itself.
  chan::self(worker).byKernel = true;
  runs(LateEntry, byKernel);
  // Nor beside other elements.
  Nothing::send(worker, LateEntry, 0);
  chan::Worker &own = chan::self(worker);
  auto *level = static_cast<chan::Level *>(worker->level->deeper);
  chan_block *block = level->entries;
  EXPECT_FALSE(own.mayPromoteLate(block, 1));
  // Nor while a thief may take those: their number must not be read then.
  chan::setStarted(block, 1);
  EXPECT_TRUE(own.mayPromoteLate(block, 1));
  openReservation(own, level, block);
  uint32_t opening = own.reservation.opening();
  ASSERT_TRUE(own.reservation.beginTake(opening));
  EXPECT_FALSE(own.mayPromoteLate(block, 1));
  own.reservation.refuse(opening);
  EXPECT_TRUE(closeReservation(own));
  chan::setStarted(block, 0);
  chan::self(worker).yieldTo(static_cast<chan::Level *>(worker->level->deeper));
  // Nor without stack.
  whereStackIsDeep([&] { runs(LateEntry, byKernel); });
}

TEST_F(RuntimeSerialDeathTest, LatePromotingElementsBeginAsClones) {
  EXPECT_IN_PROCESS("2", runInTree<beginWhereWanted>);
}

#endif

} // namespace
