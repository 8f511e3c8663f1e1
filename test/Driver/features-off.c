// features-off.c - Instructions that a file or a function is not to use
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// No version is made for a processor of which something is turned off.
// RUN: for flag in -mno-avx -mno-avx2 -mno-fma -mno-bmi2 -mno-sse4.2; do cilk2chan -O2 -DWHOLE $flag -c %s -o %t.o && not grep -q fib.batch.reduce.x86-64-v3 %t.o || exit 1; done
// RUN: cilk2chan -O2 -DWHOLE -mno-avx %s -o %t && CHAN_WORKERS=2 %t | FileCheck %s
// RUN: cilk2chan -O2 -DWHOLE -mno-avx512f --emit=llvm %s | FileCheck --check-prefix=V3 %s
// RUN: cilk2chan -O2 -DWHOLE -mno-sse -mno-mmx --emit=llvm %s | FileCheck --check-prefix=NONE %s
// RUN: cilk2chan -O2 -DWHOLE -mno-implicit-float --emit=llvm %s | FileCheck --check-prefix=NONE %s
// V3-NOT: @fib.batch.reduce.x86-64-v4(
// V3: define internal {{.*}}@fib.batch.reduce.x86-64-v3(
// V3-NOT: @fib.batch.reduce.x86-64-v4(
// NONE-NOT: @fib.batch

// Nor for a function of which something is, though the file's others have them.
// RUN: cilk2chan -O2 %s -o %t && CHAN_WORKERS=2 %t | FileCheck %s
// RUN: cilk2chan -O2 --emit=llvm %s | FileCheck --check-prefix=SOME %s
// SOME-DAG: define internal {{.*}}@fib.batch.reduce(
// SOME-DAG: define internal {{.*}}@other.batch.reduce.x86-64-v3(
// SOME-NOT: @fib.batch.reduce.x86-64-v3(
// RUN: cilk2chan -O2 -march=x86-64-v3 -Rpass-missed=chan-simd -c %s -o %t.o 2>&1 | FileCheck --check-prefix=REMARK %s
// REMARK: its function may not use all of the processor's vector instructions
// CHECK: 832040 832040

#include <stdio.h>

#ifdef WHOLE
#define OFF
#else
#define OFF __attribute__((target("no-avx2")))
#endif

#define FIB(name)                                                              \
  static long name(int n) {                                                    \
    if (n < 2)                                                                 \
      return n;                                                                \
    long x = cilk_spawn name(n - 1), y = cilk_spawn name(n - 2);               \
    cilk_sync;                                                                 \
    return x + y;                                                              \
  }

OFF FIB(fib)
FIB(other)

int main(void) { printf("%ld %ld\n", fib(30), other(30)); }
