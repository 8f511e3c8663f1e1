// lost-output.c - A report that cannot be written fails the program.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The status is 1, once all handlers and destructors have run and stdio's buffers are written.
// RUN: cilk2chan -w -O1 %s -o %t
// RUN: CHAN_STATS=/dev/full %t > %t.out 2> %t.err; echo "status $?" >> %t.out
// RUN: FileCheck --check-prefixes=OUT,ONE %s < %t.out && FileCheck --check-prefix=STATS %s < %t.err
// OUT: in main
// OUT-NEXT: handler
// OUT-NEXT: destructor
// ONE-NEXT: status 1
// STATS: cilk2chan: cannot write '/dev/full' (CHAN_STATS): No space left
// STATS-NOT: cilk2chan
// RUN: CHAN_TRACE=/dev/full %t > %t.out 2> %t.err; echo "status $?" >> %t.out
// RUN: FileCheck --check-prefixes=OUT,ONE %s < %t.out && FileCheck --check-prefix=TRACE %s < %t.err
// TRACE: cilk2chan: cannot write '/dev/full' (CHAN_TRACE): No space left
// TRACE-NOT: cilk2chan
// RUN: CHAN_STATS=1 %t 2> /dev/full > %t.out; echo "status $?" >> %t.out
// RUN: FileCheck --check-prefixes=OUT,ONE %s < %t.out
// RUN: cilk2chan -w -O1 -fcilktool=cilkscale %s -o %t.scale
// RUN: CILKSCALE_OUT=/dev/full %t.scale > %t.out 2> %t.err; echo "status $?" >> %t.out
// RUN: FileCheck --check-prefixes=OUT,ONE %s < %t.out && FileCheck --check-prefix=SCALE %s < %t.err
// SCALE: cilk2chan: cannot write '/dev/full' (CILKSCALE_OUT): No space left
// SCALE-NOT: cilk2chan

// A program that fails keeps its status, and one whose reports are written, too.
// RUN: CHAN_STATS=/dev/full CHAN_TRACE=/dev/full %t 3 > %t.out 2> %t.err; echo "status $?" >> %t.out
// RUN: FileCheck --check-prefixes=OUT,THREE %s < %t.out && FileCheck --check-prefixes=STATS,TRACE %s < %t.err
// THREE-NEXT: status 3
// RUN: CHAN_STATS=%t.stats CHAN_TRACE=%t.trace %t

// With libchan.so, and in a library that has a runtime of its own; what is lost when that is
// closed does not end the program.
// RUN: cilk2chan -w -O1 -shared-libchan -Wl,-rpath,%build/lib %s -o %t.shared
// RUN: CHAN_STATS=/dev/full %t.shared > %t.out; echo "status $?" >> %t.out
// RUN: FileCheck --check-prefixes=OUT,ONE %s < %t.out
// RUN: cilk2chan -w -O1 -fPIC -shared -DLIBRARY %s -o %t.so
// RUN: %clang -w -DCLOSES %s -ldl -o %t.closes
// RUN: CHAN_STATS=/dev/full %t.closes %t.so stay > %t.out; echo "status $?" >> %t.out
// RUN: FileCheck --check-prefixes=OUT,ONE %s < %t.out
// RUN: CHAN_STATS=/dev/full %t.closes %t.so close > %t.out 2> %t.err; echo "status $?" >> %t.out
// RUN: FileCheck --check-prefixes=OUT,NONE %s < %t.out && FileCheck --check-prefix=STATS %s < %t.err
// NONE-NEXT: status 0

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef CLOSES
long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
#endif

#ifndef LIBRARY
static void handle(void) { printf("handler\n"); }
__attribute__((destructor)) static void destroy(void) { printf("destructor\n"); }

int main(int argc, char **argv) {
  atexit(handle);
#ifdef CLOSES
  void *library = dlopen(argv[1], RTLD_NOW);
  long (*fib)(int) = (long (*)(int))dlsym(library, "fib");
  long result = fib(10);
  if (!strcmp(argv[2], "close"))
    dlclose(library);
  printf("in main\n");
  return result != 55;
#else
  if (fib(10) == 55)
    printf("in main\n");
  return argc > 1 ? atoi(argv[1]) : 0;
#endif
}
#endif
