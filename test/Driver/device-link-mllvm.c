// device-link-mllvm.c - `-mllvm` reaches the passes that run in the link.
//
// RUN: cilk2chan -O1 --target=vgiw -c %s -o %t.o
// RUN: cilk2chan --target=vgiw -mllvm -mlir-print-ir-after=vgiw-place-blocks \
// RUN:   %t.o -o %t 2>&1 | FileCheck %s
// RUN: %t
// RUN: cilk2chan --target=vgiw %t.o -o %t 2>&1 | count 0
// RUN: not cilk2chan --target=vgiw -mllvm -no-such-option %t.o -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN
//
// CHECK: IR Dump After VGIWPlaceBlocks
// CHECK: vgiw.kernel @fib.0
// UNKNOWN: Unknown command line argument '-no-such-option'

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) { return fib(10) != 55; }
