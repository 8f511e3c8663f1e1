// dependencies.c - Lists of headers for make, in every form that clang has.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t && cd %t && cp %s main.c && cp %S/Inputs/fib.h .
// RUN: cilk2chan -MD -c main.c && FileCheck --check-prefix=ALL %s < main.d
// RUN: cilk2chan -MMD -MP -c main.c -o x.o && FileCheck --check-prefix=USER %s < x.d
// RUN: cilk2chan -MMD -MF named.d -MT 'a$b' -c main.c && FileCheck --check-prefix=TARGET %s < named.d
// RUN: cilk2chan -MMD -MF named.d -MQ 'a$b' -c main.c && FileCheck --check-prefix=QUOTED %s < named.d
// RUN: cilk2chan -M main.c | FileCheck --check-prefix=ALL %s
// RUN: cilk2chan -MM main.c -MG | FileCheck --check-prefix=PLAIN %s
// RUN: cilk2chan -Wp,-MD,wp.d -c main.c && FileCheck --check-prefix=ALL %s < wp.d
// RUN: cilk2chan -MJ commands.json -c main.c && FileCheck --check-prefix=COMMANDS %s < commands.json
// ALL: main.o: main.c fib.h {{.*}}stdio.h
// USER: x.o: main.c fib.h{{$}}
// USER-NEXT: fib.h:{{$}}
// TARGET: {{^}}a$b: main.c fib.h
// QUOTED: {{^}}a$$b: main.c fib.h
// PLAIN: main.o: main.c fib.h
// COMMANDS: "file": "main.c", "output": "main.o", "arguments": ["{{.*}}cilk2chan"

#include "fib.h"
#include <stdio.h>

int twice(int n) {
  int x = cilk_spawn fib(n), y = fib(n);
  cilk_sync;
  return x + y;
}
