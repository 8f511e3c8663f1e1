//===- serial.h - Portable programs' serial elision ---------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the tasks, which are activations: how many nanoseconds one takes
// follows from that.
//
//===----------------------------------------------------------------------===//

#include <stdio.h>

static long peer_tasks;

#define APPLY(f, names) f names
#define DEFINE(T, f, parameters, names)                                        \
  static T f##_counted parameters;                                             \
  static T f parameters {                                                      \
    ++peer_tasks;                                                              \
    return APPLY(f##_counted, names);                                          \
  }                                                                            \
  static T f##_counted parameters

#define GROUP ((void)0)
#define FORK(to, f, ...) to = f(__VA_ARGS__)
#define FORK_VOID(f, ...) f(__VA_ARGS__)
#define WAIT ((void)0)
#define START ((void)0)
#define STOP fprintf(stderr, "tasks: %ld\n", peer_tasks)
#define RUN(to, f, ...) to = f(__VA_ARGS__)
#define RUN_VOID(f, ...) f(__VA_ARGS__)
