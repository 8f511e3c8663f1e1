/*===- cilk/reducer_max.h - Maxima, see reducer.h -----------------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
#ifndef CILK_REDUCER_MAX_H
#define CILK_REDUCER_MAX_H

#include <cilk/reducer.h>

#define CILK_C_REDUCER_MAX_TYPE(Type) CHAN_C_REDUCER_TYPE(Type)
#define CILK_C_REDUCER_MAX(Object, Type, Value)                                \
  CHAN_C_REDUCER(Object, Type, Value)
#define CILK_C_REDUCER_MAX_CALC(Reducer, Value) CHAN_C_CALC(Reducer, >, Value)

#define CILK_C_REDUCER_MAX_INDEX_TYPE(Type) CHAN_C_INDEX_REDUCER_TYPE(Type)
#define CILK_C_REDUCER_MAX_INDEX(Object, Type, Value)                          \
  CHAN_C_INDEX_REDUCER(Object, Type, Value)
#define CILK_C_REDUCER_MAX_INDEX_CALC(Reducer, Index, Value)                   \
  CHAN_C_INDEX_CALC(Reducer, >, Index, Value)

#endif
