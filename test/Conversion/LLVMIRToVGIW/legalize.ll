; What no unit does is expanded or becomes the host's.
; RUN: cilk2chan-translate --device-to-vgiw %s | FileCheck %s

declare i32 @printf(ptr, ...)
declare void @__vgiw_yield()
declare i64 @__vgiw_reserve(ptr) memory(argmem: readwrite)
@text = external constant [4 x i8]

; A call: its operands go to a record in private memory.
; CHECK-LABEL: vgiw.kernel @call
; CHECK-SAME: #vgiw.binding<private>] private
; CHECK: vgiw.store
; CHECK: vgiw.syscall "__vgiw_thunk.call.0"
define void @call(i64 %t) "vgiw.kernel"="stack" {
  %n = trunc i64 %t to i32
  %r = call i32 (ptr, ...) @printf(ptr @text, i32 %n)
  ret void
}

; Words that no token carries: long double.
; CHECK-LABEL: vgiw.kernel @wide
; CHECK-COUNT-3: vgiw.syscall
define void @wide(i64 %t, ptr %p) "vgiw.kernel"="stack" "vgiw.bindings"="argument 0" {
  %a = load x86_fp80, ptr %p
  %b = fadd x86_fp80 %a, %a
  store x86_fp80 %b, ptr %p
  ret void
}

; Notes on what is accessed are nothing to a unit.
; CHECK-LABEL: vgiw.kernel @annotated
; CHECK-NOT: vgiw.syscall
; CHECK: vgiw.exit
define void @annotated(i64 %t, ptr noalias %p) "vgiw.kernel"="stack" "vgiw.bindings"="argument 0" {
  %q = call ptr @llvm.ptr.annotation.p0.p0(ptr %p, ptr @text, ptr @text, i32 1, ptr null)
  %v = load i32, ptr %q
  %w = call i32 @llvm.annotation.i32.p0(i32 %v, ptr @text, ptr @text, i32 1)
  store i32 %w, ptr %q
  ret void
}
declare ptr @llvm.ptr.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
declare i32 @llvm.annotation.i32.p0(i32, ptr, ptr, i32)

; Vectors, switches and blocks of memory.
; CHECK-LABEL: vgiw.kernel @shapes
; CHECK-NOT: {{vector|vgiw.syscall}}
; CHECK: vgiw.cond_branch
; CHECK-NOT: vgiw.syscall
; CHECK-LABEL: vgiw.kernel @overflow
; CHECK-NOT: vgiw.syscall
; CHECK: vgiw.exit
define void @shapes(i64 %t, ptr noalias %p, ptr noalias %q) "vgiw.kernel"="stack" "vgiw.bindings"="argument 0;argument 1" {
  %v = load <2 x i32>, ptr %p
  %w = add <2 x i32> %v, %v
  store <2 x i32> %w, ptr %q
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %t, i1 false)
  switch i64 %t, label %d [ i64 1, label %a  i64 5, label %b ]
a:
  store i32 1, ptr %p
  br label %d
b:
  store i32 2, ptr %p
  br label %d
d:
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; What takes several units.
define void @overflow(i64 %t, ptr %p) "vgiw.kernel"="stack" "vgiw.bindings"="argument 0" {
  %a = load i64, ptr %p
  %r = call {i64, i1} @llvm.uadd.with.overflow.i64(i64 %a, i64 %t)
  %over = extractvalue {i64, i1} %r, 1
  %word = zext i1 %over to i64
  store i64 %word, ptr %p
  ret void
}
declare {i64, i1} @llvm.uadd.with.overflow.i64(i64, i64)

; A full channel: the thread yields and tries again.
; CHECK-LABEL: vgiw.kernel @yields
; CHECK: vgiw.branch ^bb1
; CHECK: ^bb1:
; CHECK: vgiw.reserve
; CHECK: vgiw.cond_branch {{.*}}, ^bb3, ^bb2
; CHECK: ^bb2:
; CHECK-NEXT: vgiw.yield ^bb1
; CHECK: vgiw.exit
define void @yields(i64 %t, ptr noalias %control) "vgiw.kernel"="stack" "vgiw.bindings"="control stack 1" {
  br label %again
again:
  %i = call i64 @__vgiw_reserve(ptr %control)
  %ok = icmp sge i64 %i, 0
  br i1 %ok, label %done, label %full
full:
  call void @__vgiw_yield()
  br label %again
done:
  ret void
}

; A lock that another thread holds: the thread yields and tries again.
; CHECK-LABEL: vgiw.kernel @lock
; CHECK: vgiw.syscall "__vgiw_thunk.lock.0"
; CHECK: vgiw.cond_branch
; CHECK: vgiw.yield
declare i32 @pthread_mutex_lock(ptr)
define void @lock(i64 %t, ptr %m) "vgiw.kernel"="stack" "vgiw.bindings"="argument 0" {
  %r = call i32 @pthread_mutex_lock(ptr %m)
  ret void
}

