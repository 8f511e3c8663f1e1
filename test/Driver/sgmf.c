//===- sgmf.c - Kernels as one graph each ------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program whose kernels a machine of kind `sgmf` holds gives the same result as
// on the host. One that it does not hold is refused at the kernel's line.
//
// RUN: cilk2chan -O2 %s -o %t.host && %t.host > %t.expected
// RUN: cilk2chan -O2 --target=vgiw --machine=micro15-sgmf %s -o %t.sgmf
// RUN: env CHANSIM_STATS=%t.json %t.sgmf | diff %t.expected -
// RUN: FileCheck --check-prefix=STATS %s < %t.json
// STATS: "fabric.steered"
// STATS: "value": {{[1-9]}}
// STATS: "sgmf.threads"
// STATS: "value": {{[1-9]}}
//
// A kernel for several ranges needs some more units. If the machine does not hold it, it
// is left out.
// RUN: cilk2chan -O2 --target=vgiw --emit=config --machine=micro15-sgmf %s -o %t.config
// RUN: %python -c 'import json, sys; [print(k["source"], k["launch"]) for k in json.load(open(sys.argv[1]))["kernels"]]' %t.config | FileCheck --check-prefix=KERNELS %s
// KERNELS-DAG: arms ranges
// KERNELS-DAG: wide range{{$}}
// KERNELS-NOT: wide ranges
//
// RUN: not cilk2chan -O2 -g -DWRITES --emit=vgiw --machine=micro15-sgmf %s \
// RUN:   -o %t.none 2>&1 | FileCheck --check-prefix=WRITES %s
// WRITES: sgmf.c:[[#]]:{{[0-9]+}}: error: 'twice' cannot run on this machine: it {{.*}}, and later may spawn a task or start a loop; if there is no room for that task, the thread starts over, and would do the former twice
// WRITES: sgmf.c:[[#]]:{{[0-9]+}}: note: machines of kind 'sgmf' have this limit; take one of kind 'vgiw': '--machine=micro15-vgiw'
//
// RUN: not cilk2chan -O2 -g -DLARGE --emit=vgiw --machine=micro15-sgmf %s \
// RUN:   -o %t.none 2>&1 | FileCheck --check-prefix=LARGE %s
// LARGE: sgmf.c:[[@LINE+63]]:3: error: the cilk_for in 'large' cannot run on this machine: it needs {{[0-9]+}} {{[-A-Z]+}} units ({{[a-z ]+}}), and machine 'micro15-sgmf' has {{[0-9]+}}
// LARGE: sgmf.c:[[#]]:3: note: a machine of kind 'sgmf' holds all of it at once; make it shorter, or take a machine of kind 'vgiw', which divides it: '--machine=micro15-vgiw'
//
// Without debug information, and by a link, the places are those of functions and loops.
// The names are those of C.
// RUN: not cilk2chan -O2 -DWRITES -DLARGE --target=vgiw --machine=micro15-sgmf %s \
// RUN:   -o %t.none 2>&1 | FileCheck --check-prefixes=LARGE,PLAIN --implicit-check-not='loc(' --implicit-check-not=__cilk --implicit-check-not=channel %s
// PLAIN: cilk2chan: error: the program cannot run on machine 'micro15-sgmf'

#include <stdio.h>
#include <stdlib.h>

/* A choice with stores. */
static void arms(int n, const int *a, int *b) {
  cilk_for (int i = 0; i < n; i++) {
    if (a[i] > 0)
      b[i] = a[i] * 3;
    else
      b[i] ^= i / 7;
  }
}

/* A loop whose length depends on the data. */
static void sums(int n, const int *a, const int *b, int *sums) {
  cilk_for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = a[i]; j > 0; j--)
      sum += b[j];
    sums[i] = sum;
  }
}

/* A loop that reads what it has written. */
static void prefixes(int n, int *a, int width) {
  cilk_for (int i = 0; i < n; i++) {
    int *row = a + i * width;
    for (int j = 1; j < width; j++)
      row[j] += row[j - 1];
  }
}

/* As many operations as there are units for them. */
static void wide(int n, const int *a, int *out) {
  cilk_for (int i = 0; i < n; i++) {
    unsigned x = a[i];
#define MIX(k) x = (x ^ k) + (x >> k);
    MIX(1) MIX(2) MIX(3) MIX(4) MIX(5) MIX(6) MIX(7) MIX(8) MIX(9) out[i] = x;
  }
}

#ifdef WRITES
static int twice(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn twice(n - 1);
  int b = cilk_spawn twice(n - 2);
  cilk_sync;
  return a + b;
}
#endif

#ifdef LARGE
static void large(int n, double *a) {
  cilk_for (int i = 0; i < n; i++) {
    double x = a[i];
#define STEP(k) x = x * (a[(i * k) % n] + x) - k / (x + k);
    STEP(1)
    STEP(2)
    STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) a[n + i] = x;
  }
}
#endif

int main(void) {
  int n = 1000, *a = calloc(4 * n, sizeof(int)), *b = a + n;
  for (int i = 0; i < n; i++)
    a[i] = i * 37 % 101 - 50;
  arms(n, a, b);
  sums(n, a, b, a + 2 * n);
  prefixes(n / 10, a + 2 * n, 10);
  wide(n, a + 2 * n, b);
#ifdef WRITES
  printf("%d\n", twice(5));
#endif
#ifdef LARGE
  double *d = calloc(2 * n, sizeof(double));
  large(n, d);
  printf("%f\n", d[n]);
#endif
  unsigned sum = 0;
  for (int i = 0; i < 3 * n; i++)
    sum = sum * 31 + a[i];
  printf("%u\n", sum);
  free(a);
}
