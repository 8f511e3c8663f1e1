// A program may have functions of its own named like the words.
//
// RUN: cilk2chan %s --emit=markers -O0 -o - | FileCheck %s

int spawn(int n);
typedef int cilk;

// CHECK-NOT: __cilk
// CHECK: call i32 @spawn(i32 noundef 3)
// CHECK-NOT: __cilk
cilk g(void) { return spawn(3); }
