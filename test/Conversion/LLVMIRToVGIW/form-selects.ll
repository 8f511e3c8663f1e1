; Branches become selects where no more nodes fire for it.
; RUN: cilk2chan-translate --device-to-vgiw %s | FileCheck %s

; An if without else: one block, and no branch.
; CHECK-LABEL: vgiw.kernel @without_else
; CHECK-NOT: cond_branch
; CHECK: %[[SUM:.*]] = vgiw.compute add
; CHECK: vgiw.compute select %{{.*}}, %[[SUM]], %
; CHECK: vgiw.store
; CHECK-NEXT: vgiw.exit {vgiw.registers = 14 : i64}
; CHECK-NEXT: }
define void @without_else(i64 %t, ptr %p) "vgiw.kernel"="s" "vgiw.bindings"="argument 0" {
entry:
  %at = getelementptr i32, ptr %p, i64 %t
  %x = load i32, ptr %at
  %c = icmp slt i32 %x, 10
  br i1 %c, label %then, label %end
then:
  %y = mul i32 %x, %x
  %z = add i32 %y, 3
  br label %end
end:
  %r = phi i32 [ %z, %then ], [ %x, %entry ]
  store i32 %r, ptr %at
  ret void
}

; With else: the values of both sides. The load after the join waits for the store before the branch, which
; may be to the same place: memory order is found in the block as it has become.
; CHECK-LABEL: vgiw.kernel @with_else
; CHECK-NOT: cond_branch
; CHECK: %[[DONE:.*]] = vgiw.store
; CHECK: vgiw.compute select
; CHECK: vgiw.load %{{.*}} after %[[DONE]]
; CHECK-NOT: cond_branch
; CHECK: vgiw.exit
define void @with_else(i64 %t, ptr %p, ptr %q) "vgiw.kernel"="s" "vgiw.bindings"="argument 0;argument 1" {
entry:
  %at = getelementptr i32, ptr %p, i64 %t
  %x = load i32, ptr %at
  store i32 1, ptr %q
  %c = icmp slt i32 %x, 10
  br i1 %c, label %then, label %else
then:
  %y = add i32 %x, 3
  br label %end
else:
  %z = shl i32 %x, 2
  br label %end
end:
  %i = phi i32 [ %y, %then ], [ %z, %else ]
  %w = load i32, ptr %at
  %v = add i32 %w, %i
  store i32 %v, ptr %at
  ret void
}

; Two conditions of a loop: one branch, by a select of conditions.
; CHECK-LABEL: vgiw.kernel @both
; CHECK: %[[FALSE:.*]] = vgiw.constant false
; CHECK: %[[FIRST:.*]] = vgiw.compute slt
; CHECK: %[[SECOND:.*]] = vgiw.compute ne
; CHECK: %[[BOTH:.*]] = vgiw.compute select %[[FIRST]], %[[SECOND]], %[[FALSE]]
; CHECK: vgiw.cond_branch %[[BOTH]]
; CHECK-NOT: cond_branch
define void @both(i64 %t, ptr %p, i64 %n) "vgiw.kernel"="s" "vgiw.bindings"="argument 0;argument 1" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %test ]
  %at = getelementptr i64, ptr %p, i64 %i
  store i64 %t, ptr %at
  %next = add i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %test, label %end
test:
  %d = icmp ne i64 %next, %t
  br i1 %d, label %loop, label %end
end:
  ret void
}

; A store, or a division, is not done by all threads.
; CHECK-LABEL: vgiw.kernel @stores
; CHECK: vgiw.cond_branch
define void @stores(i64 %t, ptr %p) "vgiw.kernel"="s" "vgiw.bindings"="argument 0" {
entry:
  %at = getelementptr i32, ptr %p, i64 %t
  %x = load i32, ptr %at
  %c = icmp slt i32 %x, 10
  br i1 %c, label %then, label %end
then:
  store i32 0, ptr %at
  br label %end
end:
  ret void
}
; CHECK-LABEL: vgiw.kernel @divides
; CHECK: vgiw.cond_branch
; CHECK: vgiw.compute udiv
define void @divides(i64 %t, ptr %p) "vgiw.kernel"="s" "vgiw.bindings"="argument 0" {
entry:
  %at = getelementptr i32, ptr %p, i64 %t
  %x = load i32, ptr %at
  %c = icmp slt i32 %x, 10
  br i1 %c, label %then, label %end
then:
  %y = udiv i32 %x, 3
  br label %end
end:
  %r = phi i32 [ %y, %then ], [ %x, %entry ]
  store i32 %r, ptr %at
  ret void
}

