//===- LockFunctions.h - Functions that take and release locks --*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_LOCKFUNCTIONS_H
#define CILK2CHAN_SUPPORT_LOCKFUNCTIONS_H

#include "llvm/ADT/StringSwitch.h"

namespace cilk2chan {

/// What a function does to the lock that is its first argument.
struct LockFunction {
  enum Kind {
    acquire, ///< fails rarely, if at all
    attempt, ///< fails as a matter of course
    release,
    neutral, ///< does nothing to it, or puts things back as they were
    unknown,
  };
  Kind kind = unknown;
  /// A semaphore is a lock only if the function that waits for it also posts
  /// it.
  bool semaphore = false;
  /// How an acquire or attempt tells that it succeeded: by zero, or by anything
  /// else.
  bool zeroIsSuccess = true;
};

/// Says of a declaration in the llvm dialect that a call leaves its caller with
/// one more lock, or one less.
inline constexpr llvm::StringLiteral LockAttribute = "cilk.lock";
inline constexpr llvm::StringLiteral LockAcquires = "acquires",
                                     LockReleases = "releases";

/// Knows the functions of POSIX, C11, OpenMP and Cilk-5.
inline LockFunction lockFunction(llvm::StringRef name) {
  using F = LockFunction;
  constexpr bool Semaphore = true, NonzeroIsSuccess = false;
  return llvm::StringSwitch<LockFunction>(name)
      .Cases({"pthread_mutex_lock", "pthread_spin_lock",
              "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "mtx_lock",
              "flockfile", "omp_set_lock", "omp_set_nest_lock", "Cilk_lock"},
             {F::acquire})
      .Case("sem_wait", {F::acquire, Semaphore})
      .Cases({"pthread_mutex_trylock", "pthread_mutex_timedlock",
              "pthread_mutex_clocklock", "pthread_spin_trylock",
              "pthread_rwlock_tryrdlock", "pthread_rwlock_trywrlock",
              "pthread_rwlock_timedrdlock", "pthread_rwlock_timedwrlock",
              "mtx_trylock", "mtx_timedlock", "ftrylockfile"},
             {F::attempt})
      .Cases({"sem_trywait", "sem_timedwait", "sem_clockwait"},
             {F::attempt, Semaphore})
      .Cases({"omp_test_lock", "omp_test_nest_lock"},
             {F::attempt, !Semaphore, NonzeroIsSuccess})
      .Cases({"pthread_mutex_unlock", "pthread_mutex_destroy",
              "pthread_spin_unlock", "pthread_rwlock_unlock", "mtx_unlock",
              "mtx_destroy", "funlockfile", "omp_unset_lock",
              "omp_unset_nest_lock", "Cilk_unlock"},
             {F::release})
      .Case("sem_post", {F::release, Semaphore})
      // These release the lock and take it again.
      .Cases({"pthread_cond_wait", "pthread_cond_timedwait", "cnd_wait",
              "cnd_timedwait"},
             {F::neutral})
      .Default({});
}

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_LOCKFUNCTIONS_H
