// call-kernels.c - Spawned calls run on the processors their spawners run on.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions for different processors share no kernel that calls what they
// spawn.
//
// RUN: cilk2chan -O1 --emit=llvm %s | FileCheck --implicit-check-not=@call.2 %s
// CHECK-DAG: define internal void @call.0({{.*}} #[[NEW:[0-9]+]]
// CHECK-DAG: define internal void @call.1({{.*}} #[[OLD:[0-9]+]]
// CHECK-DAG: attributes #[[NEW]] = {{.*}}"target-features"="+avx,{{.*}}+avx512f
// CHECK-DAG: attributes #[[OLD]] = {{.*}}"target-features"="+cmov

int work(int);
__attribute__((target("avx512f"))) int new(int n) {
  int x = cilk_spawn work(n), y = cilk_spawn work(n + 1);
  cilk_sync;
  return x + y;
}
int old(int n) {
  int x = cilk_spawn work(n), y = cilk_spawn work(n + 1);
  cilk_sync;
  return x + y;
}
