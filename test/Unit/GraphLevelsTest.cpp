//===- GraphLevelsTest.cpp - Channel stacks and continuations by hand -----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ISCA'14 section 5.2: a continuation runs when everything deeper is done. The
// trees here check this themselves, with widths that force yields.
//===----------------------------------------------------------------------===//

#include "chan/graph.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

using namespace chan::graph;

namespace {

struct Shape {
  int workers;
  uint32_t width;
};

class GraphLevels : public testing::TestWithParam<Shape> {};

std::string nameOf(const testing::TestParamInfo<Shape> &info) {
  return "Workers" + std::to_string(info.param.workers) + "Width" +
         std::to_string(info.param.width);
}

int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

//===----------------------------------------------------------------------===//
// Fibonacci, Figure 12
//===----------------------------------------------------------------------===//

struct Fib {
  int n;
  int *result;
};
struct FibSync {
  int x, y;
  int *result;
};

void fibKernel(int src, int off, int entries, int syncs) {
  Fib *task = static_cast<Fib *>(deq(src, off));
  if (task->n < 2) {
    *task->result = task->n;
  } else {
    auto *rest = static_cast<FibSync *>(talloc(syncs, 1, 0));
    *rest = {-1000000, -1000000, task->result};
    // The continuation first: G2 also holds if its children do not exist yet.
    enq(syncs, rest);
    for (int i = 0; i < 2; ++i) {
      auto *child = static_cast<Fib *>(talloc(entries, 1, 1));
      *child = {task->n - 1 - i, i ? &rest->y : &rest->x};
      enq(entries, child);
    }
  }
  tfree(src, off);
}

void fibSyncKernel(int src, int off) {
  auto *rest = static_cast<FibSync *>(deq(src, off));
  *rest->result = rest->x + rest->y;
  tfree(src, off);
}

TEST_P(GraphLevels, FibonacciInStacksOfAnyWidth) {
  int result = -1;
  Graph g;
  g.setWorkers(GetParam().workers);
  ChannelNode *entries = g.ChannelStackNode(sizeof(Fib), GetParam().width,
                                            CHAN_GRAPH_ENTRIES, "fib");
  ChannelNode *syncs = g.ChannelStackNode(sizeof(FibSync), GetParam().width,
                                          CHAN_GRAPH_CONTINUATIONS, "fib.sync");
  KernelNode *kernel = g.KernelNode(fibKernel);
  kernel->setConstArg(2, sizeof(int), entries->chID);
  kernel->setConstArg(3, sizeof(int), syncs->chID);
  entries->connectToKernelNode(kernel);
  syncs->connectToKernelNode(g.KernelNode(fibSyncKernel));
  Fib *first = static_cast<Fib *>(entries->talloc(1));
  *first = {16, &result};
  entries->enq(first);
  g.execute();
  g.waitForDone();
  EXPECT_EQ(result, fib(16));
}

//===----------------------------------------------------------------------===//
// Phases: continuations that spawn and continue again
//===----------------------------------------------------------------------===//

/// A task of a tree: in each of `phases` it spawns `fan` children of a lower
/// height and, after their sync, checks that they have all reported.
struct Task {
  int height, phase;
  int *reports; ///< of the parent
  int *mine;    ///< of its children: heap memory, one count per phase
};

struct PhaseArgs {
  int entries, syncs;
  std::atomic<int> *failures, *finished;
};

constexpr int phases = 3, fan = 3;

void nextPhase(const Task &task, const PhaseArgs &args) {
  auto *rest = static_cast<Task *>(talloc(args.syncs, 1, 0));
  *rest = task;
  rest->phase++;
  enq(args.syncs, rest);
  for (int i = 0; i < fan; ++i) {
    auto *child = static_cast<Task *>(talloc(args.entries, 1, 1));
    *child = {task.height - 1, 0, &task.mine[task.phase * fan + i], nullptr};
    enq(args.entries, child);
  }
}

void taskKernel(int src, int off, PhaseArgs args) {
  Task task = *static_cast<Task *>(deq(src, off));
  // Before it allocates: a continuation that goes on needs the room that it
  // had.
  tfree(src, off);
  if (task.phase > 0)
    for (int i = 0; i < fan; ++i)
      if (task.mine[(task.phase - 1) * fan + i] != 1)
        ++*args.failures;
  if (task.height > 0 && task.phase == 0)
    task.mine = new int[phases * fan]();
  if (task.height > 0 && task.phase < phases) {
    nextPhase(task, args);
    return;
  }
  delete[] task.mine;
  ++*task.reports;
  ++*args.finished;
}

TEST_P(GraphLevels, EachPhaseSeesTheChildrenOfTheOneBefore) {
  std::atomic<int> failures = 0, finished = 0;
  int reports = 0;
  Graph g;
  g.setWorkers(GetParam().workers);
  ChannelNode *entries = g.ChannelStackNode(sizeof(Task), GetParam().width,
                                            CHAN_GRAPH_ENTRIES, "task");
  ChannelNode *syncs = g.ChannelStackNode(
      sizeof(Task), GetParam().width, CHAN_GRAPH_CONTINUATIONS, "task.sync");
  KernelNode *kernel = g.KernelNode(taskKernel);
  kernel->setConstArg(
      2, sizeof(PhaseArgs),
      PhaseArgs{entries->chID, syncs->chID, &failures, &finished});
  entries->connectToKernelNode(kernel);
  syncs->connectToKernelNode(kernel);
  Task *first = static_cast<Task *>(entries->talloc(1));
  *first = {3, 0, &reports, nullptr};
  entries->enq(first);
  g.execute();
  g.waitForDone();
  EXPECT_EQ(failures.load(), 0);
  EXPECT_EQ(reports, 1);
  EXPECT_EQ(finished.load(), 1 + 9 + 81 + 729);
}

INSTANTIATE_TEST_SUITE_P(Shapes, GraphLevels,
                         testing::Values(Shape{1, 2}, Shape{1, 64}, Shape{2, 1},
                                         Shape{2, 16}, Shape{8, 4},
                                         Shape{8, 1024}),
                         nameOf);

//===----------------------------------------------------------------------===//
// Figure 11: one channel for all tasks, a stack of continuations
//===----------------------------------------------------------------------===//

void fibMainKernel(int src, int off, int main, int syncs) {
  Fib *task = static_cast<Fib *>(deq(src, off));
  if (task->n < 2) {
    *task->result = task->n;
  } else {
    auto *rest = static_cast<FibSync *>(talloc(syncs, 1, 0));
    *rest = {-1000000, -1000000, task->result};
    Fib *children = static_cast<Fib *>(talloc(main, 2, 1));
    children[0] = {task->n - 1, &rest->x};
    children[1] = {task->n - 2, &rest->y};
    enq(syncs, rest);
    enq(main, children);
  }
  tfree(src, off);
}

TEST(GraphLevels, ElementsOfAPlainChannelHaveLevelsToo) {
  for (int workers : {1, 2, 8}) {
    int result = -1;
    Graph g;
    g.setWorkers(workers);
    ChannelNode *main = g.ChannelNode(sizeof(Fib), 8192);
    ChannelNode *syncs =
        g.ChannelStackNode(sizeof(FibSync), 8192, CHAN_GRAPH_CONTINUATIONS);
    KernelNode *kernel = g.KernelNode(fibMainKernel);
    kernel->setConstArg(2, sizeof(int), main->chID);
    kernel->setConstArg(3, sizeof(int), syncs->chID);
    main->connectToKernelNode(kernel);
    syncs->connectToKernelNode(g.KernelNode(fibSyncKernel));
    Fib *first = static_cast<Fib *>(main->talloc(1));
    *first = {16, &result};
    main->enq(first);
    g.execute();
    g.waitForDone();
    EXPECT_EQ(result, fib(16));
  }
}

//===----------------------------------------------------------------------===//
// A full stack of continuations that all go on
//===----------------------------------------------------------------------===//

void rotateKernel(int src, int off, std::atomic<int> *steps) {
  int left = *static_cast<int *>(deq(src, off));
  tfree(src, off);
  ++*steps;
  if (left == 0)
    return;
  auto *next = static_cast<int *>(talloc(src, 1, 0));
  *next = left - 1;
  enq(src, next);
}

// Elements that share a done count are freed together, and one worker has taken
// all of them. So its talloc must run those that follow the one it runs.
TEST(GraphLevels, ContinuationsThatGoOnNeedNoMoreRoomThanTheyHad) {
  constexpr int width = 64, rounds = 5;
  for (int workers : {1, 2, 8}) {
    std::atomic<int> steps = 0;
    Graph g;
    g.setWorkers(workers);
    ChannelNode *stack =
        g.ChannelStackNode(sizeof(int), width, CHAN_GRAPH_CONTINUATIONS);
    KernelNode *kernel = g.KernelNode(rotateKernel);
    kernel->setConstArg(2, sizeof(std::atomic<int> *), &steps);
    stack->connectToKernelNode(kernel);
    int *elements = static_cast<int *>(stack->talloc(width));
    for (int i = 0; i < width; ++i)
      elements[i] = rounds - 1;
    stack->enq(elements);
    g.execute();
    g.waitForDone();
    EXPECT_EQ(steps.load(), width * rounds);
  }
}

//===----------------------------------------------------------------------===//
// Depth
//===----------------------------------------------------------------------===//

void chainKernel(int src, int off, int entries, int syncs) {
  int left = *static_cast<int *>(deq(src, off));
  tfree(src, off);
  if (left == 0)
    return;
  auto *rest = static_cast<int *>(talloc(syncs, 1, 0));
  *rest = left;
  enq(syncs, rest);
  auto *child = static_cast<int *>(talloc(entries, 1, 1));
  *child = left - 1;
  enq(entries, child);
}

void chainSyncKernel(int src, int off, std::vector<int> *order) {
  order->push_back(*static_cast<int *>(deq(src, off)));
  tfree(src, off);
}

TEST(GraphLevels, ContinuationsRunFromTheDeepestLevelUp) {
  constexpr int depth = 10000;
  std::vector<int> order; // no lock: one element per level, levels in order
  Graph g;
  g.setWorkers(4);
  ChannelNode *entries = g.ChannelStackNode(sizeof(int), 1, CHAN_GRAPH_ENTRIES);
  ChannelNode *syncs =
      g.ChannelStackNode(sizeof(int), 1, CHAN_GRAPH_CONTINUATIONS);
  KernelNode *kernel = g.KernelNode(chainKernel);
  kernel->setConstArg(2, sizeof(int), entries->chID);
  kernel->setConstArg(3, sizeof(int), syncs->chID);
  KernelNode *sync = g.KernelNode(chainSyncKernel);
  sync->setConstArg(2, sizeof(std::vector<int> *), &order);
  entries->connectToKernelNode(kernel);
  syncs->connectToKernelNode(sync);
  int *first = static_cast<int *>(entries->talloc(1));
  *first = depth;
  entries->enq(first);
  g.execute();
  g.waitForDone();
  ASSERT_EQ(order.size(), size_t(depth));
  for (int i = 0; i < depth; ++i)
    ASSERT_EQ(order[i], i + 1);
}

} // namespace
