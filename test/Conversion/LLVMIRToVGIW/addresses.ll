; Addresses that differ by a constant share their sum, and those that differ by a stride form a chain.
; RUN: cilk2chan-translate --device-to-vgiw %s | FileCheck %s

; a[i + 1] and a[i + 2] are at 4 and 8 bytes after a[i], whatever else needs i + 1.
; CHECK-LABEL: vgiw.kernel @neighbours
; CHECK-DAG: %[[FOUR:.*]] = vgiw.constant 4 : i64
; CHECK-DAG: %[[EIGHT:.*]] = vgiw.constant 8 : i64
; CHECK: %[[A:.*]] = vgiw.compute mad
; CHECK-DAG: vgiw.compute add %[[A]], %[[FOUR]] :
; CHECK-DAG: vgiw.compute add %[[A]], %[[EIGHT]] :
; CHECK-NOT: mad
; CHECK: vgiw.exit
define void @neighbours(i64 %t, ptr %q) "vgiw.kernel"="s" "vgiw.bindings"="argument 0" {
  %p = load ptr, ptr %q
  %one = add i64 %t, 1
  %two = add i64 %t, 2
  %a = getelementptr float, ptr %p, i64 %t
  %b = getelementptr float, ptr %p, i64 %one
  %c = getelementptr float, ptr %p, i64 %two
  %x = load float, ptr %a
  %y = load float, ptr %b
  %z = load float, ptr %c
  %xy = fadd float %x, %y
  %xyz = fadd float %xy, %z
  store float %xyz, ptr %q
  store i64 %one, ptr %p
  ret void
}

; The index is an int of C, and stands alone: its constant goes to the address, where a unit can add it.
; CHECK-LABEL: vgiw.kernel @alone
; CHECK: %[[I:.*]] = vgiw.compute trunc
; CHECK-NEXT: %[[WIDE:.*]] = vgiw.compute sext %[[I]]
; CHECK-NEXT: %[[A:.*]] = vgiw.compute mad %[[WIDE]],
; CHECK-NEXT: vgiw.compute add %[[A]],
define void @alone(i64 %t, ptr %q) "vgiw.kernel"="s" "vgiw.bindings"="argument 0" {
  %p = load ptr, ptr %q
  %i = trunc i64 %t to i32
  %one = add nsw i32 %i, 1
  %next = sext i32 %one to i64
  %a = getelementptr inbounds float, ptr %p, i64 %next
  %x = load float, ptr %a
  store float %x, ptr %q
  ret void
}

; Rows of a matrix: one product for the first, and a sum for each other.
; CHECK-LABEL: vgiw.kernel @rows
; CHECK: %[[PRODUCT:.*]] = vgiw.compute mul %
; CHECK: %[[A:.*]] = vgiw.compute mad %[[PRODUCT]],
; CHECK: %[[B:.*]] = vgiw.compute add %[[A]], %[[ROW:.*]] :
; CHECK: vgiw.compute add %[[B]], %[[ROW]] :
; CHECK-NOT: vgiw.compute {{mul|mad|add}}
; CHECK: vgiw.exit
define void @rows(i64 %t, ptr %p, i64 %n) "vgiw.kernel"="s" "vgiw.bindings"="argument 0;argument 1" {
  %one = add nsw i64 %t, 1
  %two = add nsw i64 %t, 2
  %r0 = mul nsw i64 %t, %n
  %r1 = mul nsw i64 %one, %n
  %r2 = mul nsw i64 %two, %n
  %a = getelementptr inbounds float, ptr %p, i64 %r0
  %b = getelementptr inbounds float, ptr %p, i64 %r1
  %c = getelementptr inbounds float, ptr %p, i64 %r2
  %x = load float, ptr %a
  %y = load float, ptr %b
  %z = load float, ptr %c
  %xy = fadd float %x, %y
  %xyz = fadd float %xy, %z
  store float %xyz, ptr %p
  ret void
}
