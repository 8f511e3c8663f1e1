//===- RuntimeSharingTest.cpp - Several workers on one tree ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Affinities.h"
#include "RuntimeKernels.h"
#include "Sharing.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <set>
#include <thread>
#include <vector>

using namespace kernels;

namespace {

using Clock = std::chrono::steady_clock;
using Child = Element<int>;

bool severalWorkers() {
  const char *text = std::getenv("CHAN_WORKERS");
  return text ? std::atoi(text) > 1 : std::thread::hardware_concurrency() > 1;
}

/// Whether a kernel certainly enqueues two elements before one of them runs. In
/// a channel of one element the second talloc runs the first element at once,
/// unless an idle worker has already taken it.
bool twoElementsFit() {
  const char *text = std::getenv("CHAN_WIDTH");
  return !text || std::atoi(text) > 1;
}

/// A function that spawns `argument` children of `Body` and returns.
template <auto Body> void spawnMany(int children) {
  static const chan_channel child =
      makeChannel<Child, Body, CHAN_ENTRY>("child.0");
  static const chan_channel parent =
      makeChannel<Child,
                  +[](chan_worker *worker, chan_block *block, uint32_t i) {
                    for (int k = 0; k != Child::get<0>(block, i); ++k)
                      Child::send(worker, child, k);
                  },
                  CHAN_ENTRY>("parent.0");
  Child::call(parent, children);
}

// Each child waits until the other has begun. A program may not rely on that,
// but it shows whether they run at the same time.
std::atomic<int> arrived, metOther, restricted;
cpu_set_t usual;
void meet(chan_worker *, chan_block *, uint32_t) {
  // The restriction that kept the thread off a processor while it woke has
  // ended.
  cpu_set_t now;
  restricted +=
      sched_getaffinity(0, sizeof now, &now) || !CPU_EQUAL(&now, &usual);
  ++arrived;
  auto limit = Clock::now() + std::chrono::seconds(10);
  while (arrived != 2)
    if (Clock::now() > limit)
      return;
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ++metOther;
}

std::atomic<bool> heavy;
void meetIfHeavy(chan_worker *worker, chan_block *block, uint32_t i) {
  if (heavy)
    meet(worker, block, i);
}

bool childrenMeet() {
  arrived = metOther = restricted = 0;
  sched_getaffinity(0, sizeof usual, &usual);
  spawnMany<meet>(2);
  return metOther == 2 && !restricted;
}

std::mutex threadsLock;
std::set<pthread_t> threads;
void workForMilliseconds(chan_worker *, chan_block *, uint32_t) {
  {
    std::lock_guard<std::mutex> guard(threadsLock);
    threads.insert(pthread_self());
  }
  auto limit = Clock::now() + std::chrono::milliseconds(2);
  while (Clock::now() < limit)
    ;
}

// A lock held around a call of a C symbol. A worker that waits inside that call
// must not begin another child, which would take the lock again.
pthread_mutex_t held;
std::atomic<int> selfDeadlocks, wrong;
void callUnderLock(chan_worker *, chan_block *, uint32_t) {
  if (pthread_mutex_lock(&held) != 0) {
    ++selfDeadlocks;
    return;
  }
  if (fib(14) != 377)
    ++wrong;
  pthread_mutex_unlock(&held);
}

// An unbalanced tree: the number of nodes is known from a serial walk.
uint32_t mix(uint32_t seed) {
  seed ^= seed >> 16;
  seed *= 0x7feb352d;
  seed ^= seed >> 15;
  seed *= 0x846ca68b;
  return seed ^ seed >> 16;
}
int childrenOf(uint32_t seed, int depth) {
  return depth > 14 ? 0 : int(mix(seed) % 4);
}
long serialNodes(uint32_t seed, int depth) {
  long sum = 1;
  for (int k = 0; k != childrenOf(seed, depth); ++k)
    sum += serialNodes(mix(seed + k + 1), depth + 1);
  return sum;
}

using Tree = Element<long *, uint32_t, int>;
struct TreeFrame {
  long *destination;
  long nodes[3];
  int children;
};
void treeEntry(chan_worker *, chan_block *, uint32_t);
void treeSync(chan_worker *worker, chan_block *block, uint32_t i) {
  auto *frame = static_cast<TreeFrame *>(Element<void *>::get<0>(block, i));
  long sum = 1;
  for (int k = 0; k != frame->children; ++k)
    sum += frame->nodes[k];
  *frame->destination = sum;
  deleteFrame(worker, frame);
}
const chan_channel TreeEntry =
    makeChannel<Tree, treeEntry, CHAN_ENTRY>("tree.0", sizeof(TreeFrame));
const chan_channel TreeSync =
    makeChannel<Element<void *>, treeSync, CHAN_CONTINUATION>(
        "tree.1", sizeof(TreeFrame));
template <typename Between = void (*)(uint32_t)>
void growTree(
    chan_worker *worker, chan_block *block, uint32_t i,
    const chan_channel &entry, Between between = [](uint32_t) {}) {
  uint32_t seed = Tree::get<1>(block, i);
  int depth = Tree::get<2>(block, i);
  auto *frame = newFrame<TreeFrame>(worker);
  frame->destination = Tree::get<0>(block, i);
  frame->children = childrenOf(seed, depth);
  for (int k = 0; k != frame->children; ++k) {
    Tree::send(worker, entry, &frame->nodes[k], mix(seed + k + 1), depth + 1);
    between(seed + k);
  }
  Element<void *>::send(worker, TreeSync, frame);
}
void treeEntry(chan_worker *worker, chan_block *block, uint32_t i) {
  growTree(worker, block, i, TreeEntry);
}

// The same with nodes that take no time, some microseconds, or so long that
// their reservations are taken. Some call a tree of their own.
void sleepyEntry(chan_worker *, chan_block *, uint32_t);
const chan_channel SleepyEntry =
    makeChannel<Tree, sleepyEntry, CHAN_ENTRY>("sleepy.0", sizeof(TreeFrame));
void sleepyEntry(chan_worker *worker, chan_block *block, uint32_t i) {
  uint32_t luck = mix(Tree::get<1>(block, i) ^ 0x5eed) % 64;
  if (luck < 2)
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  else if (luck < 8)
    std::this_thread::sleep_for(std::chrono::microseconds(luck));
  else if (luck < 12)
    fib(static_cast<int>(luck));
  growTree(worker, block, i, SleepyEntry);
}

// A kernel that goes on beside its children: it sleeps, calls a C symbol, or
// spawns again at once.
void pollingEntry(chan_worker *, chan_block *, uint32_t);
const chan_channel PollingEntry =
    makeChannel<Tree, pollingEntry, CHAN_ENTRY>("polling.0", sizeof(TreeFrame));
void pollingEntry(chan_worker *worker, chan_block *block, uint32_t i) {
  growTree(worker, block, i, PollingEntry, [worker](uint32_t seed) {
    chan_poll(worker);
    uint32_t luck = mix(seed ^ 0x9011) % 128;
    // Long enough for a reservation to be taken.
    if (luck < 2)
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
    else if (luck < 8)
      std::this_thread::sleep_for(std::chrono::microseconds(luck));
    if (luck < 2 || (luck > 8 && luck < 12))
      fib(12);
    if (luck % 2)
      chan_poll(worker);
  });
}

// A parent that waits in its kernel until its children have begun. A program
// may not rely on that, but it shows what runs at the same time.
std::atomic<int> begun;
void begin(chan_worker *, chan_block *block, uint32_t i) {
  ++begun;
  std::this_thread::sleep_for(
      std::chrono::milliseconds(Child::get<0>(block, i)));
}
const chan_channel Begin = makeChannel<Child, begin, CHAN_ENTRY>("begin.0");
bool seeBegun(int children) {
  auto limit = Clock::now() + std::chrono::seconds(10);
  while (begun != children && Clock::now() < limit)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return begun == children;
}
bool seen;
void waitForOne(chan_worker *worker, chan_block *, uint32_t) {
  Child::send(worker, Begin, 0);
  chan_poll(worker);
  seen = seeBegun(1);
}
void waitForLater(chan_worker *worker, chan_block *, uint32_t) {
  Child::send(worker, Begin, 50);
  chan_poll(worker);
  seen = seeBegun(1);
  // With two workers, none is idle now; one will be.
  Child::send(worker, Begin, 0);
  chan_poll(worker);
  seen &= seeBegun(2);
}
// A loop that spawns several times what fits. A child that a thief runs waits
// until the loop has ended: no yield waits for that child.
std::atomic<int> spawned;
std::atomic<bool> waits;
pthread_t producer;
void waitForLoop(chan_worker *, chan_block *block, uint32_t i) {
  auto limit = Clock::now() + std::chrono::microseconds(5);
  while (Clock::now() < limit)
    ;
  if (pthread_equal(pthread_self(), producer) || waits.exchange(true))
    return;
  limit = Clock::now() + std::chrono::seconds(10);
  while (spawned != Child::get<0>(block, i) && Clock::now() < limit)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  seen = spawned == Child::get<0>(block, i);
}
const chan_channel WaitForLoop =
    makeChannel<Child, waitForLoop, CHAN_ENTRY>("wait.0");
void spawnLoop(chan_worker *worker, chan_block *block, uint32_t i) {
  int children = Child::get<0>(block, i);
  producer = pthread_self();
  for (spawned = 0; spawned != children; ++spawned)
    Child::send(worker, WaitForLoop, children);
}

// The same with trees, whose results are awaited in between.
using Forest = Element<long *, int>;
void forestEntry(chan_worker *worker, chan_block *block, uint32_t i) {
  for (int k = 0; k != Forest::get<1>(block, i); ++k)
    Tree::send(worker, TreeEntry, Forest::get<0>(block, i) + k, uint32_t(k),
               10);
}
const chan_channel ForestEntry =
    makeChannel<Forest, forestEntry, CHAN_ENTRY>("forest.0");

// A list, each node of which offers the rest to thieves for a while.
std::atomic<uint32_t> mostNested;
void trunkEntry(chan_worker *worker, chan_block *block, uint32_t i);
const chan_channel TrunkEntry =
    makeChannel<Child, trunkEntry, CHAN_ENTRY>("trunk.0");
void trunkEntry(chan_worker *worker, chan_block *block, uint32_t i) {
  uint32_t nested = chan::self(worker).nested, most = mostNested;
  while (most < nested && !mostNested.compare_exchange_weak(most, nested))
    ;
  int left = Child::get<0>(block, i);
  if (left == 0)
    return;
  Child::send(worker, TrunkEntry, left - 1);
  // A thief takes it meanwhile, and another takes the next from there.
  auto limit = Clock::now() + std::chrono::microseconds(200);
  do
    chan_poll(worker);
  while (Clock::now() < limit);
}

template <auto Body> bool seesChildren() {
  static const chan_channel parent =
      makeChannel<Child, Body, CHAN_ENTRY>("parent.0");
  begun = 0;
  seen = false;
  Child::call(parent, 0);
  return seen;
}

} // namespace

