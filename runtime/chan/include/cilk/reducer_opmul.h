/*===- cilk/reducer_opmul.h - Products, see reducer.h -------------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
#ifndef CILK_REDUCER_OPMUL_H
#define CILK_REDUCER_OPMUL_H

#include <cilk/reducer.h>

#define CHAN_C_OPMUL(Type)                                                     \
  CHAN_C_OPERATION(multiply, chan_reducer_##Type, 1, CHAN_C_COMBINE(Type, *))
CHAN_C_INTEGERS(CHAN_C_OPMUL)
CHAN_C_FLOATS(CHAN_C_OPMUL)

#define CILK_C_REDUCER_OPMUL_TYPE(Type) CHAN_C_REDUCER_TYPE(multiply, Type)
#define CILK_C_REDUCER_OPMUL(Object, Type, Value)                              \
  CHAN_C_REDUCER(multiply, Object, Type, Value)

#endif
