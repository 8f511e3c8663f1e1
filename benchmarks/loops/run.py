#!/usr/bin/env python3
# ===- run.py - Loops as C programmers write them, beside their elisions ------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Builds and runs the programs of this folder and prints a table.

Each is compiled by cilk2chan, and with -fcilk-serialize as well, for each set of flags.
Both run with one worker, in turns, and have to print the same. A program says itself
how long its loops took (stopwatch.h); the least processor time of some runs counts. A
ratio below 1 says that the elision is faster.

With --quick, each program is run once in a tiny size, and answers are compared. The
exit status is 1 when something does not compile or run, or an answer is wrong.
"""

import concurrent.futures
import math
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent / "test" / "Workloads")]

import harness  # noqa: E402
from commands import Failure, checked  # noqa: E402
from measure import SECONDS, progress  # noqa: E402
from tables import Table  # noqa: E402

FLAGS = ["-O2", "-O3 -march=native"]
VARIANTS = {"elision": ["-fcilk-serialize"], "cilk2chan": []}
LOW = 0.95  # A ratio below this one is counted.


def path(folder, source, flags, variant):
    return folder / f"{source.stem}{flags}-{variant}".replace(" ", "")


def build(options, folder, source, flags):
    for variant, more in VARIANTS.items():
        output = path(folder, source, flags, variant)
        command = [options.cilk2chan, *flags.split(), *more, source, "-o", output, "-lm"]
        checked(command, options.timeout)


def run(options, folder, source, flags, repetitions):
    """The least seconds of the elision, and of cilk2chan's program."""
    size = [options.size] if options.size else []
    least, expected = dict.fromkeys(VARIANTS, math.inf), None
    for _ in range(repetitions):
        for variant in VARIANTS:
            command = [path(folder, source, flags, variant), *size]
            result = checked(command, options.timeout, {"CHAN_WORKERS": "1"})
            if expected is None:
                expected = result.stdout
            if result.stdout != expected:
                raise Failure(f"printed {result.stdout!r}, the elision {expected!r}")
            seconds = float(SECONDS.search(result.stderr)[2])
            least[variant] = min(least[variant], seconds)
    return tuple(least.values())


def attempt(tally, work, options, folder, source, flags, *more):
    """What `work` returns; None, and a failure is counted, if that is no answer."""
    name = f"{source.stem}, {flags}"
    try:
        return work(options, folder, source, flags, *more)
    except Failure as failure:
        problem, _, details = str(failure).partition("\n")
        tally.check(name, problem, details)
    return None


def measure(options, folder, sources, tally):
    """Seconds of the elision and of cilk2chan's program, by program and flags."""
    figures = {}
    jobs = [(source, flags) for source in sources for flags in options.flags]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for job in jobs:
            pool.submit(lambda j: attempt(tally, build, options, folder, *j), job)
    for source, flags in jobs:
        if not all(path(folder, source, flags, v).exists() for v in VARIANTS):
            continue
        progress(f"{source.stem}, {flags}")
        figure = attempt(tally, run, options, folder, source, flags, options.repetitions)
        if figure:
            tally.check(f"{source.stem}, {flags}", "")
            figures[source.stem, flags] = figure
    progress("")
    return figures


def ratio(figure):
    elision, ours = figure
    return elision / ours


def summary(title, flags, figures, value):
    """A row below the programs: `value` of the ratios for each set of flags."""
    cells = []
    for f in flags:
        ratios = [ratio(figure) for (_, ours), figure in figures.items() if ours == f]
        cells += ["", "", value(ratios) if ratios else ""]
    return [title, *cells]


def table(options, sources, figures):
    columns = [f"{flags}: elision, ms | cilk2chan, ms | ratio" for flags in options.flags]
    result = Table("Loops", "", *" | ".join(columns).split(" | "))
    for source in sources:
        cells = []
        for flags in options.flags:
            figure = figures.get((source.stem, flags))
            cells += [f"{1000 * s:.1f}" for s in figure] if figure else ["", ""]
            cells.append(f"{ratio(figure):.2f}" if figure else "failed")
        result.add(source.stem, *cells)
    for title, value in [
        ("geometric mean", lambda r: f"{math.exp(sum(map(math.log, r)) / len(r)):.3f}"),
        ("least", lambda r: f"{min(r):.2f}"),
        (f"below {LOW}", lambda r: f"{sum(x < LOW for x in r)} of {len(r)}"),
    ]:
        result.add(*summary(title, options.flags, figures, value))
    return result


def parse(sources):
    parser = harness.argument_parser(__doc__)
    add = parser.add_argument
    names = [s.stem for s in sources]
    add("--repetitions", "-r", type=int, default=3)
    add("--flags", action="append", metavar="FLAGS",
        help=f"to compile with, as --flags=-O2; may be repeated; default: {FLAGS}")  # fmt: skip
    add("--only", choices=names, action="append", metavar="NAME",
        help="one program; may be repeated")  # fmt: skip
    add("--size", help="of the problems: a number or 'quick'; default: each program's")
    add("--quick", action="store_true", help="a test; nothing is measured")
    add("--timeout", type=float, default=600, help="seconds for a command, default 600")
    options = parser.parse_args()
    harness.find_compiler(parser, options)
    options.flags = options.flags or FLAGS
    if options.quick:
        options.size, options.repetitions = "quick", 1
    return options


def main():
    sources = sorted(HERE.glob("*.c"))
    options = parse(sources)
    sources = [s for s in sources if s.stem in (options.only or [s.stem])]
    tally = harness.Tally(len(sources))
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as folder:
        figures = measure(options, pathlib.Path(folder), sources, tally)
    if not options.quick:
        print(table(options, sources, figures).text(), end="")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
