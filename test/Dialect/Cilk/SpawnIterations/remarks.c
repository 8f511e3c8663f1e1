// remarks.c - Why parallel loops in recursion are spawned one by one or not.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -w -O1 -Rpass=chan-iterations -Rpass-missed=chan-iterations \
// RUN:   -c -o /dev/null %s 2>&1 | FileCheck %s --implicit-check-not=remark:

int plain(int);
void store(int *place, int n);

// CHECK: remarks.c:[[#@LINE+3]]:3: remark: iterations of the cilk_for are spawned one by one: they call a function that may reach this loop again [-Rpass=chan-iterations]
int spawned(int n) {
  int v[4] = {0};
  cilk_for (int i = 0; i < n; i++)
    v[i] = -spawned(n - i);
  return v[0] + v[3];
}

// CHECK: remarks.c:[[#@LINE+3]]:3: remark: the cilk_for divides its iterations, so its recursion has no batches: after the call, an iteration does more than store its result or a value computed from it [-Rpass-missed=chan-iterations]
int behind(int n) {
  int v[4], w[4];
  cilk_for (int i = 0; i < n; i++)
    v[i] = behind(n - i), w[i] = n;
  return v[0] + w[3];
}

// CHECK: remarks.c:[[#@LINE+3]]:{{.*}}batches: an iteration has a call of another function
int calls(int n) {
  int v[4];
  cilk_for (int i = 0; i < n; i++)
    v[i] = calls(plain(i));
  return v[0] + v[3];
}

// CHECK: remarks.c:[[#@LINE+3]]:{{.*}}batches: an iteration calls more than one function that spawns
int two(int n) {
  int v[4];
  cilk_for (int i = 0; i < n; i++)
    v[i] = two(n - i) + behind(i);
  return v[0] + v[3];
}

// CHECK: remarks.c:[[#@LINE+3]]:{{.*}}batches: an iteration calls in a loop
int loops(int n) {
  int v[4];
  cilk_for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      v[i] = loops(j);
  return v[0] + v[3];
}

// CHECK: remarks.c:[[#@LINE+3]]:{{.*}}batches: an iteration has a loop that is not known to be short, in line [[#@LINE+5]]
int sums(int n, const int *p) {
  int v[4];
  cilk_for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int j = 0; j < n; j++)
      sum += p[j];
    v[i] = sums(sum, p);
  }
  return v[0] + v[3];
}

// CHECK: remarks.c:[[#@LINE+3]]:{{.*}}batches: an iteration has an object of more than 64 bytes, or does more with one than access it and pass it as a whole
int large(const int *p, int n) {
  int v[4];
  cilk_for (int i = 0; i < n; i++) {
    int own[17] = {p[i], p[0]};
    v[i] = large(own, n - 1);
  }
  return v[0] + v[3];
}

// CHECK: remarks.c:[[#@LINE+3]]:{{.*}}batches: an iteration has an object of more than 64 bytes, or does more with one than access it and pass it as a whole
int part(const int *p, int n) {
  int v[4];
  cilk_for (int i = 0; i < n; i++) {
    int own[4] = {p[i], p[0]};
    v[i] = part(own + i, n - 1);
  }
  return v[0] + v[3];
}

// CHECK: remarks.c:[[#@LINE+3]]:3: remark: iterations of the cilk_for are spawned one by one if their objects go by value, which chan-arrays reports: they call a function that may reach this loop again [-Rpass=chan-iterations]
int by_value(const int *p, int n) {
  int v[4];
  cilk_for (int i = 0; i < n; i++) {
    int own[4];
    for (int j = 0; j < 4; j++)
      own[j] = p[j ^ i];
    v[i] = by_value(own, n - 1);
  }
  return v[0] + v[3];
}

// CHECK: remarks.c:[[#@LINE+3]]:3: remark: if the objects that iterations
int of_any_size(const int *p, int n) {
  int v[4];
  cilk_for (int i = 0; i < n; i++) {
    int own[n];
    for (int j = 0; j < n; j++)
      own[j] = p[j] + i;
    v[i] = of_any_size(own, n - 1);
  }
  return v[0] + v[3];
}

// CHECK: remarks.c:[[#@LINE+3]]:{{.*}}batches: without a call or after it, an iteration does more than store something
int without(int n) {
  int v[4];
  cilk_for (int i = 0; i < n; i++)
    if (i & 1)
      v[i] = without(i);
    else
      v[3 - i] = v[0];
  return v[0] + v[3];
}

// CHECK: remarks.c:[[#@LINE+3]]:{{.*}}batches: what is computed of the results and of the iteration has another type than these, or which iterations have one is in memory
int loaded(int n, int *which) {
  int v[4];
  cilk_for (int i = 0; i < n; i++)
    if (which[i])
      v[i] = 2 * loaded(i, which) + i;
  return v[0] + v[3];
}

// CHECK: remarks.c:[[#@LINE+4]]:{{.*}}batches: the loop has a grain
int grain(int n) {
  int v[4];
#pragma cilk grainsize 2
  cilk_for (int i = 0; i < n; i++)
    v[i] = grain(i);
  return v[0] + v[3];
}

// CHECK: remarks.c:[[#@LINE+3]]:{{.*}}batches: the results are used in a computation, but are not stored in a local array of known length
int elsewhere(int n) {
  int v[n];
  cilk_for (int i = 0; i < n; i++)
    v[i] = 1 + elsewhere(i);
  return v[0] + v[n - 1];
}

// CHECK: remarks.c:[[#@LINE+4]]:{{.*}} remark: iterations of the cilk_for are spawned one by one
int few(int n) {
  int v[4];
#pragma cilk grainsize 2
  cilk_for (int i = 0; i < 4; i++)
    v[i] = few(i);
  return v[0] + v[3];
}

// CHECK: remarks.c:[[#@LINE+4]]:{{.*}}batches: the loop has a grain
int many(int n) {
  int v[100];
#pragma cilk grainsize 2
  cilk_for (int i = 0; i < 100; i++)
    v[i] = many(i);
  return v[0] + v[3];
}

// CHECK: remarks.c:[[#@LINE+4]]:{{.*}}batches: the loop has a grain
int all_in_one(int n) {
  int v[4];
#pragma cilk grainsize 4
  cilk_for (int i = 0; i < 4; i++)
    v[i] = all_in_one(i);
  return v[0] + v[3];
}

// CHECK: remarks.c:[[#@LINE+4]]:{{.*}}batches: its function spawns something else
int spawns(int n) {
  int v[4];
  cilk_spawn spawns(n - 2);
  cilk_for (int i = 0; i < n; i++)
    v[i] = spawns(i);
  return v[0] + v[3];
}

// No recursion, so nothing is said.
void each(int *v, int n) {
  cilk_for (int i = 0; i < n; i++)
    v[i] = spawned(i);
}
