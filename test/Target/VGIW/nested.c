// A kernel calls qsort, whose comparison spawns: runs on another machine, in the
// same cycles wherever the system puts things, and by so much the call is longer.
// RUN: cilk2chan -O2 --target=vgiw %s -o %t
// RUN: env CHANSIM_STATS=%t.1.json %t | FileCheck %s
// RUN: env CHANSIM_STATS=%t.2.json %t some more arguments | FileCheck %s
// RUN: %python %S/Inputs/statistics.py %t.1.json | sed '/^host/d' > %t.1
// RUN: %python %S/Inputs/statistics.py %t.2.json | sed '/^host/d' | cmp - %t.1
// RUN: awk -f %S/Inputs/nested.awk %t.1
// RUN: env CHANSIM_SET=cores=3 CHANSIM_STATS=%t.3.json %t | FileCheck %s
// RUN: %python %S/Inputs/statistics.py %t.3.json > %t.3 && awk -f %S/Inputs/nested.awk %t.3
// CHECK: 1 1 2 3 5 8

#include <stdio.h>
#include <stdlib.h>

static int difference(int a, int b) { return a - b; }

static int compare(const void *a, const void *b) {
  int twice = cilk_spawn difference(2 * *(const int *)a, 2 * *(const int *)b);
  int once = cilk_spawn difference(*(const int *)a, *(const int *)b);
  cilk_sync;
  return twice - once;
}

static void nothing(void) {}

static void sort(int *numbers, int n) {
  cilk_spawn nothing();
  qsort(numbers, n, sizeof *numbers, compare);
  cilk_spawn nothing();
  cilk_sync;
}

int main(void) {
  int numbers[] = {5, 3, 8, 1, 2, 1};
  sort(numbers, 6);
  for (int i = 0; i < 6; ++i)
    printf("%d ", numbers[i]);
  printf("\n");
  return 0;
}
