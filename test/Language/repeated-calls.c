// repeated-calls.c - Calls that may be made once, and calls that may not.  On a machine, all
// iterations have one thread-local variable, that of the host's thread.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SANITIZE: yes
// VGIW: no

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

struct wide {
  long of[6];
};
static int calls, values[16];

static int pure(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn pure(n - 1);
  int b = pure(n - 2);
  cilk_sync;
  return a + b;
}

static int reading(int from, int to) {
  if (to - from == 1)
    return values[from];
  int a = cilk_spawn reading(from, (from + to) / 2);
  int b = reading((from + to) / 2, to);
  cilk_sync;
  return a + b;
}

// Its leaves count, far below who is called.
static int counting(int n) {
  if (n == 0)
    return __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) > 0;
  int a = cilk_spawn counting(n - 1);
  int b = n % 2 ? pure(n) : counting(n - 1);
  cilk_sync;
  return a + b;
}

static void storing(int *to, int from, int n) {
  if (n == 1) {
    to[from] += from;
    return;
  }
  cilk_spawn storing(to, from, n / 2);
  storing(to, from + n / 2, n - n / 2);
}

static struct wide returning(struct wide w, int n) {
  if (n == 0)
    return w;
  w.of[n % 6] += n;
  struct wide a = cilk_spawn returning(w, n - 1);
  cilk_sync;
  a.of[0] += w.of[1];
  return a;
}

static long ordinary(int n) {
  long sum = 0;
  struct wide w = {{1, 2, 3, 4, 5, 6}};
  for (int i = 0; i < 8; ++i) {
    sum += pure(n) ^ i;
    sum += reading(0, 16);
    values[i] += 3;
    sum -= reading(0, 16);
    sum += counting(n / 4);
    storing(values, 0, 16);
    sum += reading(0, 8) * 2;
    w = returning(w, n);
    sum += w.of[0] % 1000;
  }
  return sum;
}

// The same in a function that spawns, and in a parallel loop.
static long spawning(int n) {
  long sum = 0, of[6];
  for (int i = 0; i < 5; ++i) {
    sum += pure(n) ^ i;
    sum += reading(0, 16);
    sum += counting(i);
  }
  for (int i = 0; i < n - 9; ++i)
    sum += reading(4, 9) + pure(n - 3);
  cilk_for (int i = 0; i < 6; ++i)
    of[i] = pure(n) + reading(i, 16) + counting(n / 4) * i;
  for (int i = 0; i < 6; ++i)
    sum += of[i];
  long a = cilk_spawn pure(n - 1);
  sum += reading(1, 3);
  cilk_sync;
  return sum + a;
}

// Loops that end in their middle, where they have spawned.
static long ending(int n, int most) {
  long sum = 0, of[5];
  for (int i = 0;;) {
    long a = cilk_spawn counting(i);
    sum += pure(n);
    if (i++ == most) {
      cilk_sync;
      sum += a;
      break;
    }
    cilk_sync;
    sum += a * i;
  }
  for (int i = 0;;) {
    cilk_for (int j = 0; j < 5; ++j)
      of[j] = counting(j) + i;
    if (i++ == most)
      break;
    sum += pure(n) + of[i % 5];
  }
  return sum;
}

// Comes to an end for positive n.
static unsigned ending_if_positive(int n) {
  if (n == 0)
    return 1;
  unsigned a = cilk_spawn ending_if_positive(n - 1);
  unsigned b = n > 1 ? ending_if_positive(n - 2) : 1;
  cilk_sync;
  return a * 3 + b;
}
static unsigned looping(unsigned n) {
  unsigned s = n;
  for (unsigned i = 0; i < n; ++i)
    s = s * 31 + (s >> 7);
  return s;
}

// Parallel loops whose iterations all make the same calls, or none as there are
// no iterations.
static unsigned parallel(int rows, int columns, int n) {
  unsigned of[8][8] = {0}, sum = 0;
  cilk_for (int i = 0; i < rows; ++i)
    cilk_for (int j = 0; j < columns; ++j) {
      of[i][j] = ending_if_positive(n) + (unsigned)pure(i + j);
      of[i][j] += looping((unsigned)n + 2u) * (unsigned)j;
      if (n > 0 && j > 2)
        of[i][j] ^= (unsigned)pure(n);
    }
  cilk_for (int i = 0; i < rows; ++i)
    of[i][0] +=
        looping((unsigned)(n * n)) + (unsigned)(looping(50) > 9) * (unsigned)i;
  for (int i = 0; i < 64; ++i)
    sum = sum * 31 + of[i / 8][i % 8];
  return sum;
}

// What the second iteration does first ends the program.
static _Noreturn void end(void) {
  printf("ended\n");
  exit(0);
}
static int divide(int n, int by) {
  return n ? divide(n - 1, by) * 2 + divide(n - 1, by) : 100 / by;
}
static void guarded(int *to, int n, int by, int inside, int most) {
  cilk_for (int i = 0; i < n; ++i) {
    int k = 0;
    if (inside)
      goto middle;
  again:
    if (k >= most)
      end();
  middle:
    to[i] += divide(3, by);
    if (++k < 3)
      goto again;
  }
}

// Each thread has one of its own.
static _Thread_local int scratch;
static int *own_scratch(int n) { return n < 2 ? &scratch : own_scratch(n / 2); }
static int *keep(int *place, int n) {
  return n < 2 ? place : keep(place, n / 2);
}
static int scratched(int n) {
  static int to[20000];
  int wrong = 0;
  cilk_for (int i = 0; i < 20000; ++i) {
    *own_scratch(n) = i;
    to[i] = own_scratch(n) == &scratch ? scratch : -1;
  }
  for (int i = 0; i < 20000; ++i)
    wrong += to[i] != i;
  cilk_for (int i = 0; i < 20000; ++i) {
    *keep(&scratch, n) = i;
    to[i] = -scratch;
  }
  for (int i = 0; i < 20000; ++i)
    wrong += to[i] != -i;
  return wrong;
}

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 3; ++i)
    printf("%u %u\n", parallel(8 - i, 8 - 3 * i, 4 + i), parallel(i, 0, -1));
  printf("%u\n", parallel(0, 8, -1000000000));
  long results[] = {ordinary(12), ordinary(9), spawning(11), ending(12, 5),
                    ending(3, 0)};
  for (int i = 0; i < 5; ++i)
    printf("%ld\n", results[i]);
  for (int i = 0; i < 3; ++i)
    printf("%d %d\n", reading(0, 16), pure(10));
  printf("%d\n", calls);
  printf("%d\n", scratched(100));
  int to[4] = {0};
  guarded(to, 4, 2, 1, 10);
  printf("%d\n", to[3]);
  guarded(to, 1, 0, 0, argc - 1);
  return 0;
}