; An object of variable size: the runtime allocates it, and frees it at the end,
; without the host.
; CHECK-LABEL: vgiw.kernel @object
; CHECK: vgiw.heap_call "__vgiw_thunk.object.0"
; CHECK: vgiw.syscall "__vgiw_thunk.object.1"
; CHECK: vgiw.heap_call "__vgiw_thunk.object.2"
; CHECK-NEXT: vgiw.exit
define void @object(i64 %t) "vgiw.kernel"="stack" {
  %s = call ptr @llvm.stacksave.p0()
  %a = alloca i8, i64 %t
  call void @use(ptr %a)
  call void @llvm.stackrestore.p0(ptr %s)
  ret void
}
declare void @use(ptr)

; Nor is it needed for the C library's memory. A function of the program that has
; such a name is another one.
; CHECK-LABEL: vgiw.kernel @heap
; CHECK: vgiw.heap_call "__vgiw_thunk.heap.0"
; CHECK: vgiw.syscall "__vgiw_thunk.heap.1"
; CHECK: vgiw.syscall "__vgiw_thunk.heap.2"
; CHECK: vgiw.heap_call "__vgiw_thunk.heap.3"
declare ptr @malloc(i64)
declare void @free(ptr)
define ptr @calloc(i64 %n, i64 %m) {
  ret ptr null
}
define void @heap(i64 %t) "vgiw.kernel"="stack" {
  %a = call ptr @malloc(i64 %t)
  %b = call ptr @calloc(i64 %t, i64 8)
  call void @use(ptr %b)
  call void @free(ptr %a)
  ret void
}

; Who spins lets the others go on.
; CHECK-LABEL: vgiw.kernel @spin
; CHECK-NOT: vgiw.syscall
; CHECK: vgiw.yield
declare i32 @sched_yield()
define void @spin(i64 %t, ptr %p) "vgiw.kernel"="stack" "vgiw.bindings"="argument 0" {
entry:
  br label %again
again:
  %v = load atomic i32, ptr %p seq_cst, align 4
  %r = call i32 @sched_yield()
  %c = icmp eq i32 %v, 0
  br i1 %c, label %again, label %end
end:
  ret void
}

; A block that only merges values and goes on to a loop is no block of its own: both ways to it, and the loop's own way
; back, meet in the header.
; CHECK-LABEL: vgiw.kernel @retried
; CHECK: vgiw.branch ^[[HEADER:bb[0-9]+]](
; CHECK: ^[[HEADER]](%[[N:.*]]: i64):  // 3 preds
; CHECK: vgiw.reserve
; CHECK: vgiw.cond_branch
; CHECK: vgiw.yield ^[[HEADER]](%[[N]]
; CHECK: vgiw.cond_branch %{{.*}}, ^[[HEADER]](
define void @retried(i64 %t, ptr %words, ptr %n) "vgiw.kernel"="s" "vgiw.bindings"="argument 0;argument 1" {
entry:
  %count = load i64, ptr %n
  br label %next
next:
  %i = phi i64 [ %count, %entry ], [ %less, %got ]
  br label %again
again:
  %place = call i64 @__vgiw_reserve(ptr %words)
  %ok = icmp sge i64 %place, 0
  br i1 %ok, label %got, label %full
full:
  call void @__vgiw_yield()
  br label %again
got:
  %less = add i64 %i, -1
  %more = icmp ne i64 %less, 0
  br i1 %more, label %next, label %end
end:
  ret void
}

; A value that is no word, used in a block that stands before the one that makes it.
; CHECK-LABEL: vgiw.kernel @before
; CHECK-COUNT-3: vgiw.syscall
define void @before(i64 %t, ptr %p) "vgiw.kernel"="stack" "vgiw.bindings"="argument 0" {
  br label %makes
uses:
  %b = add i128 %a, 7
  store i128 %b, ptr %p
  ret void
makes:
  %a = load i128, ptr %p
  br label %uses
}

; A unit does square roots; the host where there is none and errno says so.
; CHECK-LABEL: vgiw.kernel @root
; CHECK: vgiw.compute fsqrt
; CHECK-NOT: vgiw.syscall
; CHECK: vgiw.cond_branch
; CHECK: vgiw.syscall "__vgiw_thunk.root.0"
; CHECK-NOT: vgiw.syscall
declare double @sqrt(double)
define void @root(i64 %t, ptr %p) "vgiw.kernel"="stack" "vgiw.bindings"="argument 0" {
  %x = load double, ptr %p
  %r = call double @sqrt(double %x)
  store double %r, ptr %p
  ret void
}

; CHECK-LABEL: vgiw.kernel @rootofwide
; CHECK-NOT: fsqrt
; CHECK: vgiw.syscall
; CHECK-LABEL: vgiw.kernel @end
declare x86_fp80 @sqrtl(x86_fp80)
define void @rootofwide(i64 %t, ptr %p) "vgiw.kernel"="stack" "vgiw.bindings"="argument 0" {
  %x = load x86_fp80, ptr %p
  %r = call x86_fp80 @sqrtl(x86_fp80 %x)
  store x86_fp80 %r, ptr %p
  ret void
}
define void @end(i64 %t) "vgiw.kernel"="stack" {
  ret void
}
