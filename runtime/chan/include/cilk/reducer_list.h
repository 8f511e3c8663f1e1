/*===- cilk/reducer_list.h - Nothing in C, see reducer.h ----------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
#ifndef CILK_REDUCER_LIST_H
#define CILK_REDUCER_LIST_H

#include <cilk/reducer.h>

#endif