TEST(RuntimeSharing, ChildRunsBesideItsParent) {
  if (!severalWorkers())
    GTEST_SKIP() << "one worker";
  EXPECT_TRUE(seesChildren<waitForOne>());
  // Many short trees of this kind do not keep the next one from being shared.
  for (int i = 0; i != 2000; ++i)
    spawnMany<meetIfHeavy>(0);
  EXPECT_TRUE(seesChildren<waitForOne>());
}

TEST(RuntimeSharing, ChildRunsBesideItsParentOnceAWorkerIsIdle) {
  if (!severalWorkers())
    GTEST_SKIP() << "one worker";
  EXPECT_TRUE(seesChildren<waitForLater>());
}

TEST(RuntimeSharing, RandomTreesThatGoOnBesideTheirChildren) {
  std::vector<std::thread> roots;
  std::atomic<int> failures{0};
  for (uint32_t root = 1; root != 4; ++root)
    roots.emplace_back([root, &failures] {
      for (uint32_t seed = root * 1000; seed != root * 1000 + 25; ++seed) {
        long nodes = -1;
        Tree::call(PollingEntry, &nodes, seed, 8);
        failures += nodes != serialNodes(seed, 8);
      }
    });
  for (std::thread &root : roots)
    root.join();
  EXPECT_EQ(failures, 0);
}

