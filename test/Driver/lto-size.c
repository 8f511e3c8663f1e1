// lto-size.c - Link-time optimisation of what is to be small, or cold
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The linker verifies what it reads: attributes of kernels that exclude each other were an error.
// RUN: for flags in '-Os -flto' '-Oz -flto=thin' '-O2 -flto' '-O3 -flto=thin'; do cilk2chan $flags %s -o %t && CHAN_WORKERS=2 %t | FileCheck %s || exit 1; done
// RUN: cilk2chan -Oz -c -emit-llvm %s -o - | opt -passes=verify -disable-output
// CHECK: 6765 6765 6765 6765 190

// What is to be small is not left as it is without optimisation.
// RUN: cilk2chan -Oz -S -emit-llvm %s -o - | FileCheck --check-prefix=SIZE %s
// SIZE: define internal void @fib.0({{.*}} #[[KERNEL:[0-9]+]]
// SIZE: attributes #[[KERNEL]] = {
// SIZE-NOT: optnone
// SIZE-SAME: minsize

#include <stdio.h>

#define FIB(name, attributes)                                                  \
  attributes static long name(int n) {                                         \
    if (n < 2)                                                                 \
      return n;                                                                \
    long x = cilk_spawn name(n - 1), y = cilk_spawn name(n - 2);               \
    cilk_sync;                                                                 \
    return x + y;                                                              \
  }

FIB(fib, )
FIB(cold, __attribute__((cold)))
FIB(small, __attribute__((minsize)))
FIB(never, __attribute__((noinline)))

static int squares[20];

__attribute__((cold, always_inline)) static inline int sum(int n) {
  cilk_for (int i = 0; i < n; i++)
    squares[i] = i;
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += squares[i];
  return sum;
}

int main(void) {
  printf("%ld %ld %ld %ld %d\n", fib(20), cold(20), small(20), never(20),
         sum(20));
}
