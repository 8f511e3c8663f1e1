// Builtins that cannot be spawned.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

#include <alloca.h>
#include <stdio.h>
void g(int n) {
  spawn printf("a function like any other\n");
  // CHECK: [[@LINE+1]]:9: error: builtin function '__builtin_prefetch' cannot be spawned
  spawn __builtin_prefetch(&n);
  // CHECK: [[@LINE+1]]:9: error: builtin function '__builtin_alloca' cannot be spawned
  spawn alloca(n);
}
