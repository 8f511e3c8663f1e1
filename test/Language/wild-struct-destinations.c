//===- wild-struct-destinations.c - Destinations elsewhere --------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Destinations in structs and through pointers": fields of locals, of heap
// objects, of array elements, nested ones, and what a pointer parameter names.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

struct inner {
  short s;
  int list[3];
};
struct outer {
  char tag;
  struct inner in[2];
  struct outer *next;
  double d;
};

static int square(int n) { return n * n; }
static double half(int n) { return n / 2.0; }

static int depth_sum(int n) {
  if (n == 0)
    return 0;
  struct outer here, *heap = calloc(1, sizeof *heap);
  here.next = heap;
  here.in[1].s = (short)cilk_spawn square(n);
  here.in[0].list[n % 3] = cilk_spawn depth_sum(n - 1);
  here.next->in[n % 2].list[2] = cilk_spawn square(n + 1);
  heap->d = cilk_spawn half(n);
  (*here.next).tag = cilk_spawn square(3);
  cilk_sync;
  CHECK_EQUAL(here.in[1].s, n * n);
  CHECK_EQUAL(heap->in[n % 2].list[2], (n + 1) * (n + 1));
  CHECK(heap->d == n / 2.0);
  CHECK_EQUAL(heap->tag, 9);
  int sum = here.in[0].list[n % 3] + here.in[1].s;
  free(heap);
  return sum;
}

static void through(int *out, int **indirect, int n) {
  *out = cilk_spawn square(n);
  **indirect = cilk_spawn square(n + 1);
  (*indirect)[1] = cilk_spawn square(n + 2);
  *(out + 1) = cilk_spawn square(n + 3);
  2 [out] = cilk_spawn square(n + 4);
}

int main(void) {
  CHECK_EQUAL(depth_sum(20), 20 * 21 * 41 / 6);
  int out[3], other[2], *to = other;
  through(out, &to, 5);
  CHECK_EQUAL(out[0], 25);
  CHECK_EQUAL(other[0], 36);
  CHECK_EQUAL(other[1], 49);
  CHECK_EQUAL(out[1], 64);
  CHECK_EQUAL(out[2], 81);
  printf("%d\n", depth_sum(30));
  return 0;
}
