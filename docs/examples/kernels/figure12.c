/*===- figure12.c - ISCA'14 Figure 12 on a simulated machine ------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * Orr et al., ISCA 2014, section 5.3 and Figure 12: Fibonacci with a stack of channels for
 * tasks before their sync, and one for those after it. Each level has channels of its own,
 * so any n fits into channels of 64 elements: wavefronts that find no room yield.
 *
 *   cilk2chan --target=simt --machine=isca14-apu -O2 figure12.c -o figure12
 *   chansim run --set channel.width=64 --summary ./figure12 20
 */
#include <chan/kernel.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int *result;
  int n;
} Fib;

typedef struct {
  int *result;
  int x, y;
} FibSync;

CHAN_STACK(fib, Fib, CHAN_ENTRY);
CHAN_STACK(sync, FibSync, CHAN_CONTINUATION);

/* Up to the sync. */
CHAN_KERNEL(fib, "field 0; control fib 1; column 0 fib 1;"
                 "control sync 0; column 0 sync 0")
void FibKernel(uint64_t thread, Fib *from, chan_control *children, Fib *fibs,
               chan_control *after, FibSync *syncs) {
  uint64_t own = chan_kernel_deq(thread);
  Fib task = *CHAN_ELEMENT(from, own);
  chan_kernel_tfree(own);
  if (task.n <= 2) {
    *task.result = 1;
    return;
  }
  /* Children write into the element, which stays where it is. */
  uint64_t rest = chan_kernel_talloc(after);
  FibSync *sums = CHAN_ELEMENT(syncs, rest);
  sums->result = task.result;
  chan_kernel_enq(after, rest);
  for (int less = 1; less <= 2; ++less) {
    uint64_t child = chan_kernel_talloc(children);
    *CHAN_ELEMENT(fibs, child) =
        (Fib){less == 1 ? &sums->x : &sums->y, task.n - less};
    chan_kernel_enq(children, child);
  }
}

/* After the sync: all that is deeper has finished. */
CHAN_KERNEL(sync, "field 0")
void FibSyncKernel(uint64_t thread, FibSync *from) {
  uint64_t own = chan_kernel_deq(thread);
  FibSync *rest = CHAN_ELEMENT(from, own);
  *rest->result = rest->x + rest->y;
  chan_kernel_tfree(own);
}

int main(int argc, char *argv[]) {
  int n = argc > 1 ? atoi(argv[1]) : 20;
  int result = 0;
  Fib first = {&result, n};
  chan_kernel_run(&fib, &first);
  printf("fib(%d) = %d\n", n, result);
}
