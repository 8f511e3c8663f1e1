// A C inline definition is only a copy for the optimiser; one that spawns is
// dropped, with its children.
//
// RUN: cilk2chan %s --emit=markers -O2 -o - | FileCheck %s
// CHECK-NOT: __cilk_child.1
// CHECK: declare {{.*}}@copy(
// CHECK-NOT: __cilk_child.1

int f(int);
static inline int own(int n) {
  int x = spawn f(n), y = f(n);
  sync;
  return x + y;
}
inline int copy(int n) {
  int x = spawn f(n), y = f(n);
  sync;
  return x + y;
}
int g(int n) { return own(n) + copy(n); }
