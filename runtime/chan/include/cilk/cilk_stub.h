/*===- cilk/cilk_stub.h - The serial elision ----------------------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * Makes the rest of the file the serial elision of itself, for any compiler.
 */
#ifndef CILK_CILK_STUB_H
#define CILK_CILK_STUB_H

#define cilk_spawn
#define cilk_sync ((void)0)
#define cilk_for for
#define cilk_scope
#define cilk_reducer(identity, reduce)
#define _Cilk_spawn
#define _Cilk_sync ((void)0)
#define _Cilk_for for
#define _Cilk_scope
#define _Hyperobject(identity, reduce)

#endif
