/*===- batches.c - Activations that stay in place -------------------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -O2 -fchan-batch -fno-chan-reductions -fchan-lanes=4 --emit=mlir %s | FileCheck %s
// RUN: cilk2chan -fcilk-serialize -O1 %s -o %t.serial
// RUN: %t.serial > %t.want
// RUN: cilk2chan -O2 -march=x86-64-v2 -fchan-batch -fno-chan-reductions -fchan-lanes=2 %s -o %t.2
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.stats %t.2 | diff %t.want -
// RUN: FileCheck %s --check-prefix=STATS < %t.stats
// RUN: CHAN_WORKERS=8 CHAN_WIDTH=1 %t.2 | diff %t.want -
// RUN: cilk2chan -O1 -march=native -fchan-batch -fchan-lanes=16 %s -o %t.16
// RUN: CHAN_WORKERS=1 %t.16 | diff %t.want -
// RUN: CHAN_WORKERS=2 CHAN_WIDTH=65 %t.16 | diff %t.want -
// RUN: CHAN_WORKERS=8 %t.16 | diff %t.want -
// RUN: cilk2chan -O1 -march=native -fchan-batch -fno-chan-reductions -fchan-lanes=64 -fno-chan-serial-clones %s -o %t.64
// RUN: CHAN_WORKERS=1 %t.64 | diff %t.want -
// RUN: CHAN_WORKERS=4 CHAN_WIDTH=100 %t.64 | diff %t.want -
// RUN: cilk2chan -O2 -march=native -fchan-batch %s -o %t.chosen
// RUN: %t.chosen | diff %t.want -

// Most tasks are in batches, also those at the end of a long thin branch.
// STATS: {{^cilk2chan: [0-9]+ tasks by kernels, [0-9]{6,} in batches, [0-9]+ with all their children by serial clones$}}

// All of them have phases; those that come to a site twice, or spawn after a
// sync, have receivers.
// CHECK-DAG: chan.stack entry @fib.entry{{.*}} batch [@fib.batch.0, @fib.batch.1]{{( uniform .*)?}} :
// CHECK-DAG: chan.stack entry @treeSum.entry{{.*}} batch [@treeSum.batch.0, @treeSum.batch.1] prefetched ["a0"] :
// CHECK-DAG: chan.stack entry @either.entry{{.*}} batch [@either.batch.0, @either.batch.1, @either.batch.2]{{( uniform .*)?}} :
// CHECK-DAG: chan.stack entry @chain.entry{{.*}} batch [@chain.batch.0, @chain.batch.1] uniform ["a0"] :
// CHECK-DAG: chan.stack entry @knapsack.entry{{.*}} batch [@knapsack.batch.0, @knapsack.batch.1, @knapsack.batch.2, @knapsack.batch.result.0, @knapsack.batch.result.1] result_handlers 2 uniform ["a0", "a1", "a2"] :
// CHECK-DAG: chan.stack entry @queens.entry{{.*}} batch [@queens.batch.0, @queens.batch.1, @queens.batch.result.0] result_handlers 1 uniform ["a0"] :
// CHECK-DAG: chan.stack entry @series.entry{{.*}} result_handlers 1{{( uniform .*)?}} :
// CHECK-DAG: chan.stack entry @twice.entry{{.*}} result_handlers 3{{( uniform .*)?}} :
// CHECK-DAG: chan.stack entry @mark.entry{{.*}} result_handlers 0{{( uniform .*)?}} :
// CHECK-DAG: chan.stack entry @bytes.entry{{.*}} result_handlers 1{{( uniform .*)?}} :
// CHECK-DAG: chan.stack entry @any.entry{{.*}} batch [@any.batch.0, @any.batch.1]{{( uniform .*)?}} :
// CHECK-DAG: chan.stack entry @wide.entry{{.*}} result_handlers 1{{( uniform .*)?}} :
// CHECK-DAG: chan.stack entry @divided.entry{{.*}} result_handlers 1 uniform ["a0"] :
// CHECK-DAG: chan.stack entry @keyed.entry{{.*}} batch [@keyed.batch.0, @keyed.batch.1] uniform ["a0", "a2", "a3", "a4"] :
// CHECK-DAG: chan.stack entry @assigned.entry{{.*}} batch
// CHECK-DAG: chan.stack entry @best.entry{{.*}} batch
// CHECK-DAG: chan.stack entry @even.entry{{.*}} batch
// CHECK-DAG: chan.stack entry @odd.entry{{.*}} batch
// CHECK-DAG: chan.stack entry @tables.entry{{.*}} batch [@tables.batch.0, @tables.batch.1] :

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}

typedef struct Node {
  struct Node *left, *right;
  int value;
} Node;

static unsigned state = 12345;
static unsigned next(void) {
  state = state * 1103515245 + 12345;
  return state >> 16;
}

static Node *grow(int depth) {
  if (depth == 0 || next() % 9 == 0)
    return NULL;
  Node *node = malloc(sizeof *node);
  node->value = next() % 100;
  node->left = grow(depth - 1);
  node->right = grow(depth - 1);
  return node;
}

// Reads memory of the lanes that have any.
static int treeSum(const Node *node) {
  if (!node)
    return 0;
  int left = cilk_spawn treeSum(node->left);
  int right = cilk_spawn treeSum(node->right);
  cilk_sync;
  return left + right + node->value;
}

// Lanes wait at different syncs; what is live across them differs.
static int either(int n) {
  int x = 7;
  if (n <= 0)
    return 1;
  if (n % 3 == 0) {
    x = cilk_spawn either(n - 1);
    int y = either(n - 3);
    cilk_sync;
    return (x ^ y) + n;
  }
  int z = cilk_spawn either(n - 2);
  cilk_sync;
  return (z + x) % 1001;
}

// Deeper than batches go, with one element at a time.
static int chain(int n) {
  if (n == 0)
    return 1;
  int rest = cilk_spawn chain(n - 1);
  cilk_sync;
  return rest + 1;
}

static long knapsack(const int *weights, const int *values, int count,
                     int room) {
  if (count == 0)
    return 0;
  long without = cilk_spawn knapsack(weights + 1, values + 1, count - 1, room);
  long with = 0;
  if (weights[0] <= room)
    with = values[0] + knapsack(weights + 1, values + 1, count - 1,
                                room - weights[0]);
  cilk_sync;
  return with > without ? with : without;
}

static int queens(unsigned all, unsigned columns, unsigned left,
                  unsigned right) {
  if (columns == all)
    return 1;
  int count = 0;
  for (unsigned free = all & ~(columns | left | right); free;
       free &= free - 1) {
    unsigned bit = free & -free;
    count += cilk_spawn queens(all, columns | bit, (left | bit) << 1,
                               (right | bit) >> 1);
  }
  cilk_sync;
  return count;
}

// The order of additions counts.
static double series(int depth, int seed) {
  double sum = 0;
  if (depth == 0)
    return seed * 0.1;
  for (int i = 0; i < seed % 5; i++)
    sum += cilk_spawn series(depth - 1, seed * 3 + i);
  cilk_sync;
  return sum * 0.5 + 1;
}

static long twice(int n) {
  if (n < 2)
    return n;
  long a = cilk_spawn twice(n - 1);
  cilk_sync;
  long b = cilk_spawn twice(n - 2 - (a & 1));
  long c = twice(n - 3);
  cilk_sync;
  return a + b * 3 + c;
}

static int marks[1 << 14];
static void mark(int first, int count, int depth) {
  if (depth == 0) {
    for (int i = 0; i < count; i++)
      marks[first + i] += i;
    return;
  }
  marks[first]++;
  for (int i = 0; i < 4; i++)
    cilk_spawn mark(first + i * (count / 4), count / 4, depth - 1);
  cilk_sync;
  marks[first] ^= 5;
}

static unsigned char bytes(unsigned char x, int depth) {
  unsigned char all = x;
  if (depth == 0)
    return x * 7;
  for (int i = 0; i < 3; i++)
    all ^= cilk_spawn bytes(x + i * depth, depth - 1);
  cilk_sync;
  return all;
}

static bool any(int first, int last) {
  bool found = false;
  if (last - first < 2)
    return first == 777;
  int middle = (first + last) / 2;
  found |= cilk_spawn any(first, middle);
  found |= cilk_spawn any(middle, last);
  cilk_sync;
  return found;
}

// More children of one group than there is room for.
static long wide(int count, int depth) {
  long sum = 0;
  if (depth == 0)
    return count;
  for (int i = 0; i < count; i++)
    sum += cilk_spawn wide(3 + i % depth, depth - 1);
  cilk_sync;
  return sum + 1;
}

// The call waits for the child, whose result is assigned at the sync.
static unsigned assigned(unsigned n) {
  unsigned sum = n;
  if (n < 3)
    return 1;
  sum += cilk_spawn assigned(n - 1);
  unsigned other = assigned(n - 2);
  cilk_sync;
  return sum * 3 + other;
}

// Results go to places that the parent knows when it spawns.
static int best(const int *moves, int depth, int sign) {
  int values[6];
  if (depth == 0)
    return sign * moves[0] % 17;
  int count = 1 + moves[depth] % 6;
  for (int i = 0; i < count; i++)
    values[count - 1 - i] = cilk_spawn best(moves + i, depth - 1, -sign);
  cilk_sync;
  int most = -100;
  for (int i = 0; i < count; i++)
    if (-values[i] > most)
      most = -values[i] + i;
  return most;
}

static int odd(int n, int spread);
static int even(int n, int spread) {
  if (n <= 0)
    return spread;
  int x = cilk_spawn odd(n - 1, spread + 1);
  int y = cilk_spawn odd(n - 3, spread ^ 2);
  cilk_sync;
  return x - y;
}
static int odd(int n, int spread) {
  if (n <= 0)
    return -spread;
  int x = cilk_spawn even(n - 2, spread * 3);
  int y = cilk_spawn even(n - 1, spread - 1);
  cilk_sync;
  return x ^ y;
}

// The order counts: a parent must not assign the results of children that end
// at once before those of others.
static int divided(int depth, unsigned seed) {
  int rest = 1 << 30;
  if (depth == 0 || seed % 3 == 0)
    return 2 + seed % 2;
  for (unsigned i = 0; i < 5; i++)
    rest = rest % 1000000007 + (1 << 28);
  for (unsigned i = 0; i < 4; i++)
    rest /= cilk_spawn divided(depth - 1, seed * 5 + i);
  cilk_sync;
  return rest % 5 + 2;
}

// What a batch has in common: integers of several widths, and what is computed
// of them; others are of another batch.  Signed sums in any order.
static int keyed(char key, int node, short level, double scale, bool flag) {
  int sum = node;
  if (level == 0 || node % 7 == 3)
    return (int)(key * scale) + flag;
  if (flag)
    sum += cilk_spawn keyed(key, node * 2, level - 1, scale * 1.5, !flag);
  else
    sum -= cilk_spawn keyed(key, node * 3, level - 1, scale * 1.5, !flag);
  sum += cilk_spawn keyed(key, node * 2 + 1, level - 1, scale * 1.5, !flag);
  cilk_sync;
  return sum % 1000;
}

// Arrays that outlive a sync, at indices that lanes have in common and at their
// own; of the second, only a part of what the first phase stores is looked at.
static unsigned tables(unsigned n) {
  unsigned kept[6];
  struct {
    short a, b;
  } pairs[4];
  if (n < 5)
    return n * 7;
  for (unsigned i = 0; i < 6; i++)
    kept[i] = n * (i + 1) ^ n >> i;
  for (unsigned i = 0; i < 4; i++) {
    pairs[i].a = (short)(n >> i);
    pairs[i].b = (short)(n * i);
  }
  unsigned x = cilk_spawn tables(n / 2);
  unsigned y = cilk_spawn tables(n - n / 2 - 2);
  kept[n % 6] += 5;
  if (n % 3 == 0)
    pairs[n & 3].b = 9;
  cilk_sync;
  unsigned sum = kept[x % 6];
  for (unsigned i = 0; i < 6; i++)
    sum = sum * 7 + kept[i];
  return sum + x * 3 + y + (unsigned short)pairs[y & 3].a + (unsigned short)pairs[2].b;
}

int main(void) {
  printf("fib %d %d %d\n", fib(0), fib(7), fib(25));
  static Node *tree; // reachable to the end
  tree = grow(16);
  printf("treeSum %d %d\n", treeSum(tree), treeSum(NULL));
  printf("either %d %d\n", either(40), either(1));
  printf("chain %d %d\n", chain(3), chain(100000));
  int weights[16], values[16];
  for (int i = 0; i < 16; i++) {
    weights[i] = next() % 50 + 1;
    values[i] = next() % 90;
  }
  printf("knapsack %ld\n", knapsack(weights, values, 16, 250));
  printf("queens %d %d\n", queens(1, 0, 0, 0), queens((1 << 9) - 1, 0, 0, 0));
  printf("series %.17g\n", series(9, 14));
  printf("twice %ld\n", twice(22));
  mark(0, 1 << 14, 5);
  long sum = 0;
  for (int i = 0; i < 1 << 14; i++)
    sum += marks[i] * (i % 11);
  printf("mark %ld\n", sum);
  printf("bytes %d\n", bytes(77, 9));
  printf("any %d %d\n", any(0, 1000), any(0, 777));
  printf("wide %ld %ld\n", wide(20000, 2), wide(30, 4));
  printf("assigned %u\n", assigned(20));
  int moves[64];
  for (int i = 0; i < 64; i++)
    moves[i] = next();
  printf("best %d\n", best(moves, 8, 1));
  printf("divided %d\n", divided(8, 1));
  int keys[300];
  for (int i = 0; i < 300; i++)
    keys[i] = cilk_spawn keyed(i / 4, i, 3 + i % 9 / 4, i % 2 + 0.25, i % 5);
  cilk_sync;
  for (int i = 0; i < 300; i++)
    printf("%d ", keys[i]);
  printf("keyed %d\n", keyed(3, 1, 14, 0.1, true));
  printf("even %d\n", even(24, 1));
  printf("tables %u\n", tables(40000));
}
