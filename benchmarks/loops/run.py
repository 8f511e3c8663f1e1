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

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent / "test" / "Workloads")]

import harness  # noqa: E402
from beside import argument_parser, attempt, build_all, geometric_mean, in_turns  # noqa: E402
from beside import measure_all, parse  # noqa: E402
from commands import checked  # noqa: E402
from tables import Table  # noqa: E402

FLAGS = ["-O2", "-O3 -march=native"]
VARIANTS = {"elision": ["-fcilk-serialize"], "cilk2chan": []}
LOW = 0.95  # A ratio below this one is counted.


def path(folder, name, flags, variant):
    return folder / f"{name}{flags}-{variant}".replace(" ", "")


def build(options, folder, name, flags):
    for variant, more in VARIANTS.items():
        source, output = HERE / f"{name}.c", path(folder, name, flags, variant)
        command = [options.cilk2chan, *flags.split(), *more, source, "-o", output, "-lm"]
        checked(command, options.timeout)
    return True


def run(options, folder, name, flags):
    """The least processor seconds of the elision, and of cilk2chan's program."""
    size = [options.size] if options.size else []
    runs = [([path(folder, name, flags, variant), *size], 1) for variant in VARIANTS]
    return [processors for _, processors in in_turns(runs, options.repetitions, options.timeout)]


def measure(options, folder, names, tally):
    """Seconds of the elision and of cilk2chan's program, by program and flags."""
    jobs = [(name, flags) for name in names for flags in options.flags]
    built = build_all(
        lambda *job: attempt(tally, ", ".join(job), build, options, folder, *job), jobs
    )
    return measure_all(built, lambda *job: run(options, folder, *job), tally)


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


def table(options, names, figures):
    columns = [f"{flags}: elision, ms | cilk2chan, ms | ratio" for flags in options.flags]
    result = Table("Loops", "", *" | ".join(columns).split(" | "))
    for name in names:
        cells = []
        for flags in options.flags:
            figure = figures.get((name, flags))
            cells += [f"{1000 * s:.1f}" for s in figure] if figure else ["", ""]
            cells.append(f"{ratio(figure):.2f}" if figure else "failed")
        result.add(name, *cells)
    for title, value in [
        ("geometric mean", lambda r: f"{geometric_mean(r):.3f}"),
        ("least", lambda r: f"{min(r):.2f}"),
        (f"below {LOW}", lambda r: f"{sum(x < LOW for x in r)} of {len(r)}"),
    ]:
        result.add(*summary(title, options.flags, figures, value))
    return result


def main():
    names = sorted(source.stem for source in HERE.glob("*.c"))
    parser = argument_parser(__doc__, names)
    parser.add_argument("--flags", action="append", metavar="FLAGS",
        help=f"to compile with, as --flags=-O2; may be repeated; default: {FLAGS}")  # fmt: skip
    options = parse(parser)
    options.flags = options.flags or FLAGS
    names = [name for name in names if name in (options.only or [name])]
    tally = harness.Tally(len(names))
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as folder:
        figures = measure(options, pathlib.Path(folder), names, tally)
    if not options.quick:
        print(table(options, names, figures).text(), end="")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
