// reducer.c - A reducer is refused, wherever it is declared, and nothing else.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

#include <cilk/reducer.h>

void zero(void *view);
void plus(void *left, void *right);
int f(int);
// CHECK: [[@LINE+2]]:5: error: reducers are not supported yet
// CHECK: [[@LINE+1]]:5: note: give each child a variable of its own, and combine them after the sync
int cilk_reducer(zero, plus) total = 0;
// CHECK: [[@LINE+1]]:13: error: reducers are not supported yet
typedef int _Hyperobject hyper;
int g(int n) {
  // CHECK: [[@LINE+1]]:7: error: reducers are not supported yet
  int cilk_reducer(zero, plus) sum = 0;
  // CHECK: [[@LINE+1]]:3: error: reducers are not supported yet
  cilk_reducer((zero), plus) int first;
  // CHECK: [[@LINE+1]]:16: error: reducers are not supported yet
  struct { int cilk_reducer(zero, plus) member; } s = {1};
  spawn f(first);
  sum += s.member;
  sync;
  return sum + total;
}
// CHECK: [[@LINE+1]]:9: error: reducers are not supported yet
typedef CILK_C_DECLARE_REDUCER(long) plusReducer;
// CHECK-NOT: expanded from macro
plusReducer all = CILK_C_INIT_REDUCER(long, 0, 0, 0, 1);
long h(plusReducer *reducer) {
  CILK_C_REGISTER_REDUCER(*reducer);
  REDUCER_VIEW(*reducer) += all.value;
  CILK_C_UNREGISTER_REDUCER(*reducer);
  return REDUCER_VIEW(all);
}
// CHECK: 6 errors generated
