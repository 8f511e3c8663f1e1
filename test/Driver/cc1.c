// cc1.c - The compiler proper alone, as clang's own tests use it.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -cc1 -verify -fsyntax-only %s
// RUN: cilk2chan -cc1 -DOK -O2 -emit-llvm %s -o - | FileCheck %s
// CHECK: @f.0

int f(int n) {
  int x, y;
  x = cilk_spawn f(n - 1);
  y = f(n - 2);
  cilk_sync;
#ifndef OK
  undeclared++; // expected-error {{use of undeclared identifier 'undeclared'}}
#endif
  return x + y;
}
