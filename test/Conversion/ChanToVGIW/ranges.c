// A loop that spawns nothing has two kernels, whose threads are iterations: for
// tiles of one range, where captured variables are parameters, and for tiles of
// several.
// RUN: cilk2chan --target=vgiw --emit=mlir -O1 %s -o %t.mlir
// RUN: cilk2chan-opt --chan-to-vgiw %t.mlir | FileCheck %s
// RUN: cilk2chan --target=vgiw --emit=vgiw -O2 %s | FileCheck %s --check-prefix=VGIW
// RUN: cilk2chan --target=vgiw --emit=config -O2 %s | FileCheck %s --check-prefix=CONFIG

// CHECK-LABEL: llvm.func @__cilk_range.0.0(%{{.*}}: i64, %{{.*}}: {{i32|f32|!llvm.ptr}},
// CHECK-SAME: "capture
// CHECK-SAME: ["vgiw.launch", "range"]
// CHECK-NOT: llvm.load
// CHECK: llvm.func @__cilk_range.0.0.ranges(%[[WORD:.*]]: i64, %{{.*}}: !llvm.ptr {llvm.noalias}
// CHECK-SAME: "field
// CHECK-SAME: ["vgiw.launch", "ranges"]
// CHECK: llvm.lshr %[[WORD]]
// CHECK: llvm.and %[[WORD]]

// One block, no live value: an iteration is a load and a store.
// VGIW-LABEL: vgiw.kernel @__cilk_range.0.0 fitted consumes {{.*}} launch range
// VGIW: vgiw.parameter {{[0-9]+}} : f32
// The loop's bounds say that the sign of its number needs no extension.
// VGIW-NOT: ashr
// VGIW: vgiw.load
// VGIW-NOT: {{\^bb|ashr}}
// VGIW: vgiw.exit
// VGIW-LABEL: launch ranges

// CONFIG: "launch":"range"
// CONFIG-SAME: "kind":"capture"
// CONFIG-SAME: "launch":"ranges"

void scale(float *a, int n, float f) {
  cilk_for (int i = 0; i < n; i++)
    a[i] *= f;
}
