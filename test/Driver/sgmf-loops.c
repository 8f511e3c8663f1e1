//===- sgmf-loops.c - Loops within one graph ---------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Breaks, continues, loops in loops, and a value that leaves a loop by two ways, on a
// machine of kind `sgmf` with twice the rows.
//
// RUN: rows='"LLLCLLLLCLLL", "LJACASJACAJL", "LASAJAAJASAL", "LCAJASAJASCL", "CAJASCCSAJAC", "LCSAJASAJACL", "LASAJAAJASAL", "LJACAJSACAJL", "LLLCLLLLCLLL"' && echo '{"name": "tall", "base": "%source/runtime/sim/machines/micro15-sgmf.json", "fabric": {"grid": ['"$rows, $rows"']}}' > %t.json
// RUN: cilk2chan -O2 %s -o %t.host && %t.host > %t.expected
// RUN: cilk2chan -O2 --target=vgiw --machine=%t.json %s -o %t.sgmf
// RUN: %t.sgmf | diff %t.expected -
// With one entry, threads follow each other at once.
// RUN: env CHANSIM_SET=fabric.token_buffer_entries=1 %t.sgmf | diff %t.expected -
// RUN: env CHANSIM_SET=fabric.token_buffer_entries=512 %t.sgmf | diff %t.expected -

#include <stdio.h>
#include <stdlib.h>

static void nested(int n, const int *a, int *out) {
  cilk_for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < a[i]; j++) {
      if (a[j] == 7)
        break;
      for (int k = j; k < 9; k++)
        sum += k;
    }
    out[i] = sum;
  }
}

static void collatz(int n, const int *a, int *out) {
  cilk_for (int i = 0; i < n; i++) {
    unsigned x = a[i] + 1;
    int steps = 0;
    for (; x != 1; steps++) {
      if (x & 1)
        x = 3 * x + 1;
      else
        x >>= 1;
    }
    out[i] = steps;
  }
}

/* Memory operations of one iteration that those of the next one need. */
static void rows(int n, const int *a, int *out) {
  cilk_for (int i = 0; i < n; i++) {
    int *row = out + 4 * i;
    row[0] = i;
    for (int j = 1; j < 4; j++) {
      if (a[i] & 1)
        row[j] = row[j - 1] + a[j];
      else if (a[i] & 2)
        continue;
      else
        row[0] += row[j];
    }
  }
}

static void twoExits(int n, const int *a, int *out) {
  cilk_for (int i = 0; i < n; i++) {
    int j = i, found = -1;
    do {
      if (a[j % n] > 9) {
        found = j;
        break;
      }
      j += 3;
    } while (j < i + 40);
    out[i] = found;
  }
}

static void show(const int *out, int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; i++)
    sum = sum * 31 + out[i];
  printf("%u\n", sum);
}

int main(void) {
  int n = 300, *a = malloc(n * sizeof(int)), *out = calloc(4 * n, sizeof(int));
  for (int i = 0; i < n; i++)
    a[i] = i * 37 % 11;
  nested(n, a, out);
  show(out, n);
  collatz(n, a, out);
  show(out, n);
  rows(n, a, out);
  show(out, 4 * n);
  twoExits(n, a, out);
  show(out, n);
  free(a), free(out);
}
