// emit.c - `--emit=simt` shows the instructions, and they parse back.
// RUN: cilk2chan -O2 --emit=simt %s -o %t.simt && FileCheck %s < %t.simt
// RUN: chansim assembly %t.simt | cmp - %t.simt
// RUN: cilk2chan -O2 --target=simt --emit=simt %s | cmp - %t.simt
// RUN: cilk2chan -O2 -g --emit=simt %s | FileCheck %s --check-prefix=LINES
// RUN: not cilk2chan --emit=simt --machine=micro15-vgiw %s 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not cilk2chan --target=simt --emit=vgiw %s 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not cilk2chan --target=vgiw --emit=simt %s 2>&1 | FileCheck %s --check-prefix=THIS
// RUN: echo '{"name": "few", "base": "%source/runtime/sim/machines/simt-functional.json", "simt": {"registers": 8}}' > %t.json
// RUN: cilk2chan -O2 --emit=simt --machine=%t.json %s | FileCheck %s --check-prefix=FEW

// KIND: micro15-vgiw.json: kind: must be one of simt, apu for this target, and is "vgiw"; give a machine of this kind, or another target
// OTHER: cilk2chan: error: '--emit=vgiw' shows kernels of '--target=vgiw', not of '--target=simt'
// THIS: cilk2chan: error: '--emit=simt' shows kernels of '--target=simt', not of '--target=vgiw'

#include <cilk/cilk.h>

// The iterations of a loop: the array is a parameter, and a negative word goes round
// the product.
// CHECK-LABEL: .kernel __cilk_range.0.0
// CHECK-NEXT: .source squares
// CHECK: .launch range
// CHECK: .parameter capture
// CHECK: {
// CHECK: id
// CHECK: load.i32 s0, [d0]
// CHECK: bra !c0, L0, reconverge L0
// CHECK: mul.i32 s0, s0, s0
// CHECK: store.i32 [d0], s0
// CHECK: L0:
// CHECK-NEXT: exit
// LINES: .line "{{.*}}emit.c:[[#@LINE+4]]"
void squares(int *array, int n) {
  cilk_for (int i = 0; i < n; ++i) {
    if (array[i] >= 0)
      array[i] *= array[i];
  }
}

// FEW: store.i{{.*}} [local
// FEW: load.i{{.*}}, [local
void many(long *array, int n) {
  cilk_for (int i = 0; i < n; ++i) {
    long a = array[0], b = array[1], c = array[2], d = array[3], e = array[4];
    __atomic_fetch_add(&array[i], 1, __ATOMIC_RELAXED);
    array[i + 9] = a * b + c * d + e;
    array[i + 10] = a - b - c - d - e;
  }
}
