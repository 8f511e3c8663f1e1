/*===- cilk/reducer.h - Reducers of Cilk Plus, refused by name ----*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * The macros with which Cilk Plus declares reducers in C. They stand for types
 * with the word `cilk_reducer`; for other C compilers, a reducer is the variable
 * that it is in the serial elision.
 *
 *   CILK_C_REDUCER_OPADD(sum, long, 0);       from <cilk/reducer_opadd.h>
 *   CILK_C_REGISTER_REDUCER(sum);
 *   cilk_for (int i = 0; i < n; i++)
 *     REDUCER_VIEW(sum) += a[i];
 *   CILK_C_UNREGISTER_REDUCER(sum);
 *
 * A reducer with functions of the program's own:
 *
 *   typedef CILK_C_DECLARE_REDUCER(List) ListReducer;
 *   ListReducer list = CILK_C_INIT_REDUCER(
 *       List, list_reduce, list_identity, list_destroy, {0});
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

#include <cilk/hyperobject_base.h>

#ifdef __cilk
#define CHAN_C_REDUCER_TYPE_OF(Identity, Reduce) cilk_reducer(Identity, Reduce)
#else
#define CHAN_C_REDUCER_TYPE_OF(Identity, Reduce)
#endif

#define CILK_C_DECLARE_REDUCER(Type)                                           \
  struct {                                                                     \
    chan_reducer_base base;                                                    \
    Type CHAN_C_REDUCER_TYPE_OF(chan_reducer_base_identity,                    \
                                chan_reducer_base_reduce) value;               \
  }
#define CILK_C_INIT_REDUCER(Type, Reduce, Identity, Destroy, ...)              \
  {{Reduce, Identity, Destroy}, __VA_ARGS__}
#ifdef __cilk
#define CILK_C_REGISTER_REDUCER(Reducer)                                       \
  chan_reducer_register(__builtin_addressof((Reducer).value))
#define CILK_C_UNREGISTER_REDUCER(Reducer)                                     \
  chan_reducer_unregister(__builtin_addressof((Reducer).value))
#else
#define CILK_C_REGISTER_REDUCER(Reducer) ((void)0)
#define CILK_C_UNREGISTER_REDUCER(Reducer) ((void)0)
#endif
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

#define CHAN_C_INTEGERS(Do)                                                    \
  Do(char) Do(schar) Do(uchar) Do(wchar_t) Do(short) Do(ushort) Do(int)        \
      Do(uint) Do(unsigned) Do(long) Do(ulong) Do(longlong) Do(ulonglong)
#define CHAN_C_FLOATS(Do) Do(float) Do(double) Do(longdouble)

/* The functions of the operation `Name` for a type. */
#define CHAN_C_OPERATION(Name, Type, Identity, Combine)                        \
  static __inline__ __attribute__((unused)) void                               \
  chan_##Name##_identity_##Type(void *view) {                                  \
    *(Type *)view = (Identity);                                                \
  }                                                                            \
  static __inline__ __attribute__((unused)) void chan_##Name##_reduce_##Type(  \
      void *left, void *right) {                                               \
    Combine;                                                                   \
  }
#define CHAN_C_COMBINE(Type, Operator)                                         \
  *(chan_reducer_##Type *)left =                                               \
      *(chan_reducer_##Type *)left Operator * (chan_reducer_##Type *)right

#define CHAN_C_VIEW(Name, Type)                                                \
  CHAN_C_REDUCER_TYPE_OF(chan_##Name##_identity_chan_reducer_##Type,           \
                         chan_##Name##_reduce_chan_reducer_##Type)
#define CHAN_C_REDUCER_TYPE(Name, Type)                                        \
  struct {                                                                     \
    chan_reducer_##Type CHAN_C_VIEW(Name, Type) value;                         \
  }
#define CHAN_C_REDUCER(Name, Object, Type, Value)                              \
  CHAN_C_REDUCER_TYPE(Name, Type) Object = {Value}

/* The extremum of the values seen, and of those where it was seen. */
#define CHAN_C_INDEX_TYPE(Type)                                                \
  typedef struct {                                                             \
    ptrdiff_t index;                                                           \
    chan_reducer_##Type value;                                                 \
  } chan_reducer_index_##Type;
CHAN_C_INTEGERS(CHAN_C_INDEX_TYPE)
CHAN_C_FLOATS(CHAN_C_INDEX_TYPE)
#define CHAN_C_INDEX_REDUCER_TYPE(Name, Type)                                  \
  CHAN_C_REDUCER_TYPE(Name, index_##Type)
#define CHAN_C_INDEX_REDUCER(Name, Object, Type, Value)                        \
  CHAN_C_INDEX_REDUCER_TYPE(Name, Type) Object = {{0, Value}}
/* What any other value of the type replaces. */
#define CHAN_C_LOWEST_INTEGER(Type)                                            \
  ((chan_reducer_##Type) - 1 < (chan_reducer_##Type)1                          \
       ? (chan_reducer_##Type)(1ull << (8 * sizeof(chan_reducer_##Type) - 1))  \
       : (chan_reducer_##Type)0)
#define CHAN_C_HIGHEST_INTEGER(Type)                                           \
  ((chan_reducer_##Type) ~CHAN_C_LOWEST_INTEGER(Type))
#define CHAN_C_EXTREMUM(Name, Type, Relation, Worst)                           \
  CHAN_C_OPERATION(Name, chan_reducer_##Type, Worst,                           \
                   if (*(chan_reducer_##Type *)right Relation *                \
                       (chan_reducer_##Type *)left) *                          \
                       (chan_reducer_##Type *)left =                           \
                       *(chan_reducer_##Type *)right)                          \
  CHAN_C_OPERATION(Name, chan_reducer_index_##Type,                            \
                   ((chan_reducer_index_##Type){0, Worst}),                    \
                   if (((chan_reducer_index_##Type *)right)                    \
                           ->value Relation((chan_reducer_index_##Type *)left) \
                           ->value) *                                          \
                       (chan_reducer_index_##Type *)left =                     \
                       *(chan_reducer_index_##Type *)right)

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
