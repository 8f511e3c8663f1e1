//===- for-bounds.c - what an iteration knows of its variable -----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bodies ask what the condition of their loop says, in comparisons that the
// optimiser may answer, and count what it answers and what is so.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// CFLAGS: -Wno-sign-compare -Wno-tautological-compare

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <limits.h>

static long asked, found;

/// Says what iteration `i` finds: a number that is different for each answer.
static void __attribute__((noinline)) note(int is, volatile int really) {
  __atomic_add_fetch(&asked, is, __ATOMIC_RELAXED);
  __atomic_add_fetch(&found, really, __ATOMIC_RELAXED);
}

/// A loop, and a question about `i` of type T that is asked twice, once of a
/// value that nothing is known of.
#define LOOP(T, count, header, question)                                       \
  do {                                                                         \
    long n = 0;                                                                \
    asked = found = 0;                                                         \
    cilk_for                                                                   \
      header {                                                                 \
        volatile T hidden = i;                                                 \
        int is = question(i), really = question(hidden);                       \
        note(is, really);                                                      \
        __atomic_add_fetch(&n, 1, __ATOMIC_RELAXED);                           \
      }                                                                        \
    CHECK_EQUAL(n, count);                                                     \
    CHECK_EQUAL(asked, found);                                                 \
  } while (0)

#define SMALL(i) ((i) < 0 ? 1 : (i) < 3 ? 10 : (i) < 100 ? 100 : 1000)
#define LARGE(i) ((i) > 1000000 ? 1 : (i) < -1000000 ? 10 : 100)
#define BYTES(i) (((i) & 255) < 3 ? 1 : ((i) >> 7) == 1 ? 10 : 100)
#define LIMIT(i) ((i) < limit ? 1 : 10)
#define BEFORE(i) ((i) < first ? 1 : 10)
#define NARROW(i) ((char)(i) < 0 ? 1 : (unsigned short)(i) == (i) ? 10 : 100)

static void integers(int first, int limit) {
  int count = first < limit ? limit - first : 0;
  LOOP(int, count, (int i = first; i < limit; i++), SMALL);
  LOOP(int, count, (int i = first; i < limit; i++), LIMIT);
  LOOP(int, count, (int i = first; i < limit; i++), BEFORE);
  LOOP(int, count, (int i = first; limit > i; i += 1), LARGE);
  LOOP(int, count, (int i = limit - 1; i >= first; i--), LIMIT);
  LOOP(int, count, (int i = limit - 1; i >= first; i--), BEFORE);
  LOOP(int, count, (int i = limit - 1; i > first - 1; --i), SMALL);
  LOOP(int, count, (int i = first; i <= limit - 1; i++), BYTES);
  LOOP(int, count, (int i = limit; i != limit + count; i++), LIMIT);
  LOOP(int, (count + 2) / 3, (int i = first; i < limit; i += 3), LIMIT);
  LOOP(int, (count + 2) / 3, (int i = limit - 1; i >= first; i -= 3), SMALL);
  LOOP(long, count, (long i = first; i < limit; i++), NARROW);
  LOOP(long, count, (long i = limit; i > first; i--), LIMIT);
  LOOP(short, count, (short i = first; i < limit; i++), BEFORE);
  LOOP(signed char, count, (signed char i = first; i < limit; i++), SMALL);
  // The limit is computed of two things that the body has.
  LOOP(int, count, (int i = first; i < first + (limit - first) * 1; i++),
       LIMIT);
}

/// Where `first` is negative the unsigned values are large.
static void mixed(int first, unsigned limit) {
  unsigned count = (unsigned)first < limit ? limit - (unsigned)first : 0;
  LOOP(int, count, (int i = first; i < limit; i++), SMALL);
  LOOP(unsigned, count, (unsigned i = first; i < limit; i++), LARGE);
  LOOP(unsigned, count, (unsigned i = limit; i > (unsigned)first; i--), LIMIT);
  unsigned long far = limit;
  if (first >= 0)
    LOOP(int, count, (int i = first; i < far; i++), LIMIT);
  LOOP(unsigned, count,
       (unsigned i = first; (unsigned long)i < (unsigned long)limit; i++),
       LIMIT);
}

/// The variable goes round where C says so.
static void around(void) {
  LOOP(unsigned, 8, (unsigned i = UINT_MAX - 3; i != 4; i++), SMALL);
  LOOP(unsigned char, 11, (unsigned char i = 250; i != 5; i++), BYTES);
  LOOP(unsigned long, 4, (unsigned long i = -2UL; i != 2; i++), LARGE);
  LOOP(int, 3, (int i = INT_MAX - 3; i < INT_MAX; i++), LARGE);
  LOOP(int, 3, (int i = INT_MIN + 3; i > INT_MIN; i--), LARGE);
  LOOP(long, 3, (long i = LONG_MAX - 3; i < LONG_MAX; i++), NARROW);
  LOOP(long, 7, (long i = LONG_MIN; i < LONG_MAX - (1L << 61); i += 1L << 61),
       LARGE);
  LOOP(unsigned long, 3, (unsigned long i = -4UL; i < -1UL; i++), NARROW);
}

/// Elements before, in and behind an array, by their number.
static int pointers(int n) {
  int array[n], *limit = array + n, *first = array;
  LOOP(int *, n, (int *i = first; i < limit; i++), LIMIT);
  LOOP(int *, n, (int *i = limit - 1; i >= first; i--), BEFORE);
  LOOP(int *, n, (int *i = first; i != limit; ++i), LIMIT);
  return 0;
}

/// The inner loop's limits are the outer loop's variables.
static void nested(int n) {
  int inner = 0;
  cilk_for (int i = 0; i < n; i++) {
    cilk_for (int j = i; j < n; j++) {
      volatile int hidden = j - i;
      int is = j - i >= 0 && j < n;
      if (is == (hidden >= 0 && hidden + i < n))
        __atomic_add_fetch(&inner, 1, __ATOMIC_RELAXED);
    }
    cilk_for (int j = 0; j < i; j++)
      if (j < i && i < n)
        __atomic_add_fetch(&inner, 1, __ATOMIC_RELAXED);
  }
  CHECK_EQUAL(inner, n * n);
}

/// Limits that are not the same before and in the loop, and a variable that
/// others have the address of.
static void changing(int n) {
  int limit = n, count = 0, i = 5;
  int *known = &i;
  cilk_for (i = 0; i < limit; i++) {
    if (i == n - 1)
      limit = 0;
    __atomic_add_fetch(&count, i < n ? 1 : 1000, __ATOMIC_RELAXED);
  }
  CHECK_EQUAL(count, n);
  CHECK_EQUAL(*known, n);
  int stop = n;
  int *place = &stop;
  count = 0;
  cilk_for (int k = 0; k < *place; k++)
    __atomic_add_fetch(&count, k < *place ? 1 : 1000, __ATOMIC_RELAXED);
  CHECK_EQUAL(count, n);
}

int main(void) {
  integers(0, 10);
  integers(-5, 7);
  integers(3, 3);
  integers(9, 4);
  integers(-100, 100);
  mixed(0, 10);
  mixed(3, 200);
  mixed(-5, 10);
  mixed(-5, -1);
  around();
  pointers(20);
  nested(12);
  changing(30);
  return 0;
}
