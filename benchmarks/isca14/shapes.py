#!/usr/bin/env python3
# ===- shapes.py - What of ISCA'14 must hold for small inputs ------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Checks the orders and signs of ISCA'14's evaluation with small inputs, in less than a
minute on two cores. reproduce.py measures the numbers themselves.

    python3 benchmarks/isca14/shapes.py
      ok    scaling: queens 9 is faster with 8 CUs than with 1 (2.6 to 4.3)    3.64

The exit status is 1 if one does not hold.
"""

import concurrent.futures
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(ROOT / "test" / "Workloads")]

import harness  # noqa: E402
import workloads  # noqa: E402
from workloads import AGGREGATORS, WIDTHS, Failure, Run  # noqa: E402

SIZES = {"fibonacci": 18, "queens": 9, "sort": 20000, "strassen": 128}
# With the baseline channel, larger inputs take long.
CHANNEL_SIZES = {"fibonacci": 14, "queens": 8, "sort": 6000, "strassen": 64}


def run(program, **changes):
    return Run(program, SIZES[program], width=WIDTHS[program])._replace(**changes)


def by_channel(program, channel):
    return run(program, size=CHANNEL_SIZES[program], channel=channel)


ONE = {program: run(program, cores=1) for program in SIZES}
EIGHT = {program: run(program) for program in SIZES}
BY_CHANNEL = {
    (program, channel): run(program, size=CHANNEL_SIZES[program], channel=channel)
    for program in SIZES
    for channel in ("leader", "baseline")
}
PADDED = run("fibonacci", size=CHANNEL_SIZES["fibonacci"], channel="padded")
LEVELS = [run("fibonacci", size=16, aggregator=name) for name in AGGREGATORS]
NARROW, NARROWEST = (run("fibonacci", width=width) for width in (256, 64))
RUNS = [*ONE.values(), *EIGHT.values(), *BY_CHANNEL.values(), PADDED, *LEVELS, NARROW, NARROWEST]


def shapes(found):
    """The name of each shape, a value, and whether it holds. `found` gives the counters of a
    run by name."""

    def cycles(one):
        return found(one)["run.cycles"]

    def blocked(one):
        return found(one)["aggregator.gpu_blocked_cycles"] / cycles(one)

    for program, size in SIZES.items():
        gain = cycles(ONE[program]) / cycles(EIGHT[program])
        if program == "fibonacci":
            yield f"scaling: {program} {size} does not scale to 8 CUs", gain, gain < 1.6
        else:
            yield f"scaling: {program} {size} is faster with 8 CUs than with 1", gain, gain > 2
    for program in SIZES:
        leader, baseline = (cycles(BY_CHANNEL[program, c]) for c in ("leader", "baseline"))
        name = f"channels: {program} is faster with leader than with baseline"
        yield name, baseline / leader, baseline > leader
    padded = cycles(PADDED) / cycles(BY_CHANNEL["fibonacci", "leader"])
    yield "channels: fibonacci is slower with padded", padded, padded > 1
    narrow = cycles(NARROWEST) / cycles(EIGHT["fibonacci"])
    yield "widths: channels of 64 starve the GPU", narrow, narrow > 2
    for slower, faster in zip(LEVELS, LEVELS[1:]):
        name = f"aggregator: {slower.aggregator} blocks more than {faster.aggregator}"
        yield name, blocked(slower) / blocked(faster), blocked(slower) > blocked(faster)
    simple, light, two, four = map(blocked, LEVELS)
    yield "aggregator: 4-way gains little, simple loses much", (simple - two) / (two - four), (
        simple - two > 3 * (two - four)
    )
    fewest = found(ONE["fibonacci"])
    share = fewest["l1.hits"] / fewest["l1.accesses"]
    of_l2 = fewest["l2.hits"] / fewest["l2.reads"]
    yield "caches: fibonacci hits L2 more than L1", of_l2 / share, of_l2 > share
    for program, one in EIGHT.items():
        counts = [found(one)[f"simt.lanes_quarter_{quarter}"] for quarter in (1, 2, 3, 4)]
        full = counts[3] / sum(counts)
        diverges = program != "strassen"
        verb = "diverges" if diverges else "does not diverge"
        yield f"lanes: {program} {verb}", full, (full < 0.5) == diverges
    yields = found(NARROW)
    held = yields["aggregator.done_count_cycles"] / yields["aggregator.yielded_cycles"]
    yield "done counts: of the waits after yields, less than 3 %", held, held < 0.03


def main():
    parser = harness.argument_parser(__doc__)
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time, default 2")
    parser.add_argument("--timeout", type=float, default=600,
                        help="seconds for a command, default 600")  # fmt: skip
    options = parser.parse_args()
    harness.find_compiler(parser, options, True)
    options.chansim = options.cilk2chan.with_name("chansim")
    try:
        with tempfile.TemporaryDirectory(prefix="cilk2chan-") as scratch:
            folder, runs = pathlib.Path(scratch), RUNS
            programs = {one: workloads.compile_for(options, one, folder) for one in runs}
            with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
                reports = list(pool.map(lambda r: workloads.perform(options, r, programs[r]), runs))
    except Failure as failure:
        print(f"FAIL: {failure}", file=sys.stderr)
        return 1
    counters = {
        one: {s["name"]: s["value"] for s in report["statistics"]}
        for one, (report, _) in zip(runs, reports)
    }
    wrong = 0
    for name, value, is_so in shapes(counters.__getitem__):
        print(f"{'ok   ' if is_so else 'WRONG'} {name:72} {value:8.3f}")
        wrong += not is_so
    return int(wrong != 0)


if __name__ == "__main__":
    sys.exit(main())
