// Jumps out of and into a spawned block.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

void g(int n) {
  // CHECK: [[@LINE+1]]:16: error: 'return' in a spawned block is not allowed
  cilk_spawn { return; }
  while (n) {
    // CHECK: [[@LINE+1]]:18: error: 'break' in a spawned block is not allowed
    cilk_spawn { break; }
    // CHECK: [[@LINE+1]]:18: error: 'continue' in a spawned block is not allowed
    cilk_spawn { continue; }
  }
  // CHECK: [[@LINE+1]]:16: error: 'goto' in a spawned block is not allowed
  cilk_spawn { goto out; }
out:;
  int m[n];
  // CHECK: error: a type that depends on a variable in a spawned block is not supported
  cilk_spawn { m[0] = 1; }
}
