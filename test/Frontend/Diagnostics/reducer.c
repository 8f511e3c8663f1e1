// reducer.c - What a reducer cannot be, each at its place.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -Wall -Wextra -pedantic -std=c11 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o
// RUN: not cilk2chan -DBODIES -c %s -o %t.o 2>&1 | FileCheck --check-prefix=BODY %s
// RUN: test ! -e %t.o

void zero(void *view);
void plus(void *left, void *right);
void one(int *view);
int f(int);
struct unknown;
#ifndef BODIES
// CHECK-NOT: warning
// CHECK: [[@LINE+1]]:13: error: a reducer has an identity function and a reduce function: '_Hyperobject(identity, reduce)'
typedef int _Hyperobject hyper;
// CHECK: [[@LINE+3]]:18: error: the identity function of a reducer must be a function 'void (void *view)'
// CHECK: note: declared here
// CHECK: [[@LINE+1]]:23: error: the reduce function of a reducer must be a function 'void (void *left, void *right)'
int cilk_reducer(one, zero) total = 0;
// CHECK: [[@LINE+1]]:18: error: the identity function of a reducer must be a function
int cilk_reducer(0, plus) other;
// CHECK: [[@LINE+1]]:5: error: a reducer has an identity function and a reduce function: 'cilk_reducer(identity, reduce)'
int cilk_reducer(zero) few;
// CHECK: [[@LINE+1]]:49: error: a reducer must have a type of a known size, which 'struct unknown' is not
extern struct unknown cilk_reducer(zero, plus)  where;
struct bits {
  // CHECK: [[@LINE+1]]:32: error: a bit-field cannot be a reducer
  int cilk_reducer(zero, plus) field : 3;
};
// CHECK-NOT: warning
#else
int cilk_reducer(zero, plus) sum;
int g(int n) {
  // BODY: [[@LINE+1]]:3: error: the result of 'cilk_spawn' cannot be stored in a reducer, of which the child has another view
  sum = cilk_spawn f(n);
  // BODY: [[@LINE+1]]:3: error: the result of 'cilk_spawn' cannot be stored in a reducer
  sum += cilk_spawn f(n);
  cilk_sync;
  return sum;
}
int h(int n) {
  // BODY: [[@LINE+1]]:32: error: an array of reducers must have a constant size
  int cilk_reducer(zero, plus) several[n];
  several[0] = 1;
  return several[0];
}
#endif
