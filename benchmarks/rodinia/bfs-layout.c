//===- bfs-layout.c - Breadth-first search, by nodes --------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// bfs.c with Rodinia's nodes: a node has where its edges begin and how many
// they are.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#define RODINIA_LAYOUT
#include "bfs.c"
