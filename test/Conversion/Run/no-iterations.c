// no-iterations.c - A loop without iterations is all that a level of the machine has.
//
// The loop's range is dropped, and what comes behind the loop must run.
//
// RUN: cilk2chan -w -O2 --target=vgiw %s -o %t && %t | FileCheck %s
// RUN: cilk2chan -w -O2 --target=simt %s -o %t && %t | FileCheck %s

#include <cilk/cilk.h>
#include <stdio.h>

int array[10];

static int empty(int n) {
  cilk_for (int i = 0; i < n; ++i)
    array[i % 10] = i;
  return 5;
}

int main(int argc, char **argv) {
  int a = cilk_spawn empty(argc - 1);
  cilk_sync;
  cilk_for (int i = argc; i < 1; ++i)
    array[i] = i;
  // CHECK: 5 end
  printf("%d end\n", a);
}
