// peel-bodies.c - Loops in bodies of parallel loops are peeled twice, as what is inlined, and cleaned up.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 -Werror -S -emit-llvm %s -o - | FileCheck %s
// RUN: cilk2chan -O2 -g -Werror -S -emit-llvm %s -o - | FileCheck %s
// RUN: cilk2chan -O3 -Werror -S -emit-llvm %s -o - | FileCheck %s

// The inner loop has vectors, without its first iteration and its last. What
// they leave has shorter vectors: LLVM makes none of a variable that is used
// behind the loop.
// CHECK-LABEL: define internal {{.*}}@__cilk_body.0(
// CHECK: load <16 x i8>
// CHECK: store <16 x i8>
// CHECK: load <4 x i8>
// CHECK: store <4 x i8>
// CHECK: {{^}}}
static void step(int w, int h, const unsigned char *a, unsigned char *b) {
  cilk_for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int l = x ? x - 1 : w - 1, r = x + 1 < w ? x + 1 : 0;
      b[y * w + x] = (a[y * w + l] + a[y * w + x] + a[y * w + r]) & 1;
    }
}

// What the callers pass may be in variables.
void steps(int generations, unsigned char *a, unsigned char *b) {
  int w = 1024, h = 1024;
  for (int i = 0; i < generations; i++) {
    step(w, h, a, b);
    unsigned char *before = a;
    a = b;
    b = before;
  }
}

// What unrolled loops compute several times is computed once.
// CHECK-LABEL: define internal {{.*}}@__cilk_body.1(
// CHECK-COUNT-6: srem i32
// CHECK-NOT: srem
// CHECK: {{^}}}
void torus(int n, const char *from, char *to) {
  cilk_for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      int alive = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          if (dy != 0 || dx != 0)
            alive += from[(y + dy + n) % n * n + (x + dx + n) % n];
      to[y * n + x] = alive == 3 || (alive == 2 && from[y * n + x]);
    }
}
