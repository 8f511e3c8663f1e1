//===- RuntimeReservationTest.cpp - Elements reserved for thieves ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clock.h"
#include "Demand.h"
#include "InProcess.h"
#include "Pool.h"
#include "RuntimeKernels.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

#if GTEST_HAS_DEATH_TEST

using namespace kernels;

namespace {

constexpr int kTrees = 2;
constexpr int kChildren = 40;
/// The child that keeps a tree's own thread.
constexpr int kKept = 6;
std::atomic<bool> over;

template <typename Condition> void await(Condition condition) {
  while (!condition() && !over)
    std::this_thread::sleep_for(std::chrono::microseconds(100));
}

void spin(uint64_t duration) {
  uint64_t begin = chan::ticks();
  while (chan::ticks() - begin < duration)
    ;
}

std::atomic<bool> poolBusy, poolFree;
/// Trees whose own thread is kept busy, those with children in a thread of the
/// pool, and those whose reserved child has begun.
std::atomic<int> treesKept, treesAway, treesMet;

struct Tree {
  std::thread::id thread;
  std::atomic<int> ownChildren{0};
  std::atomic<int> reserved{-1};
} trees[kTrees];

using Child = Element<int, int>;

void childEntry(chan_worker *, chan_block *block, uint32_t i) {
  Tree &tree = trees[Child::get<0>(block, i)];
  if (Child::get<1>(block, i) == tree.reserved) {
    ++treesMet;
    await([] { return treesMet == kTrees; });
  } else if (std::this_thread::get_id() == tree.thread) {
    int nth = ++tree.ownChildren;
    if (nth < kKept) // They are coarse: some are offered although no worker
                     // wants work.
      spin(chan::durations.slice * 3 / 4);
    if (nth == kKept)
      ++treesKept;
    if (nth >= kKept)
      await([] { return treesAway == kTrees; });
  } else if (tree.reserved == -1 && i + 1 != block->count) {
    tree.reserved = Child::get<1>(block, i + 1);
    ++treesAway;
    await([] { return treesMet == kTrees; });
  }
}
const chan_channel ChildEntry =
    makeChannel<Child, childEntry, CHAN_ENTRY>("child.0");

void rootEntry(chan_worker *worker, chan_block *block, uint32_t i) {
  int tree = Child::get<0>(block, i);
  trees[tree].thread = std::this_thread::get_id();
  for (int k = 0; k != kChildren; ++k)
    Child::send(worker, ChildEntry, tree, k);
}
const chan_channel RootEntry =
    makeChannel<Child, rootEntry, CHAN_ENTRY>("root.0");

/// Two children that occupy the tree's own thread and one of the pool.
void keepThread(chan_worker *, chan_block *block, uint32_t i) {
  if (Child::get<1>(block, i) == 0)
    return await([] { return false; });
  poolBusy = true;
  await([] { return poolFree.load(); });
}
const chan_channel KeepThread =
    makeChannel<Child, keepThread, CHAN_ENTRY>("keep.0");

void keepBoth(chan_worker *worker, chan_block *, uint32_t) {
  Child::send(worker, KeepThread, 0, 0);
  Child::send(worker, KeepThread, 0, 1);
}
const chan_channel KeepBoth =
    makeChannel<Child, keepBoth, CHAN_ENTRY>("both.0");

/// Two trees give a thread of the pool a block each. The second element of a
/// block is reserved while the first one runs. Then both trees wait for their
/// blocks. Each can take its own tree's reservation, and no other. Neither
/// kernel ends before both have.
int reserveForTwoWaiters() {
  setenv("CHAN_WORKERS", "3", 1);
  unsetenv("CHAN_WIDTH");
  std::thread limit([] {
    for (int i = 0; i != 100 && !over; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    over = true;
  });
  // No worker may want work when the blocks begin to run; otherwise their
  // elements would be offered.
  std::thread keeper([] { Child::call(KeepBoth, 0, 0); });
  await([] { return poolBusy.load(); });
  std::thread first([] { Child::call(RootEntry, 0, 0); });
  await([] { return treesAway == 1; });
  std::thread second([] { Child::call(RootEntry, 1, 0); });
  await([] { return treesKept == kTrees; });
  poolFree = true;
  await([] { return treesMet == kTrees; });
  bool good = !over;
  over = true;
  first.join();
  second.join();
  keeper.join();
  limit.join();
  return good ? 0 : 1;
}

/// Two children, each in a block of its own, as at a level of which nothing is
/// known. No worker wants work until the first child runs, and that one waits
/// for the other.
struct Large {
  long words[16];
};
using LargeChild = Element<Large>;
std::atomic<int> begun;
void waitForBoth(chan_worker *, chan_block *, uint32_t) {
  ++begun;
  auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (begun != 2 && std::chrono::steady_clock::now() < limit)
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  EXPECT_EQ(begun, 2);
}
const chan_channel WaitForBoth =
    makeChannel<LargeChild, waitForBoth, CHAN_ENTRY>("both.0");

void sendTwo(chan_worker *worker, chan_block *, uint32_t) {
  chan::Demand::busy();
  LargeChild::send(worker, WaitForBoth, Large());
  EXPECT_EQ(worker->level->deeper->entries->capacity, 1u);
  LargeChild::send(worker, WaitForBoth, Large());
}
const chan_channel SendTwo = makeChannel<Child, sendTwo, CHAN_ENTRY>("two.0");

void lendNextBlock() { Child::call(SendTwo, 0, 0); }

class RuntimeReservationDeathTest : public InProcess {};

} // namespace

TEST_F(RuntimeReservationDeathTest, BlockBehindTheOneThatRuns) {
  EXPECT_IN_PROCESS("2", lendNextBlock);
}

TEST_F(RuntimeReservationDeathTest, EachWaiterTakesItsOwn) {
  EXPECT_EXIT(std::exit(reserveForTwoWaiters()), testing::ExitedWithCode(0),
              "");
}

#endif
