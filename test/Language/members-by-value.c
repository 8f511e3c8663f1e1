// members-by-value.c - Objects whose members differ in size.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Children that read them have each member by value.
// SANITIZE: yes

#include <cilk/cilk.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// A board and what belongs to it.
struct board {
  char column[20];
  int row;
  double weight;
};
static double queens(const struct board *b, int n) {
  double of[8], sum = 0;
  if (b->row == n)
    return b->weight;
  cilk_for (int i = 0; i < n; ++i) {
    of[i] = 0;
    int attacked = 0;
    for (int k = 0; k < b->row; ++k)
      attacked |= b->column[k] == i || b->column[k] - i == b->row - k ||
                  i - b->column[k] == b->row - k;
    if (!attacked) {
      struct board next = *b;
      next.column[next.row++] = i;
      next.weight += i * 0.5;
      of[i] = queens(&next, n);
    }
  }
  for (int i = 0; i < n; ++i)
    sum += of[i];
  return sum;
}

// Spawned, with the row beside it; padding; the scalar comes first.
struct state {
  short tag;
  long total;
  unsigned char part[6];
};
static long walk(int n, const struct state *s) {
  long of[3];
  if (n == 0)
    return s->total * 3 + s->tag + s->part[2] - s->part[5];
  for (int i = 0; i < 3; ++i) {
    struct state next;
    memset(&next, 0, sizeof next);
    next.tag = (short)(s->tag + i);
    next.total = s->total * 2 + s->part[(n + i) % 6];
    for (int k = 0; k < 6; ++k)
      next.part[k] = (unsigned char)(s->part[(k + i) % 6] + k * i);
    of[i] = cilk_spawn walk(n - 1, &next);
    cilk_sync;
  }
  return of[0] + of[1] * 5 - of[2];
}

// Two objects in one activation, both in place from the beginning.
static long both(int n, const struct state *s) {
  if (n == 0)
    return s->total + s->tag * 7 + s->part[0] * s->part[3];
  struct state one = *s, two = *s;
  one.part[n % 6] += 3;
  two.part[(n + 1) % 6] = one.part[n % 6];
  one.tag = (short)(two.tag - n);
  two.total = one.total + n;
  long a = cilk_spawn both(n - 1, &one);
  long b = cilk_spawn both(n - 1, &two);
  cilk_sync;
  return a * 2 - b;
}

// Members in structures in members, and an array of them.
struct pair {
  int key;
  unsigned char mark;
};
struct nest {
  struct {
    short low;
    float high;
  } range;
  struct pair pairs[2];
};
static float nested(int n, const struct nest *s) {
  if (n == 0)
    return s->range.high + s->range.low + s->pairs[n & 1].key;
  struct nest next = *s;
  next.range.low += n;
  next.range.high *= 0.5f;
  next.pairs[n & 1].key -= n;
  next.pairs[n & 1].mark++;
  float a = cilk_spawn nested(n - 1, &next);
  float b = cilk_spawn nested(n - 1, &next);
  cilk_sync;
  return a - b * 0.25f + next.pairs[0].mark;
}

// By bytes, across its members.
static unsigned bytes(int n, const struct state *s) {
  if (n == 0) {
    unsigned sum = 0;
    for (unsigned i = 0; i < sizeof *s; ++i)
      sum = sum * 31 + ((const unsigned char *)s)[i];
    return sum;
  }
  struct state next;
  memset(&next, 1, sizeof next);
  next.tag = s->tag ^ n;
  next.total = s->total + n;
  next.part[n % 6] = n;
  unsigned a = cilk_spawn bytes(n - 1, &next);
  unsigned b = cilk_spawn bytes(n - 1, &next);
  cilk_sync;
  return a * 3 + b;
}

// A member is reached from another one.
static long across(int n, const struct state *s) {
  const unsigned char *part = s->part;
  if (n == 0)
    return part[1] +
           ((const struct state *)(part - offsetof(struct state, part)))->total;
  struct state next = *s;
  next.part[1] += n;
  next.total ^= n;
  long a = cilk_spawn across(n - 1, &next);
  long b = cilk_spawn across(n - 1, &next);
  cilk_sync;
  return a + b * 3;
}

// Copied as a whole, accessed in part.
struct larger {
  unsigned front[3];
  long long middle;
  short after[3];
  struct pair rest;
};
static unsigned partly(int n, unsigned x, const struct larger *s) {
  unsigned of[4], sum = x;
  if (n == 0)
    return x + (unsigned)s->middle * 7;
  cilk_for (int i = 0; i < 4; ++i) {
    of[i] = i;
    if (x >> i & 1) {
      struct larger next = *s;
      next.middle = n;
      next.front[(x + i) % 3] += i;
      of[i] = partly(n - 1, x * 3 + i, &next);
    }
  }
  for (int i = 0; i < 4; ++i)
    sum += of[i];
  return sum + s->after[n % 3];
}

// All members of one size: the row is a value of its own all the same.
struct rows {
  int row, column[7];
};
struct small {
  signed char column[7], row;
};
#define QUEENS(name, board)                                                    \
  static int name(const struct board *b) {                                     \
    int of[7] = {0}, sum = 0;                                                  \
    if (b->row == 7)                                                           \
      return 1;                                                                \
    cilk_for (int i = 0; i < 7; ++i) {                                         \
      int attacked = 0;                                                        \
      for (int k = 0; k < b->row; ++k)                                         \
        attacked |= b->column[k] == i || b->column[k] - i == b->row - k ||     \
                    i - b->column[k] == b->row - k;                            \
      if (!attacked) {                                                         \
        struct board next = *b;                                                \
        next.column[next.row++] = i;                                           \
        of[i] = name(&next);                                                   \
      }                                                                        \
    }                                                                          \
    for (int i = 0; i < 7; ++i)                                                \
      sum += of[i];                                                            \
    return sum;                                                                \
  }
QUEENS(in_rows, rows)
QUEENS(in_small, small)

int main(void) {
  struct larger larger = {{1, 2, 3}, 4, {28, 0, 13}, {5, 6}};
  struct board empty = {{0}, 0, 1.5};
  for (int n = 4; n <= 8; ++n)
    printf("queens %d: %.3f\n", n, queens(&empty, n));
  struct state s = {3, 5, {1, 2, 3, 4, 5, 250}};
  struct nest nest = {{1, 1024}, {{7, 1}, {9, 2}}};
  for (int n = 0; n <= 8; ++n)
    printf("%d: %ld %ld %.6f %u %ld %u\n", n, walk(n, &s), both(n, &s),
           nested(n, &nest), bytes(n, &s), across(n, &s),
           partly(n, n * 77 + 1, &larger));
  for (int first = 0; first < 7; ++first) {
    struct rows rows = {1, {first}};
    struct small little = {{first}, 1};
    printf("%d %d\n", in_rows(&rows), in_small(&little));
  }
  return 0;
}
