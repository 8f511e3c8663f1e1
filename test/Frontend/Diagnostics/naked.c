// naked.c - A function without a frame of its own cannot spawn.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

// CHECK: [[@LINE+1]]:28: error: a function that spawns or syncs cannot be 'naked'
__attribute__((naked)) int g(void) {
  cilk_sync;
  __asm__("ret");
}
