//===- peer.h - What portable programs are written in -------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of benchmarks/portable is compiled once for each peer, with the
// peer's header given by PEER:
//
//   #include "peer.h"                  the peer; Cilk's words defined away
//   #include "../programs/fib.c"       for what is serial: input, leaves, types
//
//   FUNCTION_1(long, fib_task, int, n) {
//     if (n < 2)
//       LEAVE(n);                      before there is a GROUP
//     long x, y;
//     GROUP;                           of what this activation forks
//     FORK(x, fib_task, n - 1);        x = cilk_spawn fib_task(n - 1)
//     CALL_TO(y, fib_task, n - 2);     y = fib_task(n - 2)
//     WAIT;                            cilk_sync
//     JOIN(x, fib_task);               for peers that fetch results, last first
//     RETURN(x + y);
//   }
//
//   int main(int argc, char **argv) {
//     START;
//     ...
//     RUN(result, fib_task, n);
//     STOP;
//   }
//
// PROCEDURE_n, FORK_VOID, CALL_VOID, JOIN_VOID, RUN_VOID, LEAVE_VOID and
// RETURN_VOID are for tasks without a result. A task has a JOIN for each of its
// forks, in the reverse order. ARRAY(type, name, count) is memory that lives as
// long as the activation; it stands behind GROUP. SERIAL(f, ...) calls a
// function with loops. The number of threads is the
// environment's PEER_WORKERS.
//
// A peer defines FUNCTION_n and PROCEDURE_n itself, or the beginning of a
// function, DEFINE(type, name, parameters, names), and has the rest from here.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_PEERS_PEER_H
#define BENCHMARKS_PEERS_PEER_H

#include <alloca.h>
#include <stdlib.h>

static inline int peer_workers(void) {
  const char *number = getenv("PEER_WORKERS");
  return number ? atoi(number) : 1;
}

// g++ does not know the word.
#if defined(__cplusplus) && !defined(__clang__)
#define _Noreturn __attribute__((noreturn))
#endif

#define BARE(...) __VA_ARGS__

#include PEER

#ifdef DEFINE
#ifndef DEFINE_VOID
#define DEFINE_VOID(f, parameters, names) DEFINE(void, f, parameters, names)
#endif
#define FUNCTION_1(T, f, A, a) DEFINE(T, f, (A a), (a))
#define FUNCTION_2(T, f, A, a, B, b) DEFINE(T, f, (A a, B b), (a, b))
#define FUNCTION_3(T, f, A, a, B, b, C, c)                                     \
  DEFINE(T, f, (A a, B b, C c), (a, b, c))
#define FUNCTION_4(T, f, A, a, B, b, C, c, D, d)                               \
  DEFINE(T, f, (A a, B b, C c, D d), (a, b, c, d))
#define FUNCTION_5(T, f, A, a, B, b, C, c, D, d, E, e)                         \
  DEFINE(T, f, (A a, B b, C c, D d, E e), (a, b, c, d, e))
#define PROCEDURE_1(f, A, a) DEFINE_VOID(f, (A a), (a))
#define PROCEDURE_2(f, A, a, B, b) DEFINE_VOID(f, (A a, B b), (a, b))
#define PROCEDURE_3(f, A, a, B, b, C, c)                                       \
  DEFINE_VOID(f, (A a, B b, C c), (a, b, c))
#define PROCEDURE_4(f, A, a, B, b, C, c, D, d)                                 \
  DEFINE_VOID(f, (A a, B b, C c, D d), (a, b, c, d))
#define PROCEDURE_5(f, A, a, B, b, C, c, D, d, E, e)                           \
  DEFINE_VOID(f, (A a, B b, C c, D d, E e), (a, b, c, d, e))
#endif

// Peers whose tasks are plain functions that write their results themselves.
#ifndef LEAVE
#define LEAVE(value) return value
#define LEAVE_VOID return
#define RETURN(value) return value
#define RETURN_VOID return
#define CALL_TO(to, f, ...) to = f(__VA_ARGS__)
#define CALL_VOID(f, ...) f(__VA_ARGS__)
#endif
#ifndef JOIN
#define JOIN(to, f) ((void)0)
#define JOIN_VOID(f) ((void)0)
#endif
#ifndef SERIAL
#define SERIAL(f, ...) f(__VA_ARGS__)
#endif
#ifndef ARRAY
#define ARRAY(type, name, count)                                               \
  type *name = (type *)alloca((count) * sizeof(type))
#endif

#include "../../test/Support/elide.h"

#endif
