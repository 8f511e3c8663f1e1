//===- lace.h - Lace's tasks --------------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Results are fetched in the reverse order of the spawns, which joins one by
// one: there is nothing to wait for together. Tasks of more than 48 bytes need
// Lace's wider variant.
//
//===----------------------------------------------------------------------===//

#ifdef WIDE_TASKS
#include <lace14.h>
#else
#include <lace.h>
#endif

#define FUNCTION_1 TASK_1
#define FUNCTION_2 TASK_2
#define FUNCTION_3 TASK_3
#define FUNCTION_4 TASK_4
#define FUNCTION_5 TASK_5
#define PROCEDURE_1 VOID_TASK_1
#define PROCEDURE_2 VOID_TASK_2
#define PROCEDURE_3 VOID_TASK_3
#define PROCEDURE_4 VOID_TASK_4
#define PROCEDURE_5 VOID_TASK_5

#define GROUP ((void)0)
#define LEAVE(value) return value
#define LEAVE_VOID return
#define RETURN(value) return value
#define RETURN_VOID return
#define FORK(to, f, ...) SPAWN(f, __VA_ARGS__)
#define FORK_VOID(f, ...) SPAWN(f, __VA_ARGS__)
#define CALL_TO(to, f, ...) to = CALL(f, __VA_ARGS__)
#define CALL_VOID(f, ...) CALL(f, __VA_ARGS__)
#define WAIT ((void)0)
#define JOIN(to, f) to = SYNC(f)
#define JOIN_VOID(f) SYNC(f)
#undef RUN
#define RUN(to, f, ...) to = f##_RUN(__VA_ARGS__)
#define RUN_VOID(f, ...) f##_RUN(__VA_ARGS__)
// A worker clears its deque when it starts; the first task waits for that.
VOID_TASK_0(peer_nothing) {}
#define START                                                                  \
  lace_start(peer_workers(), 100000);                                          \
  peer_nothing_RUN()
#define STOP lace_stop()
