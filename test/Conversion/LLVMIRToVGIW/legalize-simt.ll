; Device functions for a SIMT core keep their branches and loops, and have one end.
; RUN: cilk2chan-translate --device-to-simt %s | FileCheck %s

; A loop of four iterations is not unrolled; a fabric gets all four.
; CHECK-LABEL: vgiw.kernel @loop
; CHECK-COUNT-1: vgiw.load
; CHECK-NOT: vgiw.load
; CHECK: vgiw.exit
define void @loop(i64 %t, ptr %p) "vgiw.kernel"="stack" "vgiw.bindings"="argument 0" {
entry:
  br label %body
body:
  %i = phi i64 [0, %entry], [%j, %body]
  %a = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %a
  %w = mul i64 %v, %t
  store i64 %w, ptr %a
  %j = add i64 %i, 1
  %c = icmp eq i64 %j, 4
  br i1 %c, label %end, label %body
end:
  ret void
}

; A tiny arm is a selection, and a store stays behind its branch.
; CHECK-LABEL: vgiw.kernel @arms
; CHECK: vgiw.compute select
; CHECK: vgiw.cond_branch
; CHECK: vgiw.store
define void @arms(i64 %t, ptr %p) "vgiw.kernel"="stack" "vgiw.bindings"="argument 0" {
entry:
  %c = icmp eq i64 %t, 0
  br i1 %c, label %one, label %join
one:
  %x = add i64 %t, 5
  br label %join
join:
  %y = phi i64 [%x, %one], [%t, %entry]
  %d = icmp eq i64 %y, 7
  br i1 %d, label %two, label %end
two:
  store i64 %y, ptr %p
  br label %end
end:
  ret void
}

; Two ends become one. What is unreachable is an end that says so.
; CHECK-LABEL: vgiw.kernel @ends
; CHECK: vgiw.exit
; CHECK-SAME: vgiw.unreachable
; CHECK: vgiw.exit
; CHECK-NOT: vgiw.exit
declare void @abort() noreturn
define void @ends(i64 %t, ptr %p) "vgiw.kernel"="stack" "vgiw.bindings"="argument 0" {
entry:
  switch i64 %t, label %three [i64 0, label %one
                               i64 7, label %two]
one:
  store i64 1, ptr %p
  ret void
two:
  call void @abort() noreturn
  unreachable
three:
  store volatile i64 3, ptr %p
  ret void
}

; A loop with two entries gets one header, which chooses.
; CHECK-LABEL: vgiw.kernel @irreducible
; CHECK: ^bb[[HEADER:[0-9]+]]({{.*}}: i1
; CHECK: vgiw.exit
define void @irreducible(i64 %t, ptr %p) "vgiw.kernel"="stack" "vgiw.bindings"="argument 0" {
entry:
  %c = icmp eq i64 %t, 0
  br i1 %c, label %a, label %b
a:
  %v = load volatile i64, ptr %p
  %d = icmp eq i64 %v, 1
  br i1 %d, label %b, label %end
b:
  %w = load volatile i64, ptr %p
  %e = icmp eq i64 %w, 2
  br i1 %e, label %a, label %end
end:
  ret void
}
