//===- destination-conversions.c - The result is converted --------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result is converted to the destination's type in the child: narrowing,
// widening, between integers and reals, to _Bool, to void pointers, and the
// argument to the parameter's type in the parent.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static int as_int(int n) { return n; }
static double as_double(double d) { return d; }
static unsigned char as_byte(unsigned char c) { return c; }
static int *as_pointer(int *p) { return p; }
static long long as_wide(long long n) {
  if (n % 2) {
    long long same = cilk_spawn as_wide(n - 1);
    cilk_sync;
    return same + 1;
  }
  return n;
}

static void convert(int *object, double half) {
  double d = cilk_spawn as_int(-3);
  int i = cilk_spawn as_double(7.9);
  _Bool b = cilk_spawn as_double(0.25), no = cilk_spawn as_int(0);
  char c = (char)cilk_spawn as_int(65);
  unsigned u = cilk_spawn as_int(-1);
  long l = cilk_spawn as_int(-1);
  short s = cilk_spawn as_wide(0x12347);
  float f = cilk_spawn as_wide(16777217);
  unsigned long ul = cilk_spawn as_byte(300 - 256 + (unsigned char)200);
  void *p = cilk_spawn as_pointer(object);
  const int *q = cilk_spawn as_pointer(object);
  float _Complex z = cilk_spawn as_int(4);
  _Bool is_set = cilk_spawn as_pointer(object);
  long argument = cilk_spawn as_int(half);
  cilk_sync;
  CHECK(d == -3.0);
  CHECK_EQUAL(i, 7);
  CHECK_EQUAL(b, 1);
  CHECK_EQUAL(no, 0);
  CHECK_EQUAL(c, 'A');
  CHECK(u == 4294967295u);
  CHECK_EQUAL(l, -1);
  CHECK_EQUAL(s, 0x2347);
  CHECK(f == 16777216.0f);
  CHECK_EQUAL(ul, 244);
  CHECK(p == object && q == object);
  CHECK(z == 4);
  CHECK_EQUAL(is_set, 1);
  CHECK_EQUAL(argument, 2);
}

int main(void) {
  int object;
  convert(&object, 2.75);
  puts("converted");
  return 0;
}
