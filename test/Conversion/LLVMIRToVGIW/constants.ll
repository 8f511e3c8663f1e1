; What is computed with addresses is a node's, where it is no symbol and bytes beyond it.
; RUN: cilk2chan-translate --device-to-vgiw %s | FileCheck %s

@cells = global [8 x i64] zeroinitializer
@others = global [8 x i64] zeroinitializer

; CHECK-LABEL: vgiw.kernel @constants
; CHECK-DAG: vgiw.symbol "cells" + 8
; CHECK-DAG: vgiw.compute sub
; CHECK-DAG: vgiw.compute trunc
; CHECK: vgiw.exit
define void @constants(i64 %t, ptr %p) "vgiw.kernel"="s" "vgiw.bindings"="argument 0" {
  %a = getelementptr i64, ptr %p, i64 1
  %b = getelementptr i64, ptr %p, i64 2
  store i64 ptrtoint (ptr getelementptr (i64, ptr @cells, i64 1) to i64), ptr %p
  store i64 add (i64 ptrtoint (ptr @cells to i64), i64 1), ptr %a
  store i32 trunc (i64 sub (i64 ptrtoint (ptr @others to i64), i64 ptrtoint (ptr @cells to i64)) to i32), ptr %b
  ret void
}
