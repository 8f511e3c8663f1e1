// -fno-chan-uniform and -fno-chan-order leave out one thing each.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -w -O2 -fchan-batch -fchan-lanes=4 --emit=mlir %s -o - | FileCheck --check-prefix=ALL %s
// RUN: cilk2chan -w -O2 -fchan-batch -fchan-lanes=4 -fno-chan-uniform --emit=mlir %s -o - | FileCheck --check-prefix=VARYING %s
// RUN: cilk2chan -w -O2 -fchan-batch -fchan-lanes=4 -fno-chan-order --emit=mlir %s -o - | FileCheck --check-prefix=RECEIVED %s
// RUN: cilk2chan -w -O2 -fchan-batch -fchan-lanes=4 -fno-chan-accumulate -Rpass=chan -Rpass-missed=chan %s -o %t.all 2>&1 | FileCheck --check-prefix=IN-ORDER %s
// RUN: cilk2chan -w -O2 -fchan-batch -fchan-lanes=4 -fno-chan-accumulate -fno-chan-order -Rpass-missed=chan %s -o %t.order 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: cilk2chan -w -O2 -fchan-batch -fchan-lanes=4 -fno-chan-accumulate -fno-chan-uniform %s -o %t.uniform
// RUN: cilk2chan -w -O2 -fchan-batch -fchan-lanes=4 -fno-chan-accumulate -fno-chan-interleave %s -o %t.interleave
// RUN: for program in all order uniform interleave; do CHAN_WORKERS=2 %t.$program | FileCheck --check-prefix=ANSWER %s || exit 1; done

// ALL: @count.entry({{.*}}batch [@count.batch.0, @count.batch.1, @count.batch.accumulate] uniform ["a1"] accumulates sum
// VARYING: @count.entry({{.*}}batch [@count.batch.0, @count.batch.1, @count.batch.accumulate] accumulates sum
// RECEIVED: @count.entry({{.*}}batch [@count.batch.0, @count.batch.1, @count.batch.receive.0, @count.batch.receive.1, @count.batch.accumulate] receivers 2 uniform ["a1"] accumulates sum

#include <stdio.h>
static int count(int n, int first) {
  if (n < 1)
    return first;
  // IN-ORDER-DAG: measure.c:[[# @LINE + 2]]:11: remark: results of children 'count' are found by their position
  // OFF-DAG: measure.c:[[# @LINE + 1]]:11: remark: results of children 'count' are delivered one by one: that is switched off
  int x = cilk_spawn count(n - 1, first);
  int y = cilk_spawn count(n - 2, first);
  cilk_sync;
  return x + y;
}

// What C has no name for is told by its loop.
// IN-ORDER-DAG: measure.c:[[# @LINE + 5]]:14: remark: the body of the cilk_for has no batch form: the next iteration waits here for what this one calls or spawns; spawn a function for each iteration in an ordinary loop instead
int out[20];
static void loop(void) {
  cilk_for (int i = 0; i < 20; ++i) {
    // IN-ORDER-DAG: measure.c:[[# @LINE + 1]]:14: remark: the caller waits here for 'count'; with cilk_spawn, and a cilk_sync where its result is needed, other tasks run beside it [-Rpass-missed=chan-call]
    out[i] = count(i % 10, 1);
  }
}

// ANSWER: 12543 2
int main(void) {
  loop();
  printf("%d %d\n", count(17, 3), out[1]);
}
