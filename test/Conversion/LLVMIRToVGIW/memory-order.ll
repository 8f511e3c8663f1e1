; What LLVM's alias analysis cannot tell apart is ordered, and nothing else.
; RUN: cilk2chan-translate --device-to-vgiw %s | FileCheck %s

; CHECK-LABEL: vgiw.kernel @order
; CHECK: %[[A:.*]] = vgiw.load %{{[0-9]+}} -> i32
; CHECK: %[[B:.*]] = vgiw.load %{{[0-9]+}} -> i32
; Loads come before a later store that may alias; loads are not ordered.
; CHECK: %[[S:.*]] = vgiw.store {{.*}} after %[[B]] : i32 : i32
; The noalias word waits for nobody.
; CHECK: vgiw.store %{{.*}} to %{{[0-9]+}} : i32
; CHECK: vgiw.load {{.*}} after %[[S]] : !vgiw.token -> i32
; What follows from the flow of data is not said again: the sum needs both loads.
; CHECK: %[[SUM:.*]] = vgiw.compute add
; CHECK: vgiw.store %[[SUM]] to %{{[0-9]+}} after %{{[0-9]+}} : !vgiw.token : i32
; CHECK: vgiw.exit
define void @order(i64 %t, ptr %p, ptr %q, ptr noalias %r) "vgiw.kernel"="stack" "vgiw.bindings"="argument 0;argument 1;argument 2" {
  %a = load i32, ptr %p
  %b = load i32, ptr %q
  %more = add i32 %a, 1
  store i32 %more, ptr %p
  store i32 %b, ptr %r
  %c = load i32, ptr %q
  %sum = add i32 %b, %c
  store i32 %sum, ptr %r
  ret void
}

; A fence and a release wait for all before them.
; CHECK-LABEL: vgiw.kernel @fences
; CHECK: %[[X:.*]] = vgiw.store
; CHECK: vgiw.atomic add {{.*}} after %[[X]] : !vgiw.token : i64
; CHECK: %[[Y:.*]] = vgiw.store
; CHECK: vgiw.load {{.*}} after %[[Y]] : !vgiw.token -> i64
define void @fences(i64 %t, ptr noalias %p, ptr noalias %q) "vgiw.kernel"="stack" "vgiw.bindings"="argument 0;argument 1" {
  store i64 %t, ptr %p
  %old = atomicrmw add ptr %q, i64 1 release
  store i64 %old, ptr %p
  fence seq_cst
  %v = load i64, ptr %q
  store i64 %v, ptr %p
  ret void
}
