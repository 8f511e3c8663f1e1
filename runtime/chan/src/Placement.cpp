//===- Placement.cpp - Which processor a thread wakes on ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

namespace chan {

void Placement::keepOff(pthread_t thread) {
  if (processor < 0 || processor == sched_getcpu())
    moveOff(thread);
}

void Placement::moveOff(pthread_t thread) {
  int own = sched_getcpu();
  if (isRestricted || own < 0 || own >= CPU_SETSIZE ||
      pthread_getaffinity_np(thread, sizeof usual, &usual) != 0)
    return;
  cpu_set_t others = usual;
  CPU_CLR(own, &others);
  // If the affinity cannot be changed, the thread wakes late.
  isRestricted = CPU_COUNT(&others) != 0 &&
                 pthread_setaffinity_np(thread, sizeof others, &others) == 0;
}

void Placement::sendOff(pthread_t thread) {
  if (isRestricted)
    return;
  moveOff(thread);
  if (isRestricted)
    pthread_setaffinity_np(thread, sizeof usual, &usual);
  isRestricted = false;
}

void Placement::arrive() {
  if (isRestricted)
    pthread_setaffinity_np(pthread_self(), sizeof usual, &usual);
  isRestricted = isComing = false;
}

} // namespace chan
