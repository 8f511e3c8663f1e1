// serial-clones.c - Who gets serial clones, and what is said of it.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -w -O1 --emit=mlir %s | FileCheck --check-prefix=CLONES %s
// RUN: cilk2chan -w -O2 -fno-chan-serial-clones -fchan-serial-clones --emit=mlir %s | FileCheck --check-prefix=CLONES %s
// RUN: cilk2chan -w -O2 -fno-chan-serial-clones --emit=mlir %s | FileCheck --check-prefix=NONE %s
// RUN: cilk2chan -w -O0 -g --emit=mlir %s | FileCheck --check-prefix=CLONES %s
// RUN: cilk2chan -w -O2 --target=vgiw --emit=mlir %s | FileCheck --check-prefix=NONE %s
// RUN: cilk2chan -w -O2 --emit=vgiw %s | FileCheck --check-prefix=NONE %s
// CLONES: chan.stack entry @fib.entry{{.*}} serial @fib.serial
// CLONES: chan.stack entry @replaceable.entry
// CLONES-NOT: serial
// CLONES: chan.stack entry @loop.entry
// CLONES: llvm.func internal @fib.serial(
// NONE-NOT: .serial

// RUN: cilk2chan -Wno-cilk -O1 -Rpass=chan-serial -Rpass-missed=chan-serial -c %s -o %t.o 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: cilk2chan -Wno-cilk -O1 -Rpass-missed=chan-serial -c %s -o %t.o 2>&1 | FileCheck --check-prefix=MISSED %s
// RUN: cilk2chan -Wno-cilk -O1 -Rpass=inline -c %s -o %t.o 2>&1 | FileCheck --allow-empty --check-prefix=SILENT %s
// MISSED-NOT: has a serial clone
// MISSED: serial-clones.c:[[#@LINE+13]]:{{.*}} remark: 'replaceable' has no serial clone: another definition may take its place when the program is linked [-Rpass-missed=chan-serial]
// SILENT-NOT: serial clone

// REMARK: serial-clones.c:[[#@LINE+1]]:{{.*}} remark: 'fib' has a serial clone [-Rpass=chan-serial]
long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
// REMARK: serial-clones.c:[[#@LINE+1]]:{{.*}} remark: 'replaceable' has no serial clone
__attribute__((weak)) long replaceable(int n) {
  long x = cilk_spawn fib(n);
  cilk_sync;
  return x;
}
// REMARK: serial-clones.c:[[#@LINE+3]]:{{.*}} remark: 'loop' has a serial clone
// REMARK: serial-clones.c:[[#@LINE+3]]:3: remark: the cilk_for has a serial clone
// REMARK: serial-clones.c:[[#@LINE+2]]:3: remark: the body of the cilk_for has a serial clone
void loop(long *out, int n) {
  cilk_for (int i = 0; i < n; i++)
    out[i] = fib(i);
}

// The worker stays in one register.
// RUN: cilk2chan -w -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=REGISTER %s
// REGISTER-NOT: "chan.clone"
// REGISTER: define internal {{.*}}@fib.serial.body(ptr {{.*}}swiftself %0,
// REGISTER: call {{.*}}@fib.serial.body(ptr {{.*}}swiftself %0,
// REGISTER: define internal void @fib.entry.serial(ptr %0,
// REGISTER: call {{.*}}@fib.serial.body(ptr {{.*}}swiftself %0,
// REGISTER-NOT: "chan.clone"

// Who calls a leaf through its C symbol pays for neither register nor element.
// RUN: cilk2chan -w -O2 -fno-chan-batch -S %s -o - | FileCheck --check-prefix=LEAF %s
// LEAF: {{^}}fib:
// LEAF-NOT: push
// LEAF-NOT: rsp
// LEAF: ret
// LEAF: push{{.*}}r13
// LEAF: call{{.*}}fib.serial.body
// LEAF: jmp{{.*}}fib.run

// Leaves do not know their callers' bounds.
// RUN: cilk2chan -w -O2 -DLEAF -S -emit-llvm %s -o - | FileCheck --check-prefix=OPAQUE %s
// OPAQUE-NOT: chan.opaque
// OPAQUE: @llvm.compiler.used = {{.*}}@zero.serial.base
// OPAQUE: define internal void @zero.serial.base(
// OPAQUE-NOT: range(
// OPAQUE-SAME: {
// OPAQUE-NOT: chan.opaque
#ifdef LEAF
void zero(double *a, long n) {
  if (n <= 64) {
    for (long i = 0; i < n; i++)
      a[i] /= n;
    return;
  }
  cilk_spawn zero(a, n / 2);
  zero(a + n / 2, n - n / 2);
}
#endif

// What they do: with one worker, all.
// RUN: cilk2chan -w -O2 -fno-chan-batch -DMAIN %s -o %t
// RUN: CHAN_WORKERS=1 CHAN_STATS=1 %t 2>&1 | FileCheck --check-prefix=STATS %s
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.stats %t && FileCheck --check-prefix=STATS %s < %t.stats
// RUN: CHAN_WORKERS=1 CHAN_STATS=0 %t 2>&1 | FileCheck --check-prefix=SILENT --allow-empty %s
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.none/file not %t 2>&1 | FileCheck --check-prefix=UNWRITABLE %s
// RUN: cilk2chan -w -O2 -fno-chan-batch -fno-chan-serial-clones -DMAIN %s -o %t.none
// RUN: CHAN_WORKERS=1 CHAN_STATS=1 %t.none 2>&1 | FileCheck --check-prefix=KERNELS %s
// STATS: cilk2chan: 0 tasks by kernels, 0 in batches, 1 with all their children by serial clones
// KERNELS: cilk2chan: 21891 tasks by kernels, 0 in batches, 0 with all their children by serial clones
// UNWRITABLE: cilk2chan: cannot write '{{.*}}' (CHAN_STATS): {{No such file|Not a directory}}
#ifdef MAIN
int main(void) { return fib(20) != 6765; }
#endif
