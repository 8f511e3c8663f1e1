//===- RuntimeProcessorsTest.cpp - More workers than processors -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Affinities.h"
#include "Pool.h"
#include "RuntimeKernels.h"
#include "StoppedClock.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sched.h>
#include <thread>

using namespace kernels;

namespace {

/// The other tests are after what happens between workers: all are to be awake
/// at once, however few processors there are, or as many as TEST_PROCESSORS
/// says.  Then periods are short, so that tests last for many.
class Processors : public testing::Environment {
  void SetUp() override {
    const char *text = std::getenv("TEST_PROCESSORS");
    chan::Pool::setProcessors(text ? std::atoi(text) : chan::kMaxWorkers);
    if (text)
      chan::Pool::setPeriod(100'000);
  }
};
[[maybe_unused]] const auto *const processors =
    testing::AddGlobalTestEnvironment(new Processors);

#if GTEST_HAS_DEATH_TEST

using Child = Element<int, int>;

constexpr int kWorkers = 8;
/// A period that is never over.
constexpr long kForever = 3600L * 1'000'000'000;

std::atomic<bool> tooLate;

/// Sleeps until `condition` holds; a failure if that takes too long.
template <typename Condition> void await(Condition condition) {
  auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition() && !tooLate) {
    if (std::chrono::steady_clock::now() > limit)
      tooLate = true;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

/// A tree of `children` children, each of which runs Body(tree, child).
template <auto Body> void spawnMany(int tree, int children) {
  static const chan_channel child =
      makeChannel<Child,
                  +[](chan_worker *, chan_block *block, uint32_t i) {
                    Body(Child::get<0>(block, i), Child::get<1>(block, i));
                  },
                  CHAN_ENTRY>("child.0");
  static const chan_channel parent =
      makeChannel<Child,
                  +[](chan_worker *worker, chan_block *block, uint32_t i) {
                    for (int k = 0; k != Child::get<1>(block, i); ++k)
                      Child::send(worker, child, Child::get<0>(block, i), k);
                  },
                  CHAN_ENTRY>("parent.0");
  Child::call(parent, tree, children);
}

void configure(int workers, int number) {
  setenv("CHAN_WORKERS", std::to_string(workers).c_str(), 1);
  unsetenv("CHAN_WIDTH");
  chan::Pool::setProcessors(number);
}

std::atomic<int> begun;
std::atomic<bool> released;

/// All children of a tree are blocked until all have begun.  It is the first
/// tree: no thread may still be busy with another when they are offered.
int blockedTasksRunAtOnce(int number) {
  configure(kWorkers, number);
  spawnMany<[](int, int) {
    ++begun;
    await([] { return begun == kWorkers; });
  }>(0, kWorkers);
  return tooLate ? 1 : 0;
}

/// The first children of a tree keep the processors; nobody takes the others,
/// since no period ends.
int othersWait(int number) {
  configure(kWorkers, number);
  chan::Pool::setPeriod(kForever);
  int most = 0;
  std::thread observer([number, &most] {
    await([number] { return begun >= number; });
    pause();
    most = begun;
    released = true;
  });
  spawnMany<[](int, int) {
    ++begun;
    await([] { return released.load(); });
  }>(0, 4 * kWorkers);
  observer.join();
  return most != number || begun != 4 * kWorkers || tooLate;
}

/// Two trees of two children.  The first one's keep a thread of the pool each;
/// for the second child of the second tree, which its sibling waits for, there
/// is no processor, until ...
std::atomic<int> inPool;
std::atomic<bool> secondBegan, metSecond, poolDone;

void meetInSecond(int child) {
  if (child == 1)
    metSecond = true;
  secondBegan = true;
  await([] { return metSecond.load(); });
}

template <auto Body> int runTwoTrees(int number) {
  configure(kWorkers, number);
  chan::Pool::setPeriod(kForever);
  std::thread second([] {
    await([] { return inPool == 1; });
    spawnMany<Body>(1, 2);
  });
  spawnMany<Body>(0, 2);
  second.join();
  return tooLate ? 1 : 0;
}

/// ... the first tree's own thread waits for the other child, long after
/// somebody was told to watch.
int whoWaitsMakesRoom() {
  return runTwoTrees<[](int tree, int child) {
    if (tree == 1)
      return meetInSecond(child);
    if (child == 0) {
      await([] { return secondBegan.load(); });
      return pause();
    }
    ++inPool;
    await([] { return metSecond.load(); });
  }>(3);
}

/// ... the first tree ends, long after its child in the pool, whose thread was
/// one too many.
int whoEndsATreeMakesRoom() {
  return runTwoTrees<[](int tree, int child) {
    if (tree == 1)
      return meetInSecond(child);
    if (child == 1) {
      ++inPool;
      await([] { return secondBegan.load(); });
      poolDone = true;
      return;
    }
    await([] { return poolDone.load(); });
    pause();
  }>(2);
}

/// A child of the root keeps a thread of the pool until the root's own, whose
/// child is over, waits for it.  Then there is one processor for one of its two
/// children: the root's thread runs it, not one that has nothing to do with it.
std::atomic<chan::Worker *> rootsWorker;
std::atomic<int> byRoot, sleptInTheWay;
const chan_channel Meeting =
    makeChannel<Child,
                +[](chan_worker *worker, chan_block *, uint32_t) {
                  byRoot += &chan::self(worker) == rootsWorker;
                  ++begun;
                  await([] { return begun == 2; });
                },
                CHAN_ENTRY>("meeting.0");
const chan_channel Half =
    makeChannel<Child,
                +[](chan_worker *worker, chan_block *, uint32_t) {
                  if (&chan::self(worker) == rootsWorker)
                    return await([] { return inPool == 1; });
                  ++inPool;
                  await([] { return rootsWorker.load()->asleep.load(); });
                  // Nobody has to keep away from where it ran.
                  sleptInTheWay |= rootsWorker.load()->lastProcessor >= 0;
                  pause();
                  for (int k = 0; k != 2; ++k)
                    Child::send(worker, Meeting, 0, k);
                },
                CHAN_ENTRY>("half.0");
const chan_channel Root =
    makeChannel<Child,
                +[](chan_worker *worker, chan_block *, uint32_t) {
                  rootsWorker = &chan::self(worker);
                  for (int k = 0; k != 2; ++k)
                    Child::send(worker, Half, 0, k);
                },
                CHAN_ENTRY>("root.0");
int whoWaitsIsWokenFirst() {
  configure(kWorkers, 2);
  chan::Pool::setPeriod(kForever);
  Child::call(Root, 0, 0);
  return byRoot == 1 && !sleptInTheWay && !tooLate ? 0 : 1;
}

/// Children a kernel spawns before clones run them though nobody wants work.
void spawnUntilEnough(chan_worker *, chan_block *, uint32_t);
const chan_channel Enough =
    makeChannel<Child, spawnUntilEnough, CHAN_ENTRY>("enough.0");
const chan_channel Nothing =
    makeChannel<Child, +[](chan_worker *, chan_block *, uint32_t) {},
                CHAN_ENTRY>("nothing.0");
int enough;
void spawnUntilEnough(chan_worker *worker, chan_block *, uint32_t) {
  chan::Worker &self = chan::self(worker);
  auto *below = static_cast<chan::Level *>(worker->level->deeper);
  // As if all others had work, and the last offer was a moment ago.
  for (int other = 1; other != kWorkers; ++other)
    chan::Pool::busy();
  self.lastOffer = chan::ticks();
  for (enough = 0; !self.maySerialize(below) && enough != 1000; ++enough)
    Child::send(worker, Nothing, 0, 0);
  for (int other = 1; other != kWorkers; ++other)
    chan::Pool::idle();
}

/// Others are left as much as those have a processor for, and a loop's ranges
/// are for as many.
int leavesOthersWhatTheyCanRun(int number, int children, uint64_t grain) {
  configure(kWorkers, number);
  Child::call(Enough, 0, 0);
  return enough == children && chan_grain(1600, 0) == grain ? 0 : 1;
}

/// A worker that sleeps and is rung has its processor, and wants nothing more,
/// before its thread runs: what is on offer meanwhile wakes nobody else.
std::atomic<bool> isRung;
const chan_channel Later =
    makeChannel<Child, +[](chan_worker *, chan_block *, uint32_t) { ++begun; },
                CHAN_ENTRY>("later.0");
void offerOne(chan_worker *worker) {
  for (int k = 0; k != 2; ++k)
    Child::send(worker, Later, 0, k);
  // Long enough after the last.
  pause();
  chan_poll(worker);
}
const chan_channel Rung =
    makeChannel<Child,
                +[](chan_worker *worker, chan_block *, uint32_t) {
                  chan::Worker &self = chan::self(worker);
                  offerOne(worker);
                  uint32_t before = chan::Pool::demanded();
                  chan::Pool::beginSleep(self, true);
                  isRung = chan::Pool::demanded() == before + 1 &&
                           chan::Pool::ringIfAsleep(self) &&
                           chan::Pool::demanded() == before &&
                           !chan::Pool::endSleep(self);
                  uint64_t last = self.lastOffer;
                  offerOne(worker);
                  isRung = isRung && self.lastOffer != last;
                  pause();
                  isRung = isRung && begun == 0;
                },
                CHAN_ENTRY>("rung.0");
int whoIsRungIsAwake() {
  configure(kWorkers, 1);
  chan::Pool::setPeriod(kForever);
  Child::call(Rung, 0, 0);
  return isRung && begun == 4 ? 0 : 1;
}

/// Offers for nothing hide that others would take something, but not a thread
/// that has just run what was worth it.
std::atomic<bool> isHidden;
const chan_channel Worth =
    makeChannel<Child,
                +[](chan_worker *worker, chan_block *, uint32_t) {
                  if (&chan::self(worker) == rootsWorker) {
                    await([] { return inPool == 1; });
                    // One for the thread that runs the sibling.
                    for (int more = 1; more >= 0;
                         more -= chan::Pool::demanded() == 0) {
                      chan::Pool::busy();
                      chan::Pool::takenBack(true);
                    }
                    isHidden = true;
                    return await([] { return chan::Pool::wanted(); });
                  }
                  ++inPool;
                  await([] { return isHidden.load(); });
                },
                CHAN_ENTRY>("worth.0");
const chan_channel Hiding =
    makeChannel<Child,
                +[](chan_worker *worker, chan_block *, uint32_t) {
                  rootsWorker = &chan::self(worker);
                  for (int k = 0; k != 2; ++k)
                    Child::send(worker, Worth, 0, k);
                },
                CHAN_ENTRY>("hiding.0");
int whoWasOfUseIsKnown() {
  configure(kWorkers, 2);
  chan::Pool::setPeriod(kForever);
  Child::call(Hiding, 0, 0);
  return tooLate ? 1 : 0;
}

/// Whether an activation of a clone that is asked for work answers at once, in
/// a tree that has taken long.
bool answersAtOnce(chan_worker *worker) {
  chan::Worker &self = chan::self(worker);
  self.treeBegan = 0;
  chan::Pool::idle();
  chan_late *late = chan_late_open(worker);
  if (late)
    chan_late_close(worker, late);
  chan::Pool::busy();
  self.promotionOrder.stop();
  return late;
}
/// The same for one inside the activation that has answered.
[[gnu::noinline]] bool answersInside(chan_worker *worker) {
  volatile char space[256] = {};
  bool answers = answersAtOnce(worker);
  space[0] = 1; // or the call would be the frame's last, and take its place
  return answers;
}
void drainChildren(chan_worker *worker) {
  chan::self(worker).yieldTo(static_cast<chan::Level *>(worker->level->deeper));
}

/// Nobody comes for what is on offer: older ones answer, until the next tree.
std::atomic<int> answers;
const chan_channel Asking =
    makeChannel<Child,
                +[](chan_worker *worker, chan_block *block, uint32_t i) {
                  answers += answersAtOnce(worker);
                  if (Child::get<0>(block, i) == 0)
                    return;
                  offerOne(worker);
                  drainChildren(worker);
                  answers += answersInside(worker) ? 100 : 10;
                },
                CHAN_ENTRY>("asking.0");
int whatIsTakenBackCounts() {
  configure(2, 1);
  chan::Pool::setPeriod(kForever);
  Child::call(Asking, 1, 0);
  Child::call(Asking, 0, 0);
  return answers == 12 ? 0 : 1;
}

/// Somebody takes it, and it is worth his while: anybody answers again.
std::atomic<bool> isTaken;
const chan_channel Worthy =
    makeChannel<Child,
                +[](chan_worker *worker, chan_block *, uint32_t) {
                  if (chan::self(worker).thread) {
                    isTaken = true;
                    // An eighth of it is more than anybody has to wait for a
                    // processor.
                    std::this_thread::sleep_for(std::chrono::milliseconds(400));
                  } else {
                    await([] { return isTaken.load(); });
                    answers += chan::self(worker).helpers == 1 ? 1000 : 10000;
                  }
                },
                CHAN_ENTRY>("worthy.0");
/// What it would be to run a kernel in place of a clone.
uint64_t backOffFor(chan::Worker &worker) {
  return worker.stealBackoff.backOffFor(0, worker.helped, worker.helpers,
                                        chan::ticks);
}
const chan_channel Giving =
    makeChannel<Child,
                +[](chan_worker *worker, chan_block *, uint32_t) {
                  chan::self(worker).promotionOrder.takeBack();
                  answers += answersAtOnce(worker);
                  chan::Worker &own = chan::self(worker);
                  backOffFor(own);
                  for (int k = 0; k != 2; ++k)
                    Child::send(worker, Worthy, 0, k);
                  drainChildren(worker);
                  answers += answersInside(worker) ? 10 : 100;
                  answers += own.helped && !own.helpers ? 100000 : 1000000;
                  // Who was helped has waited for as long; the answer counts.
                  for (uint32_t k = 3; k != chan::StealBackoff::kMostFruitless;
                       ++k)
                    backOffFor(own);
                  answers += backOffFor(own) ? 10000000 : 100000000;
                },
                CHAN_ENTRY>("giving.0");
int whatWasOfUseCounts() {
  configure(2, 2);
  Child::call(Giving, 0, 0);
  return answers == 10101010 && !tooLate ? 0 : 1;
}

/// Who waits, while all others are at work, reminds those who ignore it.
void ignoreWhoWaits(int, int) {
  chan::Worker &own = chan::Worker::current();
  if (!own.thread)
    return await([] { return isTaken.load(); });
  own.backOffUntil(UINT64_MAX);
  isTaken = true;
  await([&] { return own.isDemanded(); });
}
int whoWaitsReminds() {
  configure(2, 2);
  spawnMany<ignoreWhoWaits>(0, 2);
  return isTaken && !tooLate ? 0 : 1;
}

/// The same if he is asleep by then.
void ignoreWhoSleeps(int, int) {
  chan::Worker &own = chan::Worker::current();
  if (!own.thread)
    return await([] { return isTaken.load(); });
  isTaken = true;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  own.backOffUntil(UINT64_MAX);
  await([&] { return own.isDemanded(); });
}
int whoSleepsReminds() {
  configure(2, 2);
  spawnMany<ignoreWhoSleeps>(0, 2);
  return isTaken && !tooLate ? 0 : 1;
}

/// Who waits inside a task block is no help to its owner meanwhile.
chan::Worker *owner;
std::atomic<bool> helpsOwner;
std::atomic<chan::Worker *> helpedByPool;
void waitInsideParcel(int, int) {
  chan::Worker &own = chan::Worker::current();
  if (!own.thread) {
    await([] { return isTaken.load(); });
    own.help(owner);
    helpsOwner = true;
    return;
  }
  helpedByPool = own.helping;
  isTaken = true;
  await([] { return helpsOwner.load(); });
  await([] { return owner->helpers == 0; });
}
int whoWaitsHelpsNobody() {
  configure(2, 2);
  static chan::Worker another;
  owner = &another;
  spawnMany<waitInsideParcel>(0, 2);
  // Behind that it goes on.
  bool goesOn = owner->helpers == 1;
  chan::Worker &own = chan::Worker::current();
  own.help(nullptr);
  // Whoever ran the other child helped this one, until it was done.
  bool wasHelped = helpedByPool == &own && own.helpers == 0;
  return isTaken && goesOn && wasHelped && !tooLate ? 0 : 1;
}

/// A child that others run a little longer is waited for awake, one that they
/// run long is not.  They do while the other child is over at once.
void runLonger(int, int) {
  if (!chan::Worker::current().thread)
    return await([] { return isTaken.load(); });
  isTaken = true;
  pause();
}
int64_t napsWhileRun() {
  isTaken = false;
  int64_t before = chan::Worker::current().naps;
  spawnMany<runLonger>(0, 2);
  return chan::Worker::current().naps - before;
}
int whoWaitsIsAwake() {
  configure(2, 2);
  spawnMany<runLonger>(0, 2); // the pool's thread has begun
  int64_t forLittle = [] {
    StoppedClock clock;
    return napsWhileRun();
  }();
  return forLittle == 0 && napsWhileRun() > 0 && !tooLate ? 0 : 1;
}

cpu_set_t affinity() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  return set;
}

/// The tree's own thread comes to the processor of the pool's, and that one to
/// the other's: it is sent elsewhere, and may go anywhere.
std::atomic<int> processorOfPool{-1};
std::atomic<bool> wasSent, went, mayGoAnywhere{true}, poolIsDone;
cpu_set_t usual;
void goTo(int processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  sched_setaffinity(0, sizeof one, &one);
}
int anotherThan(int processor) {
  int other = 0;
  while (other == processor || !CPU_ISSET(other, &usual))
    ++other;
  return other;
}
const chan_channel Somewhere =
    makeChannel<Child,
                +[](chan_worker *, chan_block *, uint32_t) {
                  cpu_set_t now = affinity();
                  if (!CPU_EQUAL(&now, &usual))
                    mayGoAnywhere = false;
                },
                CHAN_ENTRY>("somewhere.0");
void meetAsPool() {
  usual = affinity();
  // Where the runtime knows it to be.
  int here = chan::Worker::current().lastProcessor, before = affinitiesOfOthers;
  processorOfPool = here;
  await([before] { return affinitiesOfOthers != before; });
  wasSent = true;
  for (int processor : {anotherThan(here), here}) {
    before = ownAffinities;
    goTo(processor);
    sched_setaffinity(0, sizeof usual, &usual);
    Child::call(Somewhere, 0, 0);
  }
  went = ownAffinities != before;
  poolIsDone = true;
}
int whoMeetsGoesElsewhere() {
  configure(2, 2);
  spawnMany<[](int, int) {
    static int turn = 0;
    if (chan::Worker::current().thread) {
      if (!poolIsDone)
        meetAsPool();
      return;
    }
    // It comes from elsewhere: who stays where it is meets nobody.
    if (turn == 0) {
      await([] { return processorOfPool >= 0; });
      goTo(anotherThan(processorOfPool));
    } else if (turn == 1) {
      goTo(processorOfPool);
    } else {
      await([] { return poolIsDone.load(); });
    }
    ++turn;
  }>(0, 200);
  // Who sleeps, or has ended its tree, is in nobody's way.
  await([] {
    bool isAway = true;
    for (uint32_t i = 0; i != chan::Pool::slotCount(); ++i)
      isAway &= chan::Pool::slot(i)->lastProcessor < 0;
    return isAway;
  });
  return tooLate || !wasSent || !went || !mayGoAnywhere;
}

class RuntimeProcessorsDeathTest : public testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(RuntimeProcessorsDeathTest, BlockedTasksRunAtOnce) {
  for (int number : {1, 2, 3})
    EXPECT_EXIT(std::exit(blockedTasksRunAtOnce(number)),
                testing::ExitedWithCode(0), "")
        << number;
}

TEST_F(RuntimeProcessorsDeathTest, NoMoreTasksRunThanThereAreProcessors) {
  for (int number : {1, 2, 3})
    EXPECT_EXIT(std::exit(othersWait(number)), testing::ExitedWithCode(0), "")
        << number;
}

TEST_F(RuntimeProcessorsDeathTest, OthersAreLeftWhatTheyCanRun) {
  EXPECT_EXIT(std::exit(leavesOthersWhatTheyCanRun(1, 4, 100)),
              testing::ExitedWithCode(0), "");
  EXPECT_EXIT(std::exit(leavesOthersWhatTheyCanRun(2, 4, 100)),
              testing::ExitedWithCode(0), "");
  EXPECT_EXIT(std::exit(leavesOthersWhatTheyCanRun(16, 28, 25)),
              testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, WhoWaitsMakesRoom) {
  EXPECT_EXIT(std::exit(whoWaitsMakesRoom()), testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, WhoWaitsIsWokenFirst) {
  EXPECT_EXIT(std::exit(whoWaitsIsWokenFirst()), testing::ExitedWithCode(0),
              "");
}

TEST_F(RuntimeProcessorsDeathTest, WhoIsRungIsAwake) {
  EXPECT_EXIT(std::exit(whoIsRungIsAwake()), testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, WhoWasOfUseIsKnown) {
  EXPECT_EXIT(std::exit(whoWasOfUseIsKnown()), testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, WhatIsTakenBackCounts) {
  EXPECT_EXIT(std::exit(whatIsTakenBackCounts()), testing::ExitedWithCode(0),
              "");
}

TEST_F(RuntimeProcessorsDeathTest, WhatWasOfUseCounts) {
  EXPECT_EXIT(std::exit(whatWasOfUseCounts()), testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, WhoWaitsReminds) {
  EXPECT_EXIT(std::exit(whoWaitsReminds()), testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, WhoSleepsReminds) {
  EXPECT_EXIT(std::exit(whoSleepsReminds()), testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, WhoWaitsHelpsNobody) {
  EXPECT_EXIT(std::exit(whoWaitsHelpsNobody()), testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, WhoWaitsIsAwakeForAWhile) {
  cpu_set_t all = affinity();
  if (CPU_COUNT(&all) < 2)
    GTEST_SKIP() << "one processor";
  EXPECT_EXIT(std::exit(whoWaitsIsAwake()), testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, WhoMeetsGoesElsewhere) {
  cpu_set_t all = affinity();
  if (CPU_COUNT(&all) < 2)
    GTEST_SKIP() << "one processor";
  EXPECT_EXIT(std::exit(whoMeetsGoesElsewhere()), testing::ExitedWithCode(0),
              "");
}

TEST_F(RuntimeProcessorsDeathTest, WhoEndsATreeMakesRoom) {
  EXPECT_EXIT(std::exit(whoEndsATreeMakesRoom()), testing::ExitedWithCode(0),
              "");
}

#endif

} // namespace