; Work that half of the threads need not do costs more than the branch.
; CHECK-LABEL: vgiw.kernel @long
; CHECK: vgiw.cond_branch
define void @long(i64 %t, ptr %p) "vgiw.kernel"="s" "vgiw.bindings"="argument 0" {
entry:
  %at = getelementptr i32, ptr %p, i64 %t
  %x = load i32, ptr %at
  %c = icmp slt i32 %x, 10
  br i1 %c, label %then, label %end
then:
  %a = mul i32 %x, %x
  %b = xor i32 %a, 123
  %d = mul i32 %b, %x
  %e = xor i32 %d, 45
  %f = mul i32 %e, %b
  %g = xor i32 %f, 67
  %h = mul i32 %g, %e
  %i = xor i32 %h, 89
  %j = mul i32 %i, %g
  %k = xor i32 %j, 12
  %l = mul i32 %k, %i
  %m = xor i32 %l, 34
  %n = mul i32 %m, %k
  %o = xor i32 %n, 56
  %q = mul i32 %o, %m
  %s = xor i32 %q, 78
  %u = mul i32 %s, %o
  %v = xor i32 %u, 91
  %w = mul i32 %v, %s
  %y = xor i32 %w, 32
  br label %end
end:
  %r = phi i32 [ %y, %then ], [ %x, %entry ]
  store i32 %r, ptr %at
  ret void
}

; A load that some threads would not have come to: those load from where all have stored.
; CHECK-LABEL: vgiw.kernel @load_in_arm
; CHECK: vgiw.store %{{.*}} to %[[SAFE:.*]] : i32
; CHECK: %[[AT:.*]] = vgiw.compute select %[[C:.*]], %{{.*}}, %[[SAFE]]
; CHECK: %[[V:.*]] = vgiw.load %[[AT]]
; CHECK: vgiw.compute select %[[C]], %[[V]], %
; CHECK-NOT: cond_branch
; CHECK: vgiw.exit
define void @load_in_arm(i64 %t, ptr %p, ptr %q) "vgiw.kernel"="s" "vgiw.bindings"="argument 0;argument 1" {
entry:
  %at = getelementptr i32, ptr %p, i64 %t
  store i32 1, ptr %at
  %c = icmp slt i64 %t, 10
  br i1 %c, label %then, label %end
then:
  %y = load i32, ptr %q
  br label %end
end:
  %r = phi i32 [ %y, %then ], [ 7, %entry ]
  store i32 %r, ptr %q
  ret void
}

; No access is large enough; after a call none is known to be safe.
; CHECK-LABEL: vgiw.kernel @unsafe
; CHECK: vgiw.cond_branch
; CHECK: vgiw.exit
define void @unsafe(i64 %t, ptr %p, ptr %q) "vgiw.kernel"="s" "vgiw.bindings"="argument 0;argument 1" {
entry:
  %at = getelementptr i16, ptr %p, i64 %t
  store i16 1, ptr %at
  %c = icmp slt i64 %t, 10
  br i1 %c, label %then, label %end
then:
  %y = load i32, ptr %q
  br label %end
end:
  %r = phi i32 [ %y, %then ], [ 7, %entry ]
  store i32 %r, ptr %q
  ret void
}

declare void @free(ptr)

; CHECK-LABEL: vgiw.kernel @freed
; CHECK: vgiw.cond_branch
; CHECK: vgiw.exit
define void @freed(i64 %t, ptr %p, ptr %q) "vgiw.kernel"="s" "vgiw.bindings"="argument 0;argument 1" {
entry:
  store i32 1, ptr %p
  call void @free(ptr %p)
  %c = icmp slt i64 %t, 10
  br i1 %c, label %then, label %end
then:
  %y = load i32, ptr %q
  br label %end
end:
  %r = phi i32 [ %y, %then ], [ 7, %entry ]
  store i32 %r, ptr %q
  ret void
}

