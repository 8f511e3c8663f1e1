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

// A set begins with the words that the system knows, whatever its size is. The
// others are for signals that do not exist.
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

namespace {
/// The status file of a process or thread.
class Status {
public:
  explicit Status(const char *path) {
    NoCancellation noCancellation; // reading would be a cancellation point
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? 0 : read(file, text, sizeof text - 1);
    text[size < 0 ? 0 : size] = '\0';
    if (file >= 0)
      close(file);
  }
  /// What follows `name`; null if that is not there.
  const char *find(const char *name) const {
    const char *line = strstr(text, name);
    return line ? line + strlen(name) : nullptr;
  }

private:
  char text[4096];
};
} // namespace

SignalMask signalsBlockedBy(pid_t thread, SignalMask otherwise) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/status", int(thread));
  Status status(path);
  const char *mask = status.find("\nSigBlk:\t");
  return mask ? strtoull(mask, nullptr, 16) : otherwise;
}

bool hasFirstThreadEnded() {
  Status status("/proc/self/status");
  const char *state = status.find("\nState:\t");
  return state && *state == 'Z';
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
