//===- cfd-layout.c - Flow of a gas, by quantities ----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cfd.c with Rodinia's arrays: all cells' densities, then all momenta in x, and
// so on; and likewise each cell's first neighbour, then the second ones.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#define RODINIA_LAYOUT
#include "cfd.c"
