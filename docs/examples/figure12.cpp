//===- figure12.cpp - ISCA'14 Figure 12: Fibonacci in bounded memory ------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Orr et al., ISCA 2014, section 5.3 and Figure 12: figure11.c with the tasks
// before their sync in a channel stack as well.  A kernel that finds the next
// level full runs deeper tasks on the spot, so any n fits in LEN elements a
// level.
//
//   figure12 [N]
//
//===----------------------------------------------------------------------===//

#include "chan/graph.hpp"

#include <cstdio>
#include <cstdlib>

using namespace chan::graph;

constexpr int LEN = 64;

struct Fib {
  int n;
  int *result;
};

struct FibSync {
  int x, y;
  int *result;
};

// Up to the sync.
void FibKernel(int srcID, int srcOff, int fibID, int syncID) {
  Fib *task = (Fib *)deq(srcID, srcOff);
  if (task->n <= 2) {
    *task->result = 1;
  } else {
    FibSync *rest = (FibSync *)talloc(syncID, 1, +0);
    rest->result = task->result;
    Fib *children = (Fib *)talloc(fibID, 2, +1);
    children[0] = {task->n - 1, &rest->x};
    children[1] = {task->n - 2, &rest->y};
    enq(fibID, children);
    enq(syncID, rest);
  }
  tfree(srcID, srcOff);
}

// After the sync: all that is deeper has finished.
void FibSyncKernel(int srcID, int srcOff) {
  FibSync *rest = (FibSync *)deq(srcID, srcOff);
  *rest->result = rest->x + rest->y;
  tfree(srcID, srcOff);
}

int main(int argc, char *argv[]) {
  int n = argc > 1 ? atoi(argv[1]) : 24;
  int res = 0;

  Graph g;
  ChannelNode *fib = g.ChannelStackNode(sizeof(Fib), LEN, CHAN_GRAPH_ENTRIES);
  ChannelNode *sync =
      g.ChannelStackNode(sizeof(FibSync), LEN, CHAN_GRAPH_CONTINUATIONS);
  KernelNode *kern = g.KernelNode(FibKernel);
  kern->setConstArg(2, sizeof(int), fib->chID);
  kern->setConstArg(3, sizeof(int), sync->chID);
  fib->connectToKernelNode(kern);
  sync->connectToKernelNode(g.KernelNode(FibSyncKernel));

  Fib *first = (Fib *)fib->talloc(1);
  *first = {n, &res};
  fib->enq(first);

  g.execute();
  g.waitForDone();
  printf("fib(%d) = %d\n", n, res);
}
