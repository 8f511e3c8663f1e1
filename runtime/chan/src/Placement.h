//===- Placement.h - Which processor a thread wakes on ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_PLACEMENT_H
#define CHAN_SRC_PLACEMENT_H

#include <pthread.h>
#include <sched.h>

namespace chan {

/// Keeps a thread that begins or wakes off the processor of who calls it.
///
/// Linux lets a thread wake where it went to sleep.  If its waker computes
/// there by then, and no idle processor shares a cache with that one, as in
/// many virtual machines, the thread waits until the waker's time slice is over
/// or somebody balances the load: 3 to 4 ms have been measured, where the way
/// to another processor takes 0.1.  New threads fare no better.
///
/// Of those that went to sleep on another processor, Linux lets some wake on
/// the waker's as well, also after a page fault that had to wait for a mapping
/// that the other made.  That is seldom enough to be mended when it is noticed:
/// to keep each of them off costs 10 us a wake, since affinities change twice.
///
/// Thread safety: calls for one object are ordered by the caller (a lock).
class Placement {
public:
  /// The calling thread is about to sleep, and may be woken.
  void leave() { processor = sched_getcpu(); }
  /// `thread`, which sleeps or begins, is to run elsewhere than the caller,
  /// if its affinity allows it.
  void keepOff(pthread_t thread);
  /// `thread`, which runs or waits for the caller's processor, and may be the
  /// caller, goes elsewhere at once; its affinity is as it was, since it may be
  /// in the program's code.
  void sendOff(pthread_t thread);
  /// The thread is woken, or begins.
  void call() { isComing = true; }
  /// The calling thread runs: its affinity is as it was.
  void arrive();
  /// `thread` has been called and does not run yet: it is to run elsewhere than
  /// the caller.
  void hurry(pthread_t thread) {
    if (isComing)
      moveOff(thread);
  }

private:
  void moveOff(pthread_t thread);

  bool isComing = false;
  /// Where the thread was last, negative if nobody knows.
  int processor = -1;
  bool isRestricted = false;
  cpu_set_t usual;
};

} // namespace chan

#endif
