// separate-slow-paths.c - What follows a loop depends on its fast path alone.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 -Werror -fno-chan-batch -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s
// RUN: cilk2chan -Os -Werror -fno-chan-batch -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=COMMON
// RUN: cilk2chan -O2 -Werror -fno-chan-batch -S -emit-llvm %s -o - \
// RUN:   -mllvm '-opt-disable=(anonymous namespace)::SeparateSlowPaths' \
// RUN:   | FileCheck %s --check-prefix=COMMON
// RUN: cilk2chan -O2 -Werror -fno-chan-batch -g %s -o %t
// RUN: CHAN_WORKERS=1 %t | FileCheck %s --check-prefix=SUMS
// RUN: CHAN_WORKERS=8 %t | FileCheck %s --check-prefix=SUMS
// RUN: CHAN_WORKERS=1 CHAN_STACK=256K %t | FileCheck %s --check-prefix=SUMS

#include <stdio.h>
#include <stdlib.h>

struct pair {
  struct pair *kids[2];
  long weight;
};

// Where there is no child, nothing is divided.
// The slow path ends in `chan_late_close`.  Its block then computes what follows
// by itself, or goes on where the fast path does.
// CHECK: define {{.*}} @walk.serial.body(
// CHECK: call void @chan_late_close(
// CHECK-NOT: preds =
// CHECK: = srem i64 %{{.*}}, 1000003
// CHECK-NOT: preds =
// CHECK: br label
// CHECK: {{^}}}
// COMMON: define {{.*}} @walk.serial.body(
// COMMON: call void @chan_late_close(
// COMMON-NOT: srem
// COMMON: br label
// COMMON: preds =
// COMMON: = srem i64 %{{.*}}, 1000003
// COMMON: {{^}}}
static long walk(const struct pair *pair) {
  long parts[2] = {0};
  cilk_for (int i = 0; i < 2; ++i)
    if (pair->kids[i])
      parts[i] = walk(pair->kids[i]);
  return (parts[0] ^ pair->weight) + 7 * parts[1] % 1000003;
}

// What follows is much, or is a loop of its own, or comes again.
static long others(const struct pair *pair, int times) {
  long sum = pair->weight;
  for (int time = 0; time < times; ++time) {
    long parts[2] = {0};
    cilk_for (int i = 0; i < 2; ++i)
      if (pair->kids[i])
        parts[i] = others(pair->kids[i], times - 1);
    for (int i = 0; i < 2; ++i)
      sum = sum * 3 + parts[i] % 101;
    if (sum % 5 == 0)
      break;
  }
  long last[2] = {1, 2};
  cilk_for (int i = 0; i < 2; ++i)
    if (pair->kids[i] && times == 1)
      last[i] = others(pair->kids[i], 1);
  for (long left = last[0] & 15; left; --left)
    sum += left * last[1] % 13;
  return sum;
}

static struct pair *make(int depth, unsigned seed) {
  struct pair *pair = (struct pair *)calloc(1, sizeof *pair);
  pair->weight = seed % 1000;
  for (int i = 0; i < 2; ++i)
    if (depth && (seed >> (16 + i)) % 4)
      pair->kids[i] = make(depth - 1, seed * 1664525u + 1013904223u + i);
  return pair;
}

// SUMS: 345 3107
// SUMS-NEXT: 2907 9686
int main(void) {
  struct pair *small = make(2, 12345), *large = make(16, 99999999);
  printf("%ld %ld\n", walk(small), others(small, 2));
  printf("%ld %ld\n", walk(large) % 10007, others(large, 3) % 10007);
  return 0;
}
