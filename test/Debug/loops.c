/*===- loops.c - What gdb shows in a parallel loop ----------------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// The control variable, and what the body shares with its function.
//
// REQUIRES: gdb
// RUN: cilk2chan -g %s -o %t
// RUN: CHAN_WORKERS=1 gdb -q -batch -nx -x %S/Inputs/loops.gdb %t 2>&1 | FileCheck %s
// RUN: cilk2chan -g -O2 -fno-chan-below-grain %s -o %t.2
// RUN: CHAN_WORKERS=1 gdb -q -batch -nx -ex 'break loops.c:28' -ex run -ex 'print j' %t.2 2>&1 | FileCheck --check-prefix=FAST %s
// RUN: cilk2chan -g -c %s -o %t.o && llvm-dwarfdump --name=j -p %t.o | FileCheck --check-prefix=DWARF %s

static __attribute__((noinline)) void use(int *place, int value) {
  *place = value;
}

static int loops(int *a, int n) {
  int scale = 3, shared[2] = {7, 8};
  struct pair { int x, y; } step = {1, 1};
  cilk_for (int i = 4; i < n; i += step.x) {
    int twice = i * 2;
    use(&a[i], twice * scale + shared[0]);
    use(&shared[1], 8); // BODY
  }
  cilk_for (int i = 0; i < 1; i++)
    cilk_for (int j = 5; j > 4; j--)
      use(&a[i], j); // INNER
  scale = 4;
  int *p;
  cilk_for (p = a + 5; p < a + n; p += scale) {
    cilk_spawn use(p, *p + 1); // SPAWNS
    use(p, scale);
  }
  return a[n - 1];
}

int main(void) {
  int a[6] = {0};
  return loops(a, 6) != 4;
}

// DWARF: DW_TAG_subprogram
// DWARF: DW_AT_name ("loops")
// DWARF: DW_TAG_variable
// DWARF-NEXT: DW_AT_location (DW_OP_fbreg {{.*}})
// DWARF-NEXT: DW_AT_name ("j")

// FAST: Breakpoint 1, loops (
// FAST: = 5

// CHECK: Breakpoint 1, loops (
// CHECK: #0  loops (
// CHECK: #1  {{.*}} in loops (
// CHECK: = 4
// CHECK: = 8
// CHECK: = 3
// CHECK: = {7, 8}
// CHECK: Breakpoint 2, loops (
// CHECK: = 5
// CHECK: = 0
// CHECK: Breakpoint 3{{(\.[0-9])?}}, loops (
// CHECK: = 37
// CHECK: = 4
