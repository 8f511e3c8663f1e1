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

// With AVX2 lanes load their pointers one after the other and store them side by
// side, for children of which an element has one on average, not two of four.
// AVX512-DAG: 'height.batch.0' treats 16 elements at a time
// AVX2-DAG: 'height.batch.0' is not used for batches: that takes about
struct node {
  struct node *child[4];
};
int height(const struct node *at) {
  int of[4], most = 0;
  cilk_for (int i = 0; i < 4; i++)
    of[i] = at->child[i] ? 1 + height(at->child[i]) : 0;
  for (int i = 0; i < 4; i++)
    most = of[i] > most ? of[i] : most;
  return most;
}

// Lanes of the widest registers that gain a fifth by the estimate gain it, and
// more, of trees; of chains there are few elements at a time.
// AVX512-DAG: 'around.batch.0' treats 16 elements at a time
// AVX2-DAG: 'around.batch.0' treats 8 elements at a time
unsigned around(int n, unsigned s) {
  if (n <= 0)
    return s;
  unsigned r[6] = {1, 2, 3, 4, 5, 6}, sum = s;
  r[s % 6] = 77;
  for (unsigned i = 0; i < 2; i++)
    r[(s + i + 1) % 6] = cilk_spawn around(n - 1, s + i * 37);
  r[(s + 3) % 6] = cilk_spawn around(n - 1, s ^ r[s % 6]);
  r[(s + 4) % 6] += 9;
  cilk_sync;
  for (unsigned i = 0; i < 6; i++)
    sum = sum * 31 + r[i];
  return sum + r[(s + 1) % 6];
}
// CHECK-DAG: 'ackermann.batch.0' is not used for batches: that takes about
long ackermann(long m, long n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  long inner = cilk_spawn ackermann(m, n - 1);
  cilk_sync;
  return ackermann(m - 1, inner);
}
