// selection.c - Which functions leave for MLIR.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan --emit=llvm %s | FileCheck --check-prefix=IDLE %s
// RUN: cilk2chan --dump-after=import -c %s -o %t.o 2>&1 | FileCheck --implicit-check-not=@outside %s

extern int work(int n);
int spawning(int n);

// Only calls a spawning function: stays.
int outside(int n) { return spawning(n) + 1; }

// Syncs but never spawns: the sync goes, the function stays.
// IDLE: define {{.*}}void @idle()
// IDLE-NOT: call
// IDLE: ret void
void idle(void) { cilk_sync; }

// Between two recursive calls: leaves.
// CHECK-DAG: llvm.func {{.*}}@between(%
static int between(int n) { return spawning(n - 1); }

// A spawn is an edge of the cycle, too.
// CHECK-DAG: llvm.func {{.*}}@spawned(%
static int spawned(int n) { return between(n) + 1; }

// CHECK-DAG: llvm.func @spawning(%
int spawning(int n) {
  if (n < 1)
    return work(n);
  int x = cilk_spawn spawned(n);
  cilk_sync;
  idle();
  return x;
}
// CHECK-DAG: llvm.func @work(i32
