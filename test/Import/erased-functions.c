// erased-functions.c - What is known of an erased function is forgotten.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The import replaces both bodies by functions with other parameters. The second
// new function gets the address of the first old one, of which the import knows
// the dominator tree. By this tree, the inner loop of the second cannot be
// reached, and SROA made its variables poison.
// RUN: cilk2chan -O1 --emit=llvm -Wno-cilk %s | FileCheck %s
// RUN: cilk2chan -O1 -Wno-cilk %s -o %t && %t

// CHECK-LABEL: define internal void @__cilk_body.2(
// CHECK-NOT: poison
// CHECK: {{^}}}

#include <stdlib.h>

enum { Cells = 20000, Outer = 4, Inner = 5 };
static int sums[Outer * Inner], steps[Outer * Inner];

static void add(int *to, const int *from) {
  cilk_for (int i = 0; i < Cells; i++)
    to[i] += from[i];
}

// It does not spawn, so the loop's body below is not converted.
static __attribute__((noinline)) void addTwice(int *to, const int *from) {
  add(to, from);
  add(to, from);
}

// To find out whether the two pointers may be equal, the import asks for the
// dominator tree.
static __attribute__((noinline)) void swapped(int n, int m) {
  cilk_for (int i = 0; i < n * m; i++) {
    int *one = calloc(Cells, sizeof(int)), *other = calloc(Cells, sizeof(int));
    one[0] = other[0] = i;
    int *to = i % 2 ? one : other;
    int *from = i % 2 ? other : one;
    addTwice(to, from);
    sums[i] = to[0];
    free(one);
    free(other);
  }
}

static __attribute__((noinline)) void collatz(int n, int m) {
  cilk_for (int i = 0; i < n * m; i++) {
    int count = 0;
    for (int k = i; k > 1; k = k % 2 ? 3 * k + 1 : k / 2)
      if (k % 3 == 0)
        count += 100;
      else
        count++;
    steps[i] = count;
  }
}

int main(void) {
  swapped(Outer, Inner);
  collatz(Outer, Inner);
  // 15 46 23 70 35 106 53 160 80 40 20 10 5 16 8 4 2
  return sums[7] != 21 || steps[15] != 116;
}
