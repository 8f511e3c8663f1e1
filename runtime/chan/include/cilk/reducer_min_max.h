/*===- cilk/reducer_min_max.h - Both, see reducer.h ---------------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
#ifndef CILK_REDUCER_MIN_MAX_H
#define CILK_REDUCER_MIN_MAX_H

#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>

#endif
