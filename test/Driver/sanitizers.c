// sanitizers.c - Sanitizers that need a runtime of their own, and those that do not.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: not cilk2chan -fsanitize=memory -c %s -o out.o 2>&1 | FileCheck -DWHAT=memory %s
// RUN: not cilk2chan -fsanitize=type -c %s -o out.o 2>&1 | FileCheck -DWHAT=type %s
// RUN: not cilk2chan -fsanitize=dataflow -c %s -o out.o 2>&1 | FileCheck -DWHAT=dataflow %s
// RUN: not cilk2chan -fsanitize=hwaddress -c %s -o out.o 2>&1 | FileCheck -DWHAT=hwaddress %s
// RUN: ls | count 0
// CHECK: sanitizers.c:[[@LINE+11]]:5: error: a function that spawns or syncs cannot be compiled with '-fsanitize=[[WHAT]]', which the runtime is not built for
// CHECK: sanitizers.c:[[@LINE+10]]:5: note: use 'address', 'undefined' or 'thread', or add '-fcilk-serialize' to check the serial elision

// Its serial elision, and functions that do not spawn, are like any other code.
// RUN: cilk2chan -fsanitize=memory -fcilk-serialize %s -o serial && ./serial
// RUN: cilk2chan -fsanitize=memory -DPLAIN %s -o plain && ./plain

// RUN: for kind in leak integer,nullability undefined,bounds safe-stack kcfi address,leak; do cilk2chan -O1 -fsanitize=$kind %s -o program && ./program || exit 1; done
// RUN: cilk2chan -O1 -fsanitize=undefined -fsanitize-trap=all -fsanitize-coverage=inline-8bit-counters -fstack-protector-all -ftrivial-auto-var-init=pattern %s -o program && ./program

#ifndef PLAIN
int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1), y = fib(n - 2);
  cilk_sync;
  return x + y;
}
#else
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
#endif

int main(void) { return fib(15) != 610; }
