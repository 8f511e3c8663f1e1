// A block with more loads than the machine has units becomes several; each is placed, as often as it fits.
// RUN: cilk2chan-opt --vgiw-fit-blocks=machine=%machine %s | FileCheck %s
// RUN: cilk2chan-opt --vgiw-fit-blocks=machine=%machine --vgiw-place-blocks=machine=%machine %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=PLACED < %t.mlir
// RUN: cilk2chan-opt --verify-roundtrip %t.mlir -o /dev/null
// RUN: cilk2chan-opt --vgiw-fit-blocks=machine=%machine --vgiw-place-blocks=machine=%machine %s -o %t.same && cmp %t.same %t.mlir
// RUN: cilk2chan-opt --vgiw-fit-blocks=machine=%machine --vgiw-place-blocks="machine=%machine seed=7" %s -o %t.seven && not cmp -s %t.seven %t.mlir
// RUN: cilk2chan-opt --vgiw-check-placement=machine=%machine %t.mlir -o /dev/null
// RUN: sed '0,/vgiw.switches = .#vgiw.switch<[^>]*>, /s//vgiw.switches = [/' %t.mlir > %t.lost
// RUN: not cilk2chan-opt --vgiw-check-placement=machine=%machine %t.lost -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOST
// RUN: not cilk2chan-opt --vgiw-check-placement=machine=%machine %s 2>&1 | FileCheck %s --check-prefix=STAGE
// RUN: cilk2chan-translate --vgiw-to-configuration --machine=%machine %t.mlir | FileCheck %s --check-prefix=CONFIG
// RUN: not cilk2chan-translate --vgiw-to-configuration --machine=%machine %s 2>&1 | FileCheck %s --check-prefix=STAGE
// RUN: not cilk2chan-opt --vgiw-fit-blocks=machine=none.json %s 2>&1 | FileCheck %s --check-prefix=NONE

// STAGE: error: is in stage 'graph', not in 'placed'
// NONE: error: none.json:
// A switch that passes nothing on.
// LOST: error: block 0 of kernel 'sum' is not on the fabric as it should be: switch ({{[0-9]+}},{{[0-9]+}}): what comes in from {{[A-Z]+}} goes nowhere

// CHECK-LABEL: vgiw.kernel @sum fitted
// CHECK: vgiw.branch ^bb1
// CHECK: ^bb1:
// CHECK: vgiw.exit

// PLACED-LABEL: vgiw.kernel @sum placed
// PLACED: vgiw.initiate {vgiw.places = [#vgiw.place<{{[0-9]+}}, {{[0-9]+}} out[
// PLACED: vgiw.switches = [#vgiw.switch<
// PLACED-LABEL: vgiw.kernel @small placed
// Eight replicas.
// PLACED: vgiw.initiate {vgiw.places = [#vgiw.place<{{.*}}>, #vgiw.place<{{.*}}>, #vgiw.place<{{.*}}>, #vgiw.place<{{.*}}>, #vgiw.place<{{.*}}>, #vgiw.place<{{.*}}>, #vgiw.place<{{.*}}>, #vgiw.place<{{.*}}>]}

// CONFIG: {"format":"cilk2chan-vgiw","version":1,
// CONFIG-SAME: "name":"sum"
// CONFIG-SAME: "name":"small"
vgiw.kernel @sum graph parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %a0 = vgiw.load %t -> i64
  %a1 = vgiw.load %a0 -> i64
  %a2 = vgiw.load %a1 -> i64
  %a3 = vgiw.load %a2 -> i64
  %a4 = vgiw.load %a3 -> i64
  %a5 = vgiw.load %a4 -> i64
  %a6 = vgiw.load %a5 -> i64
  %a7 = vgiw.load %a6 -> i64
  %a8 = vgiw.load %a7 -> i64
  %a9 = vgiw.load %a8 -> i64
  %b0 = vgiw.load %a9 -> i64
  %b1 = vgiw.load %b0 -> i64
  %b2 = vgiw.load %b1 -> i64
  %b3 = vgiw.load %b2 -> i64
  %b4 = vgiw.load %b3 -> i64
  %b5 = vgiw.load %b4 -> i64
  %b6 = vgiw.load %b5 -> i64
  %p = vgiw.parameter 0 : i64
  %s = vgiw.store %b6 to %p : i64
  vgiw.exit
}

vgiw.kernel @small graph parameters [] {
  %t = vgiw.initiate
  %s = vgiw.store %t to %t : i64
  vgiw.exit
}
