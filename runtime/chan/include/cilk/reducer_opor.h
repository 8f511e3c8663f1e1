/*===- cilk/reducer_opor.h - Bits of any, see reducer.h -----------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
#ifndef CILK_REDUCER_OPOR_H
#define CILK_REDUCER_OPOR_H

#include <cilk/reducer.h>

#define CHAN_C_OPOR(Type)                                                      \
  CHAN_C_OPERATION(or, chan_reducer_##Type, 0, CHAN_C_COMBINE(Type, |))
CHAN_C_INTEGERS(CHAN_C_OPOR)

#define CILK_C_REDUCER_OPOR_TYPE(Type) CHAN_C_REDUCER_TYPE(or, Type)
#define CILK_C_REDUCER_OPOR(Object, Type, Value)                               \
  CHAN_C_REDUCER(or, Object, Type, Value)

#endif
