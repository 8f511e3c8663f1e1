/*===- shared-reductions.c - Variables that all activations combine --------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -w -fcilk-serialize -O1 %s -o %t.serial
// RUN: %t.serial > %t.want
// RUN: cilk2chan -w -O2 -march=native -fchan-batch -fno-chan-serial-clones -Rpass=chan-arrays %s -o %t.lanes 2> %t.remarks
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.stats %t.lanes | diff %t.want -
// RUN: FileCheck --check-prefix=STATS %s < %t.stats
// RUN: CHAN_WORKERS=2 %t.lanes | diff %t.want -
// RUN: CHAN_WORKERS=8 CHAN_WIDTH=100 %t.lanes | diff %t.want -
// RUN: cilk2chan -w -O2 -march=x86-64-v2 -fchan-batch -fchan-lanes=2 %s -o %t.2
// RUN: CHAN_WORKERS=1 %t.2 | diff %t.want -
// RUN: CHAN_WORKERS=8 CHAN_WIDTH=1 %t.2 | diff %t.want -
// RUN: cilk2chan -w -O1 -march=native -fchan-lanes=64 -fno-chan-reductions %s -o %t.64
// RUN: CHAN_WORKERS=1 %t.64 | diff %t.want -
// RUN: CHAN_WORKERS=8 %t.64 | diff %t.want -
// RUN: cilk2chan -w -O2 %s -o %t.chosen
// RUN: CHAN_WORKERS=1 %t.chosen | diff %t.want -
// RUN: CHAN_WORKERS=2 %t.chosen | diff %t.want -
// RUN: cilk2chan -w -O2 -fchan-batch -fno-chan-by-value -Rpass=chan-arrays %s -o %t.not 2>&1 | FileCheck --allow-empty --check-prefix=NOT %s
// RUN: CHAN_WORKERS=2 %t.not | diff %t.want -

// NOT-NOT: combined in one place
// REMARK-DAG: what activations of 'leaves' leave where parameter 2 points to is combined in one place as it comes (sum)
// REMARK-DAG: what activations of 'both' leave where parameter 2 points to is combined in one place as it comes (sum)
// REMARK-DAG: what activations of 'both' leave where parameter 3 points to is combined in one place as it comes (smax)
// REMARK-DAG: what activations of 'boards' leave where parameter 4 points to is combined in one place as it comes (sum)
// REMARK-DAG: what activations of 'queens' leave where parameter 5 points to is combined in one place as it comes (sum)
// REMARK-DAG: what activations of 'bits' leave where parameter 3 points to is combined in one place as it comes (or)
// REMARK-DAG: what activations of 'bytes' leave where parameter 2 points to is combined in one place as it comes (sum)
// REMARK-DAG: what activations of 'tangled' leave where parameter 2 points to is combined
// REMARK-DAG: what activations of 'tangled' leave where parameter 3 points to is combined
// REMARK-DAG: what activations of 'reads' leave where parameter 2 points to is combined
// REMARK-DAG: what activations of 'stores' leave where parameter 3 points to is combined
// REMARK-DAG: what activations of 'grows' leave where parameter 4 points to is combined
// REMARK-DAG: results that are only combined after the sync are combined as they come
// REMARK-NOT: combined in one place
//
// All of each tree but its first activation is in batches.
// STATS-NOT: {{(leaves|both|boards|bits|bytes)\.fallback}}
// STATS-DAG: {{^}}leaves.byval.0 {{ *}}batch
// STATS-DAG: {{^}}both.byval.0 {{ *}}batch
// STATS-DAG: {{^}}boards.byval.0 {{ *}}reduction
// STATS-DAG: {{^}}queens.byval.0 {{ *}}batch
// STATS-DAG: {{^}}bits.byval.0 {{ *}}batch
// STATS-DAG: {{^}}bytes.byval.0 {{ *}}batch
// STATS-DAG: {{^}}best.0 {{ *}}handler 0
// STATS-DAG: {{^}}peak.0 {{ *}}reduction
// STATS-NOT: {{(leaves|both|boards|bits|bytes)\.fallback}}
#include <alloca.h>
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>

void leaves(int n, long *count) {
  if (n < 2) {
    *count = n;
    return;
  }
  long x, y;
  cilk_spawn leaves(n - 1, &x);
  cilk_spawn leaves(n - 2, &y);
  cilk_sync;
  *count = x + y;
}

/* Two, by different combinations, of different sizes. */
void both(unsigned n, short *sum, int *most) {
  short a, b;
  int p, q, own = (int)(n * 2654435761u >> 3);
  if (n >= 3000) {
    *sum = (short)n;
    *most = own;
    return;
  }
  cilk_spawn both(2 * n + 1, &a, &p);
  cilk_spawn both(3 * n + 2, &b, &q);
  cilk_sync;
  *sum = a + b - 7;
  int more = p > q ? p : q;
  *most = more > own ? more : own;
}

