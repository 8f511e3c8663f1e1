// emit.c - --emit writes what it names, to stdout or to a file.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan --emit=markers %s | FileCheck --check-prefix=MARKERS %s
// RUN: cilk2chan --emit=cilk %s | FileCheck --check-prefix=CILK %s
// RUN: cilk2chan --emit=mlir %s | FileCheck --check-prefix=CHAN %s
// RUN: cilk2chan --emit=dot %s | FileCheck --check-prefix=DOT %s
// RUN: cilk2chan --emit=llvm %s | FileCheck --check-prefix=LLVM %s
// RUN: cilk2chan --emit=asm %s | FileCheck --check-prefix=ASM %s
// RUN: cilk2chan --emit=obj %s -o %t.o && llvm-nm %t.o | FileCheck --check-prefix=OBJ %s
// RUN: cilk2chan --emit=mlir %s -o %t.mlir && FileCheck --check-prefix=CHAN %s < %t.mlir
// RUN: rm -rf %t && mkdir %t && cd %t && cilk2chan --emit=obj %s && test -f emit.o
// RUN: cilk2chan --emit mlir --target host %s | FileCheck --check-prefix=CHAN %s
// RUN: echo "--emit mlir" > %t.rsp && cilk2chan @%t.rsp %s -o - | FileCheck --check-prefix=CHAN %s
// MARKERS: call void @__cilk_spawn.0(
// CILK: cilk.spawn @walk
// CHAN: chan.kernel @walk.0
// DOT: digraph
// LLVM: define internal void @walk.0(
// ASM: walk.0:
// OBJ: t walk.0

void walk(int n) {
  if (n == 0)
    return;
  cilk_spawn walk(n - 1);
  walk(n - 1);
  cilk_sync;
}
