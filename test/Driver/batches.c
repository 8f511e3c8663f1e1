// batches.c - Batch forms: the switches, and what the compiler says of them.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Off without optimisation, for machines, and on demand; the last switch counts.
// RUN: cilk2chan -mavx512f --emit=mlir %s | FileCheck --check-prefix=OFF %s
// RUN: cilk2chan -O2 -mavx512f -fchan-batch -fno-chan-batch --emit=mlir %s | FileCheck --check-prefix=OFF %s
// RUN: cilk2chan -O0 -mavx512f -fchan-batch --emit=mlir %s | FileCheck --check-prefix=OFF %s
// RUN: cilk2chan -O2 --target=vgiw -fchan-batch --emit=mlir %s | FileCheck --check-prefix=OFF %s
// OFF-NOT: .batch.
// OFF-NOT: lanes

// Phases have lanes, other kernels have none.
// RUN: cilk2chan -O1 -mavx512f --emit=mlir %s | FileCheck --check-prefix=ON %s
// RUN: cilk2chan -O2 -mavx512f -fno-chan-batch -fchan-batch --emit=mlir %s | FileCheck --check-prefix=ON %s
// RUN: cilk2chan -O2 -fchan-batch -fchan-lanes=4 --emit=mlir %s | FileCheck --check-prefix=FOUR %s
// ON-DAG: chan.kernel @fib.batch.0 {{.*}} phase 0 lanes 16
// ON-DAG: chan.kernel @fib.batch.1 {{.*}} phase 1 lanes 16
// ON-DAG: chan.kernel @fib.0 {{.*}} frame {{[0-9]+}} source
// FOUR: chan.kernel @fib.batch.0 {{.*}} phase 0 lanes 4

// Their code has no call, and no gather or scatter.
// RUN: cilk2chan -O2 -mavx512f -fchan-batch -S %s -o - | FileCheck --check-prefix=CODE %s
// CODE-LABEL: fib.batch.0:
// CODE-NOT: call
// CODE-NOT: scatter
// CODE: vpcompressd
// CODE: vpcompressd
// CODE: vzeroupper
// CODE-LABEL: fib.batch.1:
// CODE-NOT: call
// CODE-NOT: gather
// CODE: vpexpandd
// CODE: vpexpandd
// CODE: vzeroupper

// RUN: cilk2chan -O2 -mavx512f -fchan-batch -Rpass=chan -Rpass-missed=chan -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK-DAG: batches.c:[[@LINE+8]]:1: remark: 'fib.batch.0' treats 16 elements at a time [-Rpass=chan-simd]
// CHECK-DAG: batches.c:[[@LINE+24]]:3: remark: 'log_all.batch.0' is not used for batches: it calls 'log_one', which is not in this file [-Rpass-missed=chan-simd]
// CHECK-DAG: batches.c:[[@LINE+31]]:5: remark: 'repeat' has no batch form: there is a sync in a loop [-Rpass-missed=chan-batch]
// CHECK-DAG: batches.c:[[@LINE+34]]:1: remark: 'starts_log.batch.0' is not used for batches: 'log_all', which it spawns, is not either [-Rpass-missed=chan-simd]
// RUN: cilk2chan -O2 -mavx512f -fchan-batch --emit=mlir %s | FileCheck --check-prefix=NEITHER %s
// NEITHER-NOT: @starts_log.batch
// NEITHER-NOT: @log_all.batch

int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}

// What spawns many of them keeps their results apart.
void fibs(int *result, int n) {
  for (int i = 0; i < n; ++i)
    result[i] = cilk_spawn fib(i);
}

void log_one(int);
void log_all(int n) {
  log_one(n);
  cilk_spawn log_all(n / 2);
  log_all(n / 3);
}

void repeat(int n) {
  for (int i = 0; i < n; i++) {
    cilk_spawn repeat(i);
    cilk_sync;
  }
}

void starts_log(int n) {
  if (n > 100)
    return;
  cilk_spawn log_all(n);
  cilk_spawn log_all(n * 3 + (n ^ 5));
}

