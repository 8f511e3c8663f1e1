// symbols.c - What is private to the file stays so, and is the same object.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -Wno-cilk %s -o %t && %t | FileCheck %s
// RUN: cilk2chan -g -O2 -Wno-cilk %s -o %t && %t | FileCheck %s
// RUN: cilk2chan --emit=llvm %s | FileCheck --check-prefix=IR %s
// IR-DAG: @count = internal global
// IR-DAG: @.str{{.*}} = private unnamed_addr constant
// IR-DAG: @mine.calls = internal global
// IR-DAG: @alias = {{.*}}alias
// IR-DAG: define internal i32 @mine(
// IR-DAG: define weak {{.*}}i32 @weak(
// IR-DAG: define hidden {{.*}}i32 @hidden(
// IR-DAG: section ".text.own"
// IR-NOT: @__chan_stub
// IR-NOT: "chan.source"
// IR-NOT: @__cilk_spawn
// IR-NOT: @__cilk_sync
// CHECK: count 7 calls 7 thread 7: 8 8 8 8

#include <stdio.h>

static int count;
static _Thread_local int thread;

static int mine(int n) {
  static int calls;
  calls++, count++, thread++;
  if (n) {
    int x, y;
    x = cilk_spawn mine(n - 1);
    cilk_sync;
    y = cilk_spawn mine(n - 1);
    cilk_sync;
    return x + y + (count < 0 ? printf("%d", count) : 0);
  }
  if (count == 7)
    printf("count %d calls %d thread %d:", count, calls, thread);
  return 2;
}

#define FORWARD                                                                \
  {                                                                            \
    int x;                                                                     \
    x = cilk_spawn mine(n);                                                    \
    cilk_sync;                                                                 \
    return x;                                                                  \
  }
__attribute__((weak)) int weak(int n) FORWARD
__attribute__((visibility("hidden"))) int hidden(int n) FORWARD
__attribute__((section(".text.own"))) int special(int n) FORWARD
int alias(int n) __attribute__((alias("special")));
static int (*table[])(int) = {mine, weak, hidden, alias};

int main(void) {
  int results[4];
  for (int i = 0; i < 4; i++)
    results[i] = table[i](2);
  printf(" %d %d %d %d\n", results[0], results[1], results[2], results[3]);
  return 0;
}
