// processors.c - What programs do on processors that have less.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: qemu-x86_64

// Each takes the version for what it has; the last two have no AVX-512, which
// this emulator does not know, and the first has no AVX2 either.
// RUN: cilk2chan -O2 %s -o %t && %t 22 > %t.out
// RUN: for cpu in Nehalem Haswell max; do CHAN_STATS=%t.$cpu qemu-x86_64 -cpu $cpu %t 22 2> %t.warnings || exit 1; done >> %t.out
// RUN: FileCheck --implicit-check-not={{.}} %s < %t.out
// CHECK-COUNT-4: 17711
// RUN: cat %t.Nehalem %t.Haswell %t.max | FileCheck --check-prefix=STATS %s
// STATS-COUNT-3: 0 tasks by kernels, {{[0-9]+}} in batches

// One compiled for more than the processor has ends before it uses any of that.
// RUN: cilk2chan -O2 -march=x86-64-v4 %s -o %t
// RUN: qemu-x86_64 -cpu Haswell %t > %t.out 2> %t.err; echo "status $?" >> %t.err
// RUN: count 0 < %t.out && grep -v '^qemu' %t.err | FileCheck --check-prefix=V4 --implicit-check-not={{.}} %s
// V4: cilk2chan: this program was compiled for x86-64-v4; this processor lacks avx512f, avx512cd, avx512bw, avx512dq, avx512vl: compile it with no more than -march=x86-64-v3
// V4-NEXT: status 1
// RUN: cilk2chan -O2 -mavx2 -fPIC -shared -DLIBRARY %s -o %t.so && cilk2chan -DMAIN %s %t.so -o %t
// RUN: not qemu-x86_64 -cpu Nehalem %t 2>&1 | FileCheck --check-prefix=AVX2 %s
// AVX2: cilk2chan: this program was compiled for x86-64; this processor lacks avx, avx2: compile it with no more than -march=x86-64-v2
// APX and AVX10 are no exceptions.
// RUN: cilk2chan -O2 -mapxf %s -o %t.apx
// RUN: not qemu-x86_64 -cpu Haswell %t.apx 2>&1 | FileCheck --check-prefix=APX %s
// APX: cilk2chan: this program was compiled for x86-64; this processor lacks egpr, push2pop2, ppx, ndd, ccmp, nf, zu: compile it with no more than -march=x86-64-v3
// RUN: cilk2chan -O2 -mavx10.1 %s -o %t.avx10
// RUN: not qemu-x86_64 -cpu Haswell %t.avx10 2>&1 | FileCheck --check-prefix=AVX10 %s
// AVX10: cilk2chan: this program was compiled for x86-64; this processor lacks avx512f, {{.*}}avx512fp16: compile it with no more than -march=x86-64-v3
// RUN: not cilk2chan -march=avx512 %s -o %t.none 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: error: unknown target CPU 'avx512'
// UNKNOWN-NEXT: note: valid target CPU values are: {{.*}}x86-64-v4
// RUN: %t 10 | FileCheck --check-prefix=TEN %s
// TEN: 55
// What asks for nothing says nothing.
// RUN: cilk2chan -O2 -march=x86-64 --emit=llvm %s | FileCheck --check-prefix=ALL %s
// ALL: @__chan_module = {{.*}} ptr null, ptr null, ptr null }

#include <stdio.h>
#include <stdlib.h>

#ifdef MAIN
int fib(int n);
#else
int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

#endif

#ifndef LIBRARY
int main(int argc, char **argv) {
  printf("%d\n", fib(argc > 1 ? atoi(argv[1]) : 20));
}
#endif
