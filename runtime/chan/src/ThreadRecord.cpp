//===- ThreadRecord.cpp - What is known of a worker's thread --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadRecord.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace chan {

void ThreadRecord::readCalling() {
  // relaxed, both: numbers.
  number.store(static_cast<pid_t>(syscall(SYS_gettid)),
               std::memory_order_relaxed);
  signals.store(blockedSignals(), std::memory_order_relaxed);
  clockid_t own{};
  pthread_getcpuclockid(pthread_self(), &own);
  // relaxed: an outdated clock belongs to another thread or to none.
  clock.store(own, std::memory_order_relaxed);
}

TaskSignals::TaskSignals(ThreadRecord &thread, SignalMask mask)
    // relaxed: its own thread writes it.
    : thread(thread), before(thread.signals.load(std::memory_order_relaxed)),
      changes(thread.ofPool && mask != before) {
  if (!changes)
    return;
  thread.signals.store(mask, std::memory_order_relaxed); // a number
  blockSignals(mask);
}

TaskSignals::~TaskSignals() {
  if (!changes)
    return;
  thread.signals.store(before, std::memory_order_relaxed); // as above
  blockSignals(before);
}

} // namespace chan
