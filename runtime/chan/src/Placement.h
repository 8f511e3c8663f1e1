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

/// Keeps a thread that begins or wakes off the processor of the thread that
/// wakes it.
///
/// Linux wakes a thread where it went to sleep. If the waking thread computes
/// there, and no idle processor shares a cache with that one, as in many
/// virtual machines, the woken thread waits. It waits until the other's time
/// slice is over or the load is balanced: 3 to 4 ms have been measured, while
/// moving to another processor takes 0.1 ms. New threads behave alike.
///
/// Linux may also wake a thread on the waking thread's processor although it
/// went to sleep elsewhere. It does so after page faults that waited for a
/// mapping of the other thread, too. This is rare enough to be corrected when
/// it is noticed. Preventing it would cost 10 us for each wake, since
/// affinities change twice.
///
/// Thread safety: the caller orders the calls for one object, by a lock.
class Placement {
public:
  /// The calling thread is about to sleep, and may be woken.
  void leave() { processor = sched_getcpu(); }
  /// `thread`, which sleeps or begins, is to run elsewhere than the caller if
  /// its affinity allows it.
  void keepOff(pthread_t thread);
  /// Moves `thread` elsewhere at once. It runs or waits on the caller's
  /// processor, and may be the caller. Its affinity stays the same, since it
  /// may be in the program's code.
  void sendOff(pthread_t thread);
  /// The thread is woken, or begins.
  void call() { isComing = true; }
  /// The calling thread runs. Restores its affinity.
  void arrive();
  /// `thread` has been called and does not run yet. It is to run elsewhere than
  /// the caller.
  void moveWoken(pthread_t thread) {
    if (isComing)
      moveOff(thread);
  }

private:
  void moveOff(pthread_t thread);

  bool isComing = false;
  /// Where the thread was last; negative if unknown.
  int processor = -1;
  bool isRestricted = false;
  cpu_set_t usual;
};

} // namespace chan

#endif
