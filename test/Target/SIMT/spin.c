// spin.c - Threads of one warp take a lock that the program spins on.
//
// The lock is released behind the loop in which the others spin, at the place where
// the threads of the warp would meet: the holder does not wait for them there.
//
// RUN: cilk2chan -O2 --target=simt %s -o %t
// RUN: env CHANSIM_STATS=%t.json %t | FileCheck %s
// RUN: %python %S/../VGIW/Inputs/statistics.py %t.json | FileCheck %s --check-prefix=STATS
// RUN: cilk2chan -O0 --target=simt %s -o %t.0 && %t.0 | FileCheck %s
// RUN: env CHANSIM_SET=cores=2 %t | FileCheck %s

#include <cilk/cilk.h>
#include <stdio.h>

static int held;
static long sum;

static void add(int n) {
  cilk_for (int i = 0; i < n; ++i) {
    while (__atomic_exchange_n(&held, 1, __ATOMIC_ACQUIRE))
      ;
    sum += i;
    __atomic_store_n(&held, 0, __ATOMIC_RELEASE);
  }
}

int main(void) {
  add(200);
  // CHECK: sum 19900
  printf("sum %ld\n", sum);
}

// STATS: simt.separations {{[1-9]}}
