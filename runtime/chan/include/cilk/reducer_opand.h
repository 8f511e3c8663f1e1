/*===- cilk/reducer_opand.h - Bits of all, see reducer.h ----------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
#ifndef CILK_REDUCER_OPAND_H
#define CILK_REDUCER_OPAND_H

#include <cilk/reducer.h>

#define CHAN_C_OPAND(Type)                                                     \
  CHAN_C_OPERATION(and, chan_reducer_##Type, ~(chan_reducer_##Type)0,          \
                   CHAN_C_COMBINE(Type, &))
CHAN_C_INTEGERS(CHAN_C_OPAND)

#define CILK_C_REDUCER_OPAND_TYPE(Type) CHAN_C_REDUCER_TYPE(and, Type)
#define CILK_C_REDUCER_OPAND(Object, Type, Value)                              \
  CHAN_C_REDUCER(and, Object, Type, Value)

#endif
