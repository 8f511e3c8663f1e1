// inlining.c - Small functions that batches call are inlined before they are split.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 --dump-after=import %s -c -o %t.o 2>&1 | FileCheck %s
// RUN: cilk2chan -O2 -g -fchan-lanes=4 -Werror %s -c -o %t.o
// RUN: cilk2chan -O2 -fno-chan-batch --dump-after=import %s -c -o %t.o 2>&1 | FileCheck --check-prefix=ASKED %s
// RUN: cilk2chan -O0 -fchan-lanes=4 --dump-after=import %s -c -o %t.o 2>&1 | FileCheck --check-prefix=ASKED %s
// ASKED: llvm.call @loop(

static int twice(int x) { return 2 * x; }

// A loop, a call of another, objects, pointers that do not alias.
static int loop(int n, const char *restrict bytes, int *restrict to) {
  int sum[2] = {0, 1};
  for (int i = 0; i < n; i++) {
    if (bytes[i] == n)
      return twice(i);
    *to += i;
    sum[i & 1] += bytes[i];
  }
  return sum[0] * sum[1];
}

// What stays a call: recursion, even of two; what calls others; what is large,
// atomic, or may be another; what is not to be inlined.
static int odd(int n);
static int even(int n) { return n == 0 || odd(n - 1); }
static int odd(int n) { return n != 0 && even(n - 1); }
int puts(const char *);
static int prints(int n) { return n ? puts("n") : 0; }
static int counts(int *n) { return __atomic_fetch_add(n, 1, __ATOMIC_SEQ_CST); }
__attribute__((weak)) int other(int n) { return n; }
__attribute__((noinline)) static int kept(int n) { return n; }
#define FOUR(x) x x x x
static int large(int n) {
  FOUR(FOUR(FOUR(n = n * n ^ (n >> 3);)))
  return n;
}

// CHECK-LABEL: llvm.func @inlines
// CHECK-NOT: llvm.call @{{loop|twice}}
// CHECK-NOT: alias
// CHECK-LABEL: llvm.func @calls
// CHECK: llvm.call @even(
// CHECK: llvm.call @prints(
// CHECK: llvm.call @counts(
// CHECK: llvm.call @other(
// CHECK: llvm.call @kept(
// CHECK: llvm.call @large(
int inlines(int n, const char *bytes) {
  int to = 0;
  if (n < 2)
    return loop(n, bytes, &to) + to;
  int a = cilk_spawn inlines(n - 1, bytes), b = cilk_spawn inlines(n - 2, bytes);
  cilk_sync;
  return twice(a) + b;
}

int calls(int n) {
  if (n < 2)
    return 1;
  int a = cilk_spawn calls(n - 1), b = cilk_spawn calls(n - 2);
  cilk_sync;
  return a + b + even(n) + prints(n) + counts(&n) + other(n) + kept(n) + large(n);
}
