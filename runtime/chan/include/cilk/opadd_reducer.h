/*===- cilk/opadd_reducer.h - reducer_opadd.h by OpenCilk's name --*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
#ifndef CILK_OPADD_REDUCER_H
#define CILK_OPADD_REDUCER_H

#include <cilk/reducer_opadd.h>

#endif
