//===- allpairs.c - Similar words among all pairs -----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds for each word of a list the word that is nearest to it by edit
// distance, with two parallel loops inside each other and a table of two rows
// for each pair. The argument is the number of words.
//
// grain: coarse
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"

#define LONGEST 24

typedef char word[LONGEST + 1];

static int smaller(int a, int b) { return b < a ? b : a; }

static int edit_distance(const char *a, const char *b) {
  int m = (int)strlen(a), n = (int)strlen(b);
  int rows[2][n + 1];
  for (int j = 0; j <= n; j++)
    rows[0][j] = j;
  for (int i = 1; i <= m; i++) {
    int *above = rows[(i - 1) % 2], *row = rows[i % 2];
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = smaller(replaced, 1 + smaller(above[j], row[j - 1]));
    }
  }
  return rows[m % 2][n];
}

static void all_distances(const word *words, int n, unsigned char *distance) {
  cilk_for (int i = 0; i < n; i++)
    cilk_for (int j = 0; j < n; j++)
      distance[(size_t)i * n + j] =
          i == j ? LONGEST : (unsigned char)edit_distance(words[i], words[j]);
}

static void nearest_of_each(const unsigned char *distance, int n,
                            int *nearest) {
  cilk_for (int i = 0; i < n; i++) {
    const unsigned char *row = &distance[(size_t)i * n];
    int best = 0;
    for (int j = 1; j < n; j++)
      if (row[j] < row[best])
        best = j;
    nearest[i] = best;
  }
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 1500, 20);
  word *words = calloc(n, sizeof(word));
  unsigned char *distance = malloc((size_t)n * n);
  int *nearest = malloc(n * sizeof(int));
  CHECK(words && distance && nearest);
  for (int i = 0; i < n; i++) {
    int length = 4 + (int)(scramble(i) % (LONGEST - 3));
    for (int k = 0; k < length; k++)
      words[i][k] = "etaoinshrdlu"[scramble(100 * i + k) % 12];
  }

  stopwatch watch = stopwatch_start();
  all_distances(words, n, distance);
  nearest_of_each(distance, n, nearest);
  stopwatch_stop(watch);

  report("allpairs", nearest, n * sizeof(int));
  free(words);
  free(distance);
  free(nearest);
  return 0;
}
