//===- Affinities.h - Counting changes of affinities ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TEST_UNIT_AFFINITIES_H
#define TEST_UNIT_AFFINITIES_H

#include <atomic>

/// How often threads have changed affinities by pthread_setaffinity_np: those
/// of other threads, and their own.
extern std::atomic<int> affinitiesOfOtherThreads, ownAffinities;

#endif
