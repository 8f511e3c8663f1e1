//===- GraphTest.cpp - Building and executing graphs by hand --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "chan/graph.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <thread>

#include <sys/resource.h>

namespace {

struct Destroy {
  void operator()(chan_graph *graph) const { chan_graph_destroy(graph); }
};
using GraphPtr = std::unique_ptr<chan_graph, Destroy>;

void freeOnly(int src, int off, const void *const *) {
  chan_graph_tfree(src, off);
}

//===----------------------------------------------------------------------===//
// Errors of the calls that build
//===----------------------------------------------------------------------===//

class GraphBuilding : public testing::Test {
protected:
  GraphPtr owner{chan_graph_new()};
  chan_graph *g = owner.get();

  void expectError(int result, const char *text) {
    EXPECT_EQ(result, -1);
    EXPECT_STREQ(chan_graph_error(g), text);
  }
};

TEST_F(GraphBuilding, StartsWithoutAnError) {
  EXPECT_STREQ(chan_graph_error(g), "");
}

TEST_F(GraphBuilding, RefusesEmptyAndOversizedChannels) {
  expectError(chan_graph_channel(g, "a", 0, 4),
              "channel 'a': elements of 0 bytes");
  expectError(chan_graph_channel(g, "a", 4, 0),
              "channel 'a': width 0 is not in 1..16777216");
  expectError(chan_graph_stack(g, "a", 4, 1u << 30, CHAN_GRAPH_ENTRIES),
              "channel 'a': width 1073741824 is not in 1..16777216");
  expectError(chan_graph_stack(g, "a", 4, 4, 7),
              "channel stack 'a': unknown kind 7");
}

TEST_F(GraphBuilding, ExhaustedMemoryIsReported) {
  EXPECT_EQ(chan_graph_channel(g, "big", size_t(1) << 53, 1024), -1);
  std::string error = chan_graph_error(g);
  EXPECT_EQ(error.find("memory exhausted: channel 'big' at level 0 takes "
                       "9223372036854"),
            0u)
      << error;
  EXPECT_NE(error.find(" bytes (width 1024)"), std::string::npos) << error;
}

TEST_F(GraphBuilding, RefusesUnknownNodes) {
  int channel = chan_graph_channel(g, "a", 4, 4);
  int kernel = chan_graph_kernel(g, "k", freeOnly);
  expectError(chan_graph_connect(g, 7, kernel), "there is no channel 7");
  expectError(chan_graph_connect(g, channel, -1), "there is no kernel -1");
  expectError(chan_graph_set_arg(g, 3, 0, 1, ""), "there is no kernel 3");
  expectError(chan_graph_kernel(g, "k", nullptr), "kernel 'k' has no function");
}

TEST_F(GraphBuilding, RefusesArgumentsOutOfRange) {
  int kernel = chan_graph_kernel(g, "k", freeOnly);
  int value = 1;
  expectError(chan_graph_set_arg(g, kernel, 16, sizeof(value), &value),
              "kernel 'k': argument 16 is not in 0..15");
  expectError(chan_graph_set_arg(g, kernel, 2, 0, &value),
              "kernel 'k': argument 2 has no value");
}

TEST_F(GraphBuilding, AChannelHasOneConsumer) {
  int channel = chan_graph_channel(g, "a", 4, 4);
  int first = chan_graph_kernel(g, "first", freeOnly);
  int second = chan_graph_kernel(g, "second", freeOnly);
  EXPECT_EQ(chan_graph_connect(g, channel, first), 0);
  expectError(
      chan_graph_connect(g, channel, second),
      "channel 'a' is connected to kernel 'first' already: a channel has "
      "one consumer");
}

TEST_F(GraphBuilding, AnUnconnectedNodeDoesNotExecute) {
  int channel = chan_graph_channel(g, "a", 4, 4);
  expectError(chan_graph_execute(g), "channel 'a' is connected to no kernel");
  chan_graph_connect(g, channel, chan_graph_kernel(g, "k", freeOnly));
  chan_graph_kernel(g, "idle", freeOnly);
  expectError(chan_graph_execute(g),
              "kernel 'idle' is connected to no channel");
}

TEST_F(GraphBuilding, HostElementsAreChecked) {
  int channel = chan_graph_channel(g, "a", 4, 4);
  int other = chan_graph_channel(g, "b", 4, 4);
  chan_graph_connect(g, channel, chan_graph_kernel(g, "k", freeOnly));
  chan_graph_connect(g, other, chan_graph_kernel(g, "l", freeOnly));
  EXPECT_EQ(chan_graph_host_talloc(g, channel, 5), nullptr);
  EXPECT_STREQ(chan_graph_error(g),
               "channel 'a' of width 4 has no room for 5 elements");
  EXPECT_EQ(chan_graph_host_talloc(g, channel, 0), nullptr);
  void *elements = chan_graph_host_talloc(g, channel, 3);
  ASSERT_NE(elements, nullptr);
  EXPECT_EQ(chan_graph_host_talloc(g, channel, 2), nullptr);
  expectError(chan_graph_execute(g),
              "3 elements were allocated and never enqueued");
  const char *foreign =
      "what is enqueued was not allocated from channel 'b', or is enqueued "
      "already";
  expectError(chan_graph_host_enq(g, other, elements), foreign);
  EXPECT_EQ(chan_graph_host_enq(g, channel, elements), 0);
  EXPECT_EQ(chan_graph_host_enq(g, channel, elements), -1);
  EXPECT_EQ(chan_graph_execute(g), 0);
  EXPECT_EQ(chan_graph_wait(g), 0);
}

TEST_F(GraphBuilding, NothingChangesWhileItExecutes) {
  int channel = chan_graph_channel(g, "a", 4, 4);
  chan_graph_connect(g, channel, chan_graph_kernel(g, "k", freeOnly));
  expectError(chan_graph_wait(g), "the graph does not execute");
  ASSERT_EQ(chan_graph_execute(g), 0);
  const char *busy = "the graph executes: call chan_graph_wait first";
  expectError(chan_graph_execute(g), busy);
  expectError(chan_graph_channel(g, "b", 4, 4), busy);
  expectError(chan_graph_set_workers(g, 2), busy);
  EXPECT_EQ(chan_graph_host_talloc(g, channel, 1), nullptr);
  EXPECT_EQ(chan_graph_wait(g), 0);
}

TEST_F(GraphBuilding, WorkersAreFrom1To1024) {
  expectError(chan_graph_set_workers(g, 0), "0 workers: not in 1..1024");
  expectError(chan_graph_set_workers(g, 1025), "1025 workers: not in 1..1024");
}

TEST(GraphBuildingCxx, ParametersAreChecked) {
  using namespace chan::graph;
  Graph g;
  KernelNode *kernel =
      g.KernelNode(+[](int src, int off, int, double) { tfree(src, off); });
  g.ChannelNode(4, 4)->connectToKernelNode(kernel);
  EXPECT_THROW(kernel->setConstArg(1, sizeof(int), 1), Error);
  EXPECT_THROW(kernel->setConstArg(4, sizeof(int), 1), Error);
  EXPECT_THROW(kernel->setConstArg(3, sizeof(int), 1), Error);
  kernel->setConstArg(2, sizeof(int), 1);
  EXPECT_THROW(g.execute(), Error);
  kernel->setConstArg(3, sizeof(double), 1.0);
  g.execute();
  g.waitForDone();
}

//===----------------------------------------------------------------------===//
// Executing
//===----------------------------------------------------------------------===//

class GraphRun : public testing::TestWithParam<int> {};

TEST_P(GraphRun, EveryElementOnceThroughThreeNarrowChannels) {
  using namespace chan::graph;
  // Kernels that pass on what they get, through channels far narrower than the
  // stream. The first yields to the second, and that to the third.
  constexpr int count = 5000;
  std::vector<std::atomic<int>> seen(count);
  Graph g;
  g.setWorkers(GetParam());
  ChannelNode *seeds = g.ChannelNode(sizeof(int), 64);
  ChannelNode *middle = g.ChannelNode(sizeof(int), 4);
  ChannelNode *end = g.ChannelNode(sizeof(int), 2);
  KernelNode *spread = g.KernelNode(+[](int src, int off, int to) {
    int first = *static_cast<int *>(deq(src, off));
    for (int i = first; i < first + count / 10; ++i) {
      int *out = static_cast<int *>(talloc(to, 1));
      *out = i;
      enq(to, out);
    }
    tfree(src, off);
  });
  KernelNode *pass = g.KernelNode(+[](int src, int off, int to) {
    int *out = static_cast<int *>(talloc(to, 1));
    *out = *static_cast<int *>(deq(src, off));
    enq(to, out);
    tfree(src, off);
  });
  KernelNode *collect =
      g.KernelNode(+[](int src, int off, std::atomic<int> *seen) {
        ++seen[*static_cast<int *>(deq(src, off))];
        tfree(src, off);
      });
  spread->setConstArg(2, sizeof(int), middle->chID);
  pass->setConstArg(2, sizeof(int), end->chID);
  collect->setConstArg(2, sizeof(std::atomic<int> *), seen.data());
  seeds->connectToKernelNode(spread);
  middle->connectToKernelNode(pass);
  end->connectToKernelNode(collect);
  int *first = static_cast<int *>(seeds->talloc(10));
  for (int i = 0; i < 10; ++i)
    first[i] = i * (count / 10);
  seeds->enq(first);
  g.execute();
  g.waitForDone();
  for (int i = 0; i < count; ++i)
    ASSERT_EQ(seen[i].load(), 1) << i;
}

TEST_P(GraphRun, AGraphCanBeFilledAndExecutedAgain) {
  using namespace chan::graph;
  std::atomic<int> sum = 0;
  Graph g;
  g.setWorkers(GetParam());
  ChannelNode *channel = g.ChannelNode(sizeof(int), 8);
  KernelNode *add = g.KernelNode(+[](int src, int off, std::atomic<int> *sum) {
    *sum += *static_cast<int *>(deq(src, off));
    tfree(src, off);
  });
  add->setConstArg(2, sizeof(std::atomic<int> *), &sum);
  channel->connectToKernelNode(add);
  for (int round = 0; round < 50; ++round) {
    int *elements = static_cast<int *>(channel->talloc(8));
    std::iota(elements, elements + 8, 0);
    channel->enq(elements);
    g.execute();
    g.waitForDone();
  }
  EXPECT_EQ(sum.load(), 50 * 28);
}

TEST_P(GraphRun, AnEmptyGraphIsDoneAtOnce) {
  GraphPtr g(chan_graph_new());
  chan_graph_set_workers(g.get(), GetParam());
  EXPECT_EQ(chan_graph_execute(g.get()), 0);
  EXPECT_EQ(chan_graph_wait(g.get()), 0);
}

INSTANTIATE_TEST_SUITE_P(Workers, GraphRun, testing::Values(1, 2, 8));

TEST(GraphRun, TwoWorkersRunTwoElementsAtOnce) {
  using namespace chan::graph;
  // Each kernel waits until the other runs as well.
  std::atomic<int> running = 0;
  Graph g;
  g.setWorkers(2);
  ChannelNode *channel = g.ChannelNode(1, 2);
  KernelNode *meet = g.KernelNode(+[](int src, int off, std::atomic<int> *n) {
    ++*n;
    while (*n < 2)
      std::this_thread::yield();
    tfree(src, off);
  });
  meet->setConstArg(2, sizeof(std::atomic<int> *), &running);
  channel->connectToKernelNode(meet);
  channel->enq(channel->talloc(2));
  g.execute();
  g.waitForDone();
}

TEST(GraphRun, IdleWorkersSleep) {
  using namespace chan::graph;
  auto cpuSeconds = [] {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
           (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
  };
  Graph g;
  g.setWorkers(4);
  ChannelNode *channel = g.ChannelNode(1, 2);
  channel->connectToKernelNode(g.KernelNode(+[](int src, int off) {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    tfree(src, off);
  }));
  channel->enq(channel->talloc(1));
  double before = cpuSeconds();
  g.execute();
  g.waitForDone();
  EXPECT_LT(cpuSeconds() - before, 0.2);
}

} // namespace
