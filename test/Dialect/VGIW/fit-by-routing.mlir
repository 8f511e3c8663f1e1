// A block that fits by counts but whose tokens have no ways is divided, until each part is placed and routed.
// RUN: sed -e '/"grid":/,/\],/c "grid": ["AAAACAJJ", "AAAALSVV", "AAAAAVVC", "AAAAAJJV"],' -e 's/"folded": true/"folded": false/' %machine > %t.json
// RUN: cilk2chan-opt --vgiw-fit-blocks=machine=%t.json %s | FileCheck %s
// RUN: cilk2chan-opt --vgiw-fit-blocks=machine=%t.json --vgiw-place-blocks=machine=%t.json %s -o %t.mlir && FileCheck %s --check-prefix=PLACED < %t.mlir
// RUN: cilk2chan-opt --vgiw-fit-blocks=machine=%t.json --vgiw-place-blocks=machine=%t.json %s -o %t.same && cmp %t.mlir %t.same
// The machine that ships has ways enough: one block.
// RUN: cilk2chan-opt --vgiw-fit-blocks=machine=%machine %s | FileCheck %s --check-prefix=WHOLE
// Where units have fewer links than nodes have tokens, nothing helps.
// RUN: sed -e '/"grid":/,/\],/c "grid": ["CAL", "JSV", "AVC"],' -e 's/"folded": true/"folded": false/' %machine > %t.tiny.json
// RUN: not cilk2chan-opt --vgiw-fit-blocks=machine=%t.tiny.json %s 2>&1 | FileCheck %s --check-prefix=TINY

// CHECK-LABEL: vgiw.kernel @web fitted
// CHECK: vgiw.branch
// CHECK: vgiw.initiate
// PLACED-LABEL: vgiw.kernel @web placed
// PLACED-COUNT-2: vgiw.switches
// WHOLE-LABEL: vgiw.kernel @web fitted
// WHOLE-NOT: vgiw.branch
// WHOLE: vgiw.exit
// TINY: error: kernel 'web' cannot run on this machine: block {{[0-9]+}} of it {{needs [0-9]+ .* units \(.*\), and machine 'micro15-vgiw' has [0-9]+|has [0-9]+ operations, and the wires of machine 'micro15-vgiw' cannot connect them: no ways for all edges}}
// TINY: note: it cannot be divided further; a machine whose fabric has more units or links may hold it
vgiw.kernel @web graph parameters [#vgiw.binding<argument>] {
  %v0 = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %v1 = vgiw.compute mad %v0, %v0, %v0 : (i64, i64, i64) -> i64
  %v2 = vgiw.compute mad %v0, %v1, %v0 : (i64, i64, i64) -> i64
  %v3 = vgiw.compute mad %v1, %v0, %v2 : (i64, i64, i64) -> i64
  %v4 = vgiw.compute mad %v2, %v1, %v3 : (i64, i64, i64) -> i64
  %v5 = vgiw.compute mad %v4, %v2, %v3 : (i64, i64, i64) -> i64
  %v6 = vgiw.compute mad %v5, %v4, %v3 : (i64, i64, i64) -> i64
  %v7 = vgiw.compute mad %v6, %v5, %v4 : (i64, i64, i64) -> i64
  %v8 = vgiw.compute mad %v5, %v6, %v7 : (i64, i64, i64) -> i64
  %v9 = vgiw.compute mad %v7, %v8, %v6 : (i64, i64, i64) -> i64
  %v10 = vgiw.compute mad %v8, %v7, %v9 : (i64, i64, i64) -> i64
  %v11 = vgiw.compute mad %v8, %v9, %v10 : (i64, i64, i64) -> i64
  %v12 = vgiw.compute mad %v9, %v11, %v10 : (i64, i64, i64) -> i64
  %v13 = vgiw.compute mad %v10, %v12, %v11 : (i64, i64, i64) -> i64
  %v14 = vgiw.compute mad %v12, %v13, %v11 : (i64, i64, i64) -> i64
  %d = vgiw.store %v14 to %p : i64
  vgiw.exit
}
