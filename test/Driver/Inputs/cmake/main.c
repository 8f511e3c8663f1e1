#include "fib.h"
#include <stdio.h>

int main(void) {
  int x = cilk_spawn inside(20), y = cilk_spawn outside(20);
  cilk_sync;
  printf("%d %d\n", x, y);
  return 0;
}
