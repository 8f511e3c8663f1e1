/*===- cilk/reducer_max.h - Maxima, see reducer.h -----------------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
#ifndef CILK_REDUCER_MAX_H
#define CILK_REDUCER_MAX_H

#include <cilk/reducer.h>

#define CHAN_C_MAX_INTEGER(Type)                                               \
  CHAN_C_EXTREMUM(max, Type, >, CHAN_C_LOWEST_INTEGER(Type))
#define CHAN_C_MAX_FLOAT(Type) CHAN_C_EXTREMUM(max, Type, >, -__builtin_inf())
CHAN_C_INTEGERS(CHAN_C_MAX_INTEGER)
CHAN_C_FLOATS(CHAN_C_MAX_FLOAT)

#define CILK_C_REDUCER_MAX_TYPE(Type) CHAN_C_REDUCER_TYPE(max, Type)
#define CILK_C_REDUCER_MAX(Object, Type, Value)                                \
  CHAN_C_REDUCER(max, Object, Type, Value)
#define CILK_C_REDUCER_MAX_CALC(Reducer, Value) CHAN_C_CALC(Reducer, >, Value)

#define CILK_C_REDUCER_MAX_INDEX_TYPE(Type) CHAN_C_INDEX_REDUCER_TYPE(max, Type)
#define CILK_C_REDUCER_MAX_INDEX(Object, Type, Value)                          \
  CHAN_C_INDEX_REDUCER(max, Object, Type, Value)
#define CILK_C_REDUCER_MAX_INDEX_CALC(Reducer, Index, Value)                   \
  CHAN_C_INDEX_CALC(Reducer, >, Index, Value)

#endif
