/*===- lanes.c - Kernels that treat several elements at a time ------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -fcilk-serialize -O1 %s -o %t.serial
// RUN: %t.serial > %t.want
// RUN: cilk2chan -O2 -march=x86-64-v2 -fchan-batch -fchan-lanes=2 %s -o %t.2
// RUN: %t.2 | diff %t.want -
// RUN: cilk2chan -O1 -fchan-batch -fchan-lanes=8 %s -o %t.8
// RUN: %t.8 | diff %t.want -
// RUN: CHAN_WIDTH=1 CHAN_WORKERS=3 %t.8 | diff %t.want -
// RUN: cilk2chan -fcilk-serialize -O1 -march=native %s -o %t.serial
// RUN: %t.serial > %t.want
// RUN: cilk2chan -O2 -march=native -fchan-batch -fchan-lanes=16 %s -o %t.16
// RUN: %t.16 | diff %t.want -
// RUN: CHAN_WIDTH=3 CHAN_WORKERS=2 %t.16 | diff %t.want -
// RUN: cilk2chan -O1 -march=native -fchan-batch -fchan-lanes=64 %s -o %t.64
// RUN: %t.64 | diff %t.want -
// RUN: cilk2chan -O2 -march=native -fchan-batch %s -o %t.best
// RUN: %t.best | diff %t.want -

// All of them have lanes, but the one whose loops spawn others.
// RUN: cilk2chan -O2 -march=x86-64-v2 -fchan-batch -fchan-lanes=4 --emit=mlir %s | FileCheck %s
// CHECK-COUNT-39: phase {{[0-9]}} lanes 4
// CHECK-NOT: phase

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Loops that lanes leave at different times, one in another, with a way out in
// the middle.
static unsigned collatz(unsigned n, unsigned most) {
  unsigned steps = 0, highest = n;
  for (unsigned again = 0; again < 2; again++) {
    unsigned x = n + again;
    while (x != 1) {
      x = x & 1 ? 3 * x + 1 : x / 2;
      if (x > highest)
        highest = x;
      if (++steps >= most)
        goto out;
    }
  }
out:
  return steps * 1000 + highest % 1000;
}

static unsigned loops(unsigned n) {
  if (n == 0)
    return 1;
  unsigned a = cilk_spawn loops(n / 2);
  unsigned b = cilk_spawn loops((n - 1) / 2);
  unsigned steps = 0, x = n * 7 + 3;
  for (unsigned again = 0; again < 2; again++) {
    while (x != 1) {
      x = x & 1 ? 3 * x + 1 : x / 2;
      if (++steps >= 200)
        goto out;
    }
    x = n + again + 1;
  }
out:
  cilk_sync;
  return a * 31 + b * 17 + steps;
}

// Divisions that some lanes must not do.
static int divides(int n, int by) {
  if (n <= 0)
    return by;
  int a = cilk_spawn divides(n - 2, by - 1);
  int b = cilk_spawn divides(n - 3, -1);
  int q = 5, m = n % 3 ? INT_MIN : n;
  if (by != 0 && !(m == INT_MIN && by == -1))
    q = m / by + m % by;
  if (n & 1)
    q += 1000 / (n & 1);
  cilk_sync;
  return (int)((unsigned)a * 3u + (unsigned)b * 5u + (unsigned)q);
}

// Choices of many arms, that fall through.
static long choices(int n, long sum) {
  if (n <= 0)
    return sum;
  long a = 0, b = 0;
  switch (n % 7) {
  case 0:
    sum += 3;
  case 3:
    a = cilk_spawn choices(n - 1, sum);
    break;
  case 5:
    sum ^= 0x55;
    a = cilk_spawn choices(n - 2, sum);
  case -2:
    sum *= 3;
    break;
  default:
    b = cilk_spawn choices(n - 3, sum + n);
    a = cilk_spawn choices(n - 4, sum - n);
  }
  cilk_sync;
  return a + 2 * b + sum;
}

// Values of all widths, in fields and on the way.
static double widths(signed char c, short s, bool flag, float f, double d,
                     unsigned long u) {
  if (c <= 0)
    return d + f;
  double a = cilk_spawn widths(c - 1, s * 3, !flag, f * 0.5f, d + 1, u >> 3);
  double b = cilk_spawn widths(c - 2, s - c, c % 3 == 0, f + s, d * 0.25,
                               u * 0x9e3779b97f4a7c15);
  double own = flag ? (double)u / 3 : s / 7.0 + f;
  cilk_sync;
  return a - b * 0.5 + own + (float)(int)c;
}

// Objects on the stack: side by side, of arrays, of which the addresses vary.
static int objects(int n) {
  if (n <= 0)
    return 1;
  int a = cilk_spawn objects(n - 1);
  int b = cilk_spawn objects(n - 3);
  int table[9];
  char bytes[5] = {1, 2, 3, 4, 5};
  for (int i = 0; i < 9; i++)
    table[i] = i * n;
  table[n % 9] += 100;
  int *which = n & 1 ? &table[n % 4] : table + 8;
  *which -= n;
  bytes[(unsigned)n % 5] = (char)n;
  int sum = 0;
  for (int i = 8; i >= n % 3; i--)
    sum = sum * 3 + table[i] + bytes[i % 5];
  cilk_sync;
  return a + b + sum % 1000;
}

// Arrays of a kernel's own: at indices that lanes have in common, and their own.
struct run {
  short first, last;
};

static unsigned sorts(unsigned n) {
  if (n < 3)
    return n;
  unsigned a = cilk_spawn sorts(n / 2), b = cilk_spawn sorts(n - n / 2 - 1);
  int table[8];
  struct run runs[4];
  signed char order[8];
  for (int i = 0; i < 8; i++) {
    table[i] = (int)(n * 2654435761u >> (i + 5)) % 100;
    order[i] = 0;
    runs[i / 2].first = (short)i;
    runs[i / 2].last = (short)n;
  }
  for (int i = 1; i < 8; i++) {
    int x = table[i], j = i;
    for (; j > 0 && table[j - 1] > x; j--)
      table[j] = table[j - 1];
    table[j] = x;
    order[j]++;
    runs[j & 3].last -= j;
  }
  unsigned sum = 0;
  for (int i = 0; i < 8; i++)
    sum = sum * 7 + table[i] + order[n + i & 7] + runs[i & 3].first + runs[n & 3].last;
  cilk_sync;
  return a * 3 + b + sum;
}

// Memory that all share to read, and each its own part of to write.
struct node {
  struct node *left, *right;
  int value;
  short weight;
};
static struct node nodes[5000];
static unsigned char seen[5000];
static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
static int scale = 3;

static long walk(struct node *p) {
  if (!p)
    return 0;
  long a = cilk_spawn walk(p->left), b = cilk_spawn walk(p->right);
  seen[p - nodes]++;
  p->weight = (short)(primes[p->value & 7] * scale);
  cilk_sync;
  return a + b + p->value * p->weight + scale;
}

// Results that are counted, and calls one lane at a time.
__attribute__((noinline)) static int mix(int a, int b) { return a * 3 ^ a / b; }

static int calls(int n) {
  if (n < 2)
    return n + 30;
  int sum = mix(360, n);
  sum += cilk_spawn calls(n - 1);
  sum += cilk_spawn calls(n - 2);
  cilk_sync;
  return sum;
}

// Calls that become part of the kernel, with a loop that is left in the middle.
static int firstDigit(unsigned n, int digit, int *restrict places) {
  for (int place = 0; place < 10; place++) {
    *places += place;
    if (n % 10 == (unsigned)digit)
      return place;
    n /= 10;
  }
  return -1;
}

static int helpers(unsigned n) {
  if (n < 10)
    return firstDigit(n, 3, &(int){0});
  int places = 0;
  int a = cilk_spawn helpers(n / 3);
  int b = cilk_spawn helpers(n / 4);
  int found = firstDigit(n, n & 7, &places) + 2 * firstDigit(n, 1, &places);
  cilk_sync;
  return a + 3 * b + 5 * found + 7 * places;
}

// Children that get the same depth and table, below roots that do not.
struct context {
  unsigned seed, shift[20];
};

static unsigned levels(const struct context *all, int depth, double scale,
                       unsigned x) {
  unsigned sum = all->seed;
  for (int i = 0; i < depth % 7; i++)
    sum = sum * 3 + (x >> all->shift[depth + i & 15]);
  if (depth == 0 || x % 11 == 3)
    return sum + (unsigned)scale;
  unsigned a = cilk_spawn levels(all, depth - 1, scale * 0.5, x * 5 + 1);
  unsigned b = cilk_spawn levels(all, depth - 1, scale * 0.5, x * 7 + 3);
  cilk_sync;
  return (a ^ sum) + b * 3;
}

// The same without a table.
static unsigned mixes(unsigned a, unsigned b, int depth) {
  a = (a ^ b) * 0x7feb352d;
  b = (b + a) * 0x846ca68b;
  if (depth == 0)
    return a ^ b;
  a = (a ^ (b >> 15)) * 0x7feb352d;
  b = (b ^ (a >> 16)) * 0x846ca68b;
  a = (a ^ (b >> 13)) * 0x7feb352d + (b << 3 ^ b >> 7);
  b = (b ^ (a >> 14)) * 0x846ca68b + (a << 9 ^ a >> 11);
  unsigned x = cilk_spawn mixes(a, b, depth - 1);
  unsigned y = cilk_spawn mixes(b, ~a, depth - 1);
  cilk_sync;
  return x + 3 * y;
}

static unsigned roots(void) {
  struct context all[2] = {{.seed = 5}, {.seed = 11}};
  unsigned sums[60] = {0}, sum = 0;
  for (int i = 0; i < 20; i++) {
    all[0].shift[i] = i % 9;
    all[1].shift[i] = 20 - i;
  }
  for (int i = 0; i < 60; i++)
    sums[i] = cilk_spawn levels(&all[i % 3 == 1], i % 8, i / 20 - 0.0, i * 77);
  cilk_sync;
  for (int i = 0; i < 60; i++)
    sums[i] += cilk_spawn mixes(i, i * i, i % 8);
  cilk_sync;
  for (int i = 0; i < 60; i++)
    sum = sum * 31 + sums[i];
  return sum;
}

// Spawns in a loop, each with memory of its own.
static int boards(int row, const char *board, int size) {
  if (row == size)
    return 1;
  int count[8];
  for (int i = 0; i < size; i++) {
    count[i] = 0;
    bool safe = true;
    for (int j = 0; j < row; j++)
      if (board[j] == i || board[j] - i == j - row || board[j] - i == row - j)
        safe = false;
    if (!safe)
      continue;
    char *next = __builtin_alloca(row + 1);
    for (int j = 0; j < row; j++)
      next[j] = board[j];
    next[row] = (char)i;
    count[i] = cilk_spawn boards(row + 1, next, size);
  }
  cilk_sync;
  int sum = 0;
  for (int i = 0; i < size; i++)
    sum += count[i];
  return sum;
}

// An activation that goes on several times, and an empty one.
static unsigned rounds(unsigned n) {
  if (n == 0)
    return 7;
  if (n % 4 == 0)
    return n;
  unsigned x = cilk_spawn rounds(n / 2), y = cilk_spawn rounds(n / 3), z = 1;
  cilk_sync;
  if (n % 4 > 1)
    z = cilk_spawn rounds(n / 2 - (n > 8 && x % 3));
  cilk_sync;
  unsigned last = cilk_spawn rounds(n / ((y + z) % 4 + 4));
  cilk_sync;
  return ((x * 5 + y) * 5 + z) * 5 + last ^ n;
}

int main(void) {
  printf("%u %u\n", collatz(27, 500), loops(3000));
  printf("%d\n", divides(26, 9));
  printf("%ld\n", choices(45, 1));
  printf("%a\n", widths(17, 1000, true, 1.5f, 2.25, 0x123456789abcdef));
  printf("%d\n", objects(22));
  printf("%u\n", sorts(5000));
  for (int i = 0; i < 5000; i++) {
    nodes[i].value = i * 2654435761u >> 20;
    if (2 * i + 2 < 5000) {
      nodes[i].left = &nodes[2 * i + 1];
      nodes[i].right = i % 5 ? &nodes[2 * i + 2] : NULL;
    }
  }
  long sum = walk(nodes);
  for (int i = 0; i < 5000; i++)
    sum = sum * 3 + seen[i] + nodes[i].weight;
  printf("%ld\n", sum);
  printf("%d\n", calls(17));
  printf("%d\n", helpers(987654321));
  printf("%u\n", roots());
  printf("%d\n", boards(0, "", 7));
  printf("%u\n", rounds(3003));
  return 0;
}