TEST(RuntimeSharing, TwoLongChildrenRunAtOnce) {
  if (!severalWorkers())
    GTEST_SKIP() << "one worker";
  if (!twoElementsFit())
    GTEST_SKIP() << "channels of one element";
  EXPECT_TRUE(childrenMeet());
  // A thread that another one started has begun elsewhere (Placement.h).
  if (CPU_COUNT(&usual) > 1) {
    EXPECT_GT(affinitiesOfOtherThreads, 0);
  }
}

TEST(RuntimeSharing, LongChildrenAfterShortOnesRunAtOnce) {
  if (!severalWorkers())
    GTEST_SKIP() << "one worker";
  if (!twoElementsFit())
    GTEST_SKIP() << "channels of one element";
  // The levels have been measured, and the kernels there were short.
  EXPECT_EQ(fib(18), 2584);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_TRUE(childrenMeet());
}

TEST(RuntimeSharing, LongChildrenAfterShortTreesRunAtOnce) {
  if (!severalWorkers())
    GTEST_SKIP() << "one worker";
  if (!twoElementsFit())
    GTEST_SKIP() << "channels of one element";
  for (int round = 0; round != 3; ++round) {
    // Thousands of trees of this kind were over at once.
    heavy = false;
    for (int i = 0; i != 2000; ++i)
      spawnMany<meetIfHeavy>(2);
    heavy = true;
    arrived = metOther = 0;
    spawnMany<meetIfHeavy>(2);
    EXPECT_EQ(metOther, 2);
  }
}

