//===- Affinities.cpp - Counting changes of affinities --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Affinities.h"

#include <dlfcn.h>
#include <pthread.h>

std::atomic<int> affinitiesOfOtherThreads, ownAffinities;

extern "C" int pthread_setaffinity_np(pthread_t thread, size_t size,
                                      const cpu_set_t *set) noexcept {
  ++(pthread_equal(thread, pthread_self()) ? ownAffinities
                                           : affinitiesOfOtherThreads);
  static auto *const next = reinterpret_cast<decltype(&pthread_setaffinity_np)>(
      dlsym(RTLD_NEXT, "pthread_setaffinity_np"));
  return next(thread, size, set);
}
