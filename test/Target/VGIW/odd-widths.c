// The rest of an unrolled loop is a number of two bits, which no unit has.
// RUN: cilk2chan -O2 --target=vgiw %s -o %t && %t | FileCheck %s
// CHECK: 168 240 108 248

#include <stdio.h>

static int f(unsigned seed, int depth) {
  int n = 3 + (seed & 3);
  short v[n];
  for (int k = 0; k < n; ++k)
    v[k] = k + 1;
  if (depth)
    v[0] += cilk_spawn f(seed * 5, depth - 1);
  cilk_sync;
  int t = 0;
  for (int k = 0; k < n; ++k)
    t = t * 3 + v[k];
  return t & 255;
}

int main(void) {
  for (int i = 0; i < 4; i++)
    printf("%d ", f(i, 3));
  printf("\n");
}
