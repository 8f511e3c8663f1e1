// shared-ends.c - Blocks that loops share with what surrounds them
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// CodeGen makes one trap of a kind for a function: the body of a loop has its own.
// RUN: cilk2chan -O1 -ftrapv --emit=llvm %s | FileCheck %s
// CHECK: define internal void @__cilk_body.
// CHECK: call void @llvm.ubsantrap
// CHECK-NEXT: unreachable
// CHECK: {{^}}}

// RUN: for flags in '-O0 -ftrapv' '-O2 -ftrapv' '-O2 -fsanitize=undefined -fsanitize-trap=all' '-O1 -g -fsanitize=bounds,signed-integer-overflow -fsanitize-trap=all' '-O1 -fsanitize=undefined -fno-sanitize-recover=all' '-O2 -fsanitize=undefined -fsanitize-minimal-runtime -fno-sanitize-recover=all' '-O2 -ftrapv -fcilktool=cilkscale' '-O2 -D_FORTIFY_SOURCE=2 -ftrapv'; do cilk2chan $flags %s -o %t || exit 1; for n in 3 10; do CILKSCALE_OUT=/dev/null %t 0 $n > %t.out || exit 1; grep -qx $n %t.out || exit 1; done; done
// Each of them ends the program where it is to.
// RUN: cilk2chan -O2 -fsanitize=undefined -fsanitize-trap=all %s -o %t && for place in 1 2 3 4; do not --crash %t $place 3 || exit 1; done

#include <stdio.h>
#include <stdlib.h>
#include <limits.h>

static int a[10], b[10][10];

/* At most 10 iterations: traps in front of the loop, in it, in a loop in it, and behind it. */
static int f(int n, int k, int at, int *low) {
  int sum = at == 1 ? INT_MAX + k : k;
  cilk_for (int i = 0; i < n; i++) {
    a[i] = at == 2 ? INT_MAX + k : i + k;
    switch (i & 3) {
    case 0: a[i] += 1; break;
    case 1: a[i] += 2; break;
    case 2: a[i] += 3; break;
    case 3: a[i] += 4; break;
    default: __builtin_unreachable();
    }
    cilk_for (int j = 0; j < 10; j++)
      b[i][j + (at == 3) * 10] = i + j + k;
    if (low[i] != i)
      __builtin_trap();
  }
  switch (n & 1) {
  case 0: break;
  case 1: break;
  default: __builtin_unreachable();
  }
  return at == 4 ? a[k + 9] : b[k][2] + sum + n - 4;
}

int main(int argc, char **argv) {
  int low[10];
  for (int i = 0; i < 10; i++)
    low[i] = i;
  printf("%d\n", f(atoi(argv[2]), 1, atoi(argv[1]), low) - 1);
}
