//===- streamcluster-layout.c - Serving points, by dimensions -----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// streamcluster.c with the coordinates in Rodinia's order: all points' first
// coordinates, then their second ones, and so on.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#define RODINIA_LAYOUT
#include "streamcluster.c"
