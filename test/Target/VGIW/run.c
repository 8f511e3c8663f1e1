// A program runs on the simulated machine, in the same cycles each time.
// RUN: cilk2chan -O2 --target=vgiw %s -o %t
// RUN: env CHANSIM_STATS=%t.1.json %t 12 | FileCheck %s
// RUN: env CHANSIM_STATS=%t.2.json %t 12 | FileCheck %s
// RUN: %python %S/Inputs/statistics.py %t.1.json | sed '/^host/d' > %t.1
// RUN: %python %S/Inputs/statistics.py %t.2.json | sed '/^host/d' | cmp - %t.1
// RUN: FileCheck %s --check-prefix=STATS < %t.1
// CHECK: 144
// An element for each call of fib but the first, and one for each sync.
// STATS-DAG: aggregator.elements 696
// STATS-DAG: aggregator.levels 13
// STATS-DAG: aggregator.yields 0
// STATS-DAG: program.runs 1

// Narrow channels: threads yield until the deeper levels are done, many times.
// RUN: env CHANSIM_SET=aggregator.channel_width=4 CHANSIM_STATS=%t.json %t 12 | FileCheck %s
// RUN: %python %S/Inputs/statistics.py %t.json | FileCheck %s --check-prefix=NARROW
// NARROW-DAG: aggregator.elements 696
// NARROW-DAG: aggregator.wavefront_yields {{[1-9][0-9]+$}}

// Tiles of 64: what is left of a level goes before continuations of its first
// tile, which then run together with those of the others. (28 batches
// otherwise, and 22 with room for all.)
// RUN: env CHANSIM_SET=control.cvt_bits=512 CHANSIM_STATS=%t.json %t 12 | FileCheck %s
// RUN: %python %S/Inputs/statistics.py %t.json | FileCheck %s --check-prefix=TILES
// TILES-DAG: aggregator.batches 26
// TILES-DAG: aggregator.elements 696

// Another machine; one for which the blocks were not placed is refused.
// RUN: sed 's/"hop_cycles": 1/"hop_cycles": 3/' %machine > %t.slow
// RUN: env CHANSIM_MACHINE=%t.slow %t 12 | FileCheck %s
// RUN: sed 's/"switch_reach": 2/"switch_reach": 1/' %machine > %t.other
// RUN: not env CHANSIM_MACHINE=%t.other %t 12 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: the program's configuration: fabric:
// RUN: not cilk2chan --target=vgiw --machine=none.json %s -o %t.none 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: cilk2chan: error: invalid value 'none.json' in '--machine=none.json'; expected a file, or one of: isca14-apu, micro15-fermi, micro15-sgmf, micro15-vgiw

#include <stdio.h>
#include <stdlib.h>

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(int argc, char **argv) {
  printf("%d\n", fib(atoi(argv[argc - 1])));
  return 0;
}
