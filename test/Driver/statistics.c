// statistics.c - What CHAN_STATS says of kernels, batches and clones.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -w -O2 -fno-chan-batch -fno-chan-serial-clones %s -o %t.kernels
// RUN: cilk2chan -w -O2 -fno-chan-batch %s -o %t.clones
// RUN: cilk2chan -w -O2 -fno-chan-batch -fchan-stats %s -o %t.counted
// RUN: cilk2chan -w -O2 -fchan-stats -fchan-batch -fno-chan-reductions -fchan-lanes=4 %s -o %t.batches
// RUN: cilk2chan -w -O2 -fchan-stats -fchan-batch -fchan-lanes=4 %s -o %t.sums
// RUN: cilk2chan -w -O2 -fno-chan-serial-clones -fchan-batch -fchan-lanes=4 %s -o %t.lanes

// CHAN_STATS=1 prints one screen: totals, where the time went, the slowest kernels, what to do.
// RUN: CHAN_WORKERS=1 CHAN_STATS=1 %t.kernels slow 33 2> %t.screen && FileCheck --check-prefix=SCREEN --match-full-lines %s < %t.screen
// RUN: test $(wc -l < %t.screen) -le 25 && not grep -E '.{101}' %t.screen
// SCREEN: cilk2chan: 11405773 tasks by kernels, 0 in batches, 0 with all their children by serial clones
// SCREEN-NEXT: cilk2chan: of 11405773 tasks 100.00 % in kernels, 0.00 % in batches, 0.00 % in serial clones
// SCREEN-NEXT: cilk2chan: {{[0-9.]+}} s, 1 worker, at most {{[0-9]+}} bytes mapped
// SCREEN-EMPTY:
// SCREEN-NEXT: where the workers' time went ms %
// SCREEN-NEXT: batches 0.000 0
// SCREEN-NEXT: serial clones 0.000 0
// SCREEN-NEXT: kernels {{[0-9]+\.[0-9]+ [0-9]+}}
// SCREEN-NEXT: outside tasks {{[0-9]+\.[0-9]+ [0-9]+}}
// SCREEN-EMPTY:
// SCREEN-NEXT: slowest kernels form ms % elements a call lanes% stolen
// SCREEN-NEXT: fib.0 kernel {{[0-9.]+ [0-9]+}} 11405773 {{[0-9.]+}} - 0
// SCREEN-NEXT: fib.1 kernel {{[0-9.]+ [0-9]+}} 5702886 {{[0-9.]+}} - 0
// SCREEN-EMPTY:
// SCREEN-NEXT: what to do
// SCREEN-NEXT: - Kernels run small tasks, of about {{[0-9]+}} ns. -Rpass-missed=chan says why no clone or batch does.
// SCREEN-NEXT: CHAN_STATS=levels prints each kernel at each level. docs/Tuning.md explains what to change.
// SCREEN-NOT: {{.}}
// Its advice depends on what was slow: idle workers, clones, full channels, empty lanes.
// RUN: CHAN_WORKERS=1 CHAN_WIDTH=1 CHAN_STATS=1 %t.kernels slow 27 2>&1 | FileCheck --check-prefix=NARROW %s
// NARROW: - fib.0: its channel was full {{[0-9]+}} times. Try a larger block: CHAN_WIDTH=n.
// RUN: CHAN_WORKERS=1 CHAN_STATS=1 %t.clones spin 2>&1 | FileCheck --check-prefix=SLOWCLONES %s
// SLOWCLONES: - Most of the time is in serial clones, without SIMD lanes. -Rpass-missed=chan-batch says why.
// RUN: CHAN_WORKERS=1 CHAN_STATS=1 %t.lanes twigs 2>&1 | FileCheck --check-prefix=EMPTY %s
// EMPTY: - fib.0 ({{[a-z0-9 ]+}}): {{[0-9]+}} % of the lanes had no element. Spawn more before each sync.
// RUN: CHAN_WORKERS=2 CHAN_STATS=1 %t.kernels spin 2>&1 | FileCheck --check-prefix=ALONE %s
// ALONE: - No worker took tasks from another. -fcilktool=cilkscale measures the parallelism.

// With all levels: elements by level are the same in every run.
// RUN: CHAN_WORKERS=1 CHAN_STATS=levels %t.kernels fib 2>&1 | FileCheck --check-prefix=KERNELS %s
// KERNELS: cilk2chan: 21891 tasks by kernels, 0 in batches, 0 with all their children by serial clones
// KERNELS: cilk2chan: of 21891 tasks 100.00 % in kernels, 0.00 % in batches, 0.00 % in serial clones
// KERNELS: cilk2chan: {{[0-9]+\.[0-9]+}} s, 1 worker, at most {{[0-9]+}} bytes mapped
// KERNELS: {{^}}kernel form level elements calls lanes% yields stolen bytes ms tasks inside{{$}}
// KERNELS: {{^}}fib.0 kernel all 21891 {{[0-9]+}} - {{[0-9]+}} 0 262692 {{[0-9]+\.[0-9]+}} -{{$}}
// KERNELS: {{^}} kernel 0 1 1 - 0 0 12
// KERNELS: {{^}} kernel 1 2
// KERNELS: {{^}} kernel 19 2
// KERNELS: {{^}}fib.1 kernel all 10945
// KERNELS: {{^}} kernel 18 1

