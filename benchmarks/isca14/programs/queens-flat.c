//===- queens-flat.c - ISCA'14: N queens without recursion --------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conventional program beside queens.c in Table 4. It has the structure of
// the program NQU that comes with GPGPU-Sim:
//
//   host    places queens in the first rows in all ways: N - 10 rows, and at
//           least two. Mirrored boards have as many solutions, so it does half
//           of the first row, and the middle column of an odd board.
//   thread  takes one of these boards and counts the solutions by backtracking.
//           Its stack is in the memory of its work-group. A board is three sets
//           of columns: with a queen, and attacked along either diagonal.
//   group   adds up the counts of its threads by halves, with barriers.
//   host    adds up the counts of the groups.
//
// When the host has 24,576 boards, it starts a launch. Work-groups have 64
// threads here, and 96 in NQU. A thread's loop has one place where a step ends,
// so that the threads of a warp come together there. If the cases of a step went
// to the next one on their own, a warp would have one thread active at a time.
//
//   $ queens-flat 8
//   queens-flat 8: 92
//   ok
//
//===----------------------------------------------------------------------===//

#include "isca14.h"

enum { MostRows = 16, MostDepth = 10, Threads = 64, MostBoards = 24576 };

// count from here
typedef struct {
  unsigned columns, left, right;
} attacks;

/* What is attacked in the next row, after a queen in this one. */
static attacks with_queen(attacks a, unsigned queen) {
  attacks next = {a.columns | queen, (a.left | queen) << 1,
                  (a.right | queen) >> 1};
  return next;
}

/* Boards for a launch, how many solutions each one's solutions stand for, and
   the solutions of each group. */
typedef struct {
  unsigned *columns, *left, *right, *weight, *found;
  int boards, rows;
  unsigned all;
  long total;
} search;

static void solve(const search *s) {
  const unsigned *columns = s->columns, *left = s->left, *right = s->right;
  const unsigned *weight = s->weight, all = s->all;
  unsigned *found = s->found;
  int boards = s->boards, rows = s->rows;
  cilk_for (int group = 0; group < (boards + Threads - 1) / Threads; ++group) {
    unsigned column_stack[MostDepth][Threads], left_stack[MostDepth][Threads];
    unsigned right_stack[MostDepth][Threads], tried[MostDepth][Threads];
    unsigned sums[Threads];
    int first = group * Threads;
    cilk_for (int t = 0; t < Threads; ++t)
      if (first + t < boards) {
        column_stack[0][t] = columns[first + t];
        left_stack[0][t] = left[first + t];
        right_stack[0][t] = right[first + t];
        tried[0][t] = column_stack[0][t] | left_stack[0][t] | right_stack[0][t];
      }
    cilk_for (int t = 0; t < Threads; ++t) {
      unsigned solutions = 0;
      int row = first + t < boards ? 0 : -1;
      while (row >= 0) {
        unsigned queen = (tried[row][t] + 1) & ~tried[row][t] & all;
        tried[row][t] |= queen;
        if (queen && row + 1 < rows) {
          attacks here = {column_stack[row][t], left_stack[row][t],
                          right_stack[row][t]};
          attacks next = with_queen(here, queen);
          ++row;
          column_stack[row][t] = next.columns;
          left_stack[row][t] = next.left;
          right_stack[row][t] = next.right;
          tried[row][t] = next.columns | next.left | next.right;
        } else {
          solutions += queen != 0;
          --row;
        }
      }
      sums[t] = first + t < boards ? solutions * weight[first + t] : 0;
    }
    for (int half = Threads / 2; half > 0; half /= 2)
      cilk_for (int t = 0; t < Threads / 2; ++t)
        if (t < half)
          sums[t] += sums[t + half];
    found[group] = sums[0];
  }
}

static void launch(search *s) {
  solve(s);
  for (int group = 0; group < (s->boards + Threads - 1) / Threads; ++group)
    s->total += s->found[group];
  s->boards = 0;
}

static void place_first_rows(search *s, int rows, attacks a, unsigned weight) {
  if (rows == 0) {
    s->columns[s->boards] = a.columns;
    s->left[s->boards] = a.left;
    s->right[s->boards] = a.right;
    s->weight[s->boards] = weight;
    if (++s->boards == MostBoards)
      launch(s);
    return;
  }
  for (unsigned queen = 1; queen <= s->all; queen <<= 1)
    if (!(queen & (a.columns | a.left | a.right)))
      place_first_rows(s, rows - 1, with_queen(a, queen), weight);
}

static long queens(int n) {
  search s = {0};
  int first_rows = n > 11 ? n - 10 : n < 2 ? n - 1 : n == 2 ? 1 : 2;
  s.rows = n - first_rows;
  s.all = (1u << n) - 1;
  s.columns = allocate(MostBoards, sizeof(unsigned));
  s.left = allocate(MostBoards, sizeof(unsigned));
  s.right = allocate(MostBoards, sizeof(unsigned));
  s.weight = allocate(MostBoards, sizeof(unsigned));
  s.found = allocate(MostBoards / Threads, sizeof(unsigned));
  attacks none = {0, 0, 0};
  if (first_rows == 0)
    place_first_rows(&s, 0, none, 1);
  else
    for (int column = 0; column < (n + 1) / 2; ++column)
      place_first_rows(&s, first_rows - 1, with_queen(none, 1u << column),
                       column == n - 1 - column ? 1 : 2);
  launch(&s);
  free(s.columns);
  free(s.left);
  free(s.right);
  free(s.weight);
  free(s.found);
  return s.total;
}
// to here

int main(int argc, char **argv) {
  static const long known[MostRows + 1] = {
      0,   1,   0,    0,     2,     10,     4,       40,      92,
      352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};
  int n = size_argument(argc, argv, 1, 13, 1, MostRows);
  long found = queens(n);
  printf("queens-flat %d: %ld\n", n, found);
  if (found != known[n])
    WRONG("queens-flat %d: %ld, not %ld", n, found, known[n]);
  return report_ok();
}
