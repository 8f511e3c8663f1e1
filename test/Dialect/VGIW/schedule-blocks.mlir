// A loop's blocks stand together, and what follows it after them, though the way out
// of it is found first. A yield and an exit alone are no blocks, and come last.
// RUN: cilk2chan-opt --pass-pipeline='builtin.module(vgiw.kernel(vgiw-schedule-blocks))' %s | FileCheck %s

// CHECK-LABEL: vgiw.kernel @loop
// CHECK: vgiw.branch ^bb1
// CHECK: ^bb1:
// CHECK: vgiw.constant 10
// CHECK: vgiw.cond_branch {{.*}}, ^bb3, ^bb2
// CHECK: ^bb2:
// CHECK: vgiw.constant 20
// CHECK: vgiw.branch ^bb1
// CHECK: ^bb3:
// CHECK: vgiw.constant 30
// CHECK: vgiw.cond_branch {{.*}}, ^bb4, ^bb5
// CHECK: ^bb4:
// CHECK-NEXT: vgiw.yield ^bb3
// CHECK: ^bb5:
// CHECK-NEXT: vgiw.exit
// CHECK-NOT: vgiw.constant 40
vgiw.kernel @loop graph parameters [] {
  %t = vgiw.initiate
  %c = vgiw.compute trunc %t : (i64) -> i1
  vgiw.branch ^header
^unreached:
  %d = vgiw.constant 40 : i64
  vgiw.exit
^full:
  vgiw.yield ^after
^end:
  vgiw.exit
^after:
  %b = vgiw.constant 30 : i64
  vgiw.cond_branch %c, ^full, ^end
^header:
  %a = vgiw.constant 10 : i64
  vgiw.cond_branch %c, ^after, ^body
^body:
  %e = vgiw.constant 20 : i64
  vgiw.branch ^header
}
