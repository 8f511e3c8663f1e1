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
#ifdef __clang__
/* The rest of the program would cause further errors. */
#pragma clang diagnostic fatal "-W#warnings"
#warning "the reducers of Cilk Plus are not supported in C++"
#else
#error "the reducers of Cilk Plus are not supported in C++"
#endif
#endif

/* The header of Cilk Plus includes this, and programs rely on that. */
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

/* The macros of the other headers name types by one word. */
typedef char chan_reducer_char;
typedef signed char chan_reducer_schar;
typedef unsigned char chan_reducer_uchar;
typedef wchar_t chan_reducer_wchar_t;
typedef short chan_reducer_short;
typedef unsigned short chan_reducer_ushort;
typedef int chan_reducer_int;
typedef unsigned chan_reducer_uint;
typedef unsigned chan_reducer_unsigned;
typedef long chan_reducer_long;
typedef unsigned long chan_reducer_ulong;
typedef long long chan_reducer_longlong;
typedef unsigned long long chan_reducer_ulonglong;
typedef float chan_reducer_float;
typedef double chan_reducer_double;
typedef long double chan_reducer_longdouble;

#define CHAN_C_REDUCER_TYPE(Type) CILK_C_DECLARE_REDUCER(chan_reducer_##Type)
#define CHAN_C_REDUCER(Object, Type, Value)                                    \
  CHAN_C_REDUCER_TYPE(Type) Object = {Value}

/* The extremum of the values seen, and of those where it was seen. */
#define CHAN_C_INDEX_REDUCER_TYPE(Type)                                        \
  CILK_C_DECLARE_REDUCER(struct {                                              \
    ptrdiff_t index;                                                           \
    chan_reducer_##Type value;                                                 \
  })
#define CHAN_C_INDEX_REDUCER(Object, Type, Value)                              \
  CHAN_C_INDEX_REDUCER_TYPE(Type) Object = {{0, Value}}
#define CHAN_C_CALC(Reducer, Relation, Value)                                  \
  do {                                                                         \
    __typeof__((Reducer).value) *chan_view = &(Reducer).value;                 \
    __typeof__(*chan_view) chan_value = (Value);                               \
    if (chan_value Relation * chan_view)                                       \
      *chan_view = chan_value;                                                 \
  } while (0)
#define CHAN_C_INDEX_CALC(Reducer, Relation, Index, Value)                     \
  do {                                                                         \
    __typeof__((Reducer).value) *chan_view = &(Reducer).value;                 \
    __typeof__(chan_view->value) chan_value = (Value);                         \
    if (chan_value Relation chan_view->value) {                                \
      chan_view->index = (Index);                                              \
      chan_view->value = chan_value;                                           \
    }                                                                          \
  } while (0)

#endif
