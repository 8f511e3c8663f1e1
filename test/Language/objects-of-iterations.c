// objects-of-iterations.c - Loops in recursion that pass on what is their own.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each iteration has an object, and what it calls knows it.
// SANITIZE: yes

#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>

static unsigned mix(unsigned seed, unsigned more) {
  seed = (seed ^ more) * 0x9e3779b1u;
  return seed ^ seed >> 15;
}

enum { most = 16 };

// Queens, tested on the new board.
static int safe(const char *board, int row) {
  for (int i = 0; i < row; i++) {
    int apart = board[row] - board[i];
    if (apart == 0 || apart == row - i || -apart == row - i)
      return 0;
  }
  return 1;
}
long copied(const char *board, int n, int row) {
  if (row == n)
    return 1;
  long found[most];
  cilk_for (int column = 0; column < n; column++) {
    char next[most];
    memcpy(next, board, row);
    next[row] = column;
    if (safe(next, row))
      found[column] = copied(next, n, row + 1);
    else
      found[column] = 0;
  }
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += found[i];
  return sum;
}

// Tested on the old one, a struct.
struct board {
  int column[7];
  short rows;
};
static int fits(const struct board *board, int column) {
  for (int i = 0; i < board->rows; i++) {
    int apart = column - board->column[i];
    if (apart == 0 || apart == board->rows - i || -apart == board->rows - i)
      return 0;
  }
  return 1;
}
static int structs(const struct board *board) {
  if (board->rows == 7)
    return 1;
  int found[7];
  cilk_for (int column = 0; column < 7; column++) {
    struct board next = *board;
    next.column[next.rows++] = column;
    found[column] = fits(board, column) ? structs(&next) : 0;
  }
  int sum = 0;
  for (int i = 0; i < 7; i++)
    sum += found[i];
  return sum;
}

// What is stored is computed of the result.
static int negated(const int *board, int depth) {
  if (depth == 0)
    return board[0] - 2 * board[1] + 3 * board[2] - board[3];
  int value[4];
  cilk_for (int i = 0; i < 4; i++) {
    int next[4];
    for (int j = 0; j < 4; j++)
      next[j] = board[j] + j * depth;
    next[i] ^= depth;
    value[i] = -negated(next, depth - 1);
  }
  int best = value[0];
  for (int i = 1; i < 4; i++)
    best = value[i] > best ? value[i] : best;
  return best;
}

// Who is called writes to it, too.
static unsigned written(unsigned *own, int depth) {
  own[0] += own[1] ^ (unsigned)depth;
  if (depth == 0)
    return own[0];
  unsigned got[3], sum = own[1];
  cilk_for (int i = 0; i < 3; i++) {
    unsigned next[2] = {own[0] + i, own[1] * 3};
    got[i] = written(next, depth - 1);
  }
  for (int i = 0; i < 3; i++)
    sum = mix(sum, got[i]);
  return sum;
}

// Two objects, of which one is written to; and one of the function's own.
static unsigned several(const short *read, long *changed, const int *shared,
                        int depth) {
  *changed ^= shared[depth & 1] + read[1];
  if (depth == 0)
    return read[0] + *changed;
  unsigned got[4] = {0};
  int both[2] = {shared[1] + 1, depth};
  cilk_for (int i = 0; i < depth % 4 + 1; i++) {
    short mine[2] = {read[1] + i, read[0]};
    long own = *changed + i;
    got[i] = several(mine, &own, both, depth - 1);
  }
  return mix(got[0], got[1]) ^ mix(got[2], got[3]);
}

// Who is called keeps nothing, but who is called has a part of it only.
static unsigned parts(const unsigned *two, int depth) {
  if (depth == 0)
    return two[0] ^ two[1];
  unsigned got[3];
  cilk_for (int i = 0; i < 3; i++) {
    unsigned four[4] = {two[0], two[1] + i, two[0] * two[1], i};
    got[i] = parts(four + i % 3, depth - 1);
  }
  return mix(mix(got[0], got[1]), got[2]);
}

