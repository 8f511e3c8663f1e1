//===- opencilk.h - OpenCilk's runtime, compiled by hand ----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What OpenCilk's compiler makes of spawns and syncs, without it: a helper
// function for each spawn, whose parent may be stolen from where it prepared
// the spawn. The parent's frame has to be reached through its frame pointer,
// for which alloca sees.
//
//===----------------------------------------------------------------------===//

#include "cilk2c.h"
#include "cilk2c_inlined.c"

static volatile size_t peer_no_bytes;
__attribute__((noinline)) static void peer_keep(void *memory) {
  __asm__ volatile("" ::"r"(memory));
}

#define HELPER(f, statement, ...)                                              \
  __attribute__((noinline)) static void f##_helper(                            \
      __cilkrts_stack_frame *peer_parent, __VA_ARGS__) {                       \
    __cilkrts_stack_frame peer_frame;                                          \
    __cilkrts_enter_frame_helper(&peer_frame, peer_parent, 0);                 \
    __cilkrts_detach(&peer_frame, peer_parent);                                \
    statement;                                                                 \
    __cilk_helper_epilogue(&peer_frame, peer_parent, 0);                       \
  }
#define APPLY(f, names) f names
#define DEFINE(T, f, parameters, names)                                        \
  static T f parameters;                                                       \
  HELPER(f, *peer_to = APPLY(f, names), T * peer_to, BARE parameters)          \
  static T f parameters
#define DEFINE_VOID(f, parameters, names)                                      \
  static void f parameters;                                                    \
  HELPER(f, APPLY(f, names), BARE parameters)                                  \
  static void f parameters

#define GROUP                                                                  \
  peer_keep(alloca(peer_no_bytes));                                            \
  __cilkrts_stack_frame peer_frame;                                            \
  __cilkrts_enter_frame(&peer_frame)
#define FORK_VOID(f, ...)                                                      \
  do {                                                                         \
    int peer_resumed = __cilk_prepare_spawn(&peer_frame);                      \
    /* Clang may keep a condition in flags that its setjmp changes. */         \
    __asm__ volatile("" : "+r"(peer_resumed));                                 \
    if (!peer_resumed)                                                         \
      f##_helper(&peer_frame, __VA_ARGS__);                                    \
  } while (0)
#define FORK(to, f, ...) FORK_VOID(f, &(to), __VA_ARGS__)
#define WAIT __cilk_sync_nothrow(&peer_frame)
#define LEAVE(value) return value
#define LEAVE_VOID return
#define RETURN(value)                                                          \
  do {                                                                         \
    __auto_type peer_result = (value);                                         \
    __cilk_parent_epilogue(&peer_frame);                                       \
    return peer_result;                                                        \
  } while (0)
#define RETURN_VOID                                                            \
  do {                                                                         \
    __cilk_parent_epilogue(&peer_frame);                                       \
    return;                                                                    \
  } while (0)
#define CALL_TO(to, f, ...) to = f(__VA_ARGS__)
#define CALL_VOID(f, ...) f(__VA_ARGS__)
#define START ((void)0)
#define STOP ((void)0)
// One parallel region, which the first frame opens and its end closes.
#define RUN(to, f, ...)                                                        \
  do {                                                                         \
    GROUP;                                                                     \
    to = f(__VA_ARGS__);                                                       \
    __cilk_parent_epilogue(&peer_frame);                                       \
  } while (0)
#define RUN_VOID(f, ...)                                                       \
  do {                                                                         \
    GROUP;                                                                     \
    f(__VA_ARGS__);                                                            \
    __cilk_parent_epilogue(&peer_frame);                                       \
  } while (0)
