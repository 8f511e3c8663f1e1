// What the simulator allocates is no leak of the program's; a leak and an
// overflow of the program's own are found.
// RUN: cilk2chan -O1 -g -fsanitize=address --target=vgiw %s -o %t
// RUN: %t | FileCheck %s
// RUN: not %t leak 2>&1 | FileCheck %s --check-prefix=LEAK
// RUN: not %t overflow now 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// CHECK: 55
// LEAK: detected memory leaks
// LEAK: Direct leak of {{[0-9]+}} byte(s) in {{[0-9]+}} object(s)
// LEAK: main {{.*}}address-sanitizer.c:[[@LINE+21]]
// LEAK: SUMMARY
// OVERFLOW: heap-buffer-overflow
// OVERFLOW: main {{.*}}address-sanitizer.c:[[@LINE+19]]

#include <stdio.h>
#include <stdlib.h>

int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(int argc, char **argv) {
  volatile int *numbers = NULL; // volatile: they are not optimised away
  // The last few may still be found in a register or on the stack.
  for (int i = 0; i < 100; ++i) {
    numbers = malloc(11 * sizeof *numbers);
    numbers[5 * argc] = fib(10);
    if (argc == 1 || i == 0) {
      printf("%d\n", numbers[5 * argc]);
      free((void *)numbers);
      if (argc == 1)
        break;
    }
  }
}