// What may take long for one activation has no batch form unless that is asked
// for: where there are only a few of them, most lanes would be idle. A loop of
// spawns is none.
// RUN: cilk2chan -O2 -mavx512f -Rpass-missed=chan-batch -c %s -o %t.o 2>&1 | FileCheck --check-prefix=LONG %s
// RUN: cilk2chan -O2 -mavx512f --emit=mlir %s | FileCheck --check-prefix=SHORT %s
// RUN: cilk2chan -O2 -mavx512f -fchan-batch --emit=mlir %s | FileCheck --check-prefixes=SHORT,ASKED %s
// LONG: batches.c:[[@LINE+14]]:5: remark: 'steps' has no batch form: it has a loop that does not spawn and may be long; -fchan-batch gives it one
// LONG-NOT: '{{(spread|kept)}}' has no
// ASKED: chan.kernel @steps.batch.reduce
// SHORT: chan.kernel @spread.batch.reduce {{.*}} phase 0 lanes
// SHORT: chan.kernel @counts.batch.0
// SHORT: chan.kernel @bits.batch.0
// SHORT: chan.kernel @array.batch.0
// LONG: batches.c:[[@LINE+83]]:5: remark: 'nested' has no batch form
// LONG: 'strange' has no batch form
// LONG: 'gathers' has no batch form: in a loop each activation goes through memory of its own choice, which is no faster in lanes; -fchan-batch gives it one
// LONG: 'gives' has no batch form
int steps(unsigned n, int depth) {
  int count = 0;
  if (depth == 0) {
    for (; n > 1; n = n % 2 ? 3 * n + 1 : n / 2)
      ++count;
    return count;
  }
  int x = cilk_spawn steps(n * 2, depth - 1);
  int y = steps(n * 2 + 1, depth - 1);
  cilk_sync;
  return x > y ? x : y;
}
int spread(int n) {
  int sum = 1;
  for (int i = 0; i < n; ++i)
    sum += cilk_spawn spread(i);
  cilk_sync;
  return sum;
}

// Loops that are known to be short.
int counts(int n) {
  if (n < 2)
    return n;
  int sum = 0;
  for (int i = 10; i > 0; i -= 3)
    sum ^= i * n;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j != 4; ++j)
      sum += i * j ^ n;
  int x = cilk_spawn counts(n - 1);
  int y = cilk_spawn counts(n - 2);
  cilk_sync;
  return sum - x - y;
}
int bits(unsigned n) {
  if (n < 2)
    return n;
  int sum = 0;
  for (unsigned m = n; m; m &= m - 1)
    sum = 3 * sum + m;
  for (unsigned m = n; m; m >>= 2)
    sum = 5 * sum + m;
  int x = cilk_spawn bits(n - 1);
  int y = cilk_spawn bits(n - 2);
  cilk_sync;
  return sum - x - y;
}
int array(int n) {
  int values[16], count = 0;
  for (int i = 0; i < n % 16; ++i)
    values[count++] = cilk_spawn array(n - i - 1);
  cilk_sync;
  int best = -1;
  for (int i = 0; i < count; ++i)
    if (-values[i] > best)
      best = -values[i];
  return best;
}
// It comes back to one place in memory.
int kept(int n, int *total) {
  if (n < 2)
    return n;
  int values[8] = {0}, sum = 0;
  for (int i = 0; i < 8 && i < n; ++i)
    sum += cilk_spawn kept(n - i - 1, &values[i]);
  cilk_sync;
  *total = 0;
  for (int i = 0; i < n; ++i)
    *total += values[i];
  return sum;
}

// These are not.
int nested(int n) {
  if (n < 2)
    return n;
  int sum = 0;
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j)
      sum += i * j ^ n;
  int x = cilk_spawn nested(n - 1);
  int y = cilk_spawn nested(n - 2);
  cilk_sync;
  return sum - x - y;
}
int strange(int n) {
  if (n < 2)
    return n;
  int sum = 0;
  for (int i = 0; i != n; i += 2)
    sum += i ^ n;
  int x = cilk_spawn strange(n - 1);
  int y = cilk_spawn strange(n - 2);
  cilk_sync;
  return sum - x - y;
}
static signed char grid[64 * 64];
int gathers(int n, int at) {
  if (n < 2)
    return n;
  int sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += grid[at + i] > 0;
  int x = cilk_spawn gathers(n - 1, at + sum);
  int y = cilk_spawn gathers(n - 2, at + 1);
  cilk_sync;
  return sum + x + y;
}

// Bytes that others know of lie as in C, where a loop around them is fast.
unsigned gives(const char *given, int left) {
  char own[8][25];
  unsigned sum = left == 0;
  for (int i = 0; i < left && i < 8; ++i) {
    for (int j = 0; j < 25; ++j)
      own[i][j] = given[j] + 1;
    sum += cilk_spawn gives(own[i], left - 1);
  }
  cilk_sync;
  return sum;
}
