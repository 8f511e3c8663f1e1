/*===- cilk/reducer_opadd.h - Sums, see reducer.h -----------------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
#ifndef CILK_REDUCER_OPADD_H
#define CILK_REDUCER_OPADD_H

#include <cilk/reducer.h>

#define CHAN_C_OPADD(Type)                                                     \
  CHAN_C_OPERATION(add, chan_reducer_##Type, 0, CHAN_C_COMBINE(Type, +))
CHAN_C_INTEGERS(CHAN_C_OPADD)
CHAN_C_FLOATS(CHAN_C_OPADD)

#define CILK_C_REDUCER_OPADD_TYPE(Type) CHAN_C_REDUCER_TYPE(add, Type)
#define CILK_C_REDUCER_OPADD(Object, Type, Value)                              \
  CHAN_C_REDUCER(add, Object, Type, Value)

#endif
