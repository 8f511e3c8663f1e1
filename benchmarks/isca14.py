#!/usr/bin/env python3
# ===- isca14.py - The programs of ISCA'14 section 7 on a machine -------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Runs Fibonacci, n-queens, sort and Strassen's product, with the inputs of ISCA'14
Table 4 or others, on the simulated VGIW machine, and prints a table.

Each program checks its answer and must print what its serial elision prints. `threads a
tile` is how full tiles are, on average, and `streaming` the part of all cycles in which
threads were on the fabric. Seconds are processor time. A board of 9 queens takes 130
million cycles, each further row about 5 times as many; a smaller one:

  isca14.py --only nqueens --size nqueens=9

The exit status is 1 when anything failed.
"""

import pathlib
import sys
import tempfile

from commands import Failure, checked
from simulated import counters
from tables import Table

import harness

WORKLOADS = harness.ROOT / "test" / "Workloads"
SIZES = {"fib": 24, "nqueens": 13, "sort": 1000000, "strassen": 512}
COUNTERS = ["run.cycles", "core.tiles", "core.threads", "bbs.cycles_streaming"]


def measure(options, name, size, folder):
    """A row of the table."""
    program, elision = folder / name, folder / f"{name}-elision"
    statistics = folder / f"{name}.json"
    source, compiler = WORKLOADS / f"{name}.c", [options.cilk2chan, "-O2"]
    checked([*compiler, "--target=vgiw", source, "-o", program], options.timeout)
    checked([*compiler, "-fcilk-serialize", source, "-o", elision], options.timeout)
    ours = checked([program, size], options.timeout, {"CHANSIM_STATS": str(statistics)})
    serial = checked([*harness.DEEP_STACK, elision, size], options.timeout)
    if ours.stdout != serial.stdout:
        raise Failure(f"printed {ours.stdout!r}, the elision {serial.stdout!r}")
    found = counters(statistics, COUNTERS)
    if not found:
        raise Failure(f"{program}: wrote no statistics")
    cycles, tiles, threads, streaming = found
    return [
        f"{name} {size}", str(cycles), str(tiles), f"{threads / tiles:.0f}",
        f"{streaming / cycles:.1%}", f"{ours.cpu_seconds:.1f}",
        f"{cycles / ours.cpu_seconds / 1e6:.2f}", f"{ours.maxrss_mb:.0f}",
    ]  # fmt: skip


def parse():
    parser = harness.argument_parser(__doc__)
    add = parser.add_argument
    add("--only", choices=SIZES, help="one program")
    add("--size", action="append", default=[], metavar="PROGRAM=N", help="another input")
    add("--timeout", type=float, default=86400, help="seconds for a command, default a day")
    options = parser.parse_args()
    harness.find_compiler(parser, options)
    options.sizes = dict(SIZES)
    for text in options.size:
        name, _, size = text.partition("=")
        if name not in SIZES or not size.isdigit():
            parser.error(f"'--size {text}' is not PROGRAM=N with one of {', '.join(SIZES)}")
        options.sizes[name] = int(size)
    return options


def main():
    options = parse()
    table = Table("ISCA'14 on the VGIW machine", "", "cycles", "tiles", "threads a tile",
                  "streaming", "seconds", "million cycles/s", "MiB")  # fmt: skip
    failed = 0
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as folder:
        for name, size in options.sizes.items():
            if options.only in (None, name):
                try:
                    table.add(*measure(options, name, size, pathlib.Path(folder)))
                except Failure as failure:
                    failed += 1
                    print(f"FAIL: {name} {size}: {failure}", file=sys.stderr)
    print(table.text(), end="")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
