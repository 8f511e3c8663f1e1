// headers.c - Where headers come from, and what other tools are told.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir -p %t/system %t/after && cd %t
// RUN: echo '#define FORCED 1' > forced.h && echo '#define SYSTEM 1' > system/system.h && echo '#define AFTER 1' > after/after.h
// RUN: cilk2chan -include forced.h -isystem system -idirafter after -c %s -o o.o
// RUN: cilk2chan -imacros forced.h -isystem system -idirafter after -c %s -o o.o
// RUN: cilk2chan -Wp,-DFORCED=1 -I system -I after -c %s -o o.o
// RUN: CPATH=system:after cilk2chan -DFORCED=1 -c %s -o o.o
// RUN: cilk2chan -Xpreprocessor -DFORCED=1 -Xclang -isystem -Xclang system -I after -c %s -o o.o
// RUN: cilk2chan -DFORCED -I system -I after -mllvm -inline-threshold=1 -O1 -Wa,--noexecstack -c %s -o o.o
// RUN: cilk2chan -DFORCED -I system -I after -fno-integrated-as -c %s -o o.o
// RUN: cilk2chan -DMAIN o.o -Wl,-Map=map -Xlinker --cref -x c %s -DFORCED -I system -I after -o program && grep -q spawns map
// RUN: not cilk2chan -DFORCED -I system -c %s -o o.o 2>&1 | FileCheck %s
// CHECK: headers.c:[[@LINE+2]]:10: fatal error: 'after.h' file not found

#include <after.h>
#include <system.h>
// Another <cilk/cilk.h> does no harm, nor is ours in the way of C++.
#include <cilk/cilk.h>
#if !FORCED || !SYSTEM || !AFTER
#error
#endif

#ifdef MAIN
int main(void) { return 0; }
#else
int spawns(int n) {
  int x = cilk_spawn spawns(n - 1), y = spawns(n - 1);
  cilk_sync;
  return x + y;
}
#endif
