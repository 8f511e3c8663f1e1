// work-span.c - What a program could do in parallel (-fcilktool=cilkscale).
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Strands are known by construction, and the same at every level of optimisation.  A spawn ends
// one and begins two, a sync begins one; the path that is longest counts for the span.
// RUN: cilk2chan -w -fcilktool=cilkscale -O2 %s -o %t
// RUN: cilk2chan -w -fcilktool=cilkscale -O0 -g %s -o %t.0
// RUN: for p in %t %t.0; do CILKSCALE_OUT=%t.csv $p none && FileCheck --check-prefixes=HEAD,NONE %s < %t.csv || exit 1; done
// RUN: for p in %t %t.0; do CILKSCALE_OUT=%t.csv $p fib && FileCheck --check-prefixes=HEAD,FIB %s < %t.csv || exit 1; done
// RUN: for p in %t %t.0; do CILKSCALE_OUT=%t.csv $p loop && FileCheck --check-prefixes=HEAD,LOOP %s < %t.csv || exit 1; done
// RUN: for p in %t %t.0; do CILKSCALE_OUT=%t.csv $p grain && FileCheck --check-prefixes=HEAD,GRAIN %s < %t.csv || exit 1; done
// RUN: for p in %t %t.0; do CILKSCALE_OUT=%t.csv $p nested && FileCheck --check-prefixes=HEAD,NESTED %s < %t.csv || exit 1; done
// RUN: for p in %t %t.0; do CILKSCALE_OUT=%t.csv $p phases && FileCheck --check-prefixes=HEAD,PHASES %s < %t.csv || exit 1; done
// RUN: for p in %t %t.0; do CILKSCALE_OUT=%t.csv $p chain && FileCheck --check-prefixes=HEAD,CHAIN %s < %t.csv || exit 1; done
// RUN: for p in %t %t.0; do CILKSCALE_OUT=%t.csv $p thread && FileCheck --check-prefixes=HEAD,THREAD %s < %t.csv || exit 1; done
// HEAD: {{^}}tag,work (seconds),span (seconds),parallelism,burdened_span (seconds),burdened_parallelism,work (strands),span (strands),parallelism (strands){{$}}
// NONE: {{^,.*}},1,1,1.000{{$}}
// 3 F(11) - 3 of the spawns and syncs, and what comes first.
// FIB: {{^,.*}},265,19,13.947{{$}}
// LOOP: {{^,.*}},102,3,34.000{{$}}
// 15 pieces of 7, of 100.
// GRAIN: {{^,.*}},17,3,5.667{{$}}
// 10 times 20 inside each other: 10 (1 + 20 + 1) + 2.
// NESTED: {{^,.*}},222,5,44.400{{$}}
// Work 1 + 2 + 264 + 1, and, after the sync, 2 + 2 + 1.  Span 1 + 1 + 18 + 1, and 1 + 1 + 1.
// PHASES: {{^,.*}},273,24,11.375{{$}}
// No child beside another.
// CHAIN: {{^,.*}},61,41,1.488{{$}}
// Another thread's work is added; its path is beside the first one's.
// THREAD: {{^,.*}},266,19,14.000{{$}}

// Time passes by the clock, also while a strand sleeps: two children of 20 ms beside 60 ms.  The burden is 5 us for what follows a spawn, and for a
// return.
// RUN: CILKSCALE_OUT=%t.csv %t sleep && %python -c "import csv, sys; rows = list(csv.reader(open(sys.argv[1]))); work, span, parallelism, burdened = [float(x) for x in rows[-1][1:5]]; sys.exit(0 if 0.1 <= work and 0.06 <= span <= work - 0.039 and span + 9e-6 <= burdened < span + 1e-4 and abs(work / span - parallelism) < 0.01 else rows)" %t.csv

// Readings of the program's own, in between: the same form without strands.
// RUN: CILKSCALE_OUT=%t.csv %t readings && FileCheck --check-prefixes=HEAD,READINGS %s < %t.csv
// READINGS-NEXT: {{^}}sort,0.0{{[0-9]+}},0.0{{[0-9]+}},{{.*}},,,{{$}}
// READINGS-NEXT: {{^,.*}},265,19,13.947{{$}}

// Without a file: stderr.  The program's own output is that of the serial elision.
// RUN: %t hello 2> %t.err | FileCheck --check-prefix=HELLO %s
// RUN: FileCheck --check-prefixes=HEAD,FIB %s < %t.err
// HELLO: {{^}}55{{$}}

// %p is the process's number: a forked child has its own file, or none.
// RUN: rm -f %t.p.*; CILKSCALE_OUT=%t.p.%%p %t fork | cat && ls %t.p.* | count 2
// RUN: CILKSCALE_OUT=%t.csv %t fork | cat && FileCheck --check-prefix=NONE %s < %t.csv

