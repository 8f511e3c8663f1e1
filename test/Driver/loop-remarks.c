// loop-remarks.c - Remarks name the bodies of loops as C knows them, at the loop.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 -c %s -o %t.o -Rpass=chan -Rpass-missed=chan -Rpass-analysis=chan 2> %t.err
// RUN: FileCheck %s < %t.err
// RUN: cilk2chan -O2 -fchan-lanes=4 -march=x86-64-v3 -c %s -o %t.o -Rpass=chan -Rpass-missed=chan -Rpass-analysis=chan 2> %t.lanes
// No symbol of the compiler's own, and a place for each.
// RUN: not grep '__cilk_' %t.err %t.lanes
// RUN: not grep '^remark' %t.err %t.lanes

long f(long n);

void scale(double *a, long n) {
  // CHECK-DAG: loop-remarks.c:[[# @LINE + 1]]:3: remark: 'batch.0' of the cilk_for is not used for batches: its iterations spawn nothing, so a range of them is a serial loop, of which -Rpass=loop-vectorize and -Rpass-missed=loop-vectorize tell more
  cilk_for (long i = 0; i < n; i++)
    a[i] *= 2;
}

void walk(double *a, long n, long depth) {
  // CHECK-DAG: loop-remarks.c:[[# @LINE + 3]]:7: remark: the body of the cilk_for has no batch form: the next iteration waits here
  cilk_for (long i = 0; i < n; i++)
    if (depth > 0)
      walk(a, n, depth - 1);
    else
      a[i] += n;
}
