// flags.c - Flags that are clang's reach it; ours do not.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cilk2chan -std=c11 -Wall -Werror -O1 -march=x86-64 -fno-common -DVALUE=7 -UGONE -I%S/Inputs -c %s -o o.o
// RUN: cilk2chan -DVALUE=7 -I%S/Inputs -MD -MF deps.d -c %s -o o.o && FileCheck --check-prefix=DEPS %s < deps.d
// RUN: cilk2chan -DVALUE=7 -I%S/Inputs -E %s | FileCheck --check-prefix=CPP %s
// RUN: cilk2chan -DVALUE=7 -I%S/Inputs -S %s && FileCheck --check-prefix=ASM %s < flags.s
// RUN: cilk2chan -DVALUE=7 -I%S/Inputs -S -emit-llvm %s -o - | FileCheck --check-prefix=IR %s
// RUN: cilk2chan -DVALUE=7 -I%S/Inputs -fsyntax-only %s
// RUN: cilk2chan -DVALUE=7 -I%S/Inputs -v -c %s 2>&1 | FileCheck --check-prefix=VERBOSE %s
// RUN: echo "-DVALUE=7 -I%S/Inputs -c %s -o response.o" > args && cilk2chan @args && test -f response.o
// RUN: cilk2chan --target=host -DVALUE=7 -I%S/Inputs -c %s -o o.o
// RUN: cilk2chan --target=aarch64-linux-gnu -ffreestanding -nostdinc -DVALUE=7 -I%S/Inputs -S %s -o - | FileCheck --check-prefix=ARM %s
// RUN: cilk2chan -O2 -fno-chan-batch -Rpass=inline -DVALUE=7 -I%S/Inputs -c %s -o o.o 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: cilk2chan -Werror -fopencilk -fcilkplus -ftapir -ftapir=cilk -fdetach -DVALUE=7 -I%S/Inputs -S %s -o - | FileCheck --check-prefix=ASM %s
// RUN: not cilk2chan -fopencilk=7 -c %s -o o.o 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: error: unknown argument: '-fopencilk=7'
// DEPS: o.o:
// DEPS-SAME: flags.c
// DEPS: fib.h
// CPP: x = cilk_spawn fib(7)
// ASM: spawns.0:
// IR: define internal void @spawns.0
// VERBOSE: cilk2chan" -cc1
// ARM: ret
// REMARK: flags.c:[[@LINE+7]]:{{[0-9]+}}: remark: {{.*}}inlined

#include "fib.h"
#if defined(GONE) || !defined(__cilk)
#error
#endif
static int one(void) { return 1; }
int two(void) { return one() + 1; }
int spawns(void) {
  int x, y;
  x = cilk_spawn fib(VALUE);
  y = cilk_spawn fib(two());
  cilk_sync;
  return x + y;
}
