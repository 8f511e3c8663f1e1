// Jumps out of and into a spawned block.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

void g(int n) {
  // CHECK: [[@LINE+2]]:16: error: 'return' in a spawned block is not allowed
  // CHECK: note: the block runs beside what follows it; put what it skips under an 'if', or spawn a function instead
  cilk_spawn { return; }
  while (n) {
    // CHECK: [[@LINE+1]]:18: error: 'break' in a spawned block is not allowed
    cilk_spawn { break; }
    // CHECK: [[@LINE+1]]:18: error: 'continue' in a spawned block is not allowed
    cilk_spawn { continue; }
  }
  // CHECK: [[@LINE+1]]:16: error: 'goto' in a spawned block is not allowed
  cilk_spawn { goto out; }
  // CHECK: [[@LINE+2]]:16: error: 'label' in a spawned block is not allowed
  // CHECK: note: spawn a function instead, which may have labels
  cilk_spawn { inside:; }
  switch (n) {
    cilk_spawn {
    // CHECK: [[@LINE+2]]:5: error: 'case' in a spawned block is not allowed
    // CHECK: note: put the whole 'switch' into the block
    case 1:;
    }
  }
out:;
  int m[n];
  // CHECK: [[@LINE+2]]:16: error: a type that depends on a variable in a spawned block is not supported
  // CHECK: [[@LINE+1]]:16: note: declare a pointer to the first element of 'm' in front of the block, and use that
  cilk_spawn { m[0] = 1; }
  int t[n][n];
  cilk_spawn {
    // CHECK: [[@LINE+2]]:5: error: a type that depends on a variable
    // CHECK: [[@LINE+1]]:5: note: spawn a function instead, which may have such parameters
    t[0][1] = 1;
    int own[n];
    // CHECK: [[@LINE+2]]:5: error: a type that depends on a variable
    // CHECK: [[@LINE+1]]:5: note: spawn a function instead, which may have such parameters
    own[0] = 1;
  }
}
