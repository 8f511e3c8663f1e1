// Every node leads to the terminator, waits for three tokens at most and for one at least, and
// reaches no more nodes than a unit can.
// RUN: cilk2chan-opt --pass-pipeline='builtin.module(vgiw.kernel(vgiw-insert-joins))' %s | FileCheck %s
// RUN: cilk2chan-opt --pass-pipeline='builtin.module(vgiw.kernel(vgiw-insert-joins,vgiw-insert-splits{fanout=2}))' %s | FileCheck %s --check-prefix=SPLIT
// RUN: not cilk2chan-opt --pass-pipeline='builtin.module(vgiw.kernel(vgiw-insert-joins,vgiw-insert-splits{fanout=1}))' %s 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: error: cannot reach more nodes by splits that reach 1

// Five stores are joined to three tokens; nothing else was needed.
// CHECK-LABEL: vgiw.kernel @stores fitted
// CHECK-COUNT-5: vgiw.store
// CHECK: %[[J:.*]] = vgiw.join {{.*}} after {{.*}}, {{.*}} : !vgiw.token, !vgiw.token : !vgiw.token
// CHECK-NOT: vgiw.join
// CHECK: vgiw.exit after %[[J]], {{.*}}, {{.*}} :

// The thread's ID goes to ten operands: four splits and what they reach.
// SPLIT-LABEL: vgiw.kernel @stores fitted
// SPLIT-COUNT-8: vgiw.split
// SPLIT-NOT: vgiw.split
// SPLIT: vgiw.exit
vgiw.kernel @stores live parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %a = vgiw.store %t to %t : i64
  %b = vgiw.store %t to %t : i64
  %c = vgiw.store %t to %t : i64
  %d = vgiw.store %t to %t : i64
  %e = vgiw.store %t to %t : i64
  vgiw.exit
}

// What waits for nothing waits for the thread.
// CHECK-LABEL: vgiw.kernel @triggers fitted
// CHECK: ^bb1:
// CHECK: %[[T:.*]] = vgiw.initiate
// CHECK: vgiw.live_load 0 of %[[T]]
// CHECK: vgiw.load {{.*}} after %[[T]] : i64
// CHECK: %[[ONE:.*]] = vgiw.join {{.*}} after %[[T]] : i64 : i64
// CHECK: vgiw.compute add %[[ONE]]
vgiw.kernel @triggers live parameters [#vgiw.binding<argument>] live_values 1 {
  %t = vgiw.initiate
  %s = vgiw.live_store %t to 0 : i64
  vgiw.branch ^next
^next:
  %p = vgiw.parameter 0 : i64
  %v = vgiw.live_load 0 -> i64
  %l = vgiw.load %p -> i64
  %one = vgiw.constant 1 : i64
  %two = vgiw.compute add %one, %one : (i64, i64) -> i64
  %x = vgiw.store %two to %p : i64
  vgiw.exit
}

// A node whose three places are taken by words waits through one of them.
// CHECK-LABEL: vgiw.kernel @full fitted
// CHECK: %[[A:.*]] = vgiw.join %{{.*}} after %{{.*}} : !vgiw.token : i64
// CHECK: vgiw.cas {{.*}} at %[[A]] : i64
vgiw.kernel @full live parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %a = vgiw.load %t -> i64
  %s = vgiw.store %a to %t : i64
  %c = vgiw.cas %a, %t at %t after %s : !vgiw.token : i64
  vgiw.exit
}
