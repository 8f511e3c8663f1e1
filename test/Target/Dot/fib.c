/*===- fib.c - The graph of ISCA'14 Figures 11 and 12 ----------------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan --emit=dot %s -o - | FileCheck %s

int fib(int n) {
  if (n < 2)
    return n;
  int x = spawn fib(n - 1);
  int y = spawn fib(n - 2);
  sync;
  return x + y;
}

// CHECK: digraph channels {
// CHECK: label="Channel-flow graph of fib.c";
// Each stack with the fields of its elements, by the names that parameters have in C. A call from C
// enters the first.
// CHECK: "stack fib.entry" [shape=box3d, style=dashed, label="fib.entry
// CHECK-NEXT: (n: i32, ret: ptr)", tooltip="pre-sync channel stack"];
// CHECK: "host fib" [shape=box, label="fib()"
// CHECK: "host fib" -> "stack fib.entry";
// CHECK: "stack fib.after1" {{.*}}
// CHECK-NEXT: (frame: ptr)", tooltip="post-sync channel stack"];

// A kernel has the lines that it runs. Children go one level deeper, continuations stay.
// CHECK: "kernel fib.0" [shape=circle, style=filled, fillcolor=gray80, label="fib.0
// CHECK-NEXT: lines 8 to 14"
// CHECK: "stack fib.entry" -> "kernel fib.0";
// CHECK: "kernel fib.0" -> "stack fib.entry" [label="+1"];
// CHECK: "kernel fib.0" -> "stack fib.after1" [label="+0"];
// CHECK: "kernel fib.1" [shape=circle, style=filled, fillcolor=white, label="fib.1
// CHECK-NEXT: lines 12 to 14"
// CHECK: "stack fib.after1" -> "kernel fib.1";
// CHECK-NOT: "kernel fib.1" ->
// CHECK: subgraph cluster_legend {
// CHECK: label="Legend"
