; Several iterations become one block as far as their nodes fit, if the machine can know how many are left over.
; RUN: cilk2chan-translate --device-to-vgiw %s | FileCheck %s

; The sum goes through eight additions; the iterations left over have a block of their own.
; CHECK-LABEL: vgiw.kernel @sum
; CHECK: ^bb{{.*}}(%[[SUM:.*]]: i32
; CHECK-COUNT-8: vgiw.load
; CHECK-NOT: ^bb
; CHECK: vgiw.cond_branch
; CHECK: ^bb{{.*}}(
; CHECK-COUNT-1: vgiw.load
; CHECK-NOT: vgiw.load
; CHECK: vgiw.exit
define void @sum(i64 %t, ptr %p, i64 %n) "vgiw.kernel"="s" "vgiw.bindings"="argument 0;argument 1" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %r, %loop ]
  %at = getelementptr i32, ptr %p, i64 %i
  %x = load i32, ptr %at
  %r = add i32 %s, %x
  %next = add i64 %i, 1
  %c = icmp ne i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  store i32 %r, ptr %p
  ret void
}

; Nobody knows how often: a chain is followed.
; CHECK-LABEL: vgiw.kernel @chain
; CHECK-COUNT-1: vgiw.load
; CHECK-NOT: vgiw.load
; CHECK: vgiw.exit
define void @chain(i64 %t, ptr %p) "vgiw.kernel"="s" "vgiw.bindings"="argument 0" {
entry:
  br label %loop
loop:
  %at = phi ptr [ %p, %entry ], [ %next, %loop ]
  %next = load ptr, ptr %at
  %c = icmp ne ptr %next, null
  br i1 %c, label %loop, label %end
end:
  ret void
}

; It has no room for a second iteration: there are few units that divide.
; CHECK-LABEL: vgiw.kernel @large
; CHECK-COUNT-5: vgiw.compute udiv
; CHECK-NOT: vgiw.compute udiv
; CHECK: vgiw.exit
define void @large(i64 %t, ptr %p, i64 %n) "vgiw.kernel"="s" "vgiw.bindings"="argument 0;argument 1" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %e, %loop ]
  %next = add i64 %i, 1
  %a = udiv i64 %s, %next
  %b = udiv i64 %n, %a
  %d = udiv i64 %b, %next
  %f = udiv i64 %d, %s
  %e = udiv i64 %f, %next
  %c = icmp ne i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  store i64 %e, ptr %p
  ret void
}

; Of 34 iterations two are left over: they need no loop. Their first address is computed behind the loop, from the 32 iterations.
; CHECK-LABEL: vgiw.kernel @known
; CHECK: %[[DONE:.*]] = vgiw.constant 32 : i64
; CHECK: ^bb1(
; CHECK-COUNT-4: vgiw.load
; CHECK-NOT: vgiw.load
; CHECK: ^bb2:
; CHECK: vgiw.compute mul %[[DONE]], %
; CHECK-COUNT-2: vgiw.load
; CHECK-NOT: {{vgiw.load|\^bb}}
; CHECK: vgiw.exit
define void @known(i64 %t, ptr %p, i64 %n) "vgiw.kernel"="s" "vgiw.bindings"="argument 0;argument 1" {
entry:
  %at0 = getelementptr i32, ptr %p, i64 %t
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %r, %loop ]
  %row = mul i64 %i, %n
  %at = getelementptr i32, ptr %at0, i64 %row
  %x = load i32, ptr %at
  %d = xor i32 %x, %s
  %r = mul i32 %d, %x
  %next = add i64 %i, 1
  %c = icmp ne i64 %next, 34
  br i1 %c, label %loop, label %end
end:
  store i32 %r, ptr %p
  ret void
}

; What the inliner says of pointers takes no load/store units.
; CHECK-LABEL: vgiw.kernel @told
; CHECK-COUNT-8: vgiw.load
; CHECK-NOT: ^bb
; CHECK: vgiw.cond_branch
define void @told(i64 %t, ptr %p, i64 %n) "vgiw.kernel"="s" "vgiw.bindings"="argument 0;argument 1" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %r, %loop ]
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %at = getelementptr i32, ptr %p, i64 %i
  %x = load i32, ptr %at, !alias.scope !0
  %r = add i32 %s, %x
  %next = add i64 %i, 1
  %c = icmp ne i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  store i32 %r, ptr %p
  ret void
}
declare void @llvm.experimental.noalias.scope.decl(metadata)
!0 = !{!1}
!1 = distinct !{!1, !2, !"p"}
!2 = distinct !{!2, !"body"}
