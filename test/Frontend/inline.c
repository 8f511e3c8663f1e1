// A C inline definition is only a copy for the optimiser; one that spawns is
// dropped, with its children.  One that is always inlined may be the only
// definition.
//
// RUN: cilk2chan %s --emit=markers -O2 -o - | FileCheck %s
// RUN: cilk2chan %s -DMAIN -O0 -o %t && %t
// RUN: cilk2chan %s -DMAIN -O2 -o %t && %t
// CHECK-NOT: __cilk_child.1
// CHECK: declare {{.*}}@copy(
// CHECK: define linkonce_odr {{.*}}@always(
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
inline __attribute__((always_inline)) int always(int n) {
  int x = spawn f(n), y = f(n);
  sync;
  return x + y;
}
int g(int n) { return own(n) + copy(n) + always(n); }

#ifdef MAIN
int f(int n) { return n; }
extern inline int copy(int n);
int main(void) { return g(7) - 42; }
#endif
