// versions.c - Batch forms for several processors, if none is named.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// As many lanes as each has.
// RUN: cilk2chan -O2 -Rpass=chan-simd -Rpass-missed=chan-simd -c %s -o %t.o 2>&1 | FileCheck --check-prefix=REMARK %s
// REMARK-DAG: 'mix.batch.reduce' treats 4 elements at a time on x86-64 [
// REMARK-DAG: 'mix.batch.reduce' treats 8 elements at a time on x86-64-v3 [
// REMARK-DAG: 'mix.batch.reduce' treats 16 elements at a time on x86-64-v4 [

// A batch form is for as many lanes as all its phases have, so each version has
// its own; the runtime takes the first that the processor can run.
// RUN: cilk2chan -O2 -fchan-batch -g --emit=llvm %s | FileCheck --check-prefix=BATCH %s
// BATCH-DAG: @mix.entry.phases = internal constant [1 x ptr] [ptr @mix.batch.reduce]
// BATCH-DAG: @mix.entry.batch = {{.*}} { ptr @mix.entry, ptr @mix.entry.phases, i32 0, i32 4, {{.*}}, i32 0, ptr null, i64 8, i32 1, i32 4, ptr @mix.entry.reducing }
// BATCH-DAG: @mix.entry.phases.x86-64-v3 = internal constant [1 x ptr] [ptr @mix.batch.reduce.x86-64-v3]
// BATCH-DAG: @mix.entry.batch.x86-64-v3 = {{.*}} { ptr @mix.entry, ptr @mix.entry.phases.x86-64-v3, i32 0, i32 8, {{.*}}, i32 3, ptr @mix.entry.batch, i64 8, i32 1, i32 8, ptr @mix.entry.reducing }
// BATCH-DAG: @mix.entry.batch.x86-64-v4 = {{.*}} { ptr @mix.entry, ptr @mix.entry.phases.x86-64-v4, i32 0, i32 16, {{.*}}, i32 4, ptr @mix.entry.batch.x86-64-v3, i64 8, i32 1, i32 16, ptr @mix.entry.reducing }
// BATCH-DAG: @mix.entry = {{.*}}, ptr @mix.entry.batch.x86-64-v4, i32 0, i32 1, i32 0 }
// BATCH-DAG: @mix.entry.reducing = {{.*}}, ptr @mix.entry.batch.x86-64-v4, i32 0, i32 1, i32 2 }
// BATCH-DAG: define internal i32 @mix.batch.reduce({{.*}} #[[ALL:[0-9]+]]
// BATCH-DAG: define internal i32 @mix.batch.reduce.x86-64-v3({{.*}} #[[AVX2:[0-9]+]]
// BATCH-DAG: define internal i32 @mix.batch.reduce.x86-64-v4({{.*}} #[[AVX512:[0-9]+]]
// BATCH-DAG: attributes #[[ALL]] = {{.*}} "min-legal-vector-width"="128" {{.*}} "target-cpu"="x86-64"
// BATCH-DAG: attributes #[[AVX2]] = {{.*}} "min-legal-vector-width"="256" {{.*}} "target-cpu"="x86-64-v3"
// BATCH-DAG: attributes #[[AVX512]] = {{.*}} "min-legal-vector-width"="512" {{.*}} "target-cpu"="x86-64-v4"
// On SSE2 alone this function, which compares long words, has none.
// BATCH-DAG: @few.entry = {{.*}}, ptr @few.entry.batch.x86-64-v4, i32 0, i32 1, i32 0 }
// BATCH-DAG: @few.entry.batch.x86-64-v3 = {{.*}}, ptr null, i64 {{[0-9]+}}, i32 1,
// BATCH-DAG: @few.entry.reducing = {{.*}}, ptr @few.entry.batch.x86-64-v4, i32 0, i32 1, i32 2 }
// BATCH-NOT: ifunc

