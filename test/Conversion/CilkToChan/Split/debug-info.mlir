//===- debug-info.mlir - Each kernel has a subprogram of its own ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan --mlir-print-debuginfo %s | FileCheck %s
// RUN: cilk2chan-opt --lower-to-chan --chan-to-host --mlir-print-debuginfo %s | mlir-translate --mlir-to-llvmir | FileCheck --check-prefix=LLVM %s


#file = #llvm.di_file<"f.c" in "/src">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C11, file = #file, isOptimized = false, emissionKind = Full>
#type = #llvm.di_subroutine_type<types = #llvm.di_null_type>
#sub = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f", file = #file, line = 3, scopeLine = 3, subprogramFlags = Definition, type = #type>
#loc = loc("f.c":3:6)
#here = loc(fused<#sub>[#loc])

llvm.func @work() loc(unknown)

llvm.func @f() -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32 loc(fused<#sub>["f.c":4:1])
  cilk.spawn @work() : !llvm.func<void ()> loc(fused<#sub>["f.c":4:3])
  cilk.sync loc(fused<#sub>["f.c":5:3])
  llvm.return %one : i32 loc(fused<#sub>["f.c":6:3])
} loc(#here)

// CHECK-DAG: #[[FIRST:.*]] = #llvm.di_subprogram<id = {{.*}}, name = "f", linkageName = "f.0"
// CHECK-DAG: #[[SECOND:.*]] = #llvm.di_subprogram<id = {{.*}}, name = "f", linkageName = "f.1"
// CHECK-DAG: fused<#[[FIRST]]>
// CHECK-DAG: fused<#[[SECOND]]>

// LLVM: define internal void @f.0({{.*}} !dbg ![[FIRST:[0-9]+]]
// LLVM: define internal void @f.1({{.*}} !dbg ![[SECOND:[0-9]+]]
// LLVM: ![[FIRST]] = distinct !DISubprogram(name: "f", linkageName: "f.0"
// LLVM: ![[SECOND]] = distinct !DISubprogram(name: "f", linkageName: "f.1"
