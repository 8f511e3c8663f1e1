// emit-ordinary.c - A file without spawns has an empty graph and clang's own code.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan --emit=mlir %s | FileCheck --check-prefix=GRAPH %s
// RUN: cilk2chan -O2 -S %s -o %t.s && %clang -O2 -S %s -o %t.clang.s && diff %t.s %t.clang.s
// GRAPH: module {
// GRAPH-NEXT: }

int square(int n) { return n * n; }
