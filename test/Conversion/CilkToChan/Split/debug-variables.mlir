//===- debug-variables.mlir - Variables in the kernels that have them -----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan --mlir-print-local-scope %s | FileCheck %s
// RUN: cilk2chan-opt --lower-to-chan=keep-locals --mlir-print-local-scope %s | FileCheck --check-prefix=KEEP %s

#file = #llvm.di_file<"f.c" in "/src">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C11, file = #file, isOptimized = false, emissionKind = Full>
#type = #llvm.di_subroutine_type<types = #llvm.di_null_type>
#sub = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f", file = #file, line = 3, scopeLine = 3, subprogramFlags = Definition, type = #type>
#n = #llvm.di_local_variable<scope = #sub, name = "n">
#twice = #llvm.di_local_variable<scope = #sub, name = "twice">
#shared = #llvm.di_local_variable<scope = #sub, name = "shared">
#early = #llvm.di_local_variable<scope = #sub, name = "early">

llvm.func @work(!llvm.ptr)

llvm.func @f(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %shared = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %early = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.intr.dbg.value #n = %n : i32
  llvm.intr.dbg.declare #shared = %shared : !llvm.ptr
  llvm.intr.dbg.declare #early = %early : !llvm.ptr
  llvm.store %n, %early : i32, !llvm.ptr
  %twice = llvm.add %n, %n : i32
  llvm.intr.dbg.value #twice = %twice : i32
  cilk.spawn @work(%shared) : !llvm.func<void (ptr)>, !llvm.ptr
  cilk.sync
  %sum = llvm.add %n, %one : i32
  llvm.return %sum : i32
}

// A value is described where it is, memory where the kernel has it; what only the
// first phase uses is on its stack.
// CHECK-LABEL: chan.kernel @f.0
// CHECK: %[[N:.*]] = chan.get "a0"
// CHECK: %[[EARLY:.*]] = llvm.alloca
// CHECK: llvm.intr.dbg.value {{.*}}name = "n"{{.*}} = %[[N]] : i32
// CHECK: llvm.intr.dbg.declare {{.*}}name = "early"{{.*}} = %[[EARLY]] : !llvm.ptr
// CHECK: %[[TWICE:.*]] = llvm.add %[[N]], %[[N]]
// CHECK: llvm.intr.dbg.value {{.*}}name = "twice"{{.*}} = %[[TWICE]] : i32
// CHECK: %[[FRAME:.*]] = chan.frame
// CHECK: llvm.intr.dbg.value {{.*}}name = "shared"{{.*}}#llvm.di_expression<[DW_OP_plus_uconst({{[0-9]+}}), DW_OP_deref]> = %[[FRAME]] : !llvm.ptr
// CHECK: chan.talloc + 1

// After the sync n is known, and shared; twice, which has no reader, is not kept
// for the debugger's sake.
// CHECK-LABEL: chan.kernel @f.1
// CHECK: %[[FRAME:.*]] = chan.get "frame"
// CHECK-DAG: llvm.intr.dbg.value {{.*}}name = "shared"{{.*}} = %[[FRAME]] : !llvm.ptr
// CHECK-DAG: %[[N:.*]] = llvm.load {{.*}} -> i32
// CHECK-DAG: llvm.intr.dbg.value {{.*}}name = "n"{{.*}} = %[[N]] : i32
// CHECK-NOT: llvm.intr.dbg
// CHECK: chan.done

// All in the frame, whose address is kept in memory too.
// KEEP-LABEL: chan.kernel @f.0
// KEEP: %[[PLACE:.*]] = llvm.alloca %{{.*}} x !llvm.ptr
// KEEP: %[[FRAME:.*]] = chan.frame
// KEEP-NEXT: llvm.store %[[FRAME]], %[[PLACE]]
// KEEP-DAG: llvm.intr.dbg.declare {{.*}}name = "shared"{{.*}}#llvm.di_expression<[DW_OP_deref, DW_OP_plus_uconst({{[0-9]+}})]> = %[[PLACE]]
// KEEP-DAG: llvm.intr.dbg.declare {{.*}}name = "early"{{.*}}#llvm.di_expression<[DW_OP_deref, DW_OP_plus_uconst({{[0-9]+}})]> = %[[PLACE]]
// KEEP-LABEL: chan.kernel @f.1
// KEEP: %[[FRAME:.*]] = chan.get "frame"
// KEEP: llvm.store %[[FRAME]], %[[PLACE:.*]] :
// KEEP-DAG: llvm.intr.dbg.declare {{.*}}name = "shared"{{.*}} = %[[PLACE]]
// KEEP-DAG: llvm.intr.dbg.declare {{.*}}name = "early"{{.*}} = %[[PLACE]]
