//===- RuntimeProcessorsTest.cpp - More workers than processors -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Affinities.h"
#include "Demand.h"
#include "Pool.h"
#include "RuntimeKernels.h"
#include "Slots.h"
#include "StoppedClock.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sched.h>
#include <thread>

using namespace kernels;

namespace {

/// The other tests check what happens between workers. So all workers are to be
/// awake at once, however few processors there are, or as many as
/// TEST_PROCESSORS says. If it is set, periods are short, so that tests last
/// for many of them.
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
/// A period that never ends.
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

/// All children of a tree block until all have begun. This is the first tree,
/// so no thread is busy with another one when they are offered.
int blockedTasksRunAtOnce(int number) {
  configure(kWorkers, number);
  spawnMany<[](int, int) {
    ++begun;
    await([] { return begun == kWorkers; });
  }>(0, kWorkers);
  return tooLate ? 1 : 0;
}

/// The first children of a tree occupy the processors. No thief takes the
/// others, since no period ends.
int furtherTasksWait(int number) {
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

/// Two trees of two children. The first tree's children occupy a thread of the
/// pool each. The second child of the second tree, for which its sibling waits,
/// has no processor until ...
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

/// ... the first tree's own thread waits for the other child, long after a
/// thread was told to watch.
int aWaitingWorkerFreesItsProcessor() {
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
/// surplus.
int anEndedTreeFreesItsProcessor() {
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

/// A child of the root occupies a thread of the pool. The root's own thread has
/// finished its child and waits for that one. Then there is one processor for
/// one of its two children. The root's thread runs it, not an unrelated thread.
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
                  await(
                      [] { return rootsWorker.load()->wakeup.asleep.load(); });
                  // A sleeping worker keeps no thread off its processor.
                  sleptInTheWay |=
                      rootsWorker.load()->thread.lastProcessor >= 0;
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
int aWaitingOwnerIsWokenFirst() {
  configure(kWorkers, 2);
  chan::Pool::setPeriod(kForever);
  Child::call(Root, 0, 0);
  return byRoot == 1 && !sleptInTheWay && !tooLate ? 0 : 1;
}

/// How many children a kernel spawns before clones run them, although no worker
/// wants work.
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
  // As if all other workers had work, and the last offer were recent.
  for (int other = 1; other != kWorkers; ++other)
    chan::Demand::busy();
  self.times.lastOffer = chan::ticks();
  for (enough = 0; !self.maySerialize(below) && enough != 1000; ++enough)
    Child::send(worker, Nothing, 0, 0);
  for (int other = 1; other != kWorkers; ++other)
    chan::Demand::idle();
}

/// A tree leaves other workers as much as they have processors for. So do the
/// ranges of a loop.
int leavesOtherWorkersAsMuchAsTheyCanRun(int number, int children,
                                         uint64_t grain) {
  configure(kWorkers, number);
  Child::call(Enough, 0, 0);
  return enough == children && chan_grain(1600, 0) == grain ? 0 : 1;
}

/// A sleeping worker that is rung counts as awake, and wants no more work,
/// before its thread runs. An offer meanwhile wakes no other worker.
std::atomic<bool> isRung;
const chan_channel Later =
    makeChannel<Child, +[](chan_worker *, chan_block *, uint32_t) { ++begun; },
                CHAN_ENTRY>("later.0");
void offerOne(chan_worker *worker) {
  for (int k = 0; k != 2; ++k)
    Child::send(worker, Later, 0, k);
  // Long enough after the last offer.
  pause();
  chan_poll(worker);
}
const chan_channel Rung =
    makeChannel<Child,
                +[](chan_worker *worker, chan_block *, uint32_t) {
                  chan::Worker &self = chan::self(worker);
                  offerOne(worker);
                  uint32_t before = chan::Demand::demanded();
                  chan::Pool::beginSleep(self, true);
                  isRung = chan::Demand::demanded() == before + 1 &&
                           chan::Pool::ringIfAsleep(self) &&
                           chan::Demand::demanded() == before &&
                           !chan::Pool::endSleep(self);
                  uint64_t last = self.times.lastOffer;
                  offerOne(worker);
                  isRung = isRung && self.times.lastOffer != last;
                  pause();
                  isRung = isRung && begun == 0;
                },
                CHAN_ENTRY>("rung.0");
int aRungWorkerCountsAsAwake() {
  configure(kWorkers, 1);
  chan::Pool::setPeriod(kForever);
  Child::call(Rung, 0, 0);
  return isRung && begun == 4 ? 0 : 1;
}

/// Useless offers hide requests for work, except that of a thread that has just
/// run something worth taking.
std::atomic<bool> isHidden;
const chan_channel Worth =
    makeChannel<Child,
                +[](chan_worker *worker, chan_block *, uint32_t) {
                  if (&chan::self(worker) == rootsWorker) {
                    await([] { return inPool == 1; });
                    // One is for the thread that runs the sibling.
                    for (int more = 1; more >= 0;
                         more -= chan::Demand::demanded() == 0) {
                      chan::Demand::busy();
                      chan::Pool::takenBack(true);
                    }
                    isHidden = true;
                    return await([] { return chan::Demand::wanted(); });
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
int aThiefThatWasUsefulShowsItsRequest() {
  configure(kWorkers, 2);
  chan::Pool::setPeriod(kForever);
  Child::call(Hiding, 0, 0);
  return tooLate ? 1 : 0;
}

/// Whether an activation of a clone is promoted at its first poll, in a tree
/// that has taken long.
bool promotesAtOnce(chan_worker *worker) {
  chan::Worker &self = chan::self(worker);
  self.times.treeBegan = 0;
  chan::Demand::idle();
  chan_late *late = chan_late_open(worker);
  if (late)
    chan_late_close(worker, late);
  chan::Demand::busy();
  self.promotionOrder.stop();
  return late;
}
/// The same for an activation inside the promoted one.
[[gnu::noinline]] bool promotesInside(chan_worker *worker) {
  volatile char space[256] = {};
  bool promotes = promotesAtOnce(worker);
  space[0] = 1; // otherwise the call would be the frame's last, and reuse its
                // place
  return promotes;
}
void drainChildren(chan_worker *worker) {
  chan::self(worker).yieldTo(static_cast<chan::Level *>(worker->level->deeper));
}

/// No thief takes the offers: older activations are promoted, until the next
/// tree.
std::atomic<int> promotes;
const chan_channel Asking =
    makeChannel<Child,
                +[](chan_worker *worker, chan_block *block, uint32_t i) {
                  promotes += promotesAtOnce(worker);
                  if (Child::get<0>(block, i) == 0)
                    return;
                  offerOne(worker);
                  drainChildren(worker);
                  promotes += promotesInside(worker) ? 100 : 10;
                },
                CHAN_ENTRY>("asking.0");
int takingBackDelaysPromotion() {
  configure(2, 1);
  chan::Pool::setPeriod(kForever);
  Child::call(Asking, 1, 0);
  Child::call(Asking, 0, 0);
  return promotes == 12 ? 0 : 1;
}

/// A thief takes an offer that is worth it: any activation is promoted again.
std::atomic<bool> isTaken;
const chan_channel Worthy =
    makeChannel<Child,
                +[](chan_worker *worker, chan_block *, uint32_t) {
                  if (chan::self(worker).thread.ofPool) {
                    isTaken = true;
                    // An eighth of this is longer than any wait for a
                    // processor.
                    std::this_thread::sleep_for(std::chrono::milliseconds(400));
                  } else {
                    await([] { return isTaken.load(); });
                    promotes +=
                        chan::self(worker).helping.helpers == 1 ? 1000 : 10000;
                  }
                },
                CHAN_ENTRY>("worthy.0");
/// The result of running a kernel in place of a clone.
uint64_t backOffFor(chan::Worker &worker) {
  return worker.backOff.history.backOffFor(0, worker.helping.helped,
                                           worker.helping.helpers, chan::ticks);
}
const chan_channel Giving =
    makeChannel<Child,
                +[](chan_worker *worker, chan_block *, uint32_t) {
                  chan::self(worker).promotionOrder.takeBack();
                  promotes += promotesAtOnce(worker);
                  chan::Worker &own = chan::self(worker);
                  backOffFor(own);
                  for (int k = 0; k != 2; ++k)
                    Child::send(worker, Worthy, 0, k);
                  drainChildren(worker);
                  promotes += promotesInside(worker) ? 10 : 100;
                  promotes += own.helping.helped && !own.helping.helpers
                                  ? 100000
                                  : 1000000;
                  // The owner has waited as long as the thief helped, so it may
                  // back off.
                  for (uint32_t k = 3; k != chan::kMostFruitless; ++k)
                    backOffFor(own);
                  promotes += backOffFor(own) ? 10000000 : 100000000;
                },
                CHAN_ENTRY>("giving.0");
int usefulOffersEndTheDelay() {
  configure(2, 2);
  Child::call(Giving, 0, 0);
  return promotes == 10101010 && !tooLate ? 0 : 1;
}

/// A waiting worker, while all others run, reminds those that back off.
void backOffWhileWaiting(int, int) {
  chan::Worker &own = chan::Worker::current();
  if (!own.thread.ofPool)
    return await([] { return isTaken.load(); });
  own.backOffUntil(UINT64_MAX);
  isTaken = true;
  await([&] { return own.arePollsRequested(); });
}
int aWaitingWorkerRemindsThoseThatBackOff() {
  configure(2, 2);
  spawnMany<backOffWhileWaiting>(0, 2);
  return isTaken && !tooLate ? 0 : 1;
}

/// The same if the waiting worker sleeps by then.
void backOffWhileSleeping(int, int) {
  chan::Worker &own = chan::Worker::current();
  if (!own.thread.ofPool)
    return await([] { return isTaken.load(); });
  isTaken = true;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  own.backOffUntil(UINT64_MAX);
  await([&] { return own.arePollsRequested(); });
}
int aSleepingWorkerRemindsThoseThatBackOff() {
  configure(2, 2);
  spawnMany<backOffWhileSleeping>(0, 2);
  return isTaken && !tooLate ? 0 : 1;
}

/// A thief that waits inside a task block does not count as helping its owner.
chan::Worker *owner;
std::atomic<bool> helpsOwner;
std::atomic<chan::Helping *> helpedByPool;
void waitInsideTaskBlock(int, int) {
  chan::Worker &own = chan::Worker::current();
  if (!own.thread.ofPool) {
    await([] { return isTaken.load(); });
    own.helping.help(&owner->helping);
    helpsOwner = true;
    return;
  }
  helpedByPool = own.helping.owner;
  isTaken = true;
  await([] { return helpsOwner.load(); });
  await([] { return owner->helping.helpers == 0; });
}
int aWaitingThiefDoesNotCountAsHelping() {
  configure(2, 2);
  static chan::Worker another;
  owner = &another;
  spawnMany<waitInsideTaskBlock>(0, 2);
  // After the wait it helps again.
  bool goesOn = owner->helping.helpers == 1;
  chan::Worker &own = chan::Worker::current();
  own.helping.help(nullptr);
  // The thief that ran the other child helped this worker until the child was
  // done.
  bool wasHelped = helpedByPool == &own.helping && own.helping.helpers == 0;
  return isTaken && goesOn && wasHelped && !tooLate ? 0 : 1;
}

/// The owner waits awake for a child that a thief runs for a little longer, but
/// not for one that it runs for long. Thieves run long while the other child is
/// over at once.
void runLonger(int, int) {
  if (!chan::Worker::current().thread.ofPool)
    return await([] { return isTaken.load(); });
  isTaken = true;
  pause();
}
int64_t napsWhileRun() {
  isTaken = false;
  int64_t before = chan::Worker::current().wakeup.naps;
  spawnMany<runLonger>(0, 2);
  return chan::Worker::current().wakeup.naps - before;
}
int waitingBeginsAwake() {
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

/// The tree's own thread comes to the processor of the pool's thread, and that
/// one to the other's. The pool's thread is sent elsewhere, and may go
/// anywhere.
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
  // The processor where the runtime supposes it.
  int here = chan::Worker::current().thread.lastProcessor,
      before = affinitiesOfOtherThreads;
  processorOfPool = here;
  await([before] { return affinitiesOfOtherThreads != before; });
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
int aThreadLeavesASharedProcessor() {
  configure(2, 2);
  spawnMany<[](int, int) {
    static int turn = 0;
    if (chan::Worker::current().thread.ofPool) {
      if (!poolIsDone)
        meetAsPool();
      return;
    }
    // The thread comes from elsewhere. One that stays where it is meets no
    // other.
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
  // A worker that sleeps, or has ended its tree, keeps no thread off a
  // processor.
  await([] {
    bool isAway = true;
    for (uint32_t i = 0; i != chan::Slots::count(); ++i)
      isAway &= chan::Slots::at(i)->thread.lastProcessor < 0;
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
    EXPECT_EXIT(std::exit(furtherTasksWait(number)), testing::ExitedWithCode(0),
                "")
        << number;
}

TEST_F(RuntimeProcessorsDeathTest, OtherWorkersAreLeftAsMuchAsTheyCanRun) {
  EXPECT_EXIT(std::exit(leavesOtherWorkersAsMuchAsTheyCanRun(1, 4, 100)),
              testing::ExitedWithCode(0), "");
  EXPECT_EXIT(std::exit(leavesOtherWorkersAsMuchAsTheyCanRun(2, 4, 100)),
              testing::ExitedWithCode(0), "");
  EXPECT_EXIT(std::exit(leavesOtherWorkersAsMuchAsTheyCanRun(16, 28, 25)),
              testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, AWaitingWorkerFreesItsProcessor) {
  EXPECT_EXIT(std::exit(aWaitingWorkerFreesItsProcessor()),
              testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, AWaitingOwnerIsWokenFirst) {
  EXPECT_EXIT(std::exit(aWaitingOwnerIsWokenFirst()),
              testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, ARungWorkerCountsAsAwake) {
  EXPECT_EXIT(std::exit(aRungWorkerCountsAsAwake()), testing::ExitedWithCode(0),
              "");
}

TEST_F(RuntimeProcessorsDeathTest, AThiefThatWasUsefulShowsItsRequest) {
  EXPECT_EXIT(std::exit(aThiefThatWasUsefulShowsItsRequest()),
              testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, TakingBackDelaysPromotion) {
  EXPECT_EXIT(std::exit(takingBackDelaysPromotion()),
              testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, UsefulOffersEndTheDelay) {
  EXPECT_EXIT(std::exit(usefulOffersEndTheDelay()), testing::ExitedWithCode(0),
              "");
}

TEST_F(RuntimeProcessorsDeathTest, AWaitingWorkerRemindsThoseThatBackOff) {
  EXPECT_EXIT(std::exit(aWaitingWorkerRemindsThoseThatBackOff()),
              testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, ASleepingWorkerRemindsThoseThatBackOff) {
  EXPECT_EXIT(std::exit(aSleepingWorkerRemindsThoseThatBackOff()),
              testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, AWaitingThiefDoesNotCountAsHelping) {
  EXPECT_EXIT(std::exit(aWaitingThiefDoesNotCountAsHelping()),
              testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, WaitingBeginsAwake) {
  cpu_set_t all = affinity();
  if (CPU_COUNT(&all) < 2)
    GTEST_SKIP() << "one processor";
  EXPECT_EXIT(std::exit(waitingBeginsAwake()), testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, AThreadLeavesASharedProcessor) {
  cpu_set_t all = affinity();
  if (CPU_COUNT(&all) < 2)
    GTEST_SKIP() << "one processor";
  EXPECT_EXIT(std::exit(aThreadLeavesASharedProcessor()),
              testing::ExitedWithCode(0), "");
}

TEST_F(RuntimeProcessorsDeathTest, AnEndedTreeFreesItsProcessor) {
  EXPECT_EXIT(std::exit(anEndedTreeFreesItsProcessor()),
              testing::ExitedWithCode(0), "");
}

#endif

} // namespace
