/*===- same-code.c - Debug information changes no instruction -------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -O2 -c %S/variables.c -o %t.o && llvm-objcopy --dump-section .text=%t.text %t.o
// RUN: cilk2chan -O2 -g -c %S/variables.c -o %t.g.o && llvm-objcopy --dump-section .text=%t.g.text %t.g.o
// RUN: cmp %t.text %t.g.text
// RUN: cilk2chan -O1 -w -c %S/../Workloads/quadtree.c -o %t.o && llvm-objcopy --dump-section .text=%t.text %t.o
// RUN: cilk2chan -O1 -w -g -c %S/../Workloads/quadtree.c -o %t.g.o && llvm-objcopy --dump-section .text=%t.g.text %t.g.o
// RUN: cmp %t.text %t.g.text
// RUN: llvm-dwarfdump --verify %t.g.o
// RUN: cilk2chan -O2 -c %S/loops.c -o %t.o && llvm-objcopy --dump-section .text=%t.text %t.o
// RUN: cilk2chan -O2 -g -c %S/loops.c -o %t.g.o && llvm-objcopy --dump-section .text=%t.g.text %t.g.o
// RUN: cmp %t.text %t.g.text
// RUN: llvm-dwarfdump --verify %t.g.o
// RUN: cilk2chan -O2 -w -c %S/../Workloads/nqueens.c -I %S/../Support -o %t.o && llvm-objcopy --dump-section .text=%t.text %t.o
// RUN: cilk2chan -O2 -w -g -c %S/../Workloads/nqueens.c -I %S/../Support -o %t.g.o && llvm-objcopy --dump-section .text=%t.g.text %t.g.o
// RUN: cmp %t.text %t.g.text
// RUN: llvm-dwarfdump --verify %t.g.o
// RUN: cilk2chan -O2 -w -c %S/../Language/for-in-recursion.c -o %t.o && llvm-objcopy --dump-section .text=%t.text %t.o
// RUN: cilk2chan -O2 -w -g -c %S/../Language/for-in-recursion.c -o %t.g.o && llvm-objcopy --dump-section .text=%t.g.text %t.g.o
// RUN: cmp %t.text %t.g.text
// RUN: llvm-dwarfdump --verify %t.g.o
