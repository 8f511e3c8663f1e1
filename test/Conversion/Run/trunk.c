/*===- trunk.c - A long recursion with little at its sides ----------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// Another worker wants work all the time, and what there is is over before he
// is awake: he is offered it less and less often (RuntimeStealBackoffTest.cpp).
// RUN: cilk2chan -O2 -fno-chan-serial-clones %s -o %t
// RUN: CHAN_WORKERS=2 %t | FileCheck %s

// With serial clones it is left to these for some time, though nobody would find
// anything else meanwhile: otherwise kernels would run all of it.
// RUN: cilk2chan -O2 -fchan-stats -DPLAIN %s -o %t.plain
// RUN: for workers in 2 8; do CHAN_WORKERS=$workers CHAN_STATS=%t.$workers %t.plain | FileCheck --check-prefix=PLAIN %s || exit 1; done
// RUN: cat %t.2 %t.8 | FileCheck --check-prefix=STATS %s
// STATS-COUNT-2: of {{[0-9]+}} tasks {{[1-4]?[0-9]\.[0-9]+}} % in kernels

#include <cilk/cilk.h>
#include <stdio.h>

static long comb(long length) {
  if (length <= 0)
    return 1;
  long side = cilk_spawn comb(length % 7 ? 0 : 3);
  long below = cilk_spawn comb(length - 1);
  cilk_sync;
  return side + below;
}

#ifdef PLAIN
// A call comes before what could run beside each other.
static long male(int n);
static long female(int n) {
  if (n < 2)
    return 1;
  long x = female(n - 1) % n;
  long a = cilk_spawn male(n / 2);
  long b = cilk_spawn female(n / 3);
  cilk_sync;
  return x + a - b;
}
static long male(int n) {
  if (n < 2)
    return 0;
  long x = male(n - 1) % n;
  long a = cilk_spawn female(n / 2);
  long b = cilk_spawn male(n / 3);
  cilk_sync;
  return x - a + 2 * b;
}

int main(void) {
  // PLAIN: {{^}}-111{{$}}
  printf("%ld\n", female(150));
  return 0;
}
#else
int main(void) {
  // CHECK: 1428572
  printf("%ld\n", comb(1000000));
  return 0;
}
#endif
