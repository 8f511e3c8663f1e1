// <cilk/cilk.h> is not needed, may be included, and makes the serial elision for
// another compiler.
//
// RUN: cilk2chan %s --emit=markers -o - | FileCheck %s
// RUN: cilk2chan %s --emit=markers -fno-cilk-keywords -o - | FileCheck %s
// RUN: %clang %include -Werror %s -o %t
// RUN: %t
// CHECK: call void @__cilk_spawn.0
// CHECK: call void @__cilk_sync

#include <cilk/cilk.h>

static int f(int n) { return n; }

int main(void) {
  int x = cilk_spawn f(3), y = f(-3);
  cilk_sync;
  return x + y;
}