// It stays in the iteration, which goes through it.
static unsigned scratch(unsigned seed, int depth) {
  if (depth == 0)
    return seed;
  unsigned got[4];
  cilk_for (int i = 0; i < 4; i++) {
    unsigned digits[8], sum = 0;
    for (int j = 0; j < 8; j++)
      digits[j] = seed >> 4 * j & 15;
    for (int j = 0; j < 8; j++)
      sum = sum * 5 + digits[(j * 3 + i) & 7];
    got[i] = scratch(sum, depth - 1);
  }
  return got[0] ^ got[1] << 1 ^ got[2] << 2 ^ got[3] << 3;
}

// Nothing is returned, and all are counted in one place.
static void counted(const unsigned char *path, int depth, int *total) {
  if (depth == 8) {
    __atomic_fetch_add(total, path[0] + 3 * path[7], __ATOMIC_RELAXED);
    return;
  }
  cilk_for (int i = 0; i < 3; i++) {
    unsigned char next[8];
    for (int j = 0; j < depth; j++)
      next[j] = path[j];
    next[depth] = i;
    if (depth == 0 || path[depth - 1] != i)
      counted(next, depth + 1, total);
  }
}

// The outer iterations have it, or the inner ones.
static unsigned nested(const unsigned *pair, int depth) {
  if (depth == 0)
    return pair[0] - pair[1];
  unsigned got[6];
  cilk_for (int i = 0; i < 3; i++)
    cilk_for (int j = 0; j < 2; j++) {
      unsigned next[2] = {pair[j] + i, pair[!j] * 3};
      got[2 * i + j] = nested(next, depth - 1);
    }
  unsigned sum = 0;
  for (int i = 0; i < 6; i++)
    sum += got[i];
  return sum;
}
static unsigned outside(const unsigned *pair, int depth) {
  if (depth == 0)
    return pair[0] - pair[1];
  unsigned got[6];
  cilk_for (int i = 0; i < 3; i++) {
    unsigned next[2] = {pair[0] + i, pair[1] * 3};
    cilk_for (int j = 0; j < 2; j++)
      got[2 * i + j] = outside(next, depth - 1) + j;
  }
  unsigned sum = 0;
  for (int i = 0; i < 6; i++)
    sum = mix(sum, got[i]);
  return sum;
}

// Objects whose size is known at run time, some larger than lanes have any.
static unsigned sized(const short *old, int length, int depth) {
  if (depth == 0)
    return old[0] * 3 + old[length - 1];
  unsigned got[3], sum = 0;
  cilk_for (int i = 0; i < 3; i++) {
    short next[length + 1];
    memcpy(next, old, length * sizeof(short));
    next[length] = i - next[i % length];
    got[i] = sized(next, length + 1, depth - 1);
  }
  for (int i = 0; i < 3; i++)
    sum += got[i];
  return sum;
}
static unsigned allocated(const unsigned *old, int length, int depth) {
  if (depth == 0)
    return old[0] ^ old[length - 1];
  unsigned got[depth + 1], sum = 0;
  cilk_for (int i = 0; i < depth + 1; i++) {
    unsigned *next = __builtin_alloca(length * sizeof *next), odd = 0;
    for (int j = 0; j < length; j++)
      next[j] = old[j] * 5 + i;
    for (int j = 0; j < length; j++)
      odd += next[j] & 1;
    got[i] = odd % 3 != 1 ? allocated(next, length, depth - 1) : odd;
  }
  for (int i = 0; i < depth + 1; i++)
    sum = mix(sum, got[i]);
  return sum;
}
static unsigned inside(unsigned seed, int length, int depth) {
  if (depth == 0)
    return seed;
  unsigned got[3];
  cilk_for (int i = 0; i < 3; i++) {
    unsigned some[length], sum = 0;
    for (int j = 0; j < length; j++)
      some[j] = seed >> j & 7;
    for (int j = 0; j < length; j++)
      sum = sum * 3 + some[length - 1 - j];
    got[i] = inside(sum ^ i, length, depth - 1);
  }
  return mix(mix(got[0], got[1]), got[2]);
}

