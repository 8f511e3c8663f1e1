/*===- figure11.c - ISCA'14 Figure 11: Cilk's Fibonacci, in C -----*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * Orr et al., ISCA 2014, section 5.2 and Figure 11, with chan/graph.h:
 *
 *   int fib(int n) {
 *     if (n <= 2) return 1;
 *     int x = spawn fib(n - 1);
 *     int y = spawn fib(n - 2);
 *     sync;
 *     return x + y;
 *   }
 *
 * One channel holds all tasks before their sync, a channel stack those after
 * it. "Each thread updates a private result in the channel stack": x and y live
 * in the continuation's element.  The one channel bounds n, to 24 or so.
 *
 *   figure11 [N]
 */
#include <chan/graph.h>

#include <stdio.h>
#include <stdlib.h>

#define LEN 32768

typedef struct {
  int n;
  int *result;
} Fib;

typedef struct {
  int x, y;
  int *result;
} FibSync;

typedef struct {
  int fib, sync;
} Channels;

/* Up to the sync. */
void FibKernel(int srcID, int srcOff, const void *const *args) {
  const Channels *to = args[2];
  Fib *task = chan_graph_deq(srcID, srcOff);
  if (task->n <= 2) {
    *task->result = 1;
  } else {
    FibSync *rest = chan_graph_talloc_at(to->sync, 1, 0);
    rest->result = task->result;
    Fib *children = chan_graph_talloc_at(to->fib, 2, 1);
    children[0] = (Fib){task->n - 1, &rest->x};
    children[1] = (Fib){task->n - 2, &rest->y};
    chan_graph_enq(to->fib, children);
    chan_graph_enq(to->sync, rest);
  }
  chan_graph_tfree(srcID, srcOff);
}

/* After the sync: all that is deeper has finished. */
void FibSyncKernel(int srcID, int srcOff, const void *const *args) {
  (void)args;
  FibSync *rest = chan_graph_deq(srcID, srcOff);
  *rest->result = rest->x + rest->y;
  chan_graph_tfree(srcID, srcOff);
}

static int check(chan_graph *g, int result) {
  if (result < 0) {
    fprintf(stderr, "figure11: %s\n", chan_graph_error(g));
    exit(1);
  }
  return result;
}

int main(int argc, char *argv[]) {
  int n = argc > 1 ? atoi(argv[1]) : 20;
  int res = 0;

  chan_graph *g = chan_graph_new();
  if (!g)
    return 1;
  Channels ids;
  ids.fib = check(g, chan_graph_channel(g, "fib", sizeof(Fib), LEN));
  ids.sync = check(g, chan_graph_stack(g, "fib.sync", sizeof(FibSync), LEN,
                                       CHAN_GRAPH_CONTINUATIONS));
  int kern = check(g, chan_graph_kernel(g, "FibKernel", FibKernel));
  int sync = check(g, chan_graph_kernel(g, "FibSyncKernel", FibSyncKernel));
  check(g, chan_graph_set_arg(g, kern, 2, sizeof(ids), &ids));
  check(g, chan_graph_connect(g, ids.fib, kern));
  check(g, chan_graph_connect(g, ids.sync, sync));

  Fib *first = chan_graph_host_talloc(g, ids.fib, 1);
  *first = (Fib){n, &res};
  check(g, chan_graph_host_enq(g, ids.fib, first));

  check(g, chan_graph_execute(g));
  check(g, chan_graph_wait(g));
  printf("fib(%d) = %d\n", n, res);
  chan_graph_destroy(g);
}
