//===- debug-scopes.mlir - Variables in the kernels that have their scope -===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan=keep-locals --mlir-print-local-scope %s | FileCheck %s

#file = #llvm.di_file<"f.c" in "/src">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C11, file = #file, isOptimized = false, emissionKind = Full>
#type = #llvm.di_subroutine_type<types = #llvm.di_null_type>
#sub = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f", file = #file, line = 3, scopeLine = 3, subprogramFlags = Definition, type = #type>
#outer = #llvm.di_lexical_block<scope = #sub, file = #file, line = 4, column = 3>
#inner = #llvm.di_lexical_block<scope = #outer, file = #file, line = 5, column = 5>
#early = #llvm.di_lexical_block<scope = #sub, file = #file, line = 8, column = 3>
#whole = #llvm.di_local_variable<scope = #sub, name = "whole">
#around = #llvm.di_local_variable<scope = #outer, name = "around">
#over = #llvm.di_local_variable<scope = #early, name = "over">

llvm.func @work(!llvm.ptr)

llvm.func @f() {
  %one = llvm.mlir.constant(1 : i32) : i32
  %whole = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %around = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %over = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.intr.dbg.declare #whole = %whole : !llvm.ptr
  llvm.intr.dbg.declare #around = %around : !llvm.ptr
  llvm.intr.dbg.declare #over = %over : !llvm.ptr
  llvm.store %one, %over : i32, !llvm.ptr loc(fused<#early>["f.c":8:5])
  cilk.spawn @work(%whole) : !llvm.func<void (ptr)>, !llvm.ptr
  cilk.sync
  llvm.store %one, %around : i32, !llvm.ptr loc(fused<#inner>["f.c":5:5])
  llvm.return
}

// CHECK-LABEL: chan.kernel @f.0
// CHECK-NOT: name = "around"
// CHECK-DAG: llvm.intr.dbg.declare {{.*}}name = "whole"
// CHECK-DAG: llvm.intr.dbg.declare {{.*}}name = "over"
// CHECK-LABEL: chan.kernel @f.1
// CHECK-NOT: name = "over"
// CHECK-DAG: llvm.intr.dbg.declare {{.*}}name = "whole"
// CHECK-DAG: llvm.intr.dbg.declare {{.*}}name = "around"
// CHECK-NOT: name = "over"
// CHECK: chan.done