; A thread that goes the other way loads the other value by this load: it needs no select, and no load of its own.
; CHECK-LABEL: vgiw.kernel @stands_for_both
; CHECK-NOT: cond_branch
; CHECK: %[[AT:.*]] = vgiw.compute mad
; CHECK-NOT: vgiw.load %[[AT]] -> f32
; CHECK: vgiw.load %{{.*}} -> i32
; CHECK: %[[CHOSEN:.*]] = vgiw.compute select %{{.*}}, %{{.*}}, %[[AT]]
; CHECK: %[[V:.*]] = vgiw.load %[[CHOSEN]] -> f32
; CHECK-NOT: select
; CHECK: vgiw.store %[[V]]
define void @stands_for_both(i64 %t, ptr %p, ptr %q) "vgiw.kernel"="s" "vgiw.bindings"="argument 0;argument 1" {
entry:
  %at = getelementptr float, ptr %p, i64 %t
  %x = load float, ptr %at
  %k = load i32, ptr %q
  %c = icmp slt i32 %k, 10
  br i1 %c, label %then, label %end
then:
  %next = getelementptr float, ptr %at, i64 %t
  %y = load float, ptr %next
  br label %end
end:
  %r = phi float [ %y, %then ], [ %x, %entry ]
  store float %r, ptr %q
  ret void
}

; A store after the other load may change what is there.
; CHECK-LABEL: vgiw.kernel @stored_between
; CHECK-COUNT-2: vgiw.compute select
; CHECK-NOT: select
define void @stored_between(i64 %t, ptr %p, ptr %q) "vgiw.kernel"="s" "vgiw.bindings"="argument 0;argument 1" {
entry:
  %at = getelementptr float, ptr %p, i64 %t
  %x = load float, ptr %at
  %k = load i32, ptr %q
  store i32 0, ptr %q
  %c = icmp slt i32 %k, 10
  br i1 %c, label %then, label %end
then:
  %next = getelementptr float, ptr %at, i64 %t
  %y = load float, ptr %next
  br label %end
end:
  %r = phi float [ %y, %then ], [ %x, %entry ]
  store float %r, ptr %q
  ret void
}

; What the inliner says of pointers is neither a call nor a store.
; CHECK-LABEL: vgiw.kernel @told
; CHECK-NOT: cond_branch
; CHECK: %[[AT:.*]] = vgiw.compute mad
; CHECK-NOT: vgiw.load %[[AT]] -> f32
; CHECK: %[[CHOSEN:.*]] = vgiw.compute select %{{.*}}, %{{.*}}, %[[AT]]
; CHECK: %[[V:.*]] = vgiw.load %[[CHOSEN]] -> f32
; CHECK-NOT: select
; CHECK: vgiw.store %[[V]]
define void @told(i64 %t, ptr %p, ptr %q) "vgiw.kernel"="s" "vgiw.bindings"="argument 0;argument 1" {
entry:
  %at = getelementptr float, ptr %p, i64 %t
  %x = load float, ptr %at
  %k = load i32, ptr %q
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %c = icmp slt i32 %k, 10
  br i1 %c, label %then, label %end
then:
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %next = getelementptr float, ptr %at, i64 %t
  %y = load float, ptr %next, !alias.scope !0
  br label %end
end:
  %r = phi float [ %y, %then ], [ %x, %entry ]
  store float %r, ptr %q
  ret void
}

; Nor is it one between an access and a load from the same place.
; CHECK-LABEL: vgiw.kernel @told_behind_store
; CHECK-NOT: cond_branch
; CHECK: vgiw.store %{{.*}} to %[[SAFE:.*]] : i32
; CHECK: vgiw.compute select %{{.*}}, %{{.*}}, %[[SAFE]]
; CHECK-NOT: cond_branch
; CHECK: vgiw.exit
define void @told_behind_store(i64 %t, ptr %p, ptr %q) "vgiw.kernel"="s" "vgiw.bindings"="argument 0;argument 1" {
entry:
  %at = getelementptr i32, ptr %p, i64 %t
  store i32 1, ptr %at
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %c = icmp slt i64 %t, 10
  br i1 %c, label %then, label %end
then:
  %y = load i32, ptr %q
  br label %end
end:
  %r = phi i32 [ %y, %then ], [ 7, %entry ]
  store i32 %r, ptr %q
  ret void
}

declare void @llvm.experimental.noalias.scope.decl(metadata)
!0 = !{!1}
!1 = distinct !{!1, !2, !"p"}
!2 = distinct !{!2, !"body"}
