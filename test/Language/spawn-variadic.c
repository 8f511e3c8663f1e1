//===- spawn-variadic.c - A variadic callee -----------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variadic functions spawned, with arguments of all promoted kinds, so many
// that some go through memory.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <stdarg.h>
#include <string.h>

struct pair {
  long a, b;
};

static double sum(const char *kinds, ...) {
  va_list list;
  double total = 0;
  va_start(list, kinds);
  for (; *kinds; ++kinds)
    switch (*kinds) {
    case 'i':
      total += va_arg(list, int);
      break;
    case 'l':
      total += va_arg(list, long);
      break;
    case 'd':
      total += va_arg(list, double);
      break;
    case 'e':
      total += (double)va_arg(list, long double);
      break;
    case 's':
      total += strlen(va_arg(list, const char *));
      break;
    case 'p': {
      struct pair p = va_arg(list, struct pair);
      total += p.a * p.b;
    }
    }
  va_end(list);
  return total;
}

static double all(float f, short s) {
  double (*indirect)(const char *, ...) = sum;
  struct pair p = {6, 7};
  char text[16];
  double a = cilk_spawn sum("");
  double b = cilk_spawn sum("id", s, f);
  double c = cilk_spawn sum("ldesp", 5L, 0.25, 8.0L, "four", p);
  double d = cilk_spawn sum("iiiiiiiidddddddddd", 1, 2, 3, 4, 5, 6, 7, 8, 1.0,
                            2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0);
  double e = cilk_spawn indirect("li", 1L << 40, -1);
  cilk_spawn snprintf(text, sizeof text, "%d-%s", 12, "ab");
  cilk_sync;
  CHECK(a == 0);
  CHECK(b == s + f);
  CHECK(c == 5 + 0.25 + 8 + 4 + 42);
  CHECK(d == 36 + 55);
  CHECK(e == 1099511627775.0);
  CHECK(strcmp(text, "12-ab") == 0);
  return b + c + d;
}

int main(void) {
  printf("%.2f\n", all(1.5f, -3));
  return 0;
}
