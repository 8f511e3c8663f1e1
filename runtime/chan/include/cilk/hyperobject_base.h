/*===- cilk/hyperobject_base.h - What a reducer of Cilk Plus has --*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * The functions of a reducer that a program defines by CILK_C_INIT_REDUCER
 * (cilk/reducer.h), and what libchan knows of them.
 */
#ifndef CILK_HYPEROBJECT_BASE_H
#define CILK_HYPEROBJECT_BASE_H

/* In front of a value with functions of the program's own. The last parameter
 * of each is a view; `reducer` is the reducer. `destroy` releases what the view
 * on the right owns, after `reduce`. It may be null. */
typedef struct __attribute__((aligned(64))) chan_reducer_base {
  void (*reduce)(void *reducer, void *left, void *right);
  void (*identity)(void *reducer, void *view);
  void (*destroy)(void *reducer, void *view);
} chan_reducer_base;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)
/* Stand for the functions of the base. They are never called. */
extern void chan_reducer_base_identity(void *view);
extern void chan_reducer_base_reduce(void *left, void *right);
/* For variables that are not local, static or global: they begin to live in the
 * present strand, and end. Others need not be registered. */
extern void chan_reducer_register(void *reducer);
extern void chan_reducer_unregister(void *reducer);
extern void __cilkrts_hyperobject_noop_destroy(void *reducer, void *view);
#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