// A full channel yields.
// RUN: CHAN_WIDTH=1 CHAN_WORKERS=1 CHAN_STATS=levels %t.kernels fib 2>&1 | FileCheck --check-prefix=YIELDS %s
// YIELDS: {{^}}fib.0 kernel all 21891 {{[0-9]+}} - 10945 0
// Levels from 256 on are one.
// RUN: CHAN_WORKERS=1 CHAN_STATS=levels %t.kernels chain 2>&1 | FileCheck --check-prefix=DEEP %s
// DEEP: {{^}}chain.0 kernel all 1001
// DEEP: {{^}} kernel 255 1
// DEEP: {{^}} kernel 256+ 745 745

// What clones do is counted if it was asked for, in each file: activations that are not over with
// their first test, as in batches.
// RUN: CHAN_WORKERS=1 CHAN_STATS=levels %t.clones fib 2>&1 | FileCheck --check-prefix=CLONES %s
// CLONES: cilk2chan: 0 tasks by kernels, 0 in batches, 1 with all their children by serial clones
// CLONES: cilk2chan: tasks inside serial clones are not counted; compile with -fchan-stats
// CLONES: {{^}}fib.0 clone all 1 1 - 0 0 12 {{[0-9.]+}} -{{$}}
// RUN: CHAN_WORKERS=1 CHAN_STATS=levels %t.counted fib 2>&1 | FileCheck --check-prefix=COUNTED %s
// COUNTED: cilk2chan: of 10945 tasks 0.00 % in kernels, 0.00 % in batches, 100.00 % in serial clones
// COUNTED: {{^}}fib.0 clone all 1 1 - 0 0 12 {{[0-9.]+}} 10945{{$}}
// RUN: CHAN_WORKERS=1 CHAN_STATS=levels %t.batches fib 2>&1 | FileCheck --check-prefix=BATCHES %s
// BATCHES: cilk2chan: 0 tasks by kernels, 10945 in batches, 0 with
// BATCHES: cilk2chan: of 10945 tasks 0.00 % in kernels, 100.00 % in batches, 0.00 % in serial clones
// BATCHES: {{^}}fib.0 batch all 10945
// BATCHES: {{^}}fib.0 phase 0 all 10945 {{[0-9]+ 9[0-9]\.[0-9]}}
// BATCHES: {{^}} phase 0 0 1 1 25.0
// BATCHES: {{^}} phase 0 1 2 1 50.0
// BATCHES: {{^}} phase 0 2 4 1 100.0
// BATCHES: {{^}}fib.0 phase 1 all 10945
// BATCHES: {{^}} phase 1 0 1 1 25.0
// Where results are added up, nobody waits.
// RUN: CHAN_WORKERS=1 CHAN_STATS=levels %t.sums fib 2>&1 | FileCheck --check-prefix=SUMS %s
// SUMS: cilk2chan: 0 tasks by kernels, 10945 in batches, 0 with
// SUMS: {{^}}fib.0 batch all 10945
// SUMS: {{^}}fib.0 reduction all 10945 {{[0-9]+ 9[0-9]\.[0-9]}}
// SUMS: {{^}} reduction 0 1 1 25.0
// SUMS-NOT: phase
// A loop that spawns: result handlers, of all children that are there.
// RUN: CHAN_WORKERS=1 CHAN_STATS=levels %t.batches wide 2>&1 | FileCheck --check-prefix=HANDLERS %s
// (Of a thousand more the parents see that they are over at once.)
// HANDLERS: cilk2chan: 0 tasks by kernels, 111 in batches
// HANDLERS: {{^}}wide.0 handler 0 all 110
// A group of lanes goes through the loop together: 100 of 3 groups of 10.
// HANDLERS: {{^}} handler 0 0 10 1 25.0
// HANDLERS: {{^}} handler 0 1 100 {{[0-9]+}} 83.3

// As JSON; with other workers each element runs at the same level, if elsewhere.
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.1.json %t.kernels fib
// RUN: CHAN_WORKERS=4 CHAN_WIDTH=32 CHAN_STATS=%t.4.json %t.kernels fib
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.b.json %t.batches fib
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.n.json %t.clones fib
// RUN: CHAN_WORKERS=2 CHAN_STATS=%t.s.json %t.kernels sleep
// RUN: CHAN_WORKERS=1 CHAN_WIDTH=1 CHAN_STATS=%t.y.json %t.kernels sleep
// RUN: %python %S/Inputs/statistics.py %t.1.json %t.4.json %t.b.json %t.n.json %t.s.json %t.y.json

