//===- RuntimeSerialTest.cpp - Serial clones ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InProcess.h"
#include "Pool.h"
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

/// Whose clone runs as long as it lives.
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
  space[0] = 2; // or this call would make place for the next one
}

//===----------------------------------------------------------------------===//
// Answers
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

/// As the compiler clones it: the second child is late if the first one was.
long fibClone(chan_worker *worker, int n) {
  if (n < 2)
    return n;
  long x = 0, y = 0;
  chan_late *late = nullptr;
  if (isPressed(worker) && (late = chan_late_open(worker)))
    spawnFib(worker, &x, n - 1);
  else
    x = fibClone(worker, n - 1);
  if (late || (isPressed(worker) && (late = chan_late_open(worker))))
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
// Late children
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
    chan::self(worker).demandWork();
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
// When
//===----------------------------------------------------------------------===//

bool maySerialize(chan_worker *worker) {
  return chan::self(worker).maySerialize(
      static_cast<chan::Level *>(worker->level));
}

void oneWorkerSerializes(chan_worker *worker) {
  EXPECT_TRUE(maySerialize(worker));
  EXPECT_FALSE(isPressed(worker));
  EXPECT_EQ(chan_late_open(worker), nullptr);
  whereStackIsDeep([&] {
    EXPECT_FALSE(maySerialize(worker));
    EXPECT_TRUE(isPressed(worker));
  });
}

TEST_F(RuntimeSerialDeathTest, AloneUntilTheStackIsDeep) {
  EXPECT_IN_PROCESS("1", runInTree<oneWorkerSerializes>);
}

/// Somebody wants work in the beginning, and then nobody does.
void slackDecides(chan_worker *worker) {
  EXPECT_TRUE(chan::Pool::wanted());
  EXPECT_FALSE(maySerialize(worker));
  chan::Pool::busy();
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
  chan::Pool::idle();
}

TEST_F(RuntimeSerialDeathTest, NotBeforeOthersHaveEnough) {
  EXPECT_IN_PROCESS("2", runInTree<slackDecides>);
}

/// Whether a clone may run in a call inside another inside the kernel.
bool maySerializeInside(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  chan::Context outer(own, nullptr);
  own.level = outer.base;
  own.ensureDeeper(outer.base);
  chan::Context inner(own, nullptr);
  own.level = inner.base;
  return maySerialize(worker);
}

/// Others find what waits outside of nested calls.
void outerSlackDecides(chan_worker *worker) {
  chan::Pool::busy();
  int results[4];
  for (int k = 0; k != 4; ++k) {
    EXPECT_FALSE(maySerializeInside(worker));
    Number::send(worker, NumberEntry, &results[k], k);
  }
  EXPECT_TRUE(maySerializeInside(worker));
  chan::self(worker).yieldTo(static_cast<chan::Level *>(worker->level->deeper));
  chan::Pool::idle();
}

TEST_F(RuntimeSerialDeathTest, WhatWaitsOutsideCounts) {
  EXPECT_IN_PROCESS("2", runInTree<outerSlackDecides>);
}

/// Asks for a clone until it gets one; how often it did not.
uint32_t countRefusals(chan_worker *worker) {
  uint32_t count = 0;
  while (!maySerialize(worker))
    ++count;
  return count;
}

/// Who wants work is ignored when for long there has been nothing for him; then
/// clones run.
void fruitlessIsIgnored(chan_worker *worker) {
  using chan::StealBackoff;
  chan::Worker &own = chan::self(worker);
  uint64_t ignored = StealBackoff::kBackOffTicks;
  for (int i = 0; i != 6; ++i) {
    EXPECT_FALSE(own.isBackingOff());
    EXPECT_TRUE(isPressed(worker));
    uint64_t began = chan::ticks();
    EXPECT_GE(countRefusals(worker) + 1, StealBackoff::kMostFruitless);
    uint64_t ended = chan::ticks();
    EXPECT_GE(ended - began, StealBackoff::kFruitlessFor);
    EXPECT_TRUE(chan::Pool::wanted());
    EXPECT_FALSE(isPressed(worker));
    // Each time for longer, with a limit.
    EXPECT_GE(own.backOffEnd, began + ignored);
    EXPECT_LE(own.backOffEnd, ended + ignored);
    // However slow this is.
    own.backOffEnd = UINT64_MAX;
    for (int k = 0; k != 100; ++k)
      EXPECT_TRUE(maySerialize(worker));
    if (ignored < StealBackoff::kBackOffTicks << StealBackoff::kMostDoublings)
      ignored *= 2;
    own.backOffEnd = chan::ticks();
    EXPECT_FALSE(own.isBackingOff());
  }
  auto stays = [&](auto happens) {
    for (uint32_t i = 0; i != 4 * StealBackoff::kMostFruitless; ++i) {
      uint64_t began = chan::ticks();
      while (chan::ticks() - began < StealBackoff::kFruitlessFor / 32)
        ;
      // However long it was interrupted.
      happens((chan::ticks() - began) / 2);
      if (maySerialize(worker))
        return false;
    }
    return true;
  };
  // Others do a part of it, unless that is all that is done.
  EXPECT_TRUE(stays([&](uint64_t part) { own.helped += part; }));
  EXPECT_FALSE(stays([&](uint64_t part) {
    own.helped += part;
    own.stealBackoff.waited(part);
  }));
  own.endBackOff();
  // Or are about to.
  own.helpers = 1;
  EXPECT_TRUE(stays([](uint64_t) {}));
  own.helpers = 0;
  // That they have enough is no reason to ignore them, though clones run after
  // a while.
  // A thread of the pool that came to watch has gone to sleep by then.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  uint32_t wanting = chan::Pool::demanded();
  auto all = [&](void (*act)()) {
    for (uint32_t i = 0; i != wanting; ++i)
      act();
  };
  all(chan::Pool::busy);
  EXPECT_EQ(countRefusals(worker) + 1, StealBackoff::kMostAlone);
  EXPECT_TRUE(maySerialize(worker));
  EXPECT_FALSE(own.backsOff);
  all(chan::Pool::idle);
  EXPECT_FALSE(maySerialize(worker));
  all(chan::Pool::busy);
  EXPECT_EQ(countRefusals(worker) + 1, StealBackoff::kMostAlone);
  all(chan::Pool::idle);
}

TEST_F(RuntimeSerialDeathTest, WhoFindsNothingIsIgnored) {
  EXPECT_IN_PROCESS("2", runInTree<fruitlessIsIgnored>);
}

/// Whoever waits for others inside a task block is no help to its owner.
void helpEnds(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  chan::Worker first, second;
  EXPECT_EQ(own.help(&first), nullptr);
  EXPECT_EQ(first.helpers, 1u);
  EXPECT_EQ(own.help(&second), &first);
  EXPECT_EQ(first.helpers, 0u);
  uint64_t helped = first.helped;
  EXPECT_GT(helped, 0u);
  EXPECT_EQ(second.helpers, 1u);
  EXPECT_EQ(own.help(nullptr), &second);
  EXPECT_EQ(second.helpers, 0u);
  helped = second.helped;
  EXPECT_EQ(own.help(&second), nullptr);
  EXPECT_EQ(second.helped, helped);
  EXPECT_EQ(own.help(nullptr), &second);
  EXPECT_GT(second.helped, helped);
}

TEST(RuntimeSerial, HelpIsCountedWhileItLasts) { runInTree<helpEnds>(); }

/// Who is ignored has the clock looked at every period.
void deafAreReminded(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  chan::Pool::setPeriod(1'000'000);
  own.backOffUntil(UINT64_MAX);
  for (int i = 0; i != 3; ++i) {
    EXPECT_FALSE(isPressed(worker));
    for (auto late = Clock::now() + std::chrono::seconds(10);
         !isPressed(worker) && Clock::now() < late;)
      std::this_thread::yield();
    ASSERT_TRUE(isPressed(worker));
    if (i == 2)
      own.backOffEnd = chan::ticks();
    // It goes on as before, or answers.
    chan_late *late = chan_late_open(worker);
    EXPECT_EQ(late != nullptr, i == 2);
    if (late)
      chan_late_close(worker, late);
  }
}

TEST_F(RuntimeSerialDeathTest, WhoIgnoresIsReminded) {
  EXPECT_IN_PROCESS("2", runInTree<deafAreReminded>);
}

/// In a tree that is likely to be short, and not in others, who wants work is
/// ignored, though clones do not run for that in place of the root's children.
bool wasDeaf, wasPressed, hadClone;
void lookAround(chan_worker *worker) {
  wasDeaf = chan::self(worker).backsOff;
  wasPressed = isPressed(worker);
  hadClone = maySerialize(worker);
}
void beAnother(chan_worker *worker) { lookAround(worker); }
void sharingPredictor() {
  chan::Pool::setPeriod(1'000'000'000);
  runInTree<lookAround>();
  EXPECT_FALSE(wasDeaf);
  EXPECT_TRUE(wasPressed);
  // As if it had been, whatever slows it down here.
  chan::Worker::current().sharingPredictor.end(0, /*offered=*/false);
  runInTree<lookAround>();
  EXPECT_TRUE(wasDeaf);
  EXPECT_FALSE(wasPressed);
  EXPECT_FALSE(hadClone);
  runInTree<beAnother>();
  EXPECT_FALSE(wasDeaf);
  EXPECT_TRUE(wasPressed);
}

TEST_F(RuntimeSerialDeathTest, ShortTreesIgnoreWhoWantsWork) {
  EXPECT_IN_PROCESS("2", sharingPredictor);
}

/// Nobody watches for the sake of who does not look.
void ignoreForEver(chan_worker *worker) {
  chan::self(worker).backOffUntil(UINT64_MAX);
}
bool isRemindedSoon(chan::Worker &worker) {
  for (auto late = Clock::now() + std::chrono::seconds(10);
       !worker.isDemanded() && Clock::now() < late;)
    std::this_thread::yield();
  return worker.isDemanded();
}
void watchEnds() {
  chan::Worker &own = chan::Worker::current();
  chan::Pool::setPeriod(1'000'000);
  for (int i = 0; i != 3; ++i) {
    runInTree<ignoreForEver>();
    EXPECT_TRUE(isRemindedSoon(own));
    expectNobodyWatches();
  }
}

TEST_F(RuntimeSerialDeathTest, WhoHasBeenRemindedIsNotWatched) {
  EXPECT_IN_PROCESS("2", watchEnds);
}

/// Who takes what is reserved has enough.
void loanIsSlack(chan_worker *worker) {
  chan::Pool::busy();
  chan::Worker &own = chan::self(worker);
  auto *deeper = static_cast<chan::Level *>(worker->level->deeper);
  int results[4];
  for (int k = 0; k != 4; ++k) {
    Number::send(worker, NumberEntry, &results[k], k);
    chan::openReservation(own, deeper, deeper->entries);
    worker->level = deeper;
    bool may = maySerialize(worker);
    worker->level = deeper->shallower;
    // Unless somebody has taken it meanwhile.
    if (own.reservation.isOpen()) {
      EXPECT_EQ(may, k == 3);
    }
    chan::closeReservation(own);
  }
  own.yieldTo(deeper);
  chan::Pool::idle();
}

TEST_F(RuntimeSerialDeathTest, WhatIsOnLoanCounts) {
  EXPECT_IN_PROCESS("2", runInTree<loanIsSlack>);
}

void demandShows(chan_worker *worker) {
  chan::Pool::busy();
  chan::self(worker).refreshLimit();
  EXPECT_FALSE(isPressed(worker));
  EXPECT_EQ(chan_late_open(worker), nullptr);
  chan::Pool::idle();
  EXPECT_TRUE(isPressed(worker));
  chan_late *late = chan_late_open(worker);
  ASSERT_TRUE(late);
  chan_late_close(worker, late);
  // A plain call is no reason to leave the fast path.
  EXPECT_EQ(chan_late_open_if_low(worker), nullptr);
  EXPECT_TRUE(isPressed(worker));
}

TEST_F(RuntimeSerialDeathTest, DemandRaisesTheLimit) {
  EXPECT_IN_PROCESS("2", runInTree<demandShows>);
}

/// What opens when the activation of a call inside the caller's is asked.
[[gnu::noinline]] chan_late *openInside(chan_worker *worker) {
  volatile char space[64] = {};
  chan_late *late = chan_late_open(worker);
  space[0] = 1; // or the call would be the frame's last, and take its place
  return late;
}

/// As long as the youngest activation that may answer is old.
void growOlder() { StoppedClock::pass(chan::PromotionOrder::kLeast); }

/// After something was taken back: deeper activations than one that was asked
/// keep silent, that one answers after a while.
void olderAnswers(chan_worker *worker) {
  StoppedClock clock;
  chan::Worker &own = chan::self(worker);
  own.treeBegan = 0; // it is not young
  own.promotionOrder.takeBack();
  EXPECT_EQ(openInside(worker), nullptr);
  EXPECT_EQ(chan_late_open(worker), nullptr);
  growOlder();
  EXPECT_EQ(openInside(worker), nullptr);
  // Plain calls change nothing.
  EXPECT_EQ(chan_late_open_if_low(worker), nullptr);
  EXPECT_NE(chan_promote(worker), nullptr);
  own.byKernel = false;
  // What runs on levels of its own is not compared with what called it.
  EXPECT_EQ(chan_late_open(worker), nullptr);
  chan::Context inner(own, nullptr);
  own.level = inner.base;
  EXPECT_EQ(openInside(worker), nullptr);
  growOlder();
  chan_late *late = openInside(worker);
  ASSERT_TRUE(late);
  chan_late_close(worker, late);
}

TEST_F(RuntimeSerialDeathTest, OlderActivationsAnswerAfterOffersInVain) {
  EXPECT_IN_PROCESS("2", runInTree<olderAnswers>);
}

/// Deeper than any of those below.
[[gnu::noinline]] bool isPressedInside(chan_worker *worker) {
  volatile char space[1024] = {};
  bool pressed = isPressed(worker);
  space[0] = 1; // as above
  return pressed;
}

/// When no answer has come for long, only the one that is to answer asks, and
/// those that it is inside of.
void waitLong(chan_worker *worker) {
  StoppedClock clock;
  EXPECT_EQ(chan_late_open(worker), nullptr);
  EXPECT_EQ(openInside(worker), nullptr);
  EXPECT_TRUE(isPressedInside(worker));
  StoppedClock::pass(chan::PromotionOrder::kLongWait);
  EXPECT_EQ(openInside(worker), nullptr);
  EXPECT_FALSE(isPressedInside(worker));
  EXPECT_TRUE(isPressed(worker));
}
/// Until others run than were asked, or who wants something reminds all.
void onlyOlderAsk(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  chan::Pool::setPeriod(500'000'000);
  own.treeBegan = 0;
  for (int i = 0; i != 10; ++i)
    own.promotionOrder.takeBack();
  waitLong(worker);
  {
    chan::Context inner(own, nullptr);
    EXPECT_TRUE(isPressedInside(worker));
  }
  waitLong(worker);
  EXPECT_TRUE(isRemindedSoon(own));
  EXPECT_TRUE(isPressedInside(worker));
}

TEST_F(RuntimeSerialDeathTest, WhoWaitsLongIsNotAskedForByJuniors) {
  EXPECT_IN_PROCESS("2", runInTree<onlyOlderAsk>);
}

/// Nobody asks any more, deeper frames or not.
void demandEnds(chan_worker *worker) {
  StoppedClock clock;
  chan::self(worker).treeBegan = 0;
  chan::self(worker).promotionOrder.takeBack();
  EXPECT_EQ(chan_late_open(worker), nullptr);
  EXPECT_EQ(openInside(worker), nullptr);
  EXPECT_TRUE(isPressed(worker));
  chan::Pool::busy();
  EXPECT_EQ(openInside(worker), nullptr);
  EXPECT_FALSE(isPressed(worker));
  chan::Pool::idle();
  // That was another question.
  EXPECT_EQ(openInside(worker), nullptr);
  growOlder();
  chan_late *late = openInside(worker);
  ASSERT_TRUE(late);
  chan_late_close(worker, late);
}

TEST_F(RuntimeSerialDeathTest, TheLimitFallsWithTheDemand) {
  EXPECT_IN_PROCESS("2", runInTree<demandEnds>);
}

/// A forked process does not go on as a deeper frames, of all things.
void forkAfterQuestion(chan_worker *worker) {
  StoppedClock clock;
  chan::self(worker).treeBegan = 0;
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

TEST_F(RuntimeSerialDeathTest, ForkedChildrenAreToldAtOnce) {
  EXPECT_IN_PROCESS("2", runInTree<forkAfterQuestion>);
}

/// Assignments that an activation has deferred, after so many.
uint32_t deferMany(chan_worker *worker, uint32_t number) {
  chan_pending pending = {};
  long place = 0;
  for (uint32_t i = 0; i != number; ++i)
    chan_defer(worker, &pending, nullptr, &place, sizeof place, alignof(long));
  uint32_t count = uint32_t(pending.count);
  chan_apply(worker, &pending);
  return count;
}

/// Only near the root of the whole tree are there more than usual, or deep
/// recursion through nested calls would have as many in each.
void deferNested(chan_worker *worker) {
  EXPECT_EQ(deferMany(worker, 5000), 5000u);
  chan_late *late = chan_late_open(worker);
  ASSERT_TRUE(late);
  EXPECT_EQ(deferMany(worker, 5000), 5000u - 4096u);
  chan_late_close(worker, late);
}

TEST_F(RuntimeSerialDeathTest, AssignmentsAreManyNearTheRootOnly) {
  EXPECT_IN_PROCESS("2", runInTree<deferNested>);
}

/// What leaves its clone runs by its kernel, whatever is wanted meanwhile.
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
  chan::Pool::busy();
  int results[4];
  for (int k = 0; k != 4; ++k)
    Number::send(worker, NumberEntry, &results[k], k);
  chan_level *own = worker->level;
  worker->level = own->deeper;
  chan::self(worker).ensureDeeper(static_cast<chan::Level *>(own->deeper));
  Cloning cloning(worker);
  EXPECT_EQ(chan_promote(worker), nullptr);
  EXPECT_EQ(chan_cloning, worker);
  chan::Pool::idle();
  EXPECT_NE(chan_promote(worker), nullptr);
  EXPECT_EQ(chan_cloning, nullptr);
  chan::Pool::busy();
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
  chan::Pool::idle();
}

TEST_F(RuntimeSerialDeathTest, WhoLeavesStartsAgainAsKernel) {
  EXPECT_IN_PROCESS("2", runInTree<leaveOnce>);
}

void cloneFromC() {
  Nothing::call(CountedEntry, 0);
  EXPECT_EQ(byClone, 1);
  EXPECT_EQ(chan_cloning, nullptr);
}

TEST_F(RuntimeSerialDeathTest, ClonesSayThatTheyRun) {
  EXPECT_IN_PROCESS("1", cloneFromC);
}

/// What is alone and asked in front of its spawns begins as a clone, though
/// somebody wants work.
chan_channel makePatient(const char *name, uint32_t flags) {
  chan_channel channel =
      makeClonedChannel<Nothing, countKernel, countClone>(name);
  channel.flags = flags;
  return channel;
}
const chan_channel ImpatientEntry = makePatient("impatient.0", 0);
const chan_channel PatientEntry =
    makePatient("patient.0", CHAN_CLONE_LATE_PROMOTING);
void beginWhereWanted(chan_worker *worker) {
  EXPECT_TRUE(chan::Pool::wanted());
  auto runs = [&](const chan_channel &channel, int &what) {
    byKernel = byClone = 0;
    Nothing::call(channel, 0);
    EXPECT_EQ(what, 1);
    EXPECT_EQ(byKernel + byClone, 1);
  };
  runs(ImpatientEntry, byKernel);
  runs(PatientEntry, byClone);
  // Not where it made way itself.
  chan::self(worker).byKernel = true;
  runs(PatientEntry, byKernel);
  // Nor beside others.
  Nothing::send(worker, PatientEntry, 0);
  chan::Worker &own = chan::self(worker);
  auto *level = static_cast<chan::Level *>(worker->level->deeper);
  chan_block *block = level->entries;
  EXPECT_FALSE(own.mayPromoteLate(block, 1));
  // Nor while somebody takes those: it may not look whether they are left.
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
  // Nor without a stack.
  whereStackIsDeep([&] { runs(PatientEntry, byKernel); });
}

TEST_F(RuntimeSerialDeathTest, WhoIsPatientBeginsAsClone) {
  EXPECT_IN_PROCESS("2", runInTree<beginWhereWanted>);
}

/// What was left to others for nothing is called again, in the slow path.
void callAfterAll(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  chan_late *late = chan_late_open(worker);
  ASSERT_TRUE(late);
  EXPECT_FALSE(chan_late_calls(worker, late));
  EXPECT_GE(countRefusals(worker), 1u);
  EXPECT_TRUE(own.isFruitless);
  own.backOffEnd = UINT64_MAX;
  EXPECT_TRUE(chan_late_calls(worker, late));
  // Not while anything waits, here or reserved, or a result does.
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
  // Once reminded, it looks at the clock.
  own.demandWork();
  EXPECT_TRUE(chan_late_calls(worker, late));
  own.backOffEnd = 0;
  EXPECT_FALSE(chan_late_calls(worker, late));
  // A tree that is likely to be short is something else.
  own.backOffUntil(UINT64_MAX);
  EXPECT_FALSE(own.isFruitless);
  EXPECT_FALSE(chan_late_calls(worker, late));
  own.endBackOff();
  chan_late_close(worker, late);
}

TEST_F(RuntimeSerialDeathTest, WhatIsInVainIsCalled) {
  EXPECT_IN_PROCESS("2", runInTree<callAfterAll>);
}

/// Who answers again and again, for nothing, is backing off for a while.
void answerInVain(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  int answers = 0;
  while (chan_late *late = chan_late_open(worker)) {
    chan_late_close(worker, late);
    if (++answers == 10000000)
      break;
  }
  EXPECT_GE(answers + 1, int(chan::StealBackoff::kMostFruitless));
  EXPECT_LT(answers, 10000000);
  EXPECT_TRUE(own.isFruitless);
  EXPECT_FALSE(isPressed(worker));
}

TEST_F(RuntimeSerialDeathTest, WhoAnswersInVainStops) {
  EXPECT_IN_PROCESS("2", runInTree<answerInVain>);
}

/// A sync sees what is reserved, though its level shows nothing.
void syncWhatIsLent(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  chan_late *late = chan_late_open(worker);
  ASSERT_TRUE(late);
  while (chan::Pool::wanted())
    chan::Pool::busy();
  own.backsOff = own.isFruitless = true;
  own.backOffEnd = UINT64_MAX;
  int result = 0;
  Number::send(worker, NumberEntry, &result, 7);
  chan_poll(worker);
  EXPECT_TRUE(own.hidden);
  EXPECT_FALSE(chan_late_calls(worker, late));
  chan_late_sync(worker, late);
  EXPECT_EQ(result, 7);
  EXPECT_TRUE(chan_late_calls(worker, late));
  own.endBackOff();
  chan_late_close(worker, late);
}

TEST_F(RuntimeSerialDeathTest, WhatIsOnLoanIsWaitedFor) {
  EXPECT_IN_PROCESS("2", runInTree<syncWhatIsLent>);
}

/// A row of trees that were taken for small is nothing for others, either.
void guessInVain(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  int guesses = 0;
  for (; !own.isBackingOff() && guesses != 10000000; ++guesses)
    EXPECT_TRUE(own.mayPredictSmall(static_cast<chan::Level *>(worker->level)));
  EXPECT_GE(guesses + 1, int(chan::StealBackoff::kMostFruitless));
  EXPECT_TRUE(own.isFruitless);
  EXPECT_FALSE(isPressed(worker));
}

TEST_F(RuntimeSerialDeathTest, TinyTreesInARowAreNotForOthers) {
  EXPECT_IN_PROCESS("2", runInTree<guessInVain>);
}

/// A tree that is taken for small, and has so many activations.
uint32_t activations, answered;
[[gnu::noinline]] void countAnswersDeep(chan_worker *worker,
                                        chan_block *block) {
  char deep[1024];
  asm volatile("" : : "r"(deep) : "memory");
  EXPECT_EQ(chan_cloning, worker);
  answered = 0;
  for (uint32_t k = 0; k != activations; ++k) {
    EXPECT_TRUE(isPressed(worker));
    // Who may not leave counts as well.
    if (k < 100 && k % 2) {
      EXPECT_EQ(chan_late_open_if_low(worker), nullptr);
      continue;
    }
    if (!chan_promote(worker))
      continue;
    ++answered;
    // What runs in its place is not counted, nor asked.
    chan_run(block);
    EXPECT_EQ(chan_cloning, worker);
  }
  // Who may not leave goes on.
  if (answered)
    EXPECT_EQ(chan_late_open_if_low(worker), nullptr);
  asm volatile("" : : "r"(deep) : "memory");
}
// Without expectations, which would take much of the stack.
bool pressedBefore, pressedAfter;
void countAnswers(chan_worker *worker, chan_block *block, uint32_t) {
  pressedBefore = isPressed(worker);
  countAnswersDeep(worker, block);
  pressedAfter = isPressed(worker);
}
void seesNoGuess(chan_worker *worker, chan_block *, uint32_t) {
  EXPECT_EQ(chan_cloning, nullptr);
  EXPECT_FALSE(isPressed(worker));
  EXPECT_EQ(chan_promote(worker), nullptr);
}
const chan_channel GuessedEntry =
    makeClonedChannel<Nothing, seesNoGuess, countAnswers>("guessed.0");

void predicted_polls(chan_worker *worker) {
  chan::Worker &own = chan::self(worker);
  chan::SmallTaskPredictor &predictor =
      chan::memoriesOf(&GuessedEntry).smallTasks;
  auto run = [&](uint32_t number) {
    predictor.count(1);
    EXPECT_TRUE(predictor.isLikely());
    activations = number;
    alignas(16) char memory[CHAN_BLOCK_HEADER + 16] = {};
    auto *block = new (memory) chan_block{&GuessedEntry, 1, 1, nullptr, 0};
    own.runPredictedSmall(block, 0, 1);
    EXPECT_FALSE(isPressed(worker));
    EXPECT_EQ(own.predicted_polls, 0u);
    // Those near the root are asked once the tree has turned out to be large.
    EXPECT_FALSE(pressedBefore);
    EXPECT_EQ(pressedAfter, answered != 0);
  };
  run(chan::SmallTaskPredictor::kUsual);
  EXPECT_EQ(answered, 0u);
  EXPECT_TRUE(predictor.isLikely());
  run(chan::SmallTaskPredictor::kMostElements - 1);
  EXPECT_EQ(answered, 0u);
  // It was not so large, but clones have lost by it.
  EXPECT_FALSE(predictor.isLikely());
  while (!predictor.isLikely())
    predictor.count(1);
  run(chan::SmallTaskPredictor::kMostElements + 10);
  EXPECT_EQ(answered, 10u);
  EXPECT_FALSE(predictor.isLikely());
}

TEST_F(RuntimeSerialDeathTest, WhatIsTakenForTinyEndsWhenItIsNot) {
  EXPECT_IN_PROCESS("1", runInTree<predicted_polls>);
}

/// test/Models/demand.pml on the machine.
void raceForLimit() {
  chan::Worker &worker = chan::Worker::current();
  chan::Pool::busy();
  std::atomic<int> round{0}, done{0};
  constexpr int kRounds = 20000;
  std::thread raiser([&] {
    for (int k = 1; k <= kRounds; ++k) {
      while (round != k)
        std::this_thread::yield();
      chan::Pool::idle();
      done = k;
    }
  });
  int missed = 0;
  for (int k = 1; k <= kRounds; ++k) {
    round = k;
    worker.refreshLimit();
    while (done != k)
      std::this_thread::yield();
    missed += !worker.isDemanded();
    chan::Pool::busy();
  }
  raiser.join();
  EXPECT_EQ(missed, 0);
  chan::Pool::idle();
}

TEST_F(RuntimeSerialDeathTest, NoDemandIsMissed) {
  EXPECT_IN_PROCESS("2", raceForLimit);
}

//===----------------------------------------------------------------------===//
// Demand in the middle of a clone
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
/// then until that has its child.
void taskSerial(chan_worker *worker, chan_block *, uint32_t) {
  if (inClone.exchange(true))
    return;
  cloneThread = std::this_thread::get_id();
  auto limit = Clock::now() + std::chrono::seconds(20);
  while (!isPressed(worker) && Clock::now() < limit)
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

TEST_F(RuntimeSerialDeathTest, CloneGivesChildrenWhenAsked) {
  EXPECT_IN_PROCESS("2", demandInClone);
}

#endif

} // namespace
