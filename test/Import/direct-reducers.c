// direct-reducers.c - Which reducers need no views.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O1 --emit=cilk %s | FileCheck %s
// RUN: cilk2chan -O1 --emit=llvm %s | FileCheck --check-prefix=LLVM %s
// RUN: cilk2chan -O1 -ffast-math --emit=llvm %s | FileCheck --check-prefix=FAST %s

static void zero(void *view) { *(long *)view = 0; }
static void add(void *left, void *right) { *(long *)left += *(long *)right; }
static void one(void *view) { *(long *)view = 1; }
static void most(void *left, void *right) {
  if (*(long *)right > *(long *)left)
    *(long *)left = *(long *)right;
}
static void nothing(void *view) { *(double *)view = 0; }
static void plus(void *left, void *right) {
  *(double *)left += *(double *)right;
}

void use(long value);

// No function of a module without views has a strand.
// CHECK-NOT: chan.strands

static long cilk_reducer(zero, add) counter;
// CHECK-LABEL: llvm.func {{.*}}@tree(
// CHECK-NOT: chan_reducer_view
// CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} monotonic {{.*}}chan.reduction
// CHECK: cilk.spawn @tree
static void tree(int n) {
  if (n == 0) {
    counter++;
    return;
  }
  cilk_spawn tree(n - 1);
  tree(n - 1);
}

// A loop updates behind itself.
// LLVM-LABEL: define internal void @__cilk_body.
// LLVM: phi i64
// LLVM-NOT: atomicrmw
// LLVM: add
// LLVM: br label
// LLVM: atomicrmw add ptr %{{[0-9]+}}, i64 %{{.*}} monotonic
long sum(const long *values, long n) {
  long cilk_reducer(zero, add) local = 0;
  cilk_for (long i = 0; i < n; i++)
    local += values[i];
  return local;
}

int main(void) {
  counter = 0;
  tree(9);
  return counter != 512;
}

#ifdef __FAST_MATH__
// FAST-NOT: chan_reducer_view
// FAST: atomicrmw fadd
double total(const double *values, long n) {
  double cilk_reducer(nothing, plus) local = 0;
  cilk_for (long i = 0; i < n; i++)
    local += values[i];
  return local;
}
#endif
