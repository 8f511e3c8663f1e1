#!/usr/bin/env python3
# ===- matrix.py - Flags and attributes, each with what can spawn --------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compiles and runs the programs of test/Matrix with each of Clang's flags, and
functions and variables with each of its attributes, for the host and for VGIW.

A combination passes if the program prints "ok", or if it is refused as REFUSALS of
refusals.py says: exit status 1, and each error has a file, line and column. It is
none, and not counted, if Clang does no better with the serial elision. Nothing else
may happen: no crash, hang or wrong answer, no error without a place, no word
on the standard error where Clang says nothing.

  flags                                        programs
  -O*  -g*  -fsanitize*  -flto*  ...     x     results  loops  recursion
                                         x     -O0 -O1 -O2 -O3
                                         x     host  vgiw

By default half of the sets of flags meet one program each, at one level and for one
target, and half of the uses of attributes (attributes.py) one level and target: which,
depends on their words alone. --share 1 takes all of them, --draw WORD others,
and --all is the whole product. `--filter REGEX --all -v` shows where a flag stands.
"""

import concurrent.futures
import itertools
import os
import pathlib
import re
import sys
import tempfile
import zlib
from typing import NamedTuple

import attributes
import flags
import refusals

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Workloads"))
import harness  # noqa: E402

PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
NAMES = ["results", "loops", "recursion"]
LEVELS = ["-O0", "-O1", "-O2", "-O3"]
TARGETS = ["host", "vgiw"]
ELIDED = ["-include", harness.SUPPORT / "elide.h"]
SECONDS = 120
LIMITS = "ulimit -c 0; ulimit -f 200000; ulimit -t 100; "
HEADER = pathlib.Path("/usr/lib/llvm-22/include/clang/Basic/AttrHasAttributeImpl.inc")

ABORTED = re.compile(
    r"PLEASE submit|Assertion .*failed|UNREACHABLE|LLVM ERROR|error in backend|Stack dump"
    r"|internal error"
)
REPORTS = re.compile(r"runtime error: |ERROR: \w+Sanitizer|WARNING: \w+Sanitizer")
NAMED = re.compile(r"^use(\d+)(?::.* error:| is wrong)", re.MULTILINE)
PLACED = re.compile(r".+?[:(]\d+[:,]\d+\)?\s?: (fatal )?error: ")


class Cell(NamedTuple):
    """One combination: a script of flags.py, or a line of FLAGS made into one."""

    name: str
    script: str
    program: str
    level: str
    target: str

    def __str__(self):
        words = [self.program + ".c" if self.program else "", self.level, self.target]
        return f"{self.name}: {' '.join(filter(None, words))}"


def problem_of(result, runs, placed=PLACED):
    """What is wrong with how a script ended: nothing if the program is right, or the
    compiler has refused it at a place in the source."""
    aborted = ABORTED.search(result.stderr)
    if aborted:
        return aborted[0]
    if result.status == 0:
        if runs and not result.stdout.endswith("ok\n"):
            return f"printed {harness.shorten(result.stdout, 3)!r}"
        report = REPORTS.search(result.stderr)
        return report[0] if report else ""
    if result.status != 1:
        return harness.describe(result.status)
    errors = re.findall(r"^.*\berror: .*$", result.stderr, re.MULTILINE)
    if not errors:
        return "exit status 1 without an error"
    placeless = [line for line in errors if not placed.match(line)]
    return f"an error without a place: {placeless[0]}" if placeless else ""


class Matrix:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.tally = harness.Tally(0, options.verbose)
        self.refused, self.none = 0, 0
        self.folders = itertools.count()

    def run(self, cell, sources, clang=False):
        """Runs a cell's script in a folder of its own, by Clang if that is asked."""
        if clang:
            compiler = [self.options.clang, *ELIDED, "-Wno-unused-value"]
        else:
            compiler = [self.options.cilk2chan]
            if cell.target != "host":
                compiler.append(f"--target={cell.target}")
        environment = {
            "CC": " ".join(map(str, [*compiler, cell.level])),
            "SOURCES": " ".join(map(str, sources)),
            "FOLDER": str(PROGRAMS),
            "CHAN_WORKERS": "2",
        }
        command = ["sh", "-c", LIMITS + 'cd $0; exec sh -e -c "$1"']
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            return harness.run([*command, folder, cell.script], env=environment, timeout=SECONDS)

    def compare(self, cell, sources, result):
        """Counts a cell, after having asked Clang if anything is suspicious."""
        runs = "./p" in cell.script
        problem = problem_of(result, runs)
        expected = refusals.message(cell)
        if not problem and result.status == 1:
            if not expected:
                problem = "a refusal that refusals.py does not have"
            elif not re.search(expected, result.stderr):
                problem = f"refused, but not by '{expected}'"
            else:
                self.refused += 1
                return self.tally.check(str(cell), "")
        elif not problem and expected:
            problem = "not refused any more, as refusals.py says"
        if problem or result.stderr:
            reference = self.run(cell, sources, clang=True)
            crashed = ABORTED.search(result.stderr) and not ABORTED.search(reference.stderr)
            if not crashed and (reference.status != 0 or problem_of(reference, runs)):
                self.none += 1
                if self.options.verbose:
                    said = harness.shorten(reference.stderr + reference.stdout, 3)
                    self.tally.say(f"none: {cell}: {said}")
                return
            if not problem and not reference.stderr:
                problem = "says something where Clang says nothing"
        details = f"{cell.script}\n" + harness.shorten(result.stderr, 12)
        self.tally.check(str(cell), problem, details)

    def judge(self, cell):
        """Tries a set of flags."""
        sources = sorted(PROGRAMS.glob(f"{cell.program}.*c"))
        self.compare(cell, sources, self.run(cell, sources))

    def judge_uses(self, uses, level, target):
        """Tries uses of attributes in one file, and those that fail by themselves."""
        while uses:
            with tempfile.NamedTemporaryFile("w", suffix=".c", dir=self.folder) as file:
                file.write(attributes.source_of(uses))
                file.flush()
                name = str(uses[0]) if len(uses) == 1 else f"{uses[0]} and others"
                cell = Cell(name, script_of("-w -std=gnu23"), "", level, target)
                result = self.run(cell, [file.name])
                if len(uses) == 1:
                    return self.compare(cell, [file.name], result)
            if result.status == 0 and not result.stderr and not problem_of(result, True):
                for use in uses:
                    self.check_not_refused(use, level, target)
                return
            # Those that the compiler or the program names; else in halves.
            named = set(NAMED.findall(result.stderr + result.stdout))
            first = [use for use in uses if str(use.number) in named]
            for use in first:
                self.judge_uses([use], level, target)
            uses = [use for use in uses if use not in first]
            if not first:
                half = len(uses) // 2
                self.judge_uses(uses[:half], level, target)
                uses = uses[half:]

    def check_not_refused(self, use, level, target):
        cell = Cell(str(use), "", "", level, target)
        problem = "not refused any more, as refusals.py says"
        self.tally.check(str(cell), problem if refusals.message(cell) else "")

    def valid_uses(self):
        """The attributes at places where Clang takes them."""

        def said(text):
            path = self.folder / "all.c"
            path.write_text(text)
            command = [self.options.clang, *ELIDED, *attributes.CHECK, path]
            return harness.run(command, timeout=SECONDS).stderr

        uses = attributes.valid_uses(attributes.all_uses(HEADER), said)
        options = self.options
        found = [use for use in uses if re.search(options.filter, str(use))]
        return [use for use in found if is_drawn(str(use), options)]


