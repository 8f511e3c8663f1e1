// builtin.c - Builtins that cannot be spawned, each with its reason.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

#include <alloca.h>
#include <stdarg.h>
#include <stdio.h>
void g(int n) {
  va_list list;
  struct counted {
    int count;
    char text[] __attribute__((counted_by(count)));
  } *counted = 0;
  spawn printf("a function like any other\n");
  spawn __builtin_prefetch(&n);
  // CHECK: [[@LINE+1]]:9: error: builtin function '__builtin_alloca' cannot be spawned: its memory would be gone when the child returns
  spawn alloca(n);
  // CHECK: [[@LINE+1]]:9: error: builtin function '__builtin_va_end' cannot be spawned: it is about the arguments of the function that calls it
  spawn va_end(list);
  // CHECK: [[@LINE+1]]:9: error: builtin function '__builtin_unwind_init' cannot be spawned: it is about the stack frame of the function that calls it
  spawn __builtin_unwind_init();
  // CHECK: [[@LINE+1]]:18: error: builtin function '__builtin_object_size' cannot be spawned: it does not evaluate its arguments
  n = cilk_spawn __builtin_object_size(&n, 0);
  // CHECK: [[@LINE+1]]:18: error: builtin function '__builtin_constant_p' cannot be spawned: it does not evaluate its arguments
  n = cilk_spawn __builtin_constant_p(n);
  // CHECK: [[@LINE+1]]:14: error: builtin function '__builtin_counted_by_ref' cannot be spawned: it depends on how its argument is written
  cilk_spawn __builtin_counted_by_ref(counted->text);
  // CHECK: [[@LINE+1]]:9: error: a function that spawns or syncs cannot call '__builtin_frame_address'
  spawn __builtin_frame_address(0);
}
// CHECK: 7 errors generated
