// A block that moves more live values than it has units does so in several, and overwrites none too early.
// RUN: cilk2chan-opt --vgiw-split-moves=units=7 %s | FileCheck %s
// RUN: cilk2chan-opt --vgiw-split-moves=units=16 %s | FileCheck %s --check-prefix=ROOM
// RUN: not cilk2chan-opt --vgiw-split-moves --vgiw-insert-joins --vgiw-split-moves %s 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: error: is in stage 'fitted', not in 'live'

// Five values move up, the last one first; the condition is loaded where the branch is.
// ROOM-LABEL: vgiw.kernel @shift live parameters [] live_values 7
// ROOM: ^bb2:
// ROOM-NEXT: vgiw.exit
// CHECK-LABEL: vgiw.kernel @shift live parameters [] live_values 7
// CHECK: ^bb1:
// CHECK-NEXT: %[[D:.*]] = vgiw.live_load 3 -> i64
// CHECK-NEXT: %[[E:.*]] = vgiw.live_load 4 -> i64
// CHECK-NEXT: vgiw.live_store %[[E]] to 5 : i64
// CHECK-NEXT: vgiw.live_store %[[D]] to 4 after %[[E]]
// CHECK-NEXT: vgiw.branch ^bb2
// CHECK: ^bb2:
// CHECK-NEXT: %[[CONDITION:.*]] = vgiw.live_load 6 -> i1
// CHECK-NEXT: %[[A:.*]] = vgiw.live_load 0 -> i64
// CHECK-NEXT: %[[B:.*]] = vgiw.live_load 1 -> i64
// CHECK-NEXT: %[[C:.*]] = vgiw.live_load 2 -> i64
// CHECK-NEXT: vgiw.live_store %[[C]] to 3 : i64
// CHECK-NEXT: vgiw.live_store %[[B]] to 2 after %[[C]]
// CHECK-NEXT: vgiw.live_store %[[A]] to 1 after %[[B]]
// CHECK-NEXT: vgiw.cond_branch %[[CONDITION]], ^bb1, ^bb3
vgiw.kernel @shift live parameters [] live_values 7 {
  %t = vgiw.initiate
  %z = vgiw.compute eq %t, %t : (i64, i64) -> i1
  %s0 = vgiw.live_store %t to 0 : i64
  %s1 = vgiw.live_store %t to 1 : i64
  %s2 = vgiw.live_store %t to 2 : i64
  %s3 = vgiw.live_store %t to 3 : i64
  %s4 = vgiw.live_store %t to 4 : i64
  %s5 = vgiw.live_store %t to 5 : i64
  %s6 = vgiw.live_store %z to 6 : i1
  vgiw.branch ^bb1
^bb1:
  %0 = vgiw.live_load 0 -> i64
  %1 = vgiw.live_load 1 -> i64
  %2 = vgiw.live_load 2 -> i64
  %3 = vgiw.live_load 3 -> i64
  %4 = vgiw.live_load 4 -> i64
  %c = vgiw.live_load 6 -> i1
  %m1 = vgiw.live_store %0 to 1 after %1 : i64 : i64
  %m2 = vgiw.live_store %1 to 2 after %2 : i64 : i64
  %m3 = vgiw.live_store %2 to 3 after %3 : i64 : i64
  %m4 = vgiw.live_store %3 to 4 after %4 : i64 : i64
  %m5 = vgiw.live_store %4 to 5 : i64
  vgiw.cond_branch %c, ^bb1, ^bb2
^bb2:
  vgiw.exit
}

// Three values change places by way of a fourth ID. What is computed for a place that is still to be read
// waits in another, and so does the condition whose place is overwritten.
// CHECK-LABEL: vgiw.kernel @cycle live parameters [] live_values 7
// CHECK: ^bb1:
// CHECK: %[[N:.*]] = vgiw.compute eq
// CHECK-NEXT: vgiw.live_store %[[N]] to 5 : i1
// CHECK-NEXT: vgiw.live_store %{{.*}} to 4 : i1
// CHECK: ^bb2:
// CHECK-NEXT: %[[SECOND:.*]] = vgiw.live_load 1 -> i64
// CHECK-NEXT: %[[FIRST:.*]] = vgiw.live_load 0 -> i64
// CHECK-NEXT: %[[LATER:.*]] = vgiw.live_load 5 -> i1
// CHECK-NEXT: vgiw.live_store %[[LATER]] to 3 : i1
// CHECK-NEXT: vgiw.live_store %[[FIRST]] to 6 : i64
// CHECK-NEXT: vgiw.live_store %[[SECOND]] to 0 after %[[FIRST]]
// CHECK: ^bb3:
// CHECK-NEXT: %[[C:.*]] = vgiw.live_load 4 -> i1
// CHECK-NEXT: %[[FIRST:.*]] = vgiw.live_load 6 -> i64
// CHECK-NEXT: %[[THIRD:.*]] = vgiw.live_load 2 -> i64
// CHECK-NEXT: vgiw.live_store %[[THIRD]] to 1 : i64
// CHECK-NEXT: vgiw.live_store %[[FIRST]] to 2 after %[[THIRD]]
// CHECK-NEXT: vgiw.cond_branch %[[C]], ^bb1, ^bb4
vgiw.kernel @cycle live parameters [] live_values 4 {
  %t = vgiw.initiate
  %s0 = vgiw.live_store %t to 0 : i64
  %s1 = vgiw.live_store %t to 1 : i64
  %s2 = vgiw.live_store %t to 2 : i64
  %b = vgiw.compute eq %t, %t : (i64, i64) -> i1
  %s3 = vgiw.live_store %b to 3 : i1
  vgiw.branch ^bb1
^bb1:
  %0 = vgiw.live_load 0 -> i64
  %1 = vgiw.live_load 1 -> i64
  %2 = vgiw.live_load 2 -> i64
  %c = vgiw.live_load 3 -> i1
  %n = vgiw.compute eq %0, %1 : (i64, i64) -> i1
  %m0 = vgiw.live_store %1 to 0 after %0 : i64 : i64
  %m1 = vgiw.live_store %2 to 1 after %1 : i64 : i64
  %m2 = vgiw.live_store %0 to 2 after %2 : i64 : i64
  %m3 = vgiw.live_store %n to 3 after %c : i1 : i1
  vgiw.cond_branch %c, ^bb1, ^bb2
^bb2:
  vgiw.exit
}
