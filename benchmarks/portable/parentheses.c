//===- parentheses.c - Balanced strings, portable -----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See peer.h.
//
//===----------------------------------------------------------------------===//

#include "../peers/peer.h"

#define main elided_main
#include "../programs/parentheses.c"
#undef main

FUNCTION_3(unsigned long, strings_task, unsigned long, bits, int, unopened, int,
           unclosed) {
  if (unopened == 0)
    LEAVE(bits << unclosed);
  unsigned long opening, closing = 0;
  GROUP;
  FORK(opening, strings_task, bits << 1 | 1, unopened - 1, unclosed + 1);
  if (unclosed > 0)
    CALL_TO(closing, strings_task, bits << 1, unopened, unclosed - 1);
  WAIT;
  JOIN(opening, strings_task);
  RETURN(opening + closing);
}

int main(int argc, char **argv) {
  START;
  int pairs = (int)argument(argc, argv, 1, 7);
  unsigned long total;
  stopwatch watch = stopwatch_start();
  RUN(total, strings_task, 0, pairs, 0);
  stopwatch_stop(watch);
  printf("%d pairs: %lu\n", pairs, total);
  STOP;
  return 0;
}