// It is read behind the call, when the next one is in its place.
static long afterwards(const short *old, int length, int depth) {
  if (depth <= 0)
    return length;
  long got[2];
  cilk_for (int i = 0; i < 2; ++i) {
    short next[length + 1];
    for (int j = 0; j < length; j++)
      next[j] = old[length - 1 - j];
    next[length] = i;
    if ((i + depth) & 1)
      next[i % (length + 1)] = 3;
    got[i] = afterwards(next, length + 1, depth - 1) + next[0];
  }
  return got[0] + got[1];
}
static long freed(const short *old, int length, int depth) {
  if (depth <= 0)
    return length;
  long got[2];
  cilk_for (int i = 0; i < 2; ++i) {
    short *next = __builtin_alloca((length + 1) * sizeof *next);
    for (int j = 0; j < length; j++)
      next[j] = old[length - 1 - j];
    next[length] = i;
    if (depth & 1)
      next[0] = 3;
    got[i] = freed(next, length + 1, depth - 1) + next[0];
  }
  return got[0] + got[1];
}

// Two loops, of which one passes an object.
static unsigned twice(const unsigned *pair, int depth) {
  if (depth == 0)
    return pair[0] * 7 + pair[1];
  unsigned got[4], sum = 0;
  cilk_for (int i = 0; i < 2; i++)
    got[i] = twice(pair, depth - 1);
  cilk_for (int i = 2; i < 4; i++) {
    unsigned next[2] = {got[0] + i, got[1]};
    got[i] = twice(next, depth - 1);
  }
  for (int i = 0; i < 4; i++)
    sum = mix(sum, got[i]);
  return sum;
}

// More iterations than fit anywhere, and some without a call.
static long many(const int *from, int n) {
  if (n == 0)
    return from[0] ^ from[1];
  long sum = 0, got[3000];
  cilk_for (int i = 0; i < 3000; i++) {
    int next[2] = {from[1] + i, from[0]};
    got[i] = i % 7 ? many(next, n - 1) : i;
  }
  for (int i = 0; i < 3000; i++)
    sum += got[i] * (i + 1);
  return sum;
}

// Another loop, which is none of recursion.
static long plainly(int n) {
  return n < 2 ? n : plainly(n - 1) * 3 + plainly(n - 2);
}
static long beside(int n, const long *from) {
  if (n <= 0)
    return from[1] - from[0];
  long before[2], got[4];
  cilk_for (int i = 0; i < 2; i++)
    before[i] = plainly(i + n);
  cilk_for (int i = 0; i < 4; i++) {
    long next[4] = {i + n, from[2], from[3], from[0]};
    got[i] = beside(n - 1, next);
  }
  return got[0] * 3 + got[1] + got[2] * 7 - got[3] + before[0] + before[1] * 5;
}

int main(void) {
  char empty[most] = {0};
  struct board board = {{0}, 0};
  int four[4] = {3, 1, 4, 1}, total = 0;
  unsigned pair[2] = {2, 71};
  short read[2] = {5, 9};
  long changed = 26;
  printf("%ld %ld\n", copied(empty, 6, 0), copied(empty, 8, 0));
  printf("%d\n", structs(&board));
  printf("%d %d\n", negated(four, 3), negated(four, 6));
  printf("%u\n", written(pair, 6));
  printf("%u\n", several(read, &changed, four, 7));
  printf("%u\n", parts(pair, 6));
  printf("%u\n", scratch(12345, 6));
  counted((unsigned char *)empty, 0, &total);
  printf("%d\n", total);
  printf("%u %u\n", nested(pair, 4), outside(pair, 4));
  printf("%u %u\n", sized(read, 2, 6), sized(read, 1, 3));
  unsigned lots[20] = {5, 6, 7};
  for (int length = 3; length < 21; length += 6)
    printf("%u ", allocated(lots, length, 5));
  printf("%u %u\n", inside(987654321, 7, 5), inside(987654321, 30, 4));
  short long_one[17] = {8};
  for (int length = 13; length < 18; length++)
    printf("%u ", sized(long_one, length, 3));
  read[0] = 1;
  for (int depth = 0; depth < 4; depth++)
    printf("%ld %ld ", afterwards(read, 1, depth), freed(read, 1, depth));
  printf("%u\n", twice(pair, 5));
  printf("%ld\n", many(four, 1));
  long quad[4] = {7, 1, 8, 2};
  printf("%ld %ld\n", beside(5, quad), beside(0, quad));
  return 0;
}
