# ===- points.py - Random flags and configurations for random programs --------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Draws points of the product of optimisation levels, processors, lanes, blocks, switches
of cilk2chan, workers and channel widths, with all of which answers are the same.

All but this: where a processor has fused multiply-adds, `a * b + c` may be one, so that
an answer is compared with what clang's elision prints for the same processor.
"""

from typing import NamedTuple

import harness

LEVELS = ["-O0", "-O1", "-O2", "-O2", "-O3", "-O3", "-Os"]
PROCESSORS = ["x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"]
LANES = [2, 4, 8, 16, 32, 64]
BLOCKS = [1, 2, 3, 7, 16, 33, 64, 100, 1000, 5000, 65536]
WIDTHS = [64, 1024, None]
SWITCHES = [
    "-fno-chan-simd", "-fno-chan-batch", "-fno-chan-hoist", "-fno-chan-reductions",
    "-fno-chan-combine-results", "-fno-chan-spawn-iterations", "-fno-chan-narrow",
    "-fno-chan-compaction", "-fno-chan-positional", "-fno-chan-uniform", "-fno-chan-interleave",
    "-fno-chan-prefetch", "-fno-chan-by-value", "-fno-chan-call-promotion",
    "-fno-chan-serial-clones", "-fno-chan-clone-batches", "-fchan-stats"]  # fmt: skip
# All that is drawn, but for the level.
PREFIXES = ("-march=", "-fchan-", "-fno-chan-", "-ffp-contract=", "-fno-math-errno")

PROBE = """\
#include <stdio.h>
int main(void) {
  __builtin_cpu_init();
  printf("%d %d %d %d\\n", __builtin_cpu_supports("x86-64") != 0,
         __builtin_cpu_supports("x86-64-v2") != 0, __builtin_cpu_supports("x86-64-v3") != 0,
         __builtin_cpu_supports("x86-64-v4") != 0);
  return 0;
}
"""


class Point(NamedTuple):
    """Flags, and how to run what they make."""

    flags: list
    configs: list


def processors(tools, folder):
    """The values of -march= that this processor can run, and those that it cannot."""
    source, path = folder / "processor.c", folder / "processor.out"
    source.write_text(PROBE)
    lines = [] if tools.clang([], [source], path) else tools.lines([path])[0]
    has = lines[0].split() if lines else []
    found = [p for p, yes in zip(PROCESSORS, has) if yes == "1"]
    return [*found, "native"], [p for p in PROCESSORS if p not in found]


def draw(rng, processors):
    """A random point."""
    flags = [rng.choice(LEVELS)]
    processor = rng.choice([None, *processors])
    if processor:
        flags.append(f"-march={processor}")
    # Without these, most functions that compute much run in no lanes.
    if rng.random() < 0.5:
        flags.append("-fchan-batch")
    # Nor do short loops in parts.
    if rng.random() < 0.5:
        flags.append("-fno-chan-below-grain")
    if rng.random() < 0.6:
        flags.append("-fno-math-errno")
    if rng.random() < 0.25:
        flags.append("-ffp-contract=off")
    flags += [s for s in SWITCHES if rng.random() < 0.1]
    if rng.random() < 0.5:
        flags.append(f"-fchan-lanes={rng.choice(LANES)}")
    if rng.random() < 0.4:
        flags.append(f"-fchan-block={rng.choice(BLOCKS)}")
    configs = [harness.Config(rng.choice([1, 2, 8]), rng.choice(WIDTHS)) for _ in range(2)]
    return Point(flags, configs)


def may_contract(flags):
    """Whether an elision with these flags may have fused multiply-adds."""
    processor = next((f.split("=")[1] for f in flags if f.startswith("-march=")), "x86-64")
    return processor not in ("x86-64", "x86-64-v2") and "-ffp-contract=off" not in flags
