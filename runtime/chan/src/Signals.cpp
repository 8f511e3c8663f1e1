//===- Signals.cpp - Which signals a thread takes -------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Signals.h"
#include "Worker.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace chan {

// A set begins with the words that the system knows, whatever its size is; what
// follows are signals that do not exist.
static_assert(sizeof(sigset_t) >= sizeof(SignalMask) && NSIG <= 65);

SignalMask blockedSignals() {
  sigset_t set;
  SignalMask mask = 0;
  if (pthread_sigmask(SIG_SETMASK, nullptr, &set) == 0)
    memcpy(&mask, &set, sizeof mask);
  return mask;
}

void blockSignals(SignalMask mask) {
  sigset_t set;
  sigemptyset(&set);
  memcpy(&set, &mask, sizeof mask);
  pthread_sigmask(SIG_SETMASK, &set, nullptr);
}

SignalMask signalsBlockedBy(pid_t thread, SignalMask otherwise) {
  NoCancellation noCancellation; // reading would be a point for it
  char text[4096];
  snprintf(text, sizeof text, "/proc/self/task/%d/status", int(thread));
  int file = open(text, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return otherwise;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  text[size < 0 ? 0 : size] = '\0';
  const char *line = strstr(text, "\nSigBlk:");
  return line ? strtoull(line + strlen("\nSigBlk:"), nullptr, 16) : otherwise;
}

TaskSignals::TaskSignals(Worker &worker, SignalMask mask)
    // relaxed: its own thread writes it.
    : worker(worker), before(worker.signals.load(std::memory_order_relaxed)),
      changes(worker.thread && mask != before) {
  if (!changes)
    return;
  worker.signals.store(mask, std::memory_order_relaxed); // a number
  blockSignals(mask);
}

TaskSignals::~TaskSignals() {
  if (!changes)
    return;
  worker.signals.store(before, std::memory_order_relaxed); // as above
  blockSignals(before);
}

} // namespace chan
