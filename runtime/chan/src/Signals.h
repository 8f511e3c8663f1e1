//===- Signals.h - Which signals a thread takes -----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task has the signal mask of the thread that offered it, wherever it runs.
// So signals that it raises itself are delivered, and signals that the program
// blocks in its threads stay blocked. A thread of the pool that runs no task
// blocks all signals but those that its own faults raise.
//
//   thread of the program   mask M ──offer──▶ task block: M
//                                                │ take
//   thread of the pool      kIdleSignals ──▶ M while it runs ──▶ kIdleSignals
//
// The task block is finished after the last step: when a tree is over, no
// thread of the pool takes a signal in its name any more.
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_SIGNALS_H
#define CHAN_SRC_SIGNALS_H

#include <optional>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

namespace chan {

/// The signals that a thread blocks: bit n - 1 for signal n, as in the system.
using SignalMask = uint64_t;

constexpr SignalMask bitOf(int signal) { return SignalMask(1) << (signal - 1); }

/// All signals but those that the thread's own instructions raise. Those go to
/// the program's handlers.
constexpr SignalMask kIdleSignals =
    ~(bitOf(SIGSEGV) | bitOf(SIGBUS) | bitOf(SIGFPE) | bitOf(SIGILL) |
      bitOf(SIGTRAP) | bitOf(SIGSYS));

/// The mask of the calling thread. A system call.
SignalMask blockedSignals();
void blockSignals(SignalMask mask);
/// The same mask as the system's functions take it.
sigset_t setOf(SignalMask mask);

/// What the system says of a thread of the process, by its number there. It
/// knows nothing if there is no /proc. Takes tens of microseconds.
class ThreadStatus {
public:
  explicit ThreadStatus(pid_t thread);
  /// The mask that the program gave the thread, or that a handler has. None if
  /// the C library has replaced it by its own for a moment.
  std::optional<SignalMask> signals() const { return blocked; }
  /// Whether it waits for something other than a processor.
  bool isAsleep() const { return state && state != 'R'; }
  /// Whether it has ended, and is kept because the process goes on.
  bool hasEnded() const { return state == 'Z'; }

private:
  std::optional<SignalMask> blocked;
  char state = '\0';
};

/// While it lives, the thread cannot be cancelled. If it cannot be cancelled
/// anyway, nothing changes.
class NoCancellation {
public:
  NoCancellation() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before); }
  ~NoCancellation() { pthread_setcancelstate(before, nullptr); }
  NoCancellation(const NoCancellation &) = delete;
  NoCancellation &operator=(const NoCancellation &) = delete;

private:
  int before = PTHREAD_CANCEL_ENABLE;
};

} // namespace chan

#endif
