// apu-deep.c - A tree of two thousand levels, whose channels take several pieces of
// address space.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 --target=simt --machine=isca14-apu -Wno-cilk-serial %s -o %t && %t | FileCheck %s
// CHECK: 2000

#include <cilk/cilk.h>
#include <stdio.h>

long depth(int n) {
  if (n == 0)
    return 0;
  long below = cilk_spawn depth(n - 1);
  cilk_sync;
  return below + 1;
}

int main() { printf("%ld\n", depth(2000)); }