TEST(RuntimeSharing, RandomTreesOfSleepersAndShortOnes) {
  std::vector<std::thread> roots;
  std::atomic<int> failures{0};
  for (uint32_t root = 1; root != 4; ++root)
    roots.emplace_back([root, &failures] {
      for (uint32_t seed = root * 100; seed != root * 100 + 25; ++seed) {
        long nodes = -1;
        Tree::call(SleepyEntry, &nodes, seed, 8);
        failures += nodes != serialNodes(seed, 8);
        // After short trees the next one is offered late.
        for (int i = 0; i != 20; ++i)
          failures += fib(4) != 3;
      }
    });
  for (std::thread &root : roots)
    root.join();
  EXPECT_EQ(failures, 0);
}

TEST(RuntimeSharing, RestOfARunningBatchIsTaken) {
  threads.clear();
  spawnMany<workForMilliseconds>(64);
  if (severalWorkers())
    EXPECT_GE(threads.size(), 2u);
  else
    EXPECT_EQ(threads.size(), 1u);
}

TEST(RuntimeSharing, AWaitingWorkerRunsOnlyDescendants) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&held, &attributes);
  pthread_mutexattr_destroy(&attributes);
  selfDeadlocks = wrong = 0;
  spawnMany<callUnderLock>(300);
  EXPECT_EQ(selfDeadlocks, 0);
  EXPECT_EQ(wrong, 0);
  pthread_mutex_destroy(&held);
}

TEST(RuntimeSharing, ALongPathThatMovesNestsBoundedly) {
  mostNested = 0;
  Child::call(TrunkEntry, 3000);
  EXPECT_LE(mostNested, chan::kMostNested);
}

TEST(RuntimeSharing, UnbalancedTrees) {
  for (uint32_t seed = 1; seed != 12; ++seed) {
    long nodes = -1;
    Tree::call(TreeEntry, &nodes, seed, 0);
    EXPECT_EQ(nodes, serialNodes(seed, 0)) << seed;
  }
}

TEST(RuntimeSharing, LoopThatSpawnsGoesOnWhileChildrenAreAway) {
  static const chan_channel loop =
      makeChannel<Child, spawnLoop, CHAN_ENTRY>("loop.0");
  if (!severalWorkers() || !twoElementsFit())
    GTEST_SKIP() << "no thief would take a child";
  waits = seen = false;
  // On a busy machine, the other workers may get no processor for so long.
  auto limit = Clock::now() + std::chrono::seconds(20);
  do
    Child::call(loop, 20000);
  while (!waits && Clock::now() < limit);
  EXPECT_TRUE(waits);
  EXPECT_TRUE(seen);
}

TEST(RuntimeSharing, LoopThatSpawnsTrees) {
  constexpr int count = 60000;
  std::vector<long> nodes(count, -1);
  Forest::call(ForestEntry, nodes.data(), count);
  for (int k = 0; k != count; ++k)
    ASSERT_EQ(nodes[k], serialNodes(uint32_t(k), 10)) << k;
}
