// calls-from-clones.c - Trees that functions without lanes begin.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 %s -o %t
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.stats %t large | FileCheck --check-prefix=LARGE %s
// RUN: FileCheck --check-prefix=BATCHES %s < %t.stats
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.stats %t tiny | FileCheck --check-prefix=TINY %s
// RUN: FileCheck --check-prefix=CLONES %s < %t.stats
// RUN: CHAN_WORKERS=2 CHAN_STATS=%t.stats %t tiny | FileCheck --check-prefix=TINY %s
// RUN: FileCheck --check-prefix=FEW %s < %t.stats
// RUN: CHAN_WORKERS=2 %t large | FileCheck --check-prefix=LARGE %s
// RUN: CHAN_WORKERS=8 %t tiny | FileCheck --check-prefix=TINY %s
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.stats %t mixed | FileCheck --check-prefix=MIXED %s
// RUN: FileCheck --check-prefix=BOTH %s < %t.stats

// RUN: cilk2chan -O2 -march=x86-64-v4 --emit=mlir %s | FileCheck --check-prefix=GRAPH %s
// RUN: cilk2chan -O2 -Rpass=chan-serial -c %s -o %t.o 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: cilk2chan -O2 -fno-chan-clone-batches -Rpass=chan-serial %s -o %t 2>&1 | FileCheck --check-prefix=NOTHING --allow-empty %s
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.stats %t large | FileCheck --check-prefix=LARGE %s
// RUN: FileCheck --check-prefix=OFF %s < %t.stats
// NOTHING-NOT: begins some
// OFF: {{^cilk2chan: [0-9]{1,3} tasks by kernels, 0 in batches,}}

#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>

static long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

// Of what is volatile nobody knows how long it takes.
static void put(long *where, long what) { *(volatile long *)where = what; }

// It spawns something else as well, so it has no lanes.
__attribute__((noinline)) static long sum(int times, int most) {
  long s = 0, one = 0;
  for (int i = 0; i < times; ++i)
    // REMARK-DAG: calls-from-clones.c:[[@LINE+1]]:10: remark: in the serial clone of 'sum', this call of 'fib' begins a batch unless its tree is predicted small [-Rpass=chan-serial]
    s += fib(most - i % 4);
  cilk_spawn put(&one, 1);
  cilk_sync;
  return s + one;
}

// What spawns nothing but lanes keeps its clone, if it has loops of calls.
// GRAPH-DAG: chan.stack entry @only.entry({{.*}}) function @only serial @only.serial late_promoting
// GRAPH-DAG: chan.stack entry @both.entry({{.*}}) function @both :
long only(int n) {
  long s = 0;
  for (int i = 0; i < n; ++i)
    s += fib(i % 7);
  long x = cilk_spawn fib(n % 7);
  cilk_sync;
  return s + x;
}
long both(int n) {
  long x = cilk_spawn fib(n);
  long y = cilk_spawn fib(n + 1);
  cilk_sync;
  return x + y;
}

// Nor has a parallel loop.
static long results[64];
__attribute__((noinline)) static long sum_all(int times, int most) {
  long s = 0;
  for (int k = 0; k < times; ++k) {
    cilk_for (int i = 0; i < 64; ++i)
      // REMARK-DAG: calls-from-clones.c:[[@LINE+1]]:20: remark: in the serial clone of the body of the cilk_for, this call of 'fib' begins a batch unless its tree is predicted small [-Rpass=chan-serial]
      results[i] = fib(most - (i & 3));
    for (int i = 0; i < 64; ++i)
      s += results[i];
  }
  return s;
}

// A recursion whose leaves are trees of another.
__attribute__((noinline)) static long drive(int n, int depth) {
  if (depth == 0)
    return fib(n);
  long a = cilk_spawn drive(n - 1, depth - 1);
  long b = cilk_spawn drive(n - 2, depth - 1);
  long c = fib(n % 7);
  cilk_sync;
  return a + b + c;
}

int main(int argc, char **argv) {
  const char *which = argc > 1 ? argv[1] : "";
  // LARGE: 48953 242032 17741
  // However few such functions are, what they begin is in lanes.
  // BATCHES: {{^cilk2chan: [0-9]{1,3} tasks by kernels, 49[0-9]{4} in batches,}}
  if (!strcmp(which, "large"))
    printf("%ld %ld %ld\n", sum(8, 21), sum_all(1, 20), drive(22, 3));
  // TINY: 1100001 1408000 -7220
  // Tiny ones are clones, and no elements: not even if somebody wants work.
  // CLONES: {{^cilk2chan: [0-9]{1,3} tasks by kernels, [0-9]{1,4} in batches,}}
  // With two workers it depends on who waits when: of 1.2 and 3.2 million if all
  // were elements.
  // FEW: {{^cilk2chan: [0-9]{1,6} tasks by kernels, [0-9]{1,6} in batches,}}
  else if (!strcmp(which, "tiny"))
    printf("%ld %ld %ld\n", sum(400000, 5), sum_all(8000, 5), drive(10, 10));
  // MIXED: 71516
  // BOTH: {{^cilk2chan: [0-9]{1,3} tasks by kernels, [0-9]{5} in batches,}}
  else if (!strcmp(which, "mixed")) {
    long s = 0;
    for (int i = 0; i < 4; ++i)
      s += sum(1000, 5) + sum(4, 20);
    printf("%ld\n", s);
  }
  return 0;
}
