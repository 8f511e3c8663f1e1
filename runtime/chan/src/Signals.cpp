//===- Signals.cpp - Which signals a thread takes -------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Signals.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace chan {

// A set begins with the words that the system knows, whatever its size is. The
// rest is for signals that do not exist.
static_assert(sizeof(sigset_t) >= sizeof(SignalMask) && NSIG <= 65);

SignalMask blockedSignals() {
  sigset_t set;
  SignalMask mask = 0;
  if (pthread_sigmask(SIG_SETMASK, nullptr, &set) == 0)
    memcpy(&mask, &set, sizeof mask);
  return mask;
}

sigset_t setOf(SignalMask mask) {
  sigset_t set;
  sigemptyset(&set);
  memcpy(&set, &mask, sizeof mask);
  return set;
}

void blockSignals(SignalMask mask) {
  sigset_t set = setOf(mask);
  pthread_sigmask(SIG_SETMASK, &set, nullptr);
}

ThreadStatus::ThreadStatus(pid_t thread) {
  NoCancellation noCancellation; // reading would be a cancellation point
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/self/task/%d/status", int(thread));
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0)
    close(file);
  text[size < 0 ? 0 : size] = '\0';
  if (const char *line = strstr(text, "\nState:\t"))
    state = line[strlen("\nState:\t")];
  const char *line = strstr(text, "\nSigBlk:\t");
  if (!line)
    return;
  // The C library blocks everything for a moment when it starts a thread or a
  // process. Such a mask has the library's own signals in it, which its
  // functions keep out of the masks of programs.
  constexpr SignalMask kOfLibrary = bitOf(32) | bitOf(33);
  SignalMask mask = strtoull(line + strlen("\nSigBlk:\t"), nullptr, 16);
  if (!(mask & kOfLibrary))
    blocked = mask;
}

} // namespace chan
