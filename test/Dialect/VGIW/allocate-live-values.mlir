// Values cross blocks by live value IDs, as few as their lives allow.
// RUN: cilk2chan-opt --pass-pipeline='builtin.module(vgiw.kernel(vgiw-allocate-live-values))' %s | FileCheck %s

// A loop's counter keeps one ID; it is stored before the loop and in it. The load of the
// old value comes before the store of the new one, which is made of it: no token says so. The sum takes another;
// a value that nobody needs has none.
// CHECK-LABEL: vgiw.kernel @counter live
// CHECK-SAME: live_values 2
// CHECK: vgiw.live_store {{.*}} to 0 : i64
// CHECK: vgiw.live_store {{.*}} to 1 : i64
// CHECK: vgiw.branch ^bb1
// CHECK: ^bb1:
// CHECK: %[[I:.*]] = vgiw.live_load 0 -> i64
// CHECK: %[[SUM:.*]] = vgiw.live_load 1 -> i64
// CHECK: %[[NEXT:.*]] = vgiw.compute add %[[I]]
// CHECK: %[[MORE:.*]] = vgiw.compute add %[[SUM]]
// CHECK: vgiw.live_store %[[NEXT]] to 0 : i64
// CHECK: vgiw.live_store %[[MORE]] to 1 : i64
// CHECK: ^bb2:
// CHECK: vgiw.live_load 1 -> i64
vgiw.kernel @counter graph parameters [#vgiw.binding<argument>] {
  %zero = vgiw.constant 0 : i64
  %one = vgiw.constant 1 : i64
  %ten = vgiw.constant 10 : i64
  vgiw.branch ^loop(%zero, %zero, %one : i64, i64, i64)
^loop(%i: i64, %sum: i64, %unused: i64):
  %next = vgiw.compute add %i, %one : (i64, i64) -> i64
  %more = vgiw.compute add %sum, %i : (i64, i64) -> i64
  %on = vgiw.compute slt %next, %ten : (i64, i64) -> i1
  vgiw.cond_branch %on, ^loop(%next, %more, %unused : i64, i64, i64), ^done
^done:
  %p = vgiw.parameter 0 : i64
  %s = vgiw.store %more to %p : i64
  vgiw.exit
}

// Two lives that do not meet share an ID.
// CHECK-LABEL: vgiw.kernel @apart live
// CHECK-SAME: live_values 1
vgiw.kernel @apart graph parameters [#vgiw.binding<argument>] {
  %p = vgiw.parameter 0 : i64
  %a = vgiw.load %p -> i64
  vgiw.branch ^one
^one:
  %b = vgiw.load %a -> i64
  vgiw.branch ^two
^two:
  %c = vgiw.load %b -> i64
  vgiw.exit
}

// What only passes through a block stays under its ID: the block neither loads nor stores it.
// CHECK-LABEL: vgiw.kernel @through live
// CHECK-SAME: live_values 2
// CHECK: ^bb1:
// CHECK-COUNT-1: vgiw.live_load
// CHECK-NOT: vgiw.live_load
// CHECK-COUNT-1: vgiw.live_store
// CHECK-NOT: vgiw.live_
// CHECK: vgiw.cond_branch
vgiw.kernel @through graph parameters [#vgiw.binding<argument>] {
  %p = vgiw.parameter 0 : i64
  %one = vgiw.constant 1 : i64
  %a = vgiw.load %p -> i64
  %n = vgiw.load %a -> i64
  vgiw.branch ^loop(%n, %a : i64, i64)
^loop(%i: i64, %x: i64):
  %next = vgiw.compute sub %i, %one : (i64, i64) -> i64
  %on = vgiw.compute sgt %next, %one : (i64, i64) -> i1
  vgiw.cond_branch %on, ^loop(%next, %x : i64, i64), ^end(%x : i64)
^end(%y: i64):
  %s = vgiw.store %y to %p : i64
  vgiw.exit
}

// Swapped values: both are loaded before either is stored. What the one was in the last turn is used behind the loop,
// and is what the other would be in the next.
// CHECK-LABEL: vgiw.kernel @swap live
// CHECK-SAME: live_values 2
// CHECK: ^bb1:
// CHECK-DAG: %[[A:.*]] = vgiw.live_load 0 -> i64
// CHECK-DAG: %[[B:.*]] = vgiw.live_load 1 -> i64
// CHECK: vgiw.live_store %[[B]] to 0 after %[[A]]
// CHECK: vgiw.live_store %[[A]] to 1 after %[[B]]
// CHECK: ^bb2:
// CHECK: vgiw.live_load 1 -> i64
vgiw.kernel @swap graph parameters [#vgiw.binding<argument>] {
  %p = vgiw.parameter 0 : i64
  %a = vgiw.load %p -> i64
  %b = vgiw.load %a -> i64
  vgiw.branch ^loop(%a, %b : i64, i64)
^loop(%x: i64, %y: i64):
  %c = vgiw.compute slt %x, %y : (i64, i64) -> i1
  vgiw.cond_branch %c, ^loop(%y, %x : i64, i64), ^end
^end:
  %s = vgiw.store %x to %p : i64
  vgiw.exit
}

