//===- RuntimeSerialTest.cpp - Serial clones ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

/// While it lives, a clone of `worker` runs.
struct Cloning {
  explicit Cloning(chan_worker *worker)
      : before(std::exchange(chan_cloning, worker)) {}
  ~Cloning() { chan_cloning = before; }
  chan_worker *const before;
};

/// Runs body() where the stack has no room for clones.
template <typename F> [[gnu::noinline]] void whereStackIsDeep(F body) {
  volatile char space[size_t(1) << 20];
  space[0] = 1;
  if (chan::Worker::current().stack.isDeepForClones())
    body();
  else
    whereStackIsDeep(body);
  space[0] = 2; // otherwise this call would make room for the next one
}

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

using Number = Element<int *, int>;
void number(chan_worker *, chan_block *block, uint32_t i) {
  EXPECT_EQ(chan_cloning, nullptr);
  *Number::get<0>(block, i) = Number::get<1>(block, i);
}
const chan_channel NumberEntry =
    makeChannel<Number, number, CHAN_ENTRY>("number.0");

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

using Nothing = Element<int>;
/// Runs Body(worker), a part of a clone, as an element of a tree.
template <auto Body> void runInTree() {
  static const chan_channel channel =
      makeChannel<Nothing,
                  +[](chan_worker *worker, chan_block *, uint32_t) {
                    Body(worker);
                  },
                  CHAN_ENTRY>("part.0");
  Nothing::call(channel, 0);
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

bool maySerialize(chan_worker *worker) {
  return chan::self(worker).maySerialize(
      static_cast<chan::Level *>(worker->level));
}

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

/// Requests a clone until it gets one. Returns how often it got none.
uint32_t countRefusals(chan_worker *worker) {
  uint32_t count = 0;
  while (!maySerialize(worker))
    ++count;
  return count;
}

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

TEST_F(RuntimeSerialDeathTest, SharingBacksOffIfThievesGainNothing) {
  EXPECT_IN_PROCESS("2", runInTree<fruitlessBacksOff>);
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

TEST_F(RuntimeSerialDeathTest, AWorkerThatBacksOffIsReminded) {
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

TEST_F(RuntimeSerialDeathTest, ShortTreesBackOff) {
  EXPECT_IN_PROCESS("2", sharingPredictor);
}

/// No worker watches because of one that never polls.
void backOffForEver(chan_worker *worker) {
  chan::self(worker).backOffUntil(UINT64_MAX);
}
bool isRemindedSoon(chan::Worker &worker) {
  for (auto late = Clock::now() + std::chrono::seconds(10);
       !worker.arePollsRequested() && Clock::now() < late;)
    std::this_thread::yield();
  return worker.arePollsRequested();
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

TEST_F(RuntimeSerialDeathTest, ARemindedWorkerIsNotWatched) {
  EXPECT_IN_PROCESS("2", watchEnds);
}

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

TEST_F(RuntimeSerialDeathTest, ARequestMakesClonesPoll) {
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

TEST_F(RuntimeSerialDeathTest, OlderFramesArePromotedAfterUselessOffers) {
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

TEST_F(RuntimeSerialDeathTest, DeeperFramesDoNotPollAfterALongWait) {
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

TEST_F(RuntimeSerialDeathTest, ClonesStopPollingWithoutRequests) {
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

TEST_F(RuntimeSerialDeathTest, AForkedChildPollsAtOnce) {
  EXPECT_IN_PROCESS("2", runInTree<forkAfterPoll>);
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
  Nothing::send(worker, ImpatientEntry, 0);
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

TEST_F(RuntimeSerialDeathTest, ChildrenAreCalledAgainAfterFruitlessSharing) {
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

TEST_F(RuntimeSerialDeathTest, FruitlessPromotionsCauseABackOff) {
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

TEST_F(RuntimeSerialDeathTest, ASyncWaitsForReservedElements) {
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

TEST_F(RuntimeSerialDeathTest, SmallTreesInARowCauseABackOff) {
  EXPECT_IN_PROCESS("2", runInTree<predictFruitlessly>);
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

TEST_F(RuntimeSerialDeathTest, APredictedSmallTreeThatIsLargeIsPromoted) {
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

TEST_F(RuntimeSerialDeathTest, NoRequestIsMissed) {
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

TEST_F(RuntimeSerialDeathTest, AClonePromotesAtARequest) {
  EXPECT_IN_PROCESS("2", demandInClone);
}

#endif

} // namespace
