//===- figure6.cpp - ISCA'14 Figure 6: Fibonacci on channels, in C++ ------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Orr et al., ISCA 2014, Figure 6, in the paper's order and names.  A plain
// channel of LEN elements holds all that waits, so n is at most 24 or so.
//
//   figure6 [N]
//
//===----------------------------------------------------------------------===//

#include "chan/graph.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>

using namespace chan::graph;

#define LEN 32768

typedef struct {
  int val;
} FibObj;

static void atomic_add(int *to, int what) {
  std::atomic_ref<int>(*to).fetch_add(what);
}

void FibKernel(int srcID, int srcOff, int destID, int *result) {
  FibObj *src = (FibObj *)deq(srcID, srcOff);
  if (src->val <= 2) {
    atomic_add(result, 1);
  } else {
    FibObj *ob = (FibObj *)talloc(destID, 2);
    ob[0].val = src->val - 1;
    ob[1].val = src->val - 2;
    enq(destID, ob);
  }
  tfree(srcID, srcOff);
}

int main(int argc, char *argv[]) {
  int n = argc > 1 ? atoi(argv[1]) : 20;
  int res = 0;

  Graph g;
  ChannelNode *ch = g.ChannelNode(sizeof(FibObj), LEN);
  KernelNode *kern = g.KernelNode(FibKernel);
  kern->setConstArg(2, sizeof(int), ch->chID);
  kern->setConstArg(3, sizeof(int *), &res);
  ch->connectToKernelNode(kern);

  FibObj *ob = (FibObj *)ch->talloc(1);
  ob->val = n;
  ch->enq(ob);

  g.execute();
  g.waitForDone();
  printf("fib(%d) = %d\n", n, res);
}
