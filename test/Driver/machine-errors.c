// What a machine cannot hold is said at its place, with or without debug information: block, kind, how many.
// RUN: sed -e '/"grid":/,/\],/s/V/A/g' -e 's/"LALCALA/"LVLCALA/' %machine > %t.json
// RUN: not cilk2chan -O2 --emit=config --machine=%t.json %s -o %t.out 2>&1 | FileCheck %s
// RUN: not cilk2chan -O2 -g --emit=config --machine=%t.json %s -o %t.out 2>&1 | FileCheck %s
// RUN: test ! -e %t.out
// RUN: sed -e 's/"cvt_bits": 65536/"cvt_bits": 128/' %machine > %t.cvt.json
// RUN: not cilk2chan -O2 --emit=vgiw --machine=%t.cvt.json %s 2>&1 | FileCheck %s --check-prefix=CVT

// CHECK: machine-errors.c:{{[0-9]+}}:{{[0-9]+}}: error: {{(part 2 of )?}}'fib' cannot run on this machine: block {{[0-9]+}} of it needs {{[2-9]}} LVU units (variables that it keeps between its blocks), and machine 'micro15-vgiw' has {{[0-9]+}}
// CHECK: machine-errors.c:{{[0-9]+}}:{{[0-9]+}}: note: it cannot be divided further
// CVT: machine-errors.c:{{[0-9]+}}:{{[0-9]+}}: error: 'fib' cannot run on this machine: it has {{[0-9]+}} blocks, counting those behind barriers twice, and machine 'micro15-vgiw' has control vectors for 2 (control.cvt_bits is 128)
// CVT: note: move a part of it to a function that it spawns, or raise 'control.cvt_bits' to at least {{[0-9]+}} in the machine file

long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
