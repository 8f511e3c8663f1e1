// unused-result.c - A result that only the debugger asks for.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -g -O2 %s -o %t
// RUN: %t

// The serial clone has the call on its fast path and on its slow path.  On each,
// the variable has the result of that call.
// RUN: cilk2chan -g -O2 --emit=llvm %s -o - | FileCheck %s
// CHECK: define internal i32 @count.serial(
// CHECK: %[[FAST:.*]] = call i32 @fib.serial
// CHECK-NEXT: #dbg_value(i32 %[[FAST]], ![[UNUSED:[0-9]+]], !DIExpression(),
// CHECK: %[[SLOW:.*]] = call i32 @fib.serial
// CHECK-NEXT: #dbg_value(i32 %[[SLOW]], ![[UNUSED]], !DIExpression(),
// CHECK: {{^}}}
// A kernel that has no such value says so.
// CHECK: define internal void @count.1(
// CHECK: #dbg_value(i32 poison, ![[GONE:[0-9]+]],
// CHECK-DAG: ![[UNUSED]] = !DILocalVariable(name: "unused"
// CHECK-DAG: ![[GONE]] = !DILocalVariable(name: "unused"

int seen[8];

int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}

void see(int *where) { ++*where; }

int count(int n) {
  int unused = fib(n);
  cilk_spawn see(&seen[0]);
  for (int i = 1; i < 8; ++i) {
    cilk_spawn see(&seen[i]);
    cilk_sync;
  }
  return n;
}

int main(void) {
  int wrong = count(9) != 9;
  for (int i = 0; i < 8; ++i)
    wrong += seen[i] != 1;
  return wrong;
}
