// The body of a parallel loop that only loads from a local has its value instead
// of its address, once a helper that changed it by its address has been inlined:
// nothing is loaded again after each store.
//
// RUN: cilk2chan %s -O2 -fno-chan-below-grain --emit=llvm -o %t.ll && FileCheck %s < %t.ll
// RUN: cilk2chan %s -DMAIN -O2 -o %t && %t
// RUN: cilk2chan %s -DMAIN -O0 -o %t.0 && %t.0
// RUN: cilk2chan %s -DMAIN -O2 -g -o %t.g && %t.g
#include <cilk/cilk.h>

static void swap(long **a, long **b) {
  long *kept = *a;
  *a = *b;
  *b = kept;
}
void move(long **);

// CHECK-LABEL: define internal void @__cilk_body.0(
// CHECK-NOT: load ptr
// CHECK: ret void
void simple(long *now, long *later, int n) {
  for (int t = 0; t < 3; ++t) {
    cilk_for (int i = 0; i < n; ++i)
      later[i] = now[i] + 1;
    swap(&now, &later);
  }
}

// The address goes through the outer one.
// CHECK-LABEL: define internal void @__cilk_body.1(
// CHECK-NOT: load ptr
// CHECK: ret void
void nested(long *now, long *later, int n) {
  swap(&now, &later);
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < 2; ++j)
      if (i % 2 == j)
        now[i] += later[i] + j;
}

// Somebody else may have the address, and change what is there.
// CHECK-LABEL: define internal void @__cilk_body.3(
// CHECK: load ptr
// CHECK: ret void
void escaped(long *now, long *later, int n) {
  move(&now);
  cilk_for (int i = 0; i < n; ++i)
    now[i] += later[i];
}

// The body changes it itself.
// CHECK-LABEL: define internal void @__cilk_body.4(
// CHECK: store ptr {{.*}}, ptr %{{[0-9]+}}
// CHECK: ret void
void changed(long **out, long *now, long *later, int n) {
  long *last = now;
  swap(&last, &later);
  cilk_for (int i = 0; i < n; ++i)
    if (i == n - 1)
      last = now + i;
  *out = last;
}

// A child that may still run has the address.
// CHECK-LABEL: define internal void @__cilk_body.6(
// CHECK: load ptr
// CHECK: ret void
void spawned(long *now, long *later, int n) {
  cilk_spawn move(&now);
  cilk_for (int i = 0; i < n; ++i)
    if (n < 0)
      later[i] = now[i];
  cilk_sync;
  *later = *now;
}

#ifdef MAIN
void move(long **p) { ++*p; }
int main(void) {
  long a[9] = {0}, b[9] = {0}, *last;
  simple(a, b, 8);
  for (int i = 0; i < 8; ++i)
    if (a[i] != 2 || b[i] != 3)
      return 1;
  nested(a, b, 8);
  for (int i = 0; i < 8; ++i)
    if (a[i] != 2 || b[i] != 5 + i % 2)
      return 2;
  escaped(a, b, 8);
  for (int i = 0; i < 8; ++i)
    if (a[i + 1] != (i < 7 ? 2 : 0) + b[i])
      return 3;
  changed(&last, a, b, 8);
  if (last != a + 7)
    return 4;
  spawned(a, b, 8);
  return b[0] != a[1];
}
#endif
