//===- openmp.h - OpenMP's tasks, of libomp or libgomp ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <tuple>

#define PRAGMA(text) _Pragma(#text)
#define DEFINE(T, f, parameters, names) static T f parameters
#define GROUP ((void)0)
#define FORK(to, f, ...)                                                       \
  do {                                                                         \
    auto peer_to = &(to);                                                      \
    auto peer_packed = std::make_tuple(__VA_ARGS__);                           \
    PRAGMA(omp task firstprivate(peer_to, peer_packed))                        \
    *peer_to = std::apply(f, peer_packed);                                     \
  } while (0)
#define FORK_VOID(f, ...)                                                      \
  do {                                                                         \
    auto peer_packed = std::make_tuple(__VA_ARGS__);                           \
    PRAGMA(omp task firstprivate(peer_packed))                                 \
    std::apply(f, peer_packed);                                                \
  } while (0)
#define WAIT PRAGMA(omp taskwait)
#define START                                                                  \
  do {                                                                         \
    /* Threads start with the first region. */                                 \
    PRAGMA(omp parallel num_threads(peer_workers()))                           \
    __asm__ volatile("");                                                      \
  } while (0)
#define STOP ((void)0)
#define RUN(to, f, ...)                                                        \
  do {                                                                         \
    PRAGMA(omp parallel num_threads(peer_workers()))                           \
    PRAGMA(omp single)                                                         \
    to = f(__VA_ARGS__);                                                       \
  } while (0)
#define RUN_VOID(f, ...)                                                       \
  do {                                                                         \
    PRAGMA(omp parallel num_threads(peer_workers()))                           \
    PRAGMA(omp single)                                                         \
    f(__VA_ARGS__);                                                            \
  } while (0)
