//===- GraphMisuseTest.cpp - What wrong kernels get -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "chan/graph.h"

#include <gtest/gtest.h>

#if GTEST_HAS_DEATH_TEST

namespace {

/// Two channels, "a" (id 0) and "b" (id 1), and a stack "s" (id 2), width 4
/// each; one element in "a".  `kernel` consumes "a", the others are only freed.
void runWith(chan_graph_kernel_fn kernel) {
  chan_graph *g = chan_graph_new();
  chan_graph_set_workers(g, 2);
  int a = chan_graph_channel(g, "a", sizeof(int), 4);
  int b = chan_graph_channel(g, "b", sizeof(int), 4);
  int s = chan_graph_stack(g, "s", sizeof(int), 4, CHAN_GRAPH_CONTINUATIONS);
  int wrong = chan_graph_kernel(g, "wrong", kernel);
  int sink =
      chan_graph_kernel(g, "sink", [](int src, int off, const void *const *) {
        chan_graph_tfree(src, off);
      });
  chan_graph_connect(g, a, wrong);
  chan_graph_connect(g, b, sink);
  chan_graph_connect(g, s, sink);
  chan_graph_host_enq(g, a, chan_graph_host_talloc(g, a, 1));
  chan_graph_execute(g);
  chan_graph_wait(g);
  chan_graph_destroy(g);
}

#define EXPECT_MISUSE(body, message)                                           \
  EXPECT_DEATH(runWith([](int src, int off, const void *const *) {             \
                 (void)src, (void)off;                                         \
                 body                                                          \
               }),                                                             \
               message)

class GraphMisuseDeathTest : public testing::Test {
protected:
  // The graph has threads, so each death test starts a new process.
  void SetUp() override {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
  }
};

TEST_F(GraphMisuseDeathTest, TheElementIsFreedTwice) {
  EXPECT_MISUSE(chan_graph_tfree(src, off); chan_graph_tfree(src, off);
                ,
                "kernel 'wrong': chan_graph_tfree: the element is freed twice");
}

TEST_F(GraphMisuseDeathTest, TheElementIsNeverFreed) {
  EXPECT_MISUSE(
      , "kernel 'wrong' returned without chan_graph_tfree of its element of "
        "channel 'a'");
}

TEST_F(GraphMisuseDeathTest, TheElementIsReadAfterItWasFreed) {
  EXPECT_MISUSE(chan_graph_tfree(src, off); chan_graph_deq(src, off);
                , "chan_graph_deq: after chan_graph_tfree");
}

TEST_F(GraphMisuseDeathTest, AKernelFreesAnElementThatIsNotItsOwn) {
  EXPECT_MISUSE(chan_graph_deq(src, off + 1);
                , "offset 1 of channel 0 is not the element this kernel runs");
  EXPECT_MISUSE(chan_graph_tfree(1, off);
                , "offset 0 of channel 1 is not the element this kernel runs");
}

TEST_F(GraphMisuseDeathTest, AnElementOfAnotherChannelIsEnqueued) {
  EXPECT_MISUSE(chan_graph_enq(1, chan_graph_talloc(0, 1));
                , "chan_graph_enq: not allocated from channel 'b', but an "
                  "element of channel 'a'");
  EXPECT_MISUSE(static int own; chan_graph_enq(1, &own);
                , "but no element of any channel");
}

TEST_F(GraphMisuseDeathTest, AnElementIsEnqueuedTwice) {
  EXPECT_MISUSE(void *e = chan_graph_talloc_at(2, 1, 0); chan_graph_enq(2, e);
                chan_graph_enq(2, e);, "enqueued twice\\?");
}

TEST_F(GraphMisuseDeathTest, AnElementIsNeverEnqueued) {
  EXPECT_MISUSE(chan_graph_talloc(1, 2); chan_graph_tfree(src, off);
                , "kernel 'wrong' returned with 2 elements allocated and never "
                  "enqueued");
}

TEST_F(GraphMisuseDeathTest, MoreElementsThanTheWidth) {
  EXPECT_MISUSE(chan_graph_talloc(1, 5);
                , "5 elements of channel 'b', whose width is 4");
  EXPECT_MISUSE(chan_graph_talloc(1, 0);, "0 elements of channel 'b'");
}

TEST_F(GraphMisuseDeathTest, AnUnknownChannel) {
  EXPECT_MISUSE(chan_graph_talloc(9, 1);, "there is no channel 9");
}

TEST_F(GraphMisuseDeathTest, AStackWithoutALevel) {
  EXPECT_MISUSE(chan_graph_talloc(2, 1);
                , "channel stack 's' has levels: say which with "
                  "chan_graph_talloc_at");
  EXPECT_MISUSE(chan_graph_talloc_at(2, 1, 2);
                , "relative level 2 is neither 0 nor 1");
}

TEST_F(GraphMisuseDeathTest, ACallOutsideAKernel) {
  EXPECT_DEATH(chan_graph_talloc(0, 1),
               "chan_graph_talloc is called outside a kernel");
}

TEST_F(GraphMisuseDeathTest, AFullChannelThatNoKernelCanEmpty) {
  // Each element makes two more of its own channel before it frees itself.
  EXPECT_MISUSE(for (int i = 0; i < 2; ++i)
                    chan_graph_enq(0, chan_graph_talloc(0, 1));
                chan_graph_tfree(src, off);
                , "channel 'a' is full, and nothing can free room in it: its "
                  "width is 4.*\n.*note: make the channel wider, or use a "
                  "channel stack");
}

TEST_F(GraphMisuseDeathTest, AFullStackThatNoKernelCanEmpty) {
  EXPECT_MISUSE(for (int i = 0; i < 5; ++i) chan_graph_talloc_at(2, 1, 0);
                , "channel stack 's' is full.*\n.*note: enqueue what a kernel "
                  "has allocated before it allocates more");
}

TEST_F(GraphMisuseDeathTest, AMalformedNumberOfWorkers) {
  EXPECT_DEATH(
      {
        setenv("CHAN_WORKERS", "abc", 1);
        chan_graph *g = chan_graph_new();
        chan_graph_execute(g);
      },
      "CHAN_WORKERS='abc' is not a number from 1 to 1024");
}

} // namespace

#endif // GTEST_HAS_DEATH_TEST