// One where a processor is named, or speed is not wanted.
// RUN: cilk2chan -O2 -fchan-lanes=4 -march=x86-64-v3 --emit=llvm %s | FileCheck --check-prefix=ONE %s
// RUN: cilk2chan -O2 -fchan-lanes=4 -march=x86-64 --emit=llvm %s | FileCheck --check-prefix=ONE %s
// RUN: cilk2chan -O2 -fchan-lanes=4 -mavx2 --emit=llvm %s | FileCheck --check-prefix=ONE %s
// RUN: cilk2chan -O2 -fchan-lanes=4 -fsanitize=thread --emit=llvm %s | FileCheck --check-prefix=ONE %s
// RUN: cilk2chan -O2 -fchan-batch -march=x86-64-v3 --emit=llvm %s | FileCheck --check-prefix=ONE %s
// RUN: cilk2chan -O1 -fchan-batch -fsanitize=address --emit=llvm %s | FileCheck --check-prefix=ONE %s
// ONE: @mix.entry.batch =
// ONE-NOT: @mix.entry.batch.
// None where lanes are not wanted.
// RUN: cilk2chan -O0 --emit=llvm %s | FileCheck --check-prefix=NONE %s
// RUN: cilk2chan -O2 -fno-chan-simd --emit=llvm %s | FileCheck --check-prefix=NONE %s
// NONE-NOT: ifunc
// NONE-NOT: .batch
// NONE-NOT: .x86-64

// They run, whatever way the program is linked and measured.
// RUN: cilk2chan -O2 -fchan-lanes=4 %s -o %t && %t | FileCheck --check-prefix=ANSWER %s
// RUN: cilk2chan -O1 -g -fchan-lanes=8 -static %s -o %t && %t | FileCheck --check-prefix=ANSWER %s
// RUN: cilk2chan -O2 -fchan-lanes=2 -fno-pie -no-pie %s -o %t && %t | FileCheck --check-prefix=ANSWER %s
// RUN: cilk2chan -O1 -fchan-lanes=4 -fprofile-generate=%t.d %s -o %t && %t | FileCheck --check-prefix=ANSWER %s
// RUN: cilk2chan -O1 -fchan-lanes=4 -pg -finstrument-functions %s -o %t && %t | FileCheck --check-prefix=ANSWER %s
// RUN: cilk2chan -O2 -fchan-lanes=16 -fPIC -shared -DLIBRARY %s -o %t.so
// RUN: cilk2chan -O2 -fchan-lanes=16 -DMAIN %s %t.so -o %t && %t | FileCheck --check-prefix=ANSWER %s
// RUN: cilk2chan -O2 %s -o %t && %t | FileCheck --check-prefix=ANSWER %s
// ANSWER: 610301489

#include <stdio.h>

unsigned mix(unsigned a, unsigned b, int n);

#ifndef MAIN
unsigned mix(unsigned a, unsigned b, int n) {
  a = (a ^ b) * 0x7feb352d;
  b = (b + a) * 0x846ca68b;
  if (n == 0)
    return a ^ b;
  a = (a ^ (b >> 15)) * 0x7feb352d;
  b = (b ^ (a >> 16)) * 0x846ca68b;
  a = (a ^ (b >> 13)) * 0x7feb352d + (b << 3 ^ b >> 7);
  b = (b ^ (a >> 14)) * 0x846ca68b + (a << 9 ^ a >> 11);
  a = (a ^ (b >> 10)) * 0x7feb352d + (b << 2 ^ b >> 8);
  b = (b ^ (a >> 12)) * 0x846ca68b + (a << 5 ^ a >> 15);
  unsigned x = cilk_spawn mix(a, b, n - 1);
  unsigned y = cilk_spawn mix(b, ~a, n - 1);
  cilk_sync;
  return x + y;
}

long few(long open, long close) {
  if (open == 0 || close < open)
    return open == 0;
  long x = cilk_spawn few(open - 1, close);
  long y = few(open, close - 1);
  cilk_sync;
  return x + y;
}
#endif

#ifndef LIBRARY
int main(void) { printf("%u\n", mix(1, 2, 12)); }
#endif
