// print-passes.c - The IR between all passes can be printed.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// --dump-after takes the name of each pass.
// RUN: cilk2chan -O1 --dump-after=chan-entry-stacks,cilk-to-chan --dump-after=chan-to-host -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test -f %t.o
// CHECK: llvm.func @walk{{.*}}chan.entry = @walk.entry
// CHECK: cilk.spawn @walk
// CHECK: chan.stack entry @walk.entry
// CHECK: chan.kernel @walk.0
// CHECK-NOT: cilk.spawn
// CHECK: llvm.func {{.*}}@walk.0

// Also together with a phase, and of passes for a machine.
// RUN: cilk2chan --target=vgiw --emit=config --dump-after=cilk,chan-to-vgiw,vgiw-fit-blocks %s -o %t.config 2>&1 | FileCheck --check-prefix=VGIW %s
// VGIW: cilk.spawn @walk
// VGIW: llvm.func {{.*}}walk.0
// VGIW: vgiw.kernel @walk.0
// RUN: cilk2chan --emit=simt --dump-after=vgiw-to-simt,simt-regalloc %s -o %t.simt 2>&1 | FileCheck --check-prefix=SIMT %s
// SIMT: simt.kernel @walk.0
// SIMT: simt.kernel @walk.0{{.*}} registers [

// The message for another name lists them.
// RUN: not cilk2chan --dump-after=cilk-to-chain -c %s -o %t.o 2>&1 | FileCheck --check-prefix=NAME %s
// NAME: error: invalid value 'cilk-to-chain' in '--dump-after=cilk-to-chain'; expected one of: markers, import, cilk, chan, host, llvm; or the name of a pass: llvm-to-cilk, verify-stage, {{.*}}cilk-for-to-spawn, {{.*}}cilk-to-chan, chan-simd, chan-to-host, {{.*}}vgiw-place-blocks, {{.*}}vgiw-insert-splits, vgiw-to-simt, simt-uniformity, simt-regalloc, simt-reconverge{{$}}

// MLIR's own options print what every pass leaves, or is given.
// RUN: cilk2chan -O2 -mllvm -mlir-print-ir-after-all -c %s -o %t.o 2>&1 | FileCheck --check-prefix=ALL %s
// ALL: IR Dump After {{.*}} (llvm-to-cilk)
// ALL: IR Dump After {{.*}} (cilk-for-to-spawn)
// ALL: IR Dump After {{.*}} (chan-entry-stacks)
// ALL: IR Dump After {{.*}} (chan-serial-clones)
// ALL: IR Dump After {{.*}} (chan-batch-forms)
// ALL: IR Dump After {{.*}} (cilk-to-chan)
// ALL: IR Dump After {{.*}} (chan-simd)
// ALL: IR Dump After {{.*}} (chan-to-host)
// RUN: cilk2chan -mllvm -mlir-print-ir-before=cilk-to-chan -c %s -o %t.o 2>&1 | FileCheck --check-prefix=BEFORE %s
// BEFORE: IR Dump Before {{.*}} (cilk-to-chan)
// BEFORE: cilk.spawn
// BEFORE-NOT: IR Dump

void walk(int n) {
  if (n == 0)
    return;
  cilk_spawn walk(n - 1);
  cilk_sync;
}
