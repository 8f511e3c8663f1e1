//===- ifunc.c - Functions chosen when the program is loaded -------*- C
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An 'ifunc' of the same file can be called and spawned, also when what it
// stands for spawns.
//
//===----------------------------------------------------------------------===//

#include "../Support/check.h"
#include <cilk/cilk.h>

static int square(int n) { return n * n; }
static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1), y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

static void *choose_square(void) { return square; }
static void *choose_fib(void) { return fib; }
int chosen_square(int n) __attribute__((ifunc("choose_square")));
static int chosen_fib(int n) __attribute__((ifunc("choose_fib")));

int main(void) {
  int a = cilk_spawn chosen_square(5), b = cilk_spawn chosen_fib(10);
  int c = chosen_fib(11);
  cilk_sync;
  CHECK_EQUAL(a, 25);
  CHECK_EQUAL(b, 55);
  CHECK_EQUAL(c + chosen_square(3), 98);
  printf("%d %d %d\n", a, b, c);
  return 0;
}
