/*===- cilk/cilk.h - The words of the language --------------------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * cilk2chan knows cilk_spawn, cilk_sync, cilk_for and cilk_scope without this
 * header; it is here for programs that include it.  For any other C or C++
 * compiler it makes them the serial elision of the program.
 */
#ifndef CILK_CILK_H
#define CILK_CILK_H

#ifndef __cilk
#include <cilk/cilk_stub.h>
#endif

#endif
