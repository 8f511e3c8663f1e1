//===- struct-mixes.c - Structs of integers and reals by value ----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structs that the calling convention takes apart in different ways: integers
// and reals mixed, long double, vectors, over-aligned, pointers and nested
// ones, empty-ish padding, and many of them so that the registers run out.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

typedef float vec4 __attribute__((vector_size(16)));

struct int_float {
  int i;
  float f;
};
struct two_floats {
  float x, y;
};
struct three_floats {
  float x, y, z;
};
struct double_long {
  double d;
  long l;
};
struct long_double_mix {
  long double e;
};
struct char_double {
  char c;
  double d;
};
struct big_mix {
  char c;
  short s;
  double d;
  float f[3];
  void *p;
};
struct aligned {
  _Alignas(32) int i;
};
struct with_vector {
  vec4 v;
};
struct nested {
  struct int_float a[1];
  struct {
    unsigned char c;
  } b;
};

#define ROUND_TRIP(type)                                                       \
  static struct type type##_echo(struct type s) { return s; }                  \
  static struct type type##_far(struct type s, int n) {                        \
    struct type r;                                                             \
    if (n)                                                                     \
      r = cilk_spawn type##_far(s, n - 1);                                     \
    else                                                                       \
      r = cilk_spawn type##_echo(s);                                           \
    cilk_sync;                                                                 \
    return r;                                                                  \
  }
ROUND_TRIP(int_float)
ROUND_TRIP(two_floats)
ROUND_TRIP(three_floats)
ROUND_TRIP(double_long)
ROUND_TRIP(long_double_mix)
ROUND_TRIP(char_double)
ROUND_TRIP(big_mix)
ROUND_TRIP(aligned)
ROUND_TRIP(with_vector)
ROUND_TRIP(nested)

static double many(struct double_long a, struct int_float b, struct big_mix c,
                   struct double_long d, struct two_floats e,
                   struct char_double f, struct double_long g,
                   struct long_double_mix h, struct aligned i, double last) {
  double sum = a.d + a.l + b.i + b.f + c.c + c.s + c.d + c.f[2];
  sum += d.d + d.l + e.x + e.y + f.c + f.d + g.d + g.l;
  return sum + (double)h.e + i.i + last;
}

static double many_later(struct double_long a, struct int_float b,
                         struct big_mix c, struct double_long d,
                         struct two_floats e, struct char_double f,
                         struct double_long g, struct long_double_mix h,
                         struct aligned i, double last) {
  double sum = cilk_spawn many(a, b, c, d, e, f, g, h, i, last);
  a.d = c.d = last = -1;
  i.i = -1;
  cilk_sync;
  CHECK((uintptr_t)&i % 32 == 0);
  return sum + a.d + i.i;
}

static double test(void) {
  int object;
  struct int_float a = {1, 2.5f};
  struct two_floats b = {3.5f, 4.5f};
  struct three_floats c = {5, 6, 7};
  struct double_long d = {8.5, 9};
  struct long_double_mix e = {10.25L};
  struct char_double f = {11, 12.5};
  struct big_mix g = {13, 14, 15.5, {16, 17, 18}, &object};
  struct aligned h = {19};
  struct with_vector i = {{20, 21, 22, 23}};
  struct nested j = {{{24, 25.5f}}, {26}};
  a = cilk_spawn int_float_far(a, 3);
  b = cilk_spawn two_floats_far(b, 3);
  c = cilk_spawn three_floats_far(c, 3);
  d = cilk_spawn double_long_far(d, 3);
  e = cilk_spawn long_double_mix_far(e, 3);
  f = cilk_spawn char_double_far(f, 3);
  g = cilk_spawn big_mix_far(g, 3);
  h = cilk_spawn aligned_far(h, 3);
  i = cilk_spawn with_vector_far(i, 3);
  j = cilk_spawn nested_far(j, 3);
  cilk_sync;
  CHECK(a.i == 1 && a.f == 2.5f);
  CHECK(b.x == 3.5f && b.y == 4.5f);
  CHECK(c.x == 5 && c.y == 6 && c.z == 7);
  CHECK(d.d == 8.5 && d.l == 9);
  CHECK(e.e == 10.25L);
  CHECK(f.c == 11 && f.d == 12.5);
  CHECK(g.c == 13 && g.s == 14 && g.d == 15.5 && g.f[2] == 18 &&
        g.p == &object);
  CHECK(h.i == 19);
  CHECK(i.v[0] == 20 && i.v[3] == 23);
  CHECK(j.a[0].i == 24 && j.a[0].f == 25.5f && j.b.c == 26);
  double sum = cilk_spawn many_later(d, a, g, d, b, f, d, e, h, 0.5);
  cilk_sync;
  return sum;
}

int main(void) {
  double sum = test();
  CHECK(sum == 3 * 17.5 + 3.5 + 60.5 + 8 + 23.5 + 10.25 + 19 + 0.5 - 2);
  printf("%.2f\n", sum);
  return 0;
}
