/*===- entry.c - Calls a scheduler --------------------------------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * The aggregator's program begins in start.S, which calls main, and ends when the scheduler
 * returns. A program without a scheduler has a main of its own.
 */
struct chan_machine;

#ifndef CHAN_HAS_SCHEDULER
__attribute__((weak))
#endif
void schedule(struct chan_machine *machine);

__attribute__((weak)) int main(struct chan_machine *machine) {
  schedule(machine);
  return 0;
}
