/*===- cilk/reducer_min.h - Minima, see reducer.h -----------------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
#ifndef CILK_REDUCER_MIN_H
#define CILK_REDUCER_MIN_H

#include <cilk/reducer.h>

#define CHAN_C_MIN_INTEGER(Type)                                               \
  CHAN_C_EXTREMUM(min, Type, <, CHAN_C_HIGHEST_INTEGER(Type))
#define CHAN_C_MIN_FLOAT(Type) CHAN_C_EXTREMUM(min, Type, <, __builtin_inf())
CHAN_C_INTEGERS(CHAN_C_MIN_INTEGER)
CHAN_C_FLOATS(CHAN_C_MIN_FLOAT)

#define CILK_C_REDUCER_MIN_TYPE(Type) CHAN_C_REDUCER_TYPE(min, Type)
#define CILK_C_REDUCER_MIN(Object, Type, Value)                                \
  CHAN_C_REDUCER(min, Object, Type, Value)
#define CILK_C_REDUCER_MIN_CALC(Reducer, Value) CHAN_C_CALC(Reducer, <, Value)

#define CILK_C_REDUCER_MIN_INDEX_TYPE(Type) CHAN_C_INDEX_REDUCER_TYPE(min, Type)
#define CILK_C_REDUCER_MIN_INDEX(Object, Type, Value)                          \
  CHAN_C_INDEX_REDUCER(min, Object, Type, Value)
#define CILK_C_REDUCER_MIN_INDEX_CALC(Reducer, Index, Value)                   \
  CHAN_C_INDEX_CALC(Reducer, <, Index, Value)

#endif
