// What all callers of a function pass: constants and ranges.
//
// RUN: cilk2chan %s --emit=cilk -O2 -w -o %t.mlir && FileCheck %s < %t.mlir && FileCheck --check-prefix=SHARED %s < %t.mlir && FileCheck --check-prefix=POINTED %s < %t.mlir
// RUN: cilk2chan %s -w -O2 -o %t && %t && CHAN_WIDTH=2 %t
// RUN: cilk2chan %s -w -O0 -o %t.0 && %t.0
// RUN: cilk2chan %s -w -O2 -g -o %t.g && %t.g
#include <cilk/cilk.h>
#include <pthread.h>

static long total;
static void add(long x) { __atomic_fetch_add(&total, x, __ATOMIC_RELAXED); }

// A spawn and a call, both pass 0 or 6, and what the first passes on.
// CHECK-LABEL: llvm.func internal @tree(
// CHECK-SAME: llvm.range = #llvm.constant_range<i32, 0, 7>
// CHECK-SAME: %arg2: i32
// CHECK-NOT: %arg2
// CHECK: cilk.spawn @tree
static void tree(int children, unsigned name, int scale) {
  add(scale);
  for (int i = 0; i < children; ++i) {
    unsigned child = name * 8 + i + 1;
    cilk_spawn tree(child % 5 == 1 && child < 4000 ? 6 : 0, child, scale);
  }
  cilk_sync;
}

// A function, which is called by its name, so it can be inlined.
static long twice(long x) { return 2 * x; }
// CHECK-LABEL: llvm.func internal @apply(
// CHECK-NOT: llvm.call %
// CHECK-NOT: llvm.call @twice
// CHECK: cilk.spawn @apply
// CHECK: llvm.return
static void apply(long (*f)(long), long n) {
  if (n == 0)
    return;
  add(f(n));
  cilk_spawn apply(f, n - 1);
  cilk_spawn apply(f, n - 1);
  cilk_sync;
}

// Another file may call it.
// SHARED-LABEL: llvm.func @shared(
// SHARED-SAME: %[[K:arg0]]: i32
// SHARED: cilk.spawn @shared(%[[K]],
void shared(int k, int n) {
  if (n == 0)
    return;
  add(k);
  cilk_spawn shared(k, n - 1);
  cilk_sync;
}

// Somebody calls it by its address.
// POINTED-LABEL: llvm.func internal @pointed(
// POINTED-SAME: %[[K:arg0]]: i32
// POINTED: cilk.spawn @pointed(%[[K]],
static void pointed(int k, int n) {
  if (n == 0)
    return;
  add(k);
  cilk_spawn pointed(k, n - 1);
  cilk_sync;
}
void (*volatile someone)(int, int) = pointed;

// The address of a thread's own is not another's.
static __thread long own = 5;
// CHECK-LABEL: llvm.func internal @of_thread(
// CHECK-SAME: %[[P:arg[0-9]+]]: !llvm.ptr
// CHECK: llvm.load %[[P]]
static void of_thread(long *p, int n) {
  if (n == 0)
    return;
  add(*p);
  cilk_spawn of_thread(p, n - 1);
  cilk_spawn of_thread(p, n - 1);
  cilk_sync;
}

// Nobody calls it but itself, once its function knows that.
static void dead(int n) {
  add(n);
  cilk_spawn dead(n);
  cilk_spawn dead(n);
  cilk_sync;
}
static void start(void) {
  int never = 0;
  if (never)
    cilk_spawn dead(1);
  tree(0, 1, 3);
}

static void *thread(void *unused) {
  (void)unused;
  own = 7;
  of_thread(&own, 2);
  return 0;
}

int main(void) {
  tree(6, 0, 3);
  start();
  if (total != 168)
    return 1;
  total = 0;
  apply(twice, 3);
  if (total != 2 * (3 + 2 * 2 + 4))
    return 2;
  total = 0;
  shared(4, 3);
  pointed(5, 2);
  someone(6, 1);
  if (total != 4 * 3 + 5 * 2 + 6)
    return 3;
  total = 0;
  of_thread(&own, 2);
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  pthread_join(other, 0);
  if (total != 3 * 5 + 3 * 7)
    return 4;
  return 0;
}
