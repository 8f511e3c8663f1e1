// lanes.c - Batches with lanes: the switches, and what the compiler says of them.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Off on demand, without optimisation, and for machines; the last switch counts.
// RUN: cilk2chan -O2 -mavx512f -fno-chan-simd --emit=mlir %s | FileCheck --check-prefix=OFF %s
// RUN: cilk2chan -O2 -mavx512f -fchan-lanes=4 -fno-chan-simd --emit=mlir %s | FileCheck --check-prefix=OFF %s
// RUN: cilk2chan -O2 -mavx512f -fchan-batch -fno-chan-simd --emit=mlir %s | FileCheck --check-prefix=OFF %s
// RUN: cilk2chan -O0 -mavx512f --emit=mlir %s | FileCheck --check-prefix=OFF %s
// RUN: cilk2chan -O2 --target=vgiw -fchan-lanes=4 --emit=mlir %s | FileCheck --check-prefix=OFF %s
// OFF-NOT: lanes
// OFF-NOT: .batch.
// RUN: cilk2chan -O2 -mavx512f -fno-chan-simd -fchan-batch --emit=mlir %s | FileCheck --check-prefix=AVX512 %s

// As many lanes as the processor's registers have, or as it is told.
// RUN: cilk2chan -O2 -mavx512f --emit=mlir %s | FileCheck --check-prefix=AVX512 %s
// RUN: cilk2chan -O2 -mavx512f -mprefer-vector-width=256 --emit=mlir %s | FileCheck --check-prefix=AVX2 %s
// RUN: cilk2chan -O2 -mavx2 --emit=mlir %s | FileCheck --check-prefix=AVX2 %s
// RUN: cilk2chan -O1 -fchan-lanes=32 --emit=mlir %s | FileCheck --check-prefix=FORCED %s
// AVX512: chan.kernel @mix.batch.reduce {{.*}} lanes 16
// AVX2: chan.kernel @mix.batch.reduce {{.*}} lanes 8
// FORCED: chan.kernel @mix.batch.reduce {{.*}} lanes 32

// And the code for them uses these registers.
// RUN: cilk2chan -O2 -mavx512f -S %s -o - | FileCheck --check-prefix=ZMM %s
// ZMM-LABEL: mix.batch.reduce:
// ZMM: zmm
// ZMM: vpcompressd

// RUN: cilk2chan -O2 -mavx512f -Rpass=chan-simd -Rpass-missed=chan-simd -Rpass-analysis=chan-simd -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: cilk2chan -O2 -mavx512f -Rpass=nothing -c %s -o %t.o 2>&1 | count 0
// RUN: cilk2chan -O2 -mavx512f -Rpass-missed=chan -c %s -o %t.o 2>&1 | FileCheck --check-prefix=MISSED %s
// CHECK-DAG: lanes.c:[[@LINE+6]]:1: remark: 'mix.batch.reduce' treats 16 elements at a time [-Rpass=chan-simd]
// CHECK-DAG: lanes.c:[[@LINE+8]]:9: remark: all lanes choose the same [-Rpass-analysis=chan-simd]
// CHECK-DAG: lanes.c:[[@LINE+23]]:3: remark: 'counts.batch.0' is not used for batches: it has an atomic operation [-Rpass-missed=chan-simd]
// MISSED-NOT: 'mix.batch
// MISSED: remark: 'counts.batch.0' is not used for batches: it has an atomic operation [-Rpass-missed=chan-simd]

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

static int calls;
void counts(int n) {
  __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
  if (n == 0)
    return;
  cilk_spawn counts(n - 1);
  counts(n - 1);
}
