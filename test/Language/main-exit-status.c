//===- main-exit-status.c - main's status is a child's result -----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program's exit status comes out of a task.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// EXPECT-EXIT: 42

#include <cilk/cilk.h>
#include <stdio.h>

static int fold(int n) {
  if (n == 0)
    return 0;
  int a = cilk_spawn fold(n - 1);
  cilk_sync;
  return a + 6;
}

int main(void) {
  puts("status 42");
  int status = cilk_spawn fold(7);
  cilk_sync;
  return status;
}
