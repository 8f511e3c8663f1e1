//===- block-captures.c - What spawned blocks have of their parent -*- C -*===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scalar that a block only reads has its value at the spawn, of whatever type
// and wherever it is declared: in front of the loop, as a parameter, as a
// control variable, in an inner scope. What a block changes it shares.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <complex.h>

enum { count = 6 };
static long out[count];

static void check(const char *what, long first, long step) {
  for (int i = 0; i < count; i++)
    if (out[i] != first + step * i) {
      fprintf(stderr, "%s: out[%d] is %ld\n", what, i, out[i]);
      exit(1);
    }
  for (int i = 0; i < count; i++)
    out[i] = -1;
}

// One variable of each type, stepped by the parent behind each spawn.
#define SCALAR_OF(name, declaration, use, step)                                \
  __attribute__((noinline)) static void name(void) {                           \
    int i;                                                                     \
    declaration;                                                               \
    for (i = 0; i < count; i++) {                                              \
      cilk_spawn { out[i] = (long)(use); }                                     \
      step;                                                                    \
    }                                                                          \
    cilk_sync;                                                                 \
    check(#name, 3, 1);                                                        \
  }
#define SCALAR(name, type, use, step) SCALAR_OF(name, type x = 3, use, step)
typedef int vector __attribute__((vector_size(16)));
typedef float pair __attribute__((ext_vector_type(2)));
typedef enum { none, many = 100 } kind;
SCALAR(ofChar, signed char, x, x++)
SCALAR(ofShort, unsigned short, x, x++)
SCALAR(ofInt, int, (x), x++)
SCALAR(ofLong, long, +x, x++)
SCALAR(ofInt128, __int128, x, x++)
SCALAR(ofBitInt, _BitInt(77), x, x++)
SCALAR(ofEnum, kind, x, x++)
SCALAR(ofHalf, _Float16, x, x += 1)
SCALAR(ofFloat, float, x, x += 1)
SCALAR(ofDouble, double, x, x += 1)
SCALAR(ofLongDouble, long double, x, x += 1)
SCALAR_OF(ofPointer, char *x = (char *)3, (uintptr_t)x, x++)
SCALAR(ofReal, double _Complex, __real__ x, x += 1)
SCALAR(ofImaginary, float _Complex, __imag__(x *I), x += 1)
SCALAR(ofComplex, long double _Complex, creall(x), x += 1)
SCALAR(ofComplexInt, _Complex int, __real__ x, x += 1)
SCALAR(ofAtomic, _Atomic int, x, x++)
SCALAR(ofAtomicComplex, _Atomic(float _Complex), crealf(x), x = x + 1)
SCALAR_OF(ofAtomicPointer, char *_Atomic x = (char *)3, (uintptr_t)x, x = x + 1)
SCALAR(ofVolatile, volatile int, x, x = x + 1)
SCALAR(ofVolatileComplex, volatile double _Complex, __real__ x, x = x + 1)
SCALAR(ofRegister, register int, x, x++)
SCALAR(ofStatement, int, ({
         long y = x;
         y;
       }),
       x++)
SCALAR(ofChoice, int, x ? x : 0, x++)
SCALAR(ofElvis, int, x ?: 0, x++)
SCALAR(ofGeneric, int, _Generic(x, int: x, default: out), x++)
SCALAR(ofChosen, int, __builtin_choose_expr(1, x, out), x++)
SCALAR(ofSize, int, sizeof x + sizeof(x) - 8 + x, x++)
SCALAR(ofVoid, int, ((void)x, x), x++)

__attribute__((noinline)) static void bools(void) {
  _Bool odd = 0;
  int i;
  for (i = 0; i < count; i++, odd = !odd)
    cilk_spawn { out[i] = odd ? i : i + 100 - 100; }
  cilk_sync;
  check("bools", 0, 1);
}

__attribute__((noinline)) static void vectors(void) {
  vector v = {0, 10, 20, 30};
  pair p = {5, 6};
  int i;
  for (i = 0; i < count; i++) {
    cilk_spawn { out[i] = v[3] - 30 + (v + v)[0] + (long)(p.y + p[0]) - 11; }
    v += (vector){0, 0, 0, 1};
    p.x -= 1, p.y += 1;
  }
  cilk_sync;
  check("vectors", 0, 1);
}

// Large ones.
typedef int large __attribute__((vector_size(64)));
__attribute__((noinline)) static void largeValues(void) {
  int i;
  large v = {0};
  _BitInt(300) b = 1;
  for (i = 0; i < count; i++) {
    cilk_spawn { out[i] = v[15] + (long)(b >> 200); }
    v[15]++;
    b += (_BitInt(300))1 << 200;
  }
  cilk_sync;
  check("largeValues", 0, 2);
}

// A parameter; a variable that gets its value behind its declaration; one whose
// address is taken, but not by the block; one that has no value where the block
// does not look at it.
static int next(int *place) { return ++*place < 6; }
__attribute__((noinline)) static void places(int parameter, int unset) {
  int later, taken = -1, never;
  later = 2;
  if (unset == 2)
    never = 1;
  while (next(&taken)) {
    cilk_spawn {
      out[taken] = parameter + later;
      if (unset == 2)
        out[taken] = never;
    }
    parameter++;
  }
  cilk_sync;
  check("places", 7, 1);
}

// Inner blocks have what the outer block has changed, as of their own spawn.
__attribute__((noinline)) static void nested(void) {
  int i, k, t = 7;
  long sums[2] = {0, 0};
  for (i = 0; i < 2; i++)
    cilk_spawn {
      int own;
      for (own = 0; own < 3; own++) {
        cilk_spawn { out[i * 3 + own] = i * 3 + own; }
        cilk_spawn {
          cilk_spawn {
            if (own == 2)
              sums[i] = i * 10 + own;
          }
        }
      }
    }
  cilk_sync;
  check("nested", 0, 1);
  CHECK_EQUAL(sums[0] + sums[1], 14);
  cilk_spawn {
    for (k = 0; k < count; k++) {
      t = k;
      cilk_spawn { out[k] = t; }
    }
  }
  cilk_sync;
  check("inner", 0, 1);
  CHECK_EQUAL(k + t, 2 * count - 1);
}

__attribute__((noinline)) static void loops(void) {
  int row, base = 0;
  cilk_for (row = 0; row < 2; row++) {
    int column;
    for (column = 0; column < 3; column++)
      cilk_spawn { out[row * 3 + column] = row * 3 + column + base; }
  }
  check("loops", 0, 1);
  for (row = 0; row < 2; row++)
    (void)({
      int column;
      for (column = 0; column < 3; column++)
        cilk_spawn { out[row * 3 + column] = row * 3 + column; }
      0;
    });
  cilk_sync;
  check("expressions", 0, 1);
}

// What a block assigns, steps, or takes the address of is shared.
static void set(int *place) { *place = 4; }
__attribute__((noinline)) static void shared(void) {
  int a = 0, b = 0, c = 0, d = 0, e = 0, *pointer = &d;
  double _Complex z = 0;
  vector v = {0};
  _Atomic int n = 0;
  cilk_spawn { a = 1; }
  cilk_spawn { b++; }
  cilk_spawn { set(&c); }
  cilk_spawn {
    *pointer = 5;
    e = d;
  }
  cilk_spawn { __real__ z = 6; }
  cilk_spawn { v[1] = 7; }
  for (int i = 0; i < count; i++)
    cilk_spawn { n++; }
  cilk_sync;
  CHECK_EQUAL(a, 1);
  CHECK_EQUAL(b, 1);
  CHECK_EQUAL(c, 4);
  CHECK_EQUAL(d, 5);
  CHECK_EQUAL(e, 5);
  CHECK_EQUAL(creal(z), 6);
  CHECK_EQUAL(v[1], 7);
  CHECK_EQUAL(n, count);
}

int main(void) {
  ofChar(), ofShort(), ofInt(), ofLong(), ofInt128(), ofBitInt(), ofEnum();
  ofHalf(), ofFloat(), ofDouble(), ofLongDouble(), ofPointer(), ofReal();
  ofImaginary(), ofComplex(), ofComplexInt(), ofAtomic(), ofAtomicComplex();
  ofAtomicPointer(), ofVolatile(), ofVolatileComplex(), ofRegister();
  ofStatement(), ofChoice(), ofElvis(), ofGeneric(), ofChosen(), ofSize();
  ofVoid();
  bools();
  vectors();
  largeValues();
  places(5, 1);
  nested();
  loops();
  shared();
  return 0;
}