/* An array of places, beside one that is passed by value and a result. */
typedef struct {
  int rows, columns;
} size;

static long boards(const size *of, const char *given, int row, long *total) {
  long nodes = 1, found[8] = {0};
  if (row == of->rows) {
    *total = given[0] + 3;
    return 1;
  }
  for (int c = 0; c < of->columns; ++c) {
    if (row && (given[row - 1] + c) % 3 == 1)
      continue;
    char *board = alloca(row + 1);
    memcpy(board, given, row);
    board[row] = (char)c;
    nodes += cilk_spawn boards(of, board, row + 1, &found[c]);
  }
  cilk_sync;
  *total = 0;
  for (int c = 0; c < of->columns; ++c)
    *total += found[c];
  return nodes;
}

void bits(int n, unsigned seed, unsigned *set) {
  unsigned found[4] = {0};
  *set = 1u << seed % 29;
  for (int i = 0; i < 4; ++i)
    if (n && (seed >> i & 1))
      cilk_spawn bits(n - 1, seed * 5 + i, &found[i]);
  cilk_sync;
  for (int i = 0; i < 4; ++i)
    *set |= found[i];
}

/* It wraps, many times over. */
void bytes(int n, unsigned char *sum) {
  unsigned char x = 0, y = 0;
  if (n > 0) {
    cilk_spawn bytes(n - 1, &x);
    if (n & 1)
      cilk_spawn bytes(n - 2, &y);
  }
  cilk_sync;
  *sum = x + y + 129;
}

/* What is loaded from one is another thing when the other has been seen to. */
void tangled(int n, int *q, int *p) {
  int x[4] = {0}, y[4] = {0};
  if (n == 0) {
    *p = 1;
    *q = 2;
    return;
  }
  int end = n % 4;
  for (int i = 0; i < end; ++i)
    cilk_spawn tangled(n - 1, &y[i], &x[i]);
  cilk_sync;
  *q = 3;
  *p = 0;
  for (int k = 0; k < end; ++k)
    *p += x[k];
  if (*q + (n & 1) > 3)
    *q = n;
  for (int k = 0; k < end; ++k)
    *q += y[k];
}

/* What is loaded changes, by way of a pointer that is no total. */
void reads(int n, long *p, long *q) {
  if (n < 2) {
    *p = n;
    *q = 3;
    return;
  }
  long x, y, u, v;
  *q = n;
  x = 0;
  long a = *q;
  *q = n + 5;
  x = 1;
  long b = *q;
  cilk_spawn reads(n - 1, &x, &u);
  cilk_spawn reads(n - 2, &y, &v);
  cilk_sync;
  *p = x + y + a * 3 + b * 7;
  *q = (u * v + b) % 1000;
}

/* A child's result goes where its parent reads before and after. */
long stores(int n, long *at, long *sum) {
  if (n == 0) {
    *sum = 1;
    return 7;
  }
  long x, before = *at;
  *at = cilk_spawn stores(n - 1, at, &x);
  cilk_sync;
  *sum = x + before * 3 + *at * 5;
  return n + 3;
}

/* What an activation has by itself is known before its arrays turn out to be too
   large, and it begins once more. */
void grows(int n, int length, const char *given, long *sum) {
  if (n == 0) {
    *sum = 1;
    return;
  }
  long found[2] = {0}, own = given[0] + 3;
  for (int c = 0; c < 2; ++c) {
    char *next = alloca(length + 1);
    memcpy(next, given, length);
    next[length] = c + n;
    cilk_spawn grows(n - 1, length + 1, next, &found[c]);
  }
  cilk_sync;
  *sum = own;
  for (int c = 0; c < 2; ++c)
    *sum += found[c];
}

