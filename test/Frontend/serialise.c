// The serial elision has calls for spawns and nothing for syncs.
//
// RUN: cilk2chan %s --emit=markers -fcilk-serialize -o - | FileCheck %s
// CHECK-NOT: __cilk
// CHECK: define {{.*}}@g(
// CHECK: call i32 @f(
// CHECK: call i32 @f(
// CHECK-NOT: __cilk

int f(int);
cilk int g(int n) {
  int x = spawn f(n);
  x += cilk_spawn f(n);
  cilk_spawn { x++; }
  sync;
  return x;
}
