//===- elide.h - Serial elision without our compiler --------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defines the Cilk words away, so that an ordinary C compiler compiles the
// serial elision of a test program: `clang -include elide.h prog.c`. The system
// headers come first because they use `sync` for themselves.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_SUPPORT_ELIDE_H
#define TEST_SUPPORT_ELIDE_H

#include <alloca.h>
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define cilk
#define spawn
#define cilk_spawn
#define _Cilk_spawn
#define sync ((void)0)
#define cilk_sync ((void)0)
#define _Cilk_sync ((void)0)
#define cilk_for for
#define _Cilk_for for
#define cilk_scope
#define _Cilk_scope

#endif