// The process may end inside a task, of any thread.
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.stats %t.counted exit && FileCheck --check-prefix=EXIT %s < %t.stats
// RUN: CHAN_WORKERS=2 CHAN_STATS=%t.stats %t.kernels exit && FileCheck --check-prefix=EXITED %s < %t.stats
// EXIT: leave.0 clone all 1 1 - 0 0 {{.*}} 1{{$}}
// EXITED: leave.0 kernel all {{[12]}} {{[12]}}

// A file is written by the process that began, also if another ends later (cat waits for that);
// %p is its number.
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.stats %t.kernels fork | cat && FileCheck --check-prefix=KERNELS %s < %t.stats
// RUN: rm -f %t.p.*; CHAN_WORKERS=1 CHAN_STATS=%t.p.%%p %t.kernels fork | cat && ls %t.p.* | count 2
// RUN: cat %t.p.* | grep -o "^cilk2chan: [0-9]* tasks" | sort | FileCheck --check-prefix=BOTH %s
// BOTH: 177 tasks
// BOTH-NEXT: 21891 tasks
// The directory may change, and descriptors may be closed.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && CHAN_WORKERS=1 CHAN_STATS=here %t.kernels move && FileCheck --check-prefix=MOVED %s < here
// MOVED: cilk2chan: 21892 tasks by kernels

// RUN: CHAN_STATS=%t.none/file not %t.kernels fib 2>&1 | FileCheck --check-prefix=UNWRITABLE %s
// UNWRITABLE-NOT: cilk2chan
// UNWRITABLE: cilk2chan: cannot write '{{.*}}.none/file' (CHAN_STATS): {{No such file|Not a directory}}
// UNWRITABLE-NOT: cilk2chan
// RUN: CHAN_WORKERS=1 CHAN_STATS=/dev/full not %t.kernels fib 2>&1 | FileCheck --check-prefix=FULL %s
// FULL: cilk2chan: cannot write '/dev/full' (CHAN_STATS): No space left
// RUN: CHAN_WORKERS=1 CHAN_STATS=0 %t.kernels fib 2>&1 | count 0
// RUN: CHAN_WORKERS=1 CHAN_STATS= %t.kernels fib 2>&1 | count 0

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static void chain(int n) {
  if (n == 0)
    return;
  cilk_spawn chain(n - 1);
  cilk_sync;
}

static long wide(int depth) {
  long sum = 0;
  if (depth == 0)
    return 1;
  for (int i = 0; i < 10; i++)
    sum += cilk_spawn wide(depth - 1);
  cilk_sync;
  return sum + 1;
}

static volatile int turns;
/* One task at a time, of about 7 us each. */
static void spin(int n) {
  if (n == 0)
    return;
  for (int i = 0; i < 20000; i++)
    turns = i;
  cilk_spawn spin(n - 1);
  cilk_sync;
}

static void doze(int n) {
  if (n > 1) {
    for (int i = 0; i < n; i++)
      cilk_spawn doze(1);
    cilk_sync;
  } else {
    nanosleep(&(struct timespec){0, 20000000}, NULL);
  }
}

__attribute__((noinline)) static void end(void) { exit(0); }
static void leave(int n) {
  if (n == 0)
    return;
  cilk_spawn leave(0);
  end();
  cilk_sync;
}

int main(int argc, char **argv) {
  const char *what = argv[1];
  if (!strcmp(what, "fib"))
    return fib(20) != 6765;
  if (!strcmp(what, "slow"))
    return fib(atoi(argv[2])) == 0;
  if (!strcmp(what, "twigs")) {
    long sum = 0;
    for (int i = 0; i < 300000; i++)
      sum += fib(3 + (i & 1));
    return sum == 0;
  }
  if (!strcmp(what, "spin"))
    spin(20000);
  if (!strcmp(what, "chain"))
    chain(1000);
  if (!strcmp(what, "wide"))
    return wide(3) != 1111;
  if (!strcmp(what, "sleep"))
    doze(8);
  if (!strcmp(what, "exit"))
    leave(1);
  if (!strcmp(what, "fork")) {
    pid_t parent = getpid();
    long before = fib(20);
    if (fork() != 0)
      return before != 6765;
    while (getppid() == parent)
      usleep(1000);
    return fib(10) != 55;
  }
  if (!strcmp(what, "move")) {
    long before = fib(1);
    if (chdir("/") != 0)
      return 1;
    for (int i = 3; i < 100; i++)
      close(i);
    return fib(20) != before * 6765;
  }
  return 0;
}
