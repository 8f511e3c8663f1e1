// programs.c - What kernels do runs on a SIMT core: trees, loops, locks, calls, memory.
// RUN: cilk2chan -O2 --target=simt %s -o %t -lpthread && %t | FileCheck %s
// RUN: cilk2chan -O0 -g --target=simt %s -o %t.0 -lpthread && %t.0 | FileCheck %s
// RUN: env CHANSIM_SET=cores=3,aggregator.channel_width=8 %t | FileCheck %s
// RUN: env CHANSIM_SET=simt.lanes=1,simt.warps=7 %t | FileCheck %s
// RUN: env CHANSIM_SET=simt.lanes=64,simt.reconvergence_limit=1 %t | FileCheck %s

// Few registers: most values are in private memory.
// RUN: echo '{"name": "few", "base": "%source/runtime/sim/machines/simt-functional.json", "simt": {"registers": 12}}' > %t.json
// RUN: cilk2chan -O2 --target=simt --machine=%t.json %s -o %t.few -lpthread && %t.few | FileCheck %s

#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long fib(int n) {
  if (n < 2)
    return n;
  long a = cilk_spawn fib(n - 1);
  long b = fib(n - 2);
  cilk_sync;
  return a + b;
}

static int isSafe(const char *board, int row) {
  for (int i = 0; i < row; ++i) {
    int distance = board[row] - board[i];
    if (distance == 0 || distance == row - i || distance == i - row)
      return 0;
  }
  return 1;
}

static int queens(int n, int row, const char *before) {
  char board[16];
  int counts[16] = {0};
  if (row == n)
    return 1;
  memcpy(board, before, row);
  for (int column = 0; column < n; ++column) {
    board[row] = (char)column;
    if (!isSafe(board, row))
      continue;
    char *copy = malloc(16);
    memcpy(copy, board, 16);
    counts[column] = cilk_spawn queens(n, row + 1, copy);
  }
  cilk_sync;
  int all = 0;
  for (int column = 0; column < n; ++column)
    all += counts[column];
  return all;
}

static void collatz(int n, int *steps) {
  cilk_for (int i = 1; i < n; ++i) {
    long value = i;
    int count = 0;
    for (; value != 1; ++count)
      value = value % 2 ? 3 * value + 1 : value / 2;
    steps[i] = count;
  }
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long locked;

static void count(int n) {
  cilk_for (int i = 0; i < n; ++i) {
    pthread_mutex_lock(&lock);
    locked += i;
    pthread_mutex_unlock(&lock);
  }
}

static void print(int n) {
  if (n == 0) {
    printf("leaf %g\n", 0.5);
    return;
  }
  cilk_spawn print(n - 1);
  cilk_sync;
}

int main(void) {
  int *steps = malloc(1000 * sizeof *steps);
  // CHECK: fib 987
  printf("fib %ld\n", fib(16));
  // CHECK: queens 40
  printf("queens %d\n", queens(7, 0, ""));
  collatz(1000, steps);
  // CHECK: collatz 111 178
  printf("collatz %d %d\n", steps[27], steps[871]);
  count(100);
  // CHECK: locked 4950
  printf("locked %ld\n", locked);
  // CHECK: leaf 0.5
  print(3);
  free(steps);
}
