/*===- arrays.c - Small arrays that tasks give their children -------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -fcilk-serialize -O1 %s -o %t.serial
// RUN: %t.serial > %t.want
// RUN: cilk2chan -O2 -march=native %s -o %t.native
// RUN: CHAN_WORKERS=1 %t.native | diff %t.want -
// RUN: CHAN_WORKERS=2 %t.native | diff %t.want -
// RUN: CHAN_WORKERS=8 CHAN_WIDTH=3 %t.native | diff %t.want -
// RUN: cilk2chan -O1 -fchan-batch -g %s -o %t.any
// RUN: CHAN_WORKERS=2 %t.any | diff %t.want -
// RUN: cilk2chan -O2 -march=x86-64-v3 -fchan-batch -fchan-lanes=32 %s -o %t.32
// RUN: CHAN_WORKERS=1 %t.32 | diff %t.want -
// RUN: CHAN_WORKERS=4 CHAN_WIDTH=1 %t.32 | diff %t.want -
// RUN: cilk2chan -O2 -march=x86-64 -fchan-batch -fno-chan-reductions -fno-chan-serial-clones %s -o %t.phases
// RUN: CHAN_WORKERS=1 %t.phases | diff %t.want -
// RUN: CHAN_WORKERS=3 %t.phases | diff %t.want -
// RUN: cilk2chan -O2 -march=native -fchan-batch -fno-chan-by-value %s -o %t.pointers
// RUN: CHAN_WORKERS=2 %t.pointers | diff %t.want -
// RUN: cilk2chan -O0 %s -o %t.debug
// RUN: %t.debug | diff %t.want -

// RUN: cilk2chan -c -O2 -fchan-batch -Rpass=chan-arrays %s -o %t.o 2>&1 | sort -t: -k2n | FileCheck %s
// RUN: cilk2chan -O2 -march=x86-64-v4 -fchan-batch -fchan-lanes=16 --emit=mlir %s | FileCheck --check-prefix=BATCH %s
// What the array's size decides is a call that lanes come to.
// BATCH-DAG: chan.kernel @queens.byval.batch.reduce
// BATCH-DAG: chan.kernel @partitions.byval.batch.0
// BATCH-DAG: chan.kernel @subsets.byval.batch.0
// BATCH-DAG: chan.kernel @reached.byval.batch.reduce
// The first activation goes through memory of its caller's, which is no reason
// to have all others without lanes.  It has none, nor a serial clone, which
// would have no use for theirs.
// RUN: cilk2chan -O2 -march=x86-64-v4 --emit=mlir %s | FileCheck --check-prefix=DEFAULT %s
// DEFAULT-NOT: chan.kernel @reached.batch
// DEFAULT: chan.kernel @reached.byval.batch.reduce
// DEFAULT: chan.stack entry @reached.entry({{.*}}) function @reached :

#include <alloca.h>
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Boards of bytes; deeper than 16 rows it runs as it was.
// CHECK: :[[#@LINE+1]]:{{.*}}: remark: activations of 'queens' pass arrays by value: parameter 3 (16 times 1 bytes); where these have more than 16 parts, it passes them by address
static int queens(int n, int rows, const char *board) {
  // Has the name that the function as it was would have.
  static int whole = 1;
  if (rows == n)
    return whole;
  int *count = (int *)alloca(n * sizeof(int));
  memset(count, 0, n * sizeof(int));
  for (int i = 0; i < n; ++i) {
    char *next = (char *)alloca(rows + 1);
    memcpy(next, board, rows);
    next[rows] = (char)i;
    int safe = 1;
    for (int row = 0; row < rows && safe; ++row) {
      int distance = i - next[row];
      safe = distance && distance != rows - row && distance != row - rows;
    }
    if (safe)
      // CHECK: arrays.c:[[#@LINE+1]]:18: remark: results that are only combined after the sync are combined as they come
      count[i] = cilk_spawn queens(n, rows + 1, next);
  }
  cilk_sync;
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += count[i];
  return sum;
}

// Words of 4 bytes, in a loop of their own, and nothing is added up.
// CHECK: :[[#@LINE+1]]:{{.*}}: remark: activations of 'partitions' pass arrays by value: parameter 1 (16 times 4 bytes); where these have more than 16 parts, it passes them by address
static unsigned partitions(const int *parts, int count, int left, int most) {
  if (left == 0) {
    unsigned hash = 1;
    for (int i = 0; i < count; ++i)
      hash = hash * 31 + (unsigned)parts[i];
    return hash;
  }
  unsigned results[32], hash = 7;
  for (int next = 1; next <= most && next <= left; ++next) {
    int copy[count + 1];
    for (int i = 0; i < count; ++i)
      copy[i] = parts[i];
    copy[count] = next;
    results[next] = cilk_spawn partitions(copy, count + 1, left - next, next);
  }
  cilk_sync;
  for (int next = 1; next <= most && next <= left; ++next)
    hash = hash * 33 ^ results[next];
  return hash;
}

// An array of a known size, two children in turn, and no result.
// CHECK: :[[#@LINE+1]]:{{.*}}: remark: activations of 'subsets' pass arrays by value: parameter 1 (4 times 8 bytes) [-Rpass=chan-arrays]
static void subsets(const int64_t *state, int depth, int64_t *results, int at) {
  if (depth == 0) {
    results[at] = state[0] * 3 + state[1] * 5 + state[2] * 7 + state[3];
    return;
  }
  int64_t with[4], without[4];
  for (int i = 0; i < 4; ++i) {
    with[i] = state[i] + (i + 1) * depth;
    without[i] = state[i] ^ at;
  }
  cilk_spawn subsets(with, depth - 1, results, 2 * at);
  cilk_spawn subsets(without, depth - 1, results, 2 * at + 1);
  cilk_sync;
}

// Several children read one array; of their results the `or`.
// CHECK: :[[#@LINE+1]]:{{.*}}: remark: activations of 'reached' pass arrays by value: parameter 3 (8 times 2 bytes)
static unsigned reached(int depth, int salt, const short *marks) {
  short own[8];
  unsigned found[8];
  if (depth == 0)
    return 1u << ((marks[0] + 3 * marks[3] + salt * marks[7]) & 31);
  memset(found, 0, sizeof found);
  for (int i = 0; i < 8; ++i)
    own[i] = (short)(marks[7 - i] + salt * i);
  for (int i = 0; i < 5; ++i)
    if ((own[i] & 3) != 2)
      found[i] = cilk_spawn reached(depth - 1, i, own);
  cilk_sync;
  unsigned all = 0;
  for (int i = 0; i < 5; ++i)
    all |= found[i];
  return all;
}

// Results of several rounds, each of which has its sum.
static int rounds(int n) {
  int results[8] = {0}, sum = 1;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < n; ++i)
      results[i] = cilk_spawn rounds(i);
    cilk_sync;
    int all = 0;
    for (int i = 0; i < n; ++i)
      all += results[i];
    sum = sum * 3 + all;
  }
  return sum;
}

/* One that returns nothing, and ends with a call where arrays are by address. */
static int leaves[1 << 8];
void halves(int depth, int number) {
  int *own = alloca((depth + 1) * sizeof *own);
  own[depth] = number;
  if (depth == 0) {
    leaves[number] = number * 7 + own[0];
    return;
  }
  cilk_spawn halves(depth - 1, 2 * number);
  cilk_spawn halves(depth - 1, 2 * number + 1);
}

