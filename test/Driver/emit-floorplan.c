// Each block of a file's kernels as a picture, placed and routed as the configuration has it.
// RUN: cilk2chan -O2 -g --emit=floorplan %s -o %t.svg && FileCheck %s < %t.svg
// RUN: cilk2chan -O2 -g --emit=floorplan --machine=%machine %s -o %t.same && cmp %t.same %t.svg
// RUN: cilk2chan -O2 -g --emit=config %s -o %t.json
// RUN: %python %S/Inputs/floorplan.py %t.svg %t.json

// CHECK: <svg xmlns="http://www.w3.org/2000/svg"
// CHECK: <svg x="0" y="0"
// CHECK: >fib.0, block 0 of [[BLOCKS:[0-9]+]], then {{[0-9]+ or [0-9]+}} (emit-floorplan.c:
// CHECK: <svg x="{{[1-9][0-9]*}}" y="0"
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