def script_of(line):
    return f"$CC {line} $SOURCES -o p; ./p"


def flag_cells():
    """For each set of flags and each script, all its cells."""
    lines = [line.strip() for text in flags.FLAGS.values() for line in text.strip().splitlines()]
    scripts = {line: script_of(line) for line in lines} | flags.SCRIPTS
    for name, script in scripts.items():
        has_level = re.search(r"(^|\s)-O(\d|s|z|g|fast|)(\s|$)", name)
        levels = [""] if has_level else LEVELS
        yield [Cell(name, script, *rest) for rest in itertools.product(NAMES, levels, TARGETS)]


def chance_of(name, options):
    """A number that depends on the name alone, so that a new one leaves what becomes
    of the others as it is."""
    return zlib.crc32(f"{options.draw}{name}".encode())


def is_drawn(name, options):
    if options.all or options.filter:
        return True
    return chance_of(name, options) % 100 < 100 * options.share


def chosen_cells(options):
    """The cells of this run; every fifth is for VGIW."""
    for cells in flag_cells():
        name = cells[0].name
        if not re.search(options.filter, name) or not is_drawn(name, options):
            continue
        if options.all:
            yield from (cell for cell in cells if cell.target in options.target)
            continue
        chance = chance_of(name, options) // 100
        target = options.target[chance % 5 == 0 and -1]
        cells = [cell for cell in cells if cell.target == target]
        yield cells[chance // 5 % len(cells)]


def batches(options, uses):
    """Uses for one file each, with level and target; neighbours in the list, which are
    alike, are in different ones."""
    count = -(-len(uses) // options.batch)
    parts = [uses[i::count] for i in range(count)]
    if options.all:
        return list(itertools.product(parts, LEVELS, options.target))
    return [(part, LEVELS[i % 4], options.target[i % 5 == 0 and -1]) for i, part in enumerate(parts)]


def parse():
    parser = harness.argument_parser(__doc__)
    add = parser.add_argument
    add("--jobs", "-j", type=int, default=len(os.sched_getaffinity(0)))
    add("--all", action="store_true", help="every flag, program, level and target")
    add("--share", type=float, default=0.55, help="how much of it, default 0.55")
    add("--draw", default="", metavar="WORD", help="another sample")
    add("--filter", default="", metavar="REGEX", help="the flags and attributes it finds")
    add("--verbose", "-v", action="store_true", help="also what is no combination")
    add("--only", choices=["flags", "attributes"])
    add("--batch", type=int, default=32, help="uses of attributes in one file, default 32")
    add("--target", choices=TARGETS, action="append", help="this one only")
    options = parser.parse_args()
    harness.find_compiler(parser, options)
    options.target = options.target or TARGETS
    return options


def main():
    options = parse()
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as name:
        matrix = Matrix(options, pathlib.Path(name))
        jobs = []
        if options.only != "attributes":
            jobs += [(matrix.judge, cell) for cell in chosen_cells(options)]
        if options.only != "flags":
            for batch in batches(options, matrix.valid_uses()):
                jobs.append((matrix.judge_uses, *batch))
        matrix.tally.total = len(jobs)

        def work(job):
            job[0](*job[1:])
            matrix.tally.step(str(job[1] if len(job) == 2 else f"{job[1][0]} and others"))

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(work, jobs))
        print(f"{matrix.refused} of them refused as they should be")
        print(f"{matrix.none} are no combinations: Clang does no better")
        return matrix.tally.close()


if __name__ == "__main__":
    sys.exit(main())
