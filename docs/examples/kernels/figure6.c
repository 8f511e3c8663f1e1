/*===- figure6.c - ISCA'14 Figure 6 on a simulated machine --------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * Orr et al., ISCA 2014, Figure 6: Fibonacci on a plain channel. The kernel runs on the
 * simulated machine, and its channel is an array in simulated memory (chan/device.h). All
 * elements have level 0, so the channel holds all that waits.
 *
 *   cilk2chan --target=simt --machine=isca14-apu -O2 figure6.c -o figure6
 *   chansim run --summary ./figure6 20
 */
#include <chan/kernel.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int val;
} FibObj;

static int result;

CHAN_STACK(fib, FibObj, CHAN_ENTRY);

CHAN_KERNEL(fib, "field 0; control fib 0; column 0 fib 0")
void FibKernel(uint64_t thread, FibObj *from, chan_control *to,
               FibObj *fields) {
  uint64_t own = chan_kernel_deq(thread);
  int val = CHAN_ELEMENT(from, own)->val;
  chan_kernel_tfree(own);
  if (val <= 2) {
    __atomic_fetch_add(&result, 1, __ATOMIC_RELAXED);
    return;
  }
  for (int less = 1; less <= 2; ++less) {
    uint64_t next = chan_kernel_talloc(to);
    CHAN_ELEMENT(fields, next)->val = val - less;
    chan_kernel_enq(to, next);
  }
}

int main(int argc, char *argv[]) {
  int n = argc > 1 ? atoi(argv[1]) : 20;
  FibObj first = {n};
  chan_kernel_run(&fib, &first);
  printf("fib(%d) = %d\n", n, result);
}
