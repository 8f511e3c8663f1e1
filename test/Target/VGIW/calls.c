// What kernels call: the C library, the maths library, locks, callbacks that spawn.
// RUN: cilk2chan -O2 --target=vgiw %s -o %t -lm
// RUN: env CHANSIM_STATS=%t.json %t | FileCheck %s
// RUN: %python %S/Inputs/statistics.py %t.json | FileCheck %s --check-prefix=STATS
// RUN: cilk2chan -O0 --target=vgiw %s -o %t.0 -lm && %t.0 | FileCheck %s

// CHECK: leaf 0
// CHECK: copied 36, root 10
// CHECK-NEXT: sorted 1 1 2 3 5 8, compared
// CHECK-NEXT: counted 200, 200
// CHECK-NEXT: objects 1225
// qsort calls back, and each callback is a run within a run.
// STATS: program.nested_runs {{[1-9]}}

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long count, compared;

static void leaf(int n) {
  if (n == 0)
    printf("leaf %d\n", n);
}

static int *copy(const int *from, int n) {
  int *to = malloc(n * sizeof *to);
  memcpy(to, from, n * sizeof *to);
  cilk_spawn leaf(0);
  cilk_sync;
  return to;
}

static double root(double x) { return cbrt(x) + sqrt(x * x); }

static int difference(int a, int b) { return a - b; }

static int compare(const void *a, const void *b) {
  int result = cilk_spawn difference(*(const int *)a, *(const int *)b);
  cilk_sync;
  ++compared;
  return result;
}

static void sort(int *numbers, int n) {
  cilk_spawn leaf(1);
  qsort(numbers, n, sizeof *numbers, compare);
  cilk_sync;
}

// All threads of a tile want it.
static long countLocked(void) {
  pthread_mutex_lock(&lock);
  long before = count;
  count = before + 1;
  pthread_mutex_unlock(&lock);
  return 1;
}

static long countAll(int n) {
  if (n == 1)
    return countLocked();
  long a = cilk_spawn countAll(n / 2);
  long b = cilk_spawn countAll(n - n / 2);
  cilk_sync;
  return a + b;
}

// An object of variable size in a helper that is inlined, in a loop.
static int fill(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    int line[i + 1];
    for (int k = 0; k <= i; ++k)
      line[k] = k;
    sum += line[i];
  }
  return sum;
}

static int objects(int n) {
  int a = cilk_spawn fill(n);
  cilk_sync;
  return a;
}

int main(void) {
  int from[] = {1, 2, 3, 5, 8, 17}, sum = 0;
  int *to = copy(from, 6);
  for (int i = 0; i < 6; ++i)
    sum += to[i];
  free(to);
  double r = cilk_spawn root(8.0);
  cilk_sync;
  printf("copied %d, root %g\n", sum, r);
  int numbers[] = {5, 3, 8, 1, 2, 1};
  sort(numbers, 6);
  printf("sorted");
  for (int i = 0; i < 6; ++i)
    printf(" %d", numbers[i]);
  printf(", %s\n", compared >= 5 ? "compared" : "not compared");
  long all = countAll(200);
  printf("counted %ld, %ld\n", all, count);
  printf("objects %d\n", objects(50));
  return 0;
}
