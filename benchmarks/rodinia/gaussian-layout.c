//===- gaussian-layout.c - Elimination, by rows first -------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gaussian.c with Rodinia's factors, which are a matrix like the other, and its
// order of threads: neighbours treat neighbouring rows.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#define RODINIA_LAYOUT
#include "gaussian.c"
