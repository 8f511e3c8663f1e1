// Where equally many live values cross, a block is divided so that its parts together take fewest cycles a thread: of this chain
// of 40 additions, 10 with three replicas and 30 with one rather than 20 and 20 with one each.
// RUN: cilk2chan-opt --vgiw-fit-blocks=machine=%machine %s | FileCheck %s

// CHECK-LABEL: vgiw.kernel @chain fitted
// CHECK-SAME: live_values 1
// CHECK: vgiw.load
// CHECK-COUNT-10: vgiw.compute add
// CHECK-NOT: vgiw.compute add
// CHECK: vgiw.live_store
// CHECK: ^bb1:
// CHECK-COUNT-30: vgiw.compute add
// CHECK: vgiw.exit
vgiw.kernel @chain graph parameters [#vgiw.binding<argument>] {
  %p = vgiw.parameter 0 : i64
  %one = vgiw.constant 1 : i64
  %s0 = vgiw.load %p -> i64
  %s1 = vgiw.compute add %s0, %one : (i64, i64) -> i64
  %s2 = vgiw.compute add %s1, %one : (i64, i64) -> i64
  %s3 = vgiw.compute add %s2, %one : (i64, i64) -> i64
  %s4 = vgiw.compute add %s3, %one : (i64, i64) -> i64
  %s5 = vgiw.compute add %s4, %one : (i64, i64) -> i64
  %s6 = vgiw.compute add %s5, %one : (i64, i64) -> i64
  %s7 = vgiw.compute add %s6, %one : (i64, i64) -> i64
  %s8 = vgiw.compute add %s7, %one : (i64, i64) -> i64
  %s9 = vgiw.compute add %s8, %one : (i64, i64) -> i64
  %s10 = vgiw.compute add %s9, %one : (i64, i64) -> i64
  %s11 = vgiw.compute add %s10, %one : (i64, i64) -> i64
  %s12 = vgiw.compute add %s11, %one : (i64, i64) -> i64
  %s13 = vgiw.compute add %s12, %one : (i64, i64) -> i64
  %s14 = vgiw.compute add %s13, %one : (i64, i64) -> i64
  %s15 = vgiw.compute add %s14, %one : (i64, i64) -> i64
  %s16 = vgiw.compute add %s15, %one : (i64, i64) -> i64
  %s17 = vgiw.compute add %s16, %one : (i64, i64) -> i64
  %s18 = vgiw.compute add %s17, %one : (i64, i64) -> i64
  %s19 = vgiw.compute add %s18, %one : (i64, i64) -> i64
  %s20 = vgiw.compute add %s19, %one : (i64, i64) -> i64
  %s21 = vgiw.compute add %s20, %one : (i64, i64) -> i64
  %s22 = vgiw.compute add %s21, %one : (i64, i64) -> i64
  %s23 = vgiw.compute add %s22, %one : (i64, i64) -> i64
  %s24 = vgiw.compute add %s23, %one : (i64, i64) -> i64
  %s25 = vgiw.compute add %s24, %one : (i64, i64) -> i64
  %s26 = vgiw.compute add %s25, %one : (i64, i64) -> i64
  %s27 = vgiw.compute add %s26, %one : (i64, i64) -> i64
  %s28 = vgiw.compute add %s27, %one : (i64, i64) -> i64
  %s29 = vgiw.compute add %s28, %one : (i64, i64) -> i64
  %s30 = vgiw.compute add %s29, %one : (i64, i64) -> i64
  %s31 = vgiw.compute add %s30, %one : (i64, i64) -> i64
  %s32 = vgiw.compute add %s31, %one : (i64, i64) -> i64
  %s33 = vgiw.compute add %s32, %one : (i64, i64) -> i64
  %s34 = vgiw.compute add %s33, %one : (i64, i64) -> i64
  %s35 = vgiw.compute add %s34, %one : (i64, i64) -> i64
  %s36 = vgiw.compute add %s35, %one : (i64, i64) -> i64
  %s37 = vgiw.compute add %s36, %one : (i64, i64) -> i64
  %s38 = vgiw.compute add %s37, %one : (i64, i64) -> i64
  %s39 = vgiw.compute add %s38, %one : (i64, i64) -> i64
  %s40 = vgiw.compute add %s39, %one : (i64, i64) -> i64
  %done = vgiw.store %s40 to %p : i64
  vgiw.exit after %done : !vgiw.token
}
