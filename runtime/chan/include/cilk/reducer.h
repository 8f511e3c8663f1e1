/*===- cilk/reducer.h - Reducers of Cilk Plus, refused by name ----*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * Programs may include this header.  Where one declares a reducer, cilk2chan
 * says that there are none yet; for any other C compiler a reducer is the
 * variable that it is in the serial elision.
 */
#ifndef CILK_REDUCER_H
#define CILK_REDUCER_H

#ifdef __cplusplus
#error "the reducers of Cilk Plus are not supported in C++"
#endif

/* Cilk Plus's has them, and programs count on that. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef __cilk
#define _Hyperobject
#endif

#define CILK_C_DECLARE_REDUCER(Type)                                           \
  struct {                                                                     \
    Type _Hyperobject value;                                                   \
  }
#define CILK_C_INIT_REDUCER(Type, Reduce, Identity, Destroy, ...) {__VA_ARGS__}
#define CILK_C_REGISTER_REDUCER(Reducer) ((void)0)
#define CILK_C_UNREGISTER_REDUCER(Reducer) ((void)0)
#define REDUCER_VIEW(Reducer) ((Reducer).value)

#endif
