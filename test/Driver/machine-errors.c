// What a machine cannot hold is said at its place, with or without debug information: block, kind, how many.
// RUN: sed -e '/"grid":/,/\],/s/V/A/g' -e 's/"LALCALA/"LVLCALA/' %machine > %t.json
// RUN: not cilk2chan -O2 --emit=config --machine=%t.json %s -o %t.out 2>&1 | FileCheck %s
// RUN: not cilk2chan -O2 -g --emit=config --machine=%t.json %s -o %t.out 2>&1 | FileCheck %s
// RUN: test ! -e %t.out
// RUN: sed -e 's/"cvt_bits": 65536/"cvt_bits": 128/' %machine > %t.cvt.json
// RUN: not cilk2chan -O2 --emit=vgiw --machine=%t.cvt.json %s 2>&1 | FileCheck %s --check-prefix=CVT

// CHECK: machine-errors.c:{{[0-9]+}}:{{[0-9]+}}: error: kernel '{{fib.[01]}}' cannot be mapped: block {{[0-9]+}} needs {{[2-9]}} LVU units, and the machine 'micro15-vgiw' has {{[0-9]+}}
// CHECK: machine-errors.c:{{[0-9]+}}:{{[0-9]+}}: note: it cannot be divided further
// CVT: machine-errors.c:{{[0-9]+}}:{{[0-9]+}}: error: kernel 'fib.0' cannot be mapped: it needs {{[0-9]+}} control vectors, one for each block and one for each that follows a barrier, and the machine 'micro15-vgiw' has control vectors for 2 (control.cvt_bits)

long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
