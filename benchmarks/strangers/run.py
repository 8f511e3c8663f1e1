#!/usr/bin/env python3
# ===- run.py - Programs as strangers write them, beside their elisions --------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Builds and runs the programs of this folder and prints a table.

Each was written from its problem, and is not changed to please the compiler. NAME.c is
a program, together with NAME_helper.c where there is one; it says `grain: fine` where
its tasks take nanoseconds to a microsecond, else `grain: coarse`. `grain: classic` are
programs in the form that others have published. Beside cilk2chan's
program, with one worker and with two, run the serial elisions of Clang and of gcc, in
turns, and all have to print the same. (So no compiler may fuse products and sums.)

Processor time counts, and the clock where there are two workers. A ratio above 1 says
that cilk2chan's program is faster. The last columns are of compiling: processor time
without linking, and that time by Clang's for the elision.

With --quick, each program is run once in a tiny size, and answers are compared. The
exit status is 1 when something does not compile or run, or an answer is wrong.
"""

import pathlib
import re
import sys
import tempfile
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent / "test" / "Workloads")]

import harness  # noqa: E402
from beside import argument_parser, attempt, build_all, geometric_mean, in_turns  # noqa: E402
from beside import measure_all, parse  # noqa: E402
from commands import checked  # noqa: E402
from suite import Rows  # noqa: E402
from tables import Table  # noqa: E402

FLAGS = ["-march=native"]
SAME_NUMBERS = "-ffp-contract=off"
GRAIN = re.compile(r"^// grain: (fine|coarse|classic)$", re.MULTILINE)
HELPER = "_helper"
COLUMNS = ["grain", "clang, ms", "gcc, ms", "1 worker, ms", "2 workers, ms"]
RATIOS = ["1 to clang", "1 to gcc", "2 to clang"]  # as many times as fast
COMPILE = ["compiling, ms", "to clang's"]
MEANS = {"fine": ["fine"], "fine and coarse": ["fine", "coarse"], "classic": ["classic"]}


class Figure(NamedTuple):
    """`seconds` and `ratios` as in COLUMNS and RATIOS, and those of compiling."""

    seconds: list
    ratios: list
    compiling: float
    to_clang: float


class Program(NamedTuple):
    name: str

    def __str__(self):
        return self.name

    @property
    def sources(self):
        files = [HERE / f"{self.name}{more}.c" for more in ("", HELPER)]
        return [file for file in files if file.exists()]

    @property
    def grain(self):
        return GRAIN.search(self.sources[0].read_text())[1]


class Source(NamedTuple):
    """A file of a program, to be compiled alone."""

    sources: list


class Session:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        rows = Rows(options, folder, [*options.flags, SAME_NUMBERS])
        self.clang, gcc = rows.elision(options.clang), rows.elision("gcc")
        self.ours = rows.ours([])
        self.builds = {"clang": self.clang, "gcc": gcc, "cilk2chan": self.ours}

    def path(self, program, way):
        return self.folder / f"{program.name}-{way}"

    def build(self, program):
        for way, command in self.builds.items():
            output = self.path(program, way)
            checked([*command(program), "-o", output], self.options.timeout)
        return True

    def compiling(self, program):
        """The least processor seconds of cilk2chan, and of Clang for the elision."""
        totals = [0, 0]
        for source in program.sources:
            found = [[], []]
            for _ in range(self.options.repetitions):
                for command, seconds in zip((self.ours, self.clang), found):
                    line = [*command(Source([source])), "-c", "-o", self.folder / "object"]
                    seconds.append(checked(line, self.options.timeout).cpu_seconds)
            totals = [total + min(seconds) for total, seconds in zip(totals, found)]
        return totals

    def run(self, program):
        size = [self.options.size] if self.options.size else []
        ways = [("clang", 1), ("gcc", 1), ("cilk2chan", 1), ("cilk2chan", 2)]
        runs = [([self.path(program, way), *size], workers) for way, workers in ways]
        found = in_turns(runs, self.options.repetitions, self.options.timeout)
        (clang_clock, clang), (_, gcc), (_, one), (two, _) = found
        ratios = [clang / one, gcc / one, clang_clock / two]
        ours, elision = (1, 1) if self.options.quick else self.compiling(program)
        return Figure([clang, gcc, one, two], ratios, ours, ours / elision)


def summary(title, figures):
    """A row of the geometric means."""
    cells = [""] * len(COLUMNS)
    for ratios in zip(*(figure.ratios for figure in figures)):
        cells.append(f"{geometric_mean(ratios):.2f}")
    return [title, *cells, "", f"{geometric_mean([f.to_clang for f in figures]):.2f}"]


def table(programs, figures):
    result = Table("Programs of strangers", "", *COLUMNS, *RATIOS, *COMPILE)
    for program in programs:
        figure = figures.get((program,))
        cells = ["failed", *[""] * (len(result.rows[0]) - 3)]
        if figure:
            cells = [f"{1000 * seconds:.1f}" for seconds in figure.seconds]
            cells += [f"{ratio:.2f}" for ratio in figure.ratios]
            cells += [f"{1000 * figure.compiling:.0f}", f"{figure.to_clang:.2f}"]
        result.add(program.name, program.grain, *cells)
    for title, grains in MEANS.items():
        some = [figure for (program,), figure in figures.items() if program.grain in grains]
        if some:
            result.add(*summary(f"geometric mean, {title}", some))
    return result


def main():
    stems = sorted(source.stem for source in HERE.glob("*.c"))
    programs = [Program(stem) for stem in stems if not stem.endswith(HELPER)]
    parser = argument_parser(__doc__, [p.name for p in programs])
    parser.add_argument("--flags", type=str.split, default=FLAGS,
                        help="behind -O3, as --flags=-O0; default: --flags=-march=native")  # fmt: skip
    options = parse(parser)
    programs = [p for p in programs if p.name in (options.only or [p.name])]
    tally = harness.Tally(len(programs))
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as folder:
        session = Session(options, pathlib.Path(folder))
        jobs = [(program,) for program in programs]
        built = build_all(lambda p: attempt(tally, p.name, session.build, p), jobs)
        figures = measure_all(built, session.run, tally)
    if not options.quick:
        print(table(programs, figures).text(), end="")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
