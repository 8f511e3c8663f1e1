// Each block of a file's kernels as a picture, placed and routed as the configuration has it.
// RUN: cilk2chan -O2 -g --emit=floorplan %s -o %t.svg && FileCheck %s < %t.svg
// RUN: cilk2chan -O2 -g --emit=floorplan --machine=%machine %s -o %t.same && cmp %t.same %t.svg
// RUN: cilk2chan -O2 -g --emit=config %s -o %t.json
// RUN: %python %S/Inputs/floorplan.py %t.svg %t.json

// CHECK: <svg xmlns="http://www.w3.org/2000/svg"
// Several blocks begin with an overview: what follows each, where its picture is, how full it is.
// CHECK: >Overview: {{[0-9]+}} blocks. Each has a picture below.</text>
// CHECK: >its picture</text>
// CHECK: >units in use</text>
// CHECK: >fib.0, block 0 of [[BLOCKS:[0-9]+]], then
// CHECK-NEXT: >row 1, column 1</text>
// CHECK: >fib.0, block 1 of [[BLOCKS]], then
// CHECK-NEXT: >row 1, column 2</text>
// CHECK: >fib.1, block 0 of
// CHECK-NEXT: >row {{[2-9]}}, column 1</text>
// CHECK: <svg x="0" y="[[TOP:[1-9][0-9]*]]"
// CHECK: >fib.0, block 0 of [[BLOCKS]], then {{[0-9]+ or [0-9]+}} (emit-floorplan.c:
// CHECK: <svg x="{{[1-9][0-9]*}}" y="[[TOP]]"
// CHECK: >fib.0, block 1 of [[BLOCKS]], then {{.*}}yield to {{[0-9]+}}
// CHECK: <svg x="0" y="{{[1-9][0-9]*}}"
// CHECK: >fib.1, block 0 of

long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
