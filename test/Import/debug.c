// debug.c - Lines survive; the result is valid with debug information.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -g -O0 -c %s -o %t.o && llvm-dwarfdump --verify %t.o
// RUN: cilk2chan -g -O2 -c %s -o %t.o && llvm-dwarfdump --verify %t.o
// RUN: llvm-dwarfdump --debug-line %t.o | FileCheck --check-prefix=LINES %s
// RUN: llvm-dwarfdump --debug-info %t.o | FileCheck --check-prefix=INFO %s
// RUN: cilk2chan -g --emit=llvm %s | FileCheck %s
// CHECK: define internal void @sum.0({{.*}} !dbg ![[SUM:[0-9]+]]
// One unit, which is the file's.
// CHECK: !llvm.dbg.cu = !{!{{[0-9]+}}}
// CHECK: ![[SUM]] = distinct !DISubprogram(name: "sum",{{.*}}line: [[@LINE+7]]
// LINES: 0x{{[0-9a-f]+}} [[@LINE+10]] {{.*}}is_stmt
// LINES: 0x{{[0-9a-f]+}} [[@LINE+13]] {{.*}}is_stmt
// INFO: DW_TAG_compile_unit
// INFO-NOT: DW_TAG_compile_unit

void use(int *p);
int sum(int n, int *p) {
  int total = 0;
  for (int i = 0; i < n; i++) {
    int part[2];
    use(part);
    part[0] += cilk_spawn sum(n - 1, part);
    total += part[1];
    cilk_sync;
    use(part);
  }
  return total;
}
