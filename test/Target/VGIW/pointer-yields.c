// pointer-yields.c - A channel that threads found by the address of a function is full.
//
// The threads yield, and the channel is taken. When they go on, it has room again, as
// the channels have that their kernel names.
//
// RUN: cilk2chan -O2 --target=vgiw %s -o %t && timeout 300 %t | FileCheck %s
// RUN: env CHANSIM_SET=aggregator.channel_width=64 CHANSIM_STATS=%t.json timeout 300 %t | FileCheck %s
// RUN: %python %S/Inputs/statistics.py %t.json | FileCheck %s --check-prefix=STATS
// RUN: env CHANSIM_SET=aggregator.channel_width=64,cores=2 timeout 300 %t | FileCheck %s
// RUN: cilk2chan -O2 --target=simt %s -o %t.simt && timeout 300 %t.simt | FileCheck %s
// RUN: env CHANSIM_SET=aggregator.channel_width=64 timeout 300 %t.simt | FileCheck %s
// CHECK: sum 718800
// STATS: aggregator.wavefront_yields {{[1-9][0-9]*$}}

#include <cilk/cilk.h>
#include <stdio.h>

static long sum;

static void add(long i) { __atomic_fetch_add(&sum, i, __ATOMIC_RELAXED); }

static void once(long i) {
  cilk_spawn add(i);
  cilk_sync;
}

static void zero(long i) {
  cilk_spawn add(i - i);
  cilk_sync;
}

static void (*const functions[])(long) = {once, once, zero, once};

static void spawn_all(long begin, long end) {
  for (long i = begin; i < end; ++i)
    cilk_spawn functions[i % 4](i);
  cilk_sync;
}

int main(void) {
  cilk_for (int i = 0; i < 4; ++i)
    spawn_all(i * 300, i * 300 + 300);
  long left_out = 0;
  for (long i = 2; i < 1200; i += 4)
    left_out += i;
  printf("sum %ld\n", sum + left_out - 600);
}
