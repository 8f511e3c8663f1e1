// unused-result.c - A result that only the debugger asks for.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -g -O2 %s -o %t
// RUN: %t

// The serial clone's slow path may begin behind the call, at the spawn.

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
