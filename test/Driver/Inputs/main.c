// main.c - Calls what another file of the test spawns.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fib.h"
#include <stdio.h>

int main(void) {
  printf("fib(20) = %d\n", fib(20));
  return 0;
}