// What a counter was when its loop ended is used behind it, and the next one is passed on: the block of the counter
// copies it, and the blocks behind, of the loop and after it, take the copy. The sum, which nothing else needs, has none,
// and the value loaded is held where the counter was.
// CHECK-LABEL: vgiw.kernel @lost_copy live
// CHECK-SAME: live_values 3
// CHECK: ^bb1:
// CHECK: %[[I:.*]] = vgiw.live_load [[COUNTER:[0-9]+]] -> i64
// CHECK: vgiw.live_store %[[I]] to [[COPY:[0-9]+]] :
// CHECK: ^bb2:
// CHECK: %[[OLD:.*]] = vgiw.live_load [[COPY]] -> i64
// CHECK: %[[NEXT:.*]] = vgiw.compute add %[[OLD]]
// CHECK-NOT: to [[COPY]]
// CHECK: vgiw.live_store %[[NEXT]] to [[COUNTER]]
// CHECK-NOT: to [[COPY]]
// CHECK: vgiw.cond_branch %{{.*}}, ^bb1, ^bb3
// CHECK: ^bb3:
// CHECK: %[[LAST:.*]] = vgiw.live_load [[COPY]] -> i64
// CHECK: vgiw.store %[[LAST]]
vgiw.kernel @lost_copy graph parameters [#vgiw.binding<argument>] {
  %zero = vgiw.constant 0 : i64
  %one = vgiw.constant 1 : i64
  %p = vgiw.parameter 0 : i64
  vgiw.branch ^loop(%zero, %zero : i64, i64)
^loop(%i: i64, %sum: i64):
  %at = vgiw.compute add %p, %i : (i64, i64) -> i64
  %a = vgiw.load %at -> i64
  vgiw.branch ^latch
^latch:
  %next = vgiw.compute add %i, %one : (i64, i64) -> i64
  %more = vgiw.compute add %sum, %a : (i64, i64) -> i64
  %on = vgiw.compute slt %more, %a : (i64, i64) -> i1
  vgiw.cond_branch %on, ^loop(%next, %more : i64, i64), ^end
^end:
  %s = vgiw.store %i to %p : i64
  vgiw.exit
}

// The thread's ID, and an address made of it, are made again.
// CHECK-LABEL: vgiw.kernel @cheap live parameters [#vgiw.binding<argument>] {
// CHECK: ^bb1:
// CHECK: vgiw.initiate
// CHECK-NOT: vgiw.initiate
// CHECK: vgiw.compute mad
vgiw.kernel @cheap graph parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %four = vgiw.constant 4 : i64
  %at = vgiw.compute mad %t, %four, %p : (i64, i64, i64) -> i64
  vgiw.branch ^one
^one:
  %s = vgiw.store %t to %at : i64
  vgiw.exit
}

// A branch both ways to one block chooses a value.
// CHECK-LABEL: vgiw.kernel @same live
// CHECK: %[[X:.*]] = vgiw.compute select
// CHECK: vgiw.live_store %[[X]] to 0
// CHECK: vgiw.branch ^bb1
vgiw.kernel @same graph parameters [#vgiw.binding<argument>] {
  %p = vgiw.parameter 0 : i64
  %a = vgiw.load %p -> i64
  %b = vgiw.load %a -> i64
  %c = vgiw.compute slt %a, %b : (i64, i64) -> i1
  vgiw.cond_branch %c, ^end(%a : i64), ^end(%b : i64)
^end(%x: i64):
  %s = vgiw.store %x to %p : i64
  vgiw.exit
}

// A sum that goes through both of two loops has one ID for all that it is called, though the number of turns of the
// outer one dies before the inner begins, and other values begin there: only the addition stores it.
// CHECK-LABEL: vgiw.kernel @nested live
// CHECK: vgiw.live_store %{{.*}} to [[SUM:[0-9]+]] : f32
// CHECK-NEXT: vgiw.branch ^bb1
// CHECK: ^bb1:
// CHECK-NOT: : f32
// CHECK: vgiw.cond_branch %{{.*}}, ^bb2, ^bb3
// CHECK: ^bb2:
// CHECK: %[[OLD:.*]] = vgiw.live_load [[SUM]] -> f32
// CHECK: %[[NEW:.*]] = vgiw.compute fadd %[[OLD]]
// CHECK: vgiw.live_store %[[NEW]] to [[SUM]] : f32
// CHECK-NOT: : f32
// CHECK: ^bb3:
// CHECK-NOT: : f32
// CHECK: ^bb4:
// CHECK: vgiw.live_load [[SUM]] -> f32
vgiw.kernel @nested graph parameters [#vgiw.binding<argument>] {
  %zero = vgiw.constant 0 : i64
  %one = vgiw.constant 1 : i64
  %ten = vgiw.constant 10 : i64
  %p = vgiw.parameter 0 : i64
  %start = vgiw.load %p -> f32
  %n = vgiw.load %p -> i64
  vgiw.branch ^outer(%n, %start : i64, f32)
^outer(%i: i64, %s: f32):
  %i1 = vgiw.compute add %i, %one : (i64, i64) -> i64
  %enters = vgiw.compute slt %i1, %ten : (i64, i64) -> i1
  vgiw.cond_branch %enters, ^inner(%i1, %i1, %s : i64, i64, f32), ^after(%i1, %s : i64, f32)
^inner(%a: i64, %j: i64, %r: f32):
  %r1 = vgiw.compute fadd %r, %r : (f32, f32) -> f32
  %j1 = vgiw.compute add %j, %a : (i64, i64) -> i64
  %on = vgiw.compute slt %j1, %ten : (i64, i64) -> i1
  vgiw.cond_branch %on, ^inner(%j, %j1, %r1 : i64, i64, f32), ^after(%j1, %r1 : i64, f32)
^after(%k: i64, %q: f32):
  %again = vgiw.compute slt %k, %ten : (i64, i64) -> i1
  vgiw.cond_branch %again, ^outer(%k, %q : i64, f32), ^done
^done:
  %stored = vgiw.store %q to %p : f32
  vgiw.exit
}
