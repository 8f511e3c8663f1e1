// widest-lanes.c - Where lanes gain less than it seems.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -Wno-cilk -O3 -march=x86-64-v4 -Rpass=chan-simd \
// RUN:   -Rpass-missed=chan-simd -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck --check-prefixes=CHECK,AVX512 %s
// RUN: cilk2chan -Wno-cilk -O3 -march=x86-64-v3 -Rpass=chan-simd \
// RUN:   -Rpass-missed=chan-simd -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck --check-prefixes=CHECK,AVX2 %s

// Of registers of 512 bits processors compute with fewer at a time than they do
// scalar operations: lanes that choose among results, each in its own memory,
// took 1.1 to 1.5 times as long as the serial clone.
// CHECK-DAG: 'best.batch.0' is not used for batches: that takes about
int best(int n, unsigned seed) {
  int r[5], m = 0;
  if (n == 0)
    return seed % 17;
  for (int i = 0; i < 5; i++)
    r[i] = cilk_spawn best(n - 1, seed * 31 + i);
  cilk_sync;
  for (int i = 0; i < 5; i++)
    if (i % 2 ? r[i] > r[m] : r[i] >= r[m])
      m = i;
  return r[m] + m - r[(m + 2) % 5] / 2 + *(signed char *)r;
}

// Where all are of one size they stand side by side, as do their results.  But
// with AVX2 each lane loads by itself what is not.
// AVX512-DAG: 'good.batch.0' treats 16 elements at a time
// AVX2-DAG: 'good.batch.0' is not used for batches: that takes about
int good(int n, unsigned seed) {
  int r[5], m = 0;
  if (n == 0)
    return seed % 17;
  for (int i = 0; i < 5; i++)
    r[i] = cilk_spawn good(n - 1, seed * 31 + i);
  cilk_sync;
  for (int i = 0; i < 5; i++)
    if (i % 2 ? r[i] > r[m] : r[i] >= r[m])
      m = i;
  return r[m] + m - r[(m + 2) % 5] / 2;
}

// With AVX2 each masked store of results takes as long as everything else.
// AVX512-DAG: 'ways.batch.0' treats 16 elements at a time
// AVX2-DAG: 'ways.batch.0' is not used for batches: that takes about
int ways(int n) {
  switch (n) {
  case 0:
    return 1;
  case 1:
  case 2:
    return n;
  case 3:
    return 4;
  case -1:
  case -2:
    return 0;
  }
  int a = cilk_spawn ways(n - 1);
  int b = cilk_spawn ways(n - 2);
  int c = cilk_spawn ways(n - 3);
  cilk_sync;
  return (a + b + c) % 65521;
}
