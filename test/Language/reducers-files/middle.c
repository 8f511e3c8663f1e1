//===- middle.c - Spawns, and has no reducer ----------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "text.h"

void middle(int n, void (*next)(int)) {
  cilk_spawn put_mark('<');
  cilk_spawn next(n);
  cilk_sync;
  put_mark('>');
}