/* The places of three trees at a time, in memory that others read. */
long forest(int n) {
  long at[3] = {1, 2, 3};
  size of = {6, 5};
  long other, nodes = cilk_spawn boards(&of, "", 0, &other);
  for (int i = 0; i < 3; ++i)
    cilk_spawn leaves(n + i, &at[i]);
  cilk_sync;
  return at[0] + 3 * at[1] + 5 * at[2] + 7 * other + 11 * nodes;
}

/* Results that are counted, changed, and compared. */
int best(unsigned stones, int depth) {
  int value[8], count = 0, most = -5000;
  if (!depth)
    return (int)(stones * 2654435761u >> 20) - 2048;
  for (int i = 0; i < 8; ++i) {
    if (stones >> i & 1)
      continue;
    value[count++] = cilk_spawn best(stones | 1u << i, depth - 1);
  }
  cilk_sync;
  for (int i = 0; i < count; ++i)
    if (-value[i] > most)
      most = -value[i];
  return most;
}

unsigned peak(unsigned at, int depth) {
  unsigned value[3], count = 0, most = at % 1009;
  for (; depth && count < 3;) {
    unsigned next = at * 3 + count;
    value[count++] = cilk_spawn peak(next, depth - 1);
  }
  cilk_sync;
  for (unsigned i = 0; i < count; ++i)
    if (value[i] > most)
      most = value[i];
  return most;
}

/* Places, and boards, in memory of a size known at run time: wide boards go by
   address. Only so many rows are asked for. */
static int ok(int n, char *a) {
  for (int i = 0; i < n; i++) {
    char p = a[i];
    for (int j = i + 1; j < n; j++) {
      char q = a[j];
      if (q == p || q == p - (j - i) || q == p + (j - i))
        return 0;
    }
  }
  return 1;
}
void queens(int n, int rows, int j, char *a, int *solutions) {
  if (j == rows) {
    *solutions = 1;
    return;
  }
  *solutions = 0;
  int *each = alloca(n * sizeof(int));
  memset(each, 0, n * sizeof(int));
  for (int i = 0; i < n; i++) {
    char *b = alloca(n);
    memcpy(b, a, j);
    b[j] = i;
    if (ok(j + 1, b))
      cilk_spawn queens(n, rows, j + 1, b, &each[i]);
  }
  cilk_sync;
  for (int i = 0; i < n; i++)
    *solutions += each[i];
}

/* What is stored depends on what was there: it does not begin once more. */
void twice(int n, int j, char *a, int *solutions) {
  int before = *solutions;
  *solutions = before + 1;
  if (j == 3)
    return;
  int *each = alloca(n * sizeof(int));
  memset(each, 0, n * sizeof(int));
  for (int i = 0; i < n; i++) {
    char *b = alloca(n);
    memcpy(b, a, j);
    b[j] = i;
    cilk_spawn twice(n, j + 1, b, &each[i]);
  }
  cilk_sync;
  for (int i = 0; i < n; i++)
    *solutions += each[i];
}

int main(void) {
  long count, total;
  short sum;
  int most;
  unsigned set;
  unsigned char small;
  size of = {9, 5};
  leaves(22, &count);
  both(1, &sum, &most);
  long nodes = boards(&of, "", 0, &total);
  bits(9, 0xbadcafe, &set);
  bytes(24, &small);
  int p, q;
  long at = 4, x, y, u, v;
  reads(15, &u, &v);
  tangled(3, &q, &p);
  long last = stores(20, &at, &x);
  grows(9, 11, "abcdefghijk", &y);
  int narrow, wide, nested = 0, many = 0;
  queens(8, 8, 0, "", &narrow);
  queens(20, 4, 0, "", &wide);
  twice(5, 0, "", &nested);
  twice(17, 0, "", &many);
  printf("%d %d %d %d\n", narrow, wide, nested, many);
  printf("%d %d %ld %ld %ld %ld %ld %ld\n", p, q, last, at, x, y, u, v);
  printf("%ld %d %d %ld %ld %#x %d %ld %d %u\n", count, sum, most, nodes, total, set,
         small, forest(18), best(1, 5), peak(1, 8));
  return 0;
}
