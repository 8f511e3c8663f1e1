// What each block of a file's kernels can do in a cycle, and what limits it.
// RUN: cilk2chan -O2 -g --emit=bounds %s -o - | FileCheck %s
// RUN: cilk2chan -O2 -g --emit=config %s -o %t.json
// RUN: cilk2chan -O2 -g --emit=bounds %s -o %t.txt && %python %S/Inputs/bounds.py %t.txt %t.json

// CHECK: Instructions a cycle at most, on the machine 'micro15-vgiw'. An SM issues 32.
// CHECK: kernel fib.0 of fib, {{[0-9]+}} live values
// CHECK-NEXT: block  replicas  instructions  a cycle  of an SM  FPU-ALU      SCU     LDST      LVU      SJU      CVU  limited by
// CHECK-NEXT: {{^ +}}0 {{.*}} emit-bounds.c:{{[0-9]+$}}
// CHECK: kernel fib.1 of fib,

// A block that only reserves and branches has as many replicas as there are pairs of CVUs.
// RUN: cilk2chan -O2 --emit=bounds %s -o - | FileCheck %s --check-prefix=LIMIT
// LIMIT: {{^ +[0-9]+ +8 +3 +24 +0.75 +1 +0 +1 +1 +0 +2  CVU +$}}

// With half of the replicas, they are the limit.
// RUN: sed 's/"replicas": 8/"replicas": 2/' %machine > %t.machine.json
// RUN: cilk2chan -O2 --emit=bounds --machine=%t.machine.json %s -o - | FileCheck %s --check-prefix=REPLICAS
// REPLICAS: {{^ +[0-9]+ +2 +3 +6 +0.19 +1 +0 +1 +1 +0 +2  replicas +$}}

long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
