; What cannot be mapped says which kernel and why.
; RUN: split-file %s %t
; RUN: not cilk2chan-translate --device-to-vgiw %t/binding.ll 2>&1 | FileCheck %s --check-prefix=BINDING
; RUN: not cilk2chan-translate --device-to-vgiw %t/count.ll 2>&1 | FileCheck %s --check-prefix=COUNT
; RUN: not cilk2chan-translate --device-to-vgiw %t/thread.ll 2>&1 | FileCheck %s --check-prefix=THREAD

; BINDING: error: kernel 'f' cannot run on this machine: a parameter is bound to "column 3"
; COUNT: error: kernel 'f' cannot run on this machine: it has 2 parameters, and 0 are bound
; THREAD: error: kernel 'f' cannot run on this machine: no unit gives the value

;--- binding.ll
define void @f(i64 %t, ptr %p) "vgiw.kernel"="s" "vgiw.bindings"="column 3" {
  ret void
}
;--- count.ll
define void @f(i64 %t, ptr %p) "vgiw.kernel"="s" {
  ret void
}
;--- thread.ll
@x = thread_local global i64 0
define void @f(i64 %t) "vgiw.kernel"="s" {
  store i64 1, ptr @x
  ret void
}
