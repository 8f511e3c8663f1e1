#include "fib.h"

int FIB(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn FIB(n - 1), y = FIB(n - 2);
  cilk_sync;
  return x + y;
}
