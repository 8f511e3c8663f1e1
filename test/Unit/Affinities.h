//===- Affinities.h - Who changes where threads may run ---------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TEST_UNIT_AFFINITIES_H
#define TEST_UNIT_AFFINITIES_H

#include <atomic>

/// How often somebody has changed, by pthread_setaffinity_np, which processors
/// another thread may use, or the thread itself.
extern std::atomic<int> affinitiesOfOthers, ownAffinities;

#endif
