/*===- cilk/ostream_reducer.h - reducer_ostream.h by OpenCilk's name ------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
#ifndef CILK_OSTREAM_REDUCER_H
#define CILK_OSTREAM_REDUCER_H

#include <cilk/reducer_ostream.h>

#endif