// Some activations have an array, all spawn.
// CHECK: :[[#@LINE+1]]:{{.*}}: remark: activations of 'sometimes' have arrays of their own in lanes; where
static unsigned sometimes(unsigned seed, int depth) {
  if (depth == 0)
    return seed & 255;
  if (seed & 12) {
    unsigned *own = alloca(4 * sizeof *own);
    for (int i = 0; i < 4; ++i)
      own[i] = seed >> i;
    seed = own[seed & 3];
  }
  unsigned x = cilk_spawn sometimes(seed * 5 + 1, depth - 1);
  unsigned y = cilk_spawn sometimes(seed * 3 + 2, depth - 1);
  cilk_sync;
  return x * 31 ^ y;
}

int main(void) {
  halves(7, 1);
  for (unsigned n = 0; n < 20; ++n)
    printf("sometimes(%u) = %u\n", n, sometimes(n, 6));
  int all = 0;
  for (int i = 0; i < 1 << 8; ++i)
    all = all * 31 + leaves[i] & 0xffffff;
  printf("halves = %d\n", all);
  char empty = 0;
  for (int n = 1; n < 9; ++n)
    printf("queens(%d) = %d\n", n, queens(n, 0, &empty));
  // Of 20 queens 13 are there, and so are the arrays too small.
  char some[20] = {0, 2, 4, 1, 3, 12, 14, 11, 17, 19, 16, 8, 15};
  printf("queens(20) = %d\n", queens(20, 13, some));
  // On the way they become so.
  char many[18] = {0, 2, 4, 1, 7, 14, 11, 15, 12, 16, 5, 17, 6};
  printf("queens(18) = %d\n", queens(18, 12, many));
  for (int n = 0; n < 6; ++n)
    printf("rounds(%d) = %d\n", n, rounds(n));
  int none = 0;
  for (int n = 1; n < 18; ++n)
    printf("partitions(%d) = %u\n", n, partitions(&none, 0, n, n));
  static int64_t results[1 << 9];
  int64_t state[4] = {1, 2, 3, 4}, sum = 0;
  subsets(state, 9, results, 0);
  for (int i = 0; i < 1 << 9; ++i)
    sum = sum * 31 + results[i];
  printf("subsets = %lld\n", (long long)sum);
  short marks[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (int depth = 0; depth < 4; ++depth)
    printf("reached(%d) = %x\n", depth, reached(depth, depth, marks));
  return 0;
}
