// A block is divided where fewest live values cross: here between two sums of loads, which together have more loads than the
// machine has units. The first is twice as long, so that this is not the middle.
// RUN: cilk2chan-opt --vgiw-fit-blocks=machine=%machine %s | FileCheck %s

// CHECK-LABEL: vgiw.kernel @two_sums fitted
// CHECK-SAME: live_values 1
// CHECK-COUNT-12: vgiw.load
// CHECK: vgiw.live_store
// CHECK-NOT: vgiw.live_store
// CHECK: ^bb1:
// CHECK-COUNT-1: vgiw.live_load
// CHECK-NOT: vgiw.live_load
// CHECK: vgiw.exit
vgiw.kernel @two_sums graph parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %ak0 = vgiw.constant 1 : i64
  %ap0 = vgiw.compute mad %t, %ak0, %p : (i64, i64, i64) -> i64
  %a0 = vgiw.load %ap0 -> i64
  %ak1 = vgiw.constant 9 : i64
  %ap1 = vgiw.compute mad %t, %ak1, %p : (i64, i64, i64) -> i64
  %a1 = vgiw.load %ap1 -> i64
  %ak2 = vgiw.constant 17 : i64
  %ap2 = vgiw.compute mad %t, %ak2, %p : (i64, i64, i64) -> i64
  %a2 = vgiw.load %ap2 -> i64
  %ak3 = vgiw.constant 25 : i64
  %ap3 = vgiw.compute mad %t, %ak3, %p : (i64, i64, i64) -> i64
  %a3 = vgiw.load %ap3 -> i64
  %ak4 = vgiw.constant 33 : i64
  %ap4 = vgiw.compute mad %t, %ak4, %p : (i64, i64, i64) -> i64
  %a4 = vgiw.load %ap4 -> i64
  %ak5 = vgiw.constant 41 : i64
  %ap5 = vgiw.compute mad %t, %ak5, %p : (i64, i64, i64) -> i64
  %a5 = vgiw.load %ap5 -> i64
  %ak6 = vgiw.constant 49 : i64
  %ap6 = vgiw.compute mad %t, %ak6, %p : (i64, i64, i64) -> i64
  %a6 = vgiw.load %ap6 -> i64
  %ak7 = vgiw.constant 57 : i64
  %ap7 = vgiw.compute mad %t, %ak7, %p : (i64, i64, i64) -> i64
  %a7 = vgiw.load %ap7 -> i64
  %ak8 = vgiw.constant 65 : i64
  %ap8 = vgiw.compute mad %t, %ak8, %p : (i64, i64, i64) -> i64
  %a8 = vgiw.load %ap8 -> i64
  %ak9 = vgiw.constant 73 : i64
  %ap9 = vgiw.compute mad %t, %ak9, %p : (i64, i64, i64) -> i64
  %a9 = vgiw.load %ap9 -> i64
  %ak10 = vgiw.constant 81 : i64
  %ap10 = vgiw.compute mad %t, %ak10, %p : (i64, i64, i64) -> i64
  %a10 = vgiw.load %ap10 -> i64
  %ak11 = vgiw.constant 89 : i64
  %ap11 = vgiw.compute mad %t, %ak11, %p : (i64, i64, i64) -> i64
  %a11 = vgiw.load %ap11 -> i64
  %as1 = vgiw.compute add %a0, %a1 : (i64, i64) -> i64
  %as2 = vgiw.compute add %as1, %a2 : (i64, i64) -> i64
  %as3 = vgiw.compute add %as2, %a3 : (i64, i64) -> i64
  %as4 = vgiw.compute add %as3, %a4 : (i64, i64) -> i64
  %as5 = vgiw.compute add %as4, %a5 : (i64, i64) -> i64
  %as6 = vgiw.compute add %as5, %a6 : (i64, i64) -> i64
  %as7 = vgiw.compute add %as6, %a7 : (i64, i64) -> i64
  %as8 = vgiw.compute add %as7, %a8 : (i64, i64) -> i64
  %as9 = vgiw.compute add %as8, %a9 : (i64, i64) -> i64
  %as10 = vgiw.compute add %as9, %a10 : (i64, i64) -> i64
  %as11 = vgiw.compute add %as10, %a11 : (i64, i64) -> i64
  %bk0 = vgiw.constant 1 : i64
  %bp0 = vgiw.compute mad %t, %bk0, %p : (i64, i64, i64) -> i64
  %b0 = vgiw.load %bp0 -> i64
  %bk1 = vgiw.constant 9 : i64
  %bp1 = vgiw.compute mad %t, %bk1, %p : (i64, i64, i64) -> i64
  %b1 = vgiw.load %bp1 -> i64
  %bk2 = vgiw.constant 17 : i64
  %bp2 = vgiw.compute mad %t, %bk2, %p : (i64, i64, i64) -> i64
  %b2 = vgiw.load %bp2 -> i64
  %bk3 = vgiw.constant 25 : i64
  %bp3 = vgiw.compute mad %t, %bk3, %p : (i64, i64, i64) -> i64
  %b3 = vgiw.load %bp3 -> i64
  %bk4 = vgiw.constant 33 : i64
  %bp4 = vgiw.compute mad %t, %bk4, %p : (i64, i64, i64) -> i64
  %b4 = vgiw.load %bp4 -> i64
  %bk5 = vgiw.constant 41 : i64
  %bp5 = vgiw.compute mad %t, %bk5, %p : (i64, i64, i64) -> i64
  %b5 = vgiw.load %bp5 -> i64
  %bs1 = vgiw.compute add %b0, %b1 : (i64, i64) -> i64
  %bs2 = vgiw.compute add %bs1, %b2 : (i64, i64) -> i64
  %bs3 = vgiw.compute add %bs2, %b3 : (i64, i64) -> i64
  %bs4 = vgiw.compute add %bs3, %b4 : (i64, i64) -> i64
  %bs5 = vgiw.compute add %bs4, %b5 : (i64, i64) -> i64
  %all = vgiw.compute mul %as11, %bs5 : (i64, i64) -> i64
  %done = vgiw.store %all to %p : i64
  vgiw.exit after %done : !vgiw.token
}
