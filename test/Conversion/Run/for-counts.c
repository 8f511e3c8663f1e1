/*===- for-counts.c - Where a cilk_for counts otherwise than a for
---------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// The number of iterations is known before the first: limit and stride are
// evaluated once, and a limit cannot be missed by wrapping around.
//
// RUN: cilk2chan -w -O0 %s -I%source/test/Support -o %t.0 && %t.0
// RUN: cilk2chan -w -O2 %s -I%source/test/Support -o %t.2
// RUN: CHAN_WIDTH=1 CHAN_WORKERS=3 %t.2
//
// A stride that leads nowhere ends the program.
// RUN: not %t.2 zero 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not %t.2 away 2>&1 | FileCheck %s --check-prefix=AWAY
// RUN: not %t.2 miss 2>&1 | FileCheck %s --check-prefix=MISS
// RUN: not %t.2 down 2>&1 | FileCheck %s --check-prefix=DOWN

#include "check.h"
#include <limits.h>
#include <string.h>

static int evaluations;
static int once(int value) {
  ++evaluations;
  return value;
}

#define COUNT(header, count)                                                   \
  do {                                                                         \
    long n = 0;                                                                \
    cilk_for header __atomic_add_fetch(&n, 1, __ATOMIC_RELAXED);               \
    CHECK_EQUAL(n, count);                                                     \
  } while (0)

static void endless(const char *how, int n) {
  long cells[4];
  int zero = n - n, three = 3 - zero;
  if (!strcmp(how, "zero"))
    // ZERO: for-counts.c:[[#@LINE+1]]:5 has no end: its stride does not
    cilk_for(int i = 0; i < n; i += zero);
  if (!strcmp(how, "away"))
    // AWAY: for-counts.c:[[#@LINE+1]]:5 has no end
    cilk_for(int i = 0; i < n; i -= three);
  if (!strcmp(how, "miss"))
    // MISS: for-counts.c:[[#@LINE+1]]:5 has no end
    cilk_for(int i = 0; i != 10; i += three);
  if (!strcmp(how, "down"))
    // DOWN: for-counts.c:[[#@LINE+1]]:5 has no end
    cilk_for(long *p = cells + 4; p >= cells; p += three);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    endless(argv[1], argc);
    return 0;
  }
  COUNT((int i = once(0); i < once(10); i += once(3)), 4);
  CHECK_EQUAL(evaluations, 3);
  int n = 10, step = 2;
  cilk_for(int i = 0; i < n; i += step) {
    __atomic_add_fetch(&evaluations, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&n, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&step, 0, __ATOMIC_RELAXED);
  }
  CHECK_EQUAL(evaluations, 8);

  COUNT((unsigned i = UINT_MAX - 5; i < UINT_MAX; i += 4), 2);
  COUNT((unsigned i = 5; i > 0; i -= 4), 2);
  COUNT((unsigned long i = 0; i <= ULONG_MAX; i += 1UL << 61), 8);
  COUNT((long i = LONG_MAX; i >= LONG_MIN; i -= 1L << 61), 8);
  COUNT((unsigned char i = 250; i <= 255; i++), 6);
  COUNT((signed char i = -128; i <= 127; i++), 256);
  COUNT((char *p = 0; p < (char *)100; p += 30), 4);
  return 0;
}
