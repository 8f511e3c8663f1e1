// A loop is left from its middle, with the values that its counters had there.
// RUN: cilk2chan -O0 --target=vgiw %s -o %t && %t | FileCheck %s
// RUN: cilk2chan -O2 --target=vgiw %s -o %t && %t | FileCheck %s
// CHECK: 1 2 2 3 5 5 8 9 then 0 1 4 4 6 7 7 9

#include <stdio.h>

static void sort(int *data, long count) {
  if (count < 2)
    return;
  int pivot = data[count / 2];
  long i = 0, j = count - 1;
  while (i <= j) {
    while (data[i] < pivot)
      ++i;
    while (data[j] > pivot)
      --j;
    if (i <= j) {
      int swap = data[i];
      data[i++] = data[j];
      data[j--] = swap;
    }
  }
  sort(data, j + 1);
  sort(data + i, count - i);
}

int main(void) {
  int a[] = {5, 2, 9, 1, 5, 8, 2, 3}, b[] = {7, 0, 4, 9, 6, 4, 1, 7};
  cilk_spawn sort(a, 8);
  sort(b, 8);
  cilk_sync;
  for (int i = 0; i < 8; ++i)
    printf("%d ", a[i]);
  printf("then");
  for (int i = 0; i < 8; ++i)
    printf(" %d", b[i]);
  printf("\n");
  return 0;
}
