// old-switches.c - Switches of the compiler keep their old names.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: for pair in below-grain:light by-value:arrays call-promotion:promote clone-batches:trees combine-results:results \
// RUN:     compaction:compact serial-clones:serial spawn-iterations:iterations; do \
// RUN:   cilk2chan -w -O2 -fno-chan-${pair%%:*} --emit=mlir %s -o %t.new && \
// RUN:   cilk2chan -w -O2 -fno-chan-${pair##*:} --emit=mlir %s -o %t.old && cmp %t.new %t.old || exit 1; done

// These change the graph.
// RUN: for pair in hoist:peel reductions:accumulate positional:order; do \
// RUN:   cilk2chan -w -O2 -march=x86-64-v4 --emit=mlir -fno-chan-${pair%%:*} %s -o %t.new && \
// RUN:   cilk2chan -w -O2 -march=x86-64-v4 --emit=mlir -fno-chan-${pair##*:} %s -o %t.old && cmp %t.new %t.old && \
// RUN:   cilk2chan -w -O2 -march=x86-64-v4 --emit=mlir %s -o %t.on && not cmp -s %t.new %t.on || exit 1; done

int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}
