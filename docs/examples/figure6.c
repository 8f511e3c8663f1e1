/*===- figure6.c - ISCA'14 Figure 6: Fibonacci on channels, in C --*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * Orr et al., ISCA 2014, Figure 6, with chan/graph.h.  A plain channel of LEN
 * elements holds all that waits, so n is at most 24 or so.
 *
 *   figure6 [N]
 */
#include <chan/graph.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define LEN 32768

typedef struct {
  int val;
} FibObj;

void FibKernel(int srcID, int srcOff, const void *const *args) {
  int destID = *(const int *)args[2];
  atomic_int *result = *(atomic_int *const *)args[3];

  FibObj *src = chan_graph_deq(srcID, srcOff);
  if (src->val <= 2) {
    atomic_fetch_add(result, 1);
  } else {
    FibObj *ob = chan_graph_talloc(destID, 2);
    ob[0].val = src->val - 1;
    ob[1].val = src->val - 2;
    chan_graph_enq(destID, ob);
  }
  chan_graph_tfree(srcID, srcOff);
}

int main(int argc, char *argv[]) {
  int n = argc > 1 ? atoi(argv[1]) : 20;
  atomic_int res = 0;
  atomic_int *result = &res;

  chan_graph *g = chan_graph_new();
  if (!g)
    return 1;
  int ch = chan_graph_channel(g, "fib", sizeof(FibObj), LEN);
  int kern = chan_graph_kernel(g, "FibKernel", FibKernel);
  chan_graph_set_arg(g, kern, 2, sizeof(int), &ch);
  chan_graph_set_arg(g, kern, 3, sizeof(atomic_int *), &result);
  chan_graph_connect(g, ch, kern);

  FibObj *ob = chan_graph_host_talloc(g, ch, 1);
  if (!ob) {
    fprintf(stderr, "figure6: %s\n", chan_graph_error(g));
    return 1;
  }
  ob->val = n;
  chan_graph_host_enq(g, ch, ob);

  if (chan_graph_execute(g) || chan_graph_wait(g)) {
    fprintf(stderr, "figure6: %s\n", chan_graph_error(g));
    return 1;
  }
  printf("fib(%d) = %d\n", n, atomic_load(&res));
  chan_graph_destroy(g);
}
