/*===- names.c - Names that DOT's strings must escape ----------------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan --emit=dot %s -o - | FileCheck %s

int outside(void);
int odd(void) __asm__("od\"d\\");

int odd(void) {
  int x = spawn outside();
  sync;
  return x;
}

// CHECK: "host od\"d\\" [shape=box, label="od\"d\\()"
// CHECK: "kernel od\"d\\.0" -> "stack od\"d\\.after1" [label="+0"];
