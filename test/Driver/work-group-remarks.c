//===- work-group-remarks.c - Which outer loops are work-groups ----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each outer cilk_for with inner ones, a remark at its line says whether its
// iterations are work-groups, and if not, why. The host has none.
//
// RUN: cilk2chan -O2 -c --target=vgiw %s -o %t.o -Rpass=chan-groups -Rpass-missed=chan-groups 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: cilk2chan -O2 -c --target=simt %s -o %t.o -Rpass=chan-groups -Rpass-missed=chan-groups 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: cilk2chan -O2 -c %s -o %t.o -Rpass=chan-groups -Rpass-missed=chan-groups 2>&1 | count 0

void inner(int n);

static void plain(int n, float *a) {
  // CHECK-DAG: :[[@LINE+1]]:3: remark: each iteration is a work-group of 64 threads, which share 256 bytes [-Rpass=chan-groups]
  cilk_for (int i = 0; i < n; i++) {
    float tile[64];
    cilk_for (int t = 0; t < 64; t++)
      tile[t] = a[i * 64 + t];
    cilk_for (int t = 0; t < 64; t++)
      a[i * 64 + t] = tile[63 - t];
  }
}

/* 64 KB. */
static void large(int n, float *a) {
  // CHECK-DAG: :[[@LINE+1]]:3: remark: iterations are tasks, not work-groups: the local variables of an iteration have 65536 bytes, and a work-group has memory for 49152 [-Rpass-missed=chan-groups]
  cilk_for (int i = 0; i < n; i++) {
    float tile[16384];
    cilk_for (int t = 0; t < 16384; t++)
      tile[t] = a[i * 64 + t % 64];
    a[i] = tile[n];
  }
}

static void unknown(int n, int m, float *a) {
  // CHECK-DAG: :[[@LINE+1]]:3: remark: iterations are tasks, not work-groups: an inner cilk_for uses no array that its iteration of the outer loop declares, and has a number of iterations that is known at run time only; without such an array, at most 1024 are possible
  cilk_for (int i = 0; i < n; i++) {
    cilk_for (int t = 0; t < m; t++)
      a[i * m + t]++;
  }
}

static void longer(int n, float *a) {
  // CHECK-DAG: :[[@LINE+1]]:3: remark: iterations are tasks, not work-groups: an inner cilk_for uses no array that its iteration of the outer loop declares, and has 1025 iterations; without such an array, at most 1024 are possible
  cilk_for (int i = 0; i < n; i++) {
    cilk_for (int t = 0; t < 1025; t++)
      a[i * 1025 + t]++;
  }
}

static void variable(int n, int m, float *a) {
  // CHECK-DAG: :[[@LINE+1]]:3: remark: iterations are tasks, not work-groups: a local array has a size that is known at run time only
  cilk_for (int i = 0; i < n; i++) {
    float tile[m];
    cilk_for (int t = 0; t < m; t++)
      tile[t] = a[i * m + t];
    a[i] = tile[n];
  }
}

static void spawns(int n, int m, float *a) {
  // CHECK-DAG: :[[@LINE+1]]:3: remark: iterations are tasks, not work-groups: its body spawns, or calls a function that spawns
  cilk_for (int i = 0; i < n; i++) {
    float tile[64];
    cilk_for (int t = 0; t < 64; t++)
      tile[t] = a[i * m + t];
    cilk_spawn inner(tile[4]);
    cilk_sync;
  }
}

/* The loop in the middle is an outer one, too. */
static void nested(int n, float *a) {
  // CHECK-DAG: :[[@LINE+1]]:3: remark: iterations are tasks, not work-groups: an inner cilk_for spawns, or has a cilk_for in its body
  cilk_for (int i = 0; i < n; i++) {
      // CHECK-DAG: :[[@LINE+1]]:5: remark: each iteration is a work-group of 64 threads, which share 0 bytes
    cilk_for (int t = 0; t < 64; t++)
      cilk_for (int k = 0; k < 64; k++)
        a[i * 64 + t] += k;
  }
}

static void aligned(int n, float *a) {
  // CHECK-DAG: :[[@LINE+1]]:3: remark: iterations are tasks, not work-groups: a local variable is aligned to 256 bytes, and at most 128 are possible
  cilk_for (int i = 0; i < n; i++) {
    _Alignas(256) float tile[64];
    cilk_for (int t = 0; t < 64; t++)
      tile[t] = a[i * 64 + t];
    a[i] = tile[n];
  }
}

/* Without inner loops. */
static void flat(int n, float *a) {
  cilk_for (int i = 0; i < n; i++)
    a[i]++;
}

void all(int n, float *a) {
  plain(n, a);
  large(n, a);
  unknown(n, n, a);
  longer(n, a);
  variable(n, n, a);
  spawns(n, n, a);
  nested(n, a);
  aligned(n, a);
  flat(n, a);
}