// With libchan.so: only what was compiled for it is measured, in a library as well.
// RUN: cilk2chan -w -fcilktool=cilkscale -shared-libchan -Wl,-rpath,%build/lib %s -o %t.shared
// RUN: CILKSCALE_OUT=%t.csv %t.shared fib && FileCheck --check-prefixes=HEAD,FIB %s < %t.csv
// RUN: cilk2chan -w -shared-libchan -Wl,-rpath,%build/lib %s -o %t.plain
// RUN: rm -f %t.csv; CILKSCALE_OUT=%t.csv %t.plain fib 2>&1 | count 0 && not ls %t.csv
// RUN: cilk2chan -w -fcilktool=cilkscale -shared-libchan -Wl,-rpath,%build/lib -fPIC -shared -DLIBRARY %s -o %t.so
// RUN: cilk2chan -w -shared-libchan -Wl,-rpath,%build/lib -DLIBRARY -DPROGRAM %s %t.so -o %t.uses
// RUN: CILKSCALE_OUT=%t.csv %t.uses && FileCheck --check-prefixes=HEAD,FIB %s < %t.csv

// RUN: CILKSCALE_OUT=%t.none/file not %t fib 2>&1 | FileCheck --check-prefix=UNWRITABLE %s
// UNWRITABLE: cilk2chan: cannot write '{{.*}}.none/file' (CILKSCALE_OUT): {{No such file|Not a directory}}
// RUN: not cilk2chan -fcilktool=cilksan -c %s 2>&1 | FileCheck --check-prefix=CILKSAN %s
// CILKSAN: error: there is no '-fcilktool=cilksan'; '-fsanitize=thread' finds races
// RUN: not cilk2chan -fcilktool=scale -c %s 2>&1 | FileCheck --check-prefix=TOOL %s
// TOOL: error: invalid value 'scale' in '-fcilktool=scale'; expected 'cilkscale'

// No markers are left, and no kernels.
// RUN: cilk2chan -w -fcilktool=cilkscale --emit=llvm %s | FileCheck --check-prefix=IR %s
// IR-NOT: __cilk_s
// IR-NOT: chan_run
// IR: call void @chan_scope_spawn(ptr
// IR-NEXT: call void @__cilk_child.
// IR-NEXT: call void @chan_scope_return(ptr
// IR-NOT: __cilk_s

#include <cilk/cilkscale.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef PROGRAM
long fib(int n);
int main() { return fib(10) != 55; }
#else

#ifndef LIBRARY
static
#endif
long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

#ifndef LIBRARY

static void loop(char *out, int count) {
  cilk_for (int i = 0; i < count; i++)
    out[i] = i;
}

static void grain(char *out, int count) {
#pragma cilk grainsize 7
  cilk_for (int i = 0; i < count; i++)
    out[i] = i;
}

static void nested(char *out) {
  cilk_for (int i = 0; i < 10; i++)
    cilk_for (int j = 0; j < 20; j++)
      out[i * 20 + j] = j;
}

static void nothing(void) {}

static void phases(void) {
  cilk_spawn nothing();
  fib(10);
  cilk_sync;
  cilk_spawn nothing();
  cilk_spawn nothing();
  cilk_sync;
}

static void chain(int n) {
  if (n == 0)
    return;
  cilk_spawn chain(n - 1);
  cilk_sync;
}

static void doze(long milliseconds) {
  nanosleep(&(struct timespec){0, milliseconds * 1000000}, NULL);
}

static void sleepBeside(void) {
  cilk_spawn doze(20);
  cilk_spawn doze(20);
  doze(60);
  cilk_sync;
}

static void *inThread(void *unused) {
  fib(10);
  return unused;
}

int main(int argc, char **argv) {
  char bytes[200];
  const char *what = argv[1];
  if (!strcmp(what, "fib"))
    return fib(10) != 55;
  if (!strcmp(what, "hello"))
    printf("%ld\n", fib(10));
  if (!strcmp(what, "loop"))
    loop(bytes, 100);
  if (!strcmp(what, "grain"))
    grain(bytes, 100);
  if (!strcmp(what, "nested"))
    nested(bytes);
  if (!strcmp(what, "phases"))
    phases();
  if (!strcmp(what, "chain"))
    chain(20);
  if (!strcmp(what, "sleep"))
    sleepBeside();
  if (!strcmp(what, "thread")) {
    pthread_t thread;
    pthread_create(&thread, NULL, inThread, NULL);
    pthread_join(thread, NULL);
  }
  if (!strcmp(what, "readings")) {
    wsp_t before = wsp_getworkspan();
    fib(10);
    wsp_dump(wsp_sub(wsp_getworkspan(), before), "sort");
  }
  if (!strcmp(what, "fork")) {
    pid_t parent = getpid();
    if (fork() != 0)
      return 0;
    while (getppid() == parent)
      usleep(1000);
    return fib(10) != 55;
  }
  return 0;
}

#endif
#endif
