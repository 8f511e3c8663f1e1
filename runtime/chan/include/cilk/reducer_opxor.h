/*===- cilk/reducer_opxor.h - Parities, see reducer.h -------------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
#ifndef CILK_REDUCER_OPXOR_H
#define CILK_REDUCER_OPXOR_H

#include <cilk/reducer.h>

#define CHAN_C_OPXOR(Type)                                                     \
  CHAN_C_OPERATION(xor, chan_reducer_##Type, 0, CHAN_C_COMBINE(Type, ^))
CHAN_C_INTEGERS(CHAN_C_OPXOR)

#define CILK_C_REDUCER_OPXOR_TYPE(Type) CHAN_C_REDUCER_TYPE(xor, Type)
#define CILK_C_REDUCER_OPXOR(Object, Type, Value)                              \
  CHAN_C_REDUCER(xor, Object, Type, Value)

#endif
