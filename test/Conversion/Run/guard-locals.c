// guard-locals.c - A place in a local, computed before the base-case check.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The place is used after the check.  So the clone passes on the index, and its
// outlined body computes the place in its own local.
// RUN: cilk2chan -O2 -fno-chan-batch --emit=mlir %s | FileCheck %s
// CHECK: llvm.func internal @tree.serial(
// CHECK: %[[AT:.*]] = llvm.sext
// CHECK: call @tree.serial.[[BODY:[a-z]+]](%{{.*}}, %{{.*}}, %[[AT]])
// CHECK: llvm.func internal @tree.serial.[[BODY]](%{{[^)]*}}, %[[AT:arg[0-9]]]: i64)
// CHECK: %[[LOCAL:.*]] = llvm.alloca
// CHECK: llvm.getelementptr inbounds %[[LOCAL]][%{{.*}}, %[[AT]]]

// RUN: cilk2chan -O2 %s -o %t && CHAN_WORKERS=1 %t && CHAN_WORKERS=2 %t
// RUN: cilk2chan -O2 -fno-chan-batch %s -o %t.c && CHAN_WORKERS=1 %t.c
// RUN: cilk2chan -O1 -fsanitize=undefined -fno-sanitize-recover=all %s -o %t.s && CHAN_WORKERS=1 %t.s

static int tree(int n) {
  int local[4], *middle = &local[n % 4];
  if (n < 2)
    return n + 1;
  local[0] = cilk_spawn tree(n - 1);
  local[1] = cilk_spawn tree(n - 2);
  local[2] = 2;
  local[3] = 3;
  cilk_sync;
  return *middle + n;
}
static int serially(int n) {
  if (n < 2)
    return n + 1;
  int local[] = {serially(n - 1), serially(n - 2), 2, 3};
  return local[n % 4] + n;
}

int main(void) {
  for (int n = 0; n < 12; ++n)
    if (tree(n) != serially(n))
      return n + 1;
  return 0;
}
