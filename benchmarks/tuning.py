#!/usr/bin/env python3
# ===- tuning.py - What the constants of the heuristics are worth --------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Tries half and twice the value of each constant of each Tuning.h, and prints a table.

Three kinds of constants are measured:

  compiler  Options of passes for the host. Each program is compiled with the changed value.
            Programs whose assembly changes are timed beside the usual ones, in turns.
  machine   Options of placement and of the passes for VGIW. Simulated cycles are compared.
  runtime   Constants of libchan. The library is built with the changed value, and all
            programs run with two workers beside the usual library, in turns.

A ratio above 1 says that the changed value is slower. For example, of one constant:

  tuning.py --kind compiler --only import-most-inlined

--write FOLDER leaves the measured ratios there, in a file for each kind. A run that was ended goes on
there: constants that the file has are not measured again. --page FOLDER writes
docs/performance/tuning.md from such a folder, and measures nothing. The exit status is 1 if a
command failed.
"""

import ast
import json
import operator
import pathlib
import re
import shutil
import sys
import tempfile
from typing import NamedTuple

from commands import Failure, checked  # Finds harness.py, too.
from beside import geometric_mean, in_turns
from measure import progress
from simulated import counters
from suite import HERE, PROGRAMS
from tables import Table

import pages

import harness

FLAGS = ["-O3", "-march=native"]
KINDS = ["compiler", "machine", "runtime"]
ON_PAGE = KINDS[:2]  # Means of the third vary too much, see the page.
TUNABLE = re.compile(r'Tunable<\w+>\s*\w+\(\s*"([\w-]+)",\s*([^,]+),')
CONSTANT = re.compile(r"^inline constexpr (?:\w+) (k\w+) =\s*([^;]+);$", re.MULTILINE)
DURATION = re.compile(r"^  uint64_t (\w+) = us\(([\d']+)\);$", re.MULTILINE)
RUNTIME = "runtime/chan/src/Tuning.h"
OPERATORS = {ast.Mult: operator.mul, ast.LShift: operator.lshift, ast.Add: operator.add,
             ast.Sub: operator.sub}  # fmt: skip
NOISE = 0.02  # Two runs of one program differ by as much.


class Constant(NamedTuple):
    name: str
    value: float
    kind: str
    text: str = ""  # in the source, for those of libchan

    def tried(self):
        """Half and twice the value; of a ratio a little above 1, of what it is above 1."""
        if 1 < self.value < 2:
            return [1 + (self.value - 1) / 2, 1 + (self.value - 1) * 2]
        if isinstance(self.value, int):
            return [self.value // 2, self.value * 2]
        return [self.value / 2, self.value * 2]


def evaluate(text):
    """The value of an expression of numbers, or None if other names are in it."""
    text = re.sub(r"size_t\((\d+)\)|(?<=\d)'(?=\d)", r"\1", text)

    def value(node):
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.Constant):
            return node.value
        raise ValueError(text)

    try:
        return value(ast.parse(text.strip(), mode="eval").body)
    except (ValueError, SyntaxError):
        return None


def constants():
    """All constants that can be changed by themselves, in the order of the headers."""
    found = []
    headers = [*harness.ROOT.glob("include/**/Tuning.h"), *harness.ROOT.glob("lib/**/Tuning.h")]
    for header in sorted(headers):
        for name, value in TUNABLE.findall(header.read_text()):
            kind = "machine" if name.startswith(("vgiw-", "pnr-")) else "compiler"
            found.append(Constant(name, evaluate(value), kind))
    text = (harness.ROOT / RUNTIME).read_text()
    for pattern in (DURATION, CONSTANT):
        for match in pattern.finditer(text):
            value = evaluate(match[2])
            if value is not None and match[1] not in [c.name for c in found]:
                found.append(Constant(match[1], value, "runtime", match[0]))
    return found


class Workload(NamedTuple):
    source: pathlib.Path
    arguments: list

    @property
    def name(self):
        folder = "" if self.source.parent.name != "loops" else "loops/"
        return folder + self.source.stem


def workloads(kind):
    """Programs that take 10 to 500 ms with one worker."""
    if kind == "runtime":  # Each constant builds the library twice.
        return [Workload(p.sources[0], p.arguments("size")) for p in PROGRAMS]
    found = [Workload(p.sources[0], p.arguments("small")) for p in PROGRAMS]
    names = {workload.name for workload in found}
    for source in sorted((harness.ROOT / "test" / "Workloads").glob("*.c")):
        arguments = re.search(r"BENCH-ARGS: (.*)", source.read_text())
        if arguments and source.stem not in names:
            found.append(Workload(source, arguments[1].split()))
    if kind == "compiler":
        # Each third: they are alike, and each constant compiles all programs twice.
        loops = sorted((HERE / "loops").glob("*.c"))[::3]
        found += [Workload(source, []) for source in loops]
    if kind == "machine":
        quick = [Workload(p.sources[0], p.arguments("quick")) for p in PROGRAMS]
        rodinia = sorted((HERE / "rodinia").glob("*.c"))
        found = quick + [Workload(source, ["quick"]) for source in rodinia]
    return found


class Trials:
    def __init__(self, options, folder):
        self.options, self.folder, self.usual = options, folder, {}

    def compile(self, workload, output, *more):
        command = [self.options.cilk2chan, *FLAGS, *more, workload.source, "-o", output, "-lm"]
        return checked(command, self.options.timeout)

    def time(self, commands):
        """Processor seconds with one worker of each command, in turns."""
        runs = in_turns([(command, 1) for command in commands], self.options.repetitions, 600)
        return [processors for _, processors in runs]

    # Constants of the compiler.

    def assembly(self, workload, *more):
        output = self.folder / "program.s"
        self.compile(workload, output, "-S", *more)
        return output.read_bytes()

    def compiler(self, constant, value):
        """The ratios of the programs whose code `value` changes."""
        ratios = {}
        more = ["-mllvm", f"-{constant.name}={value}"]
        for workload in self.programs:
            progress(f"{constant.name}={value} {workload.name}")
            name = workload.name
            if name not in self.usual:
                self.usual[name] = self.assembly(workload)
            if self.assembly(workload, *more) == self.usual[name]:
                continue
            usual = self.folder / f"{name.replace('/', '-')}-usual"
            changed = self.folder / "changed"
            if not usual.exists():
                self.compile(workload, usual)
            self.compile(workload, changed, *more)
            before, after = self.time([[usual, *workload.arguments], [changed, *workload.arguments]])
            ratios[name] = after / before
        return ratios

    # Constants of the simulated machine.

    def cycles(self, workload, *more):
        program, statistics = self.folder / "program", self.folder / "statistics.json"
        command = [self.options.cilk2chan, "-O2", "--target=vgiw", *more, workload.source]
        checked([*command, "-o", program, "-lm"], self.options.timeout)
        environment = {"CHANSIM_STATS": str(statistics)}
        checked([program, *workload.arguments], self.options.timeout, environment)
        return counters(statistics, ["run.cycles"])[0]

    def machine(self, constant, value):
        """The ratios of simulated cycles that are not 1."""
        ratios = {}
        for workload in self.programs:
            progress(f"{constant.name}={value} {workload.name}")
            if workload.name not in self.usual:
                self.usual[workload.name] = self.cycles(workload)
            after = self.cycles(workload, "-mllvm", f"-{constant.name}={value}")
            if after != self.usual[workload.name]:
                ratios[workload.name] = after / self.usual[workload.name]
        return ratios

    # Constants of libchan.

    def library(self, constant, value):
        """The folder of a libchan.so in which the constant has another value."""
        source = self.folder / "source"
        if not source.exists():
            ignored = shutil.ignore_patterns("build*", ".git")
            shutil.copytree(harness.ROOT, source, ignore=ignored)
            checked(["cmake", "--preset", "release", "-S", source, "-DCILK2CHAN_BUILD_COMPILER=OFF"])
        header = source / RUNTIME
        text = (harness.ROOT / RUNTIME).read_text()
        if constant:
            before, after = constant.text.rsplit(" = ", 1) if " = " in constant.text else \
                constant.text.split(" =\n", 1)
            number = f"us({value})" if "us(" in after else str(value)
            text = text.replace(constant.text, f"{before} = {number};")
        header.write_text(text)
        checked(["ninja", "-C", source / "build", "chan-shared"])
        output = self.folder / ("changed.lib" if constant else "usual.lib")
        shutil.rmtree(output, ignore_errors=True)
        output.mkdir()
        for path in (source / "build" / "lib").glob("libchan.so*"):
            shutil.copy(path, output / path.name, follow_symlinks=False)
        return output

    def runtime(self, constant, value):
        """The ratios of all programs by the clock, with two workers."""
        if not self.usual:
            self.usual["library"] = self.library(None, 0)
            for workload in self.programs:
                self.compile(workload, self.folder / workload.name, "-shared-libchan")
        changed, ratios = self.library(constant, value), {}
        for workload in self.programs:
            progress(f"{constant.name}={value} {workload.name}")
            command = [self.folder / workload.name, *workload.arguments]
            runs = [(["env", f"LD_LIBRARY_PATH={library}", *command], 2)
                    for library in (self.usual["library"], changed)]  # fmt: skip
            (before, _), (after, _) = in_turns(runs, self.options.repetitions, 600)
            ratios[workload.name] = after / before
        return ratios


def measure(options, kind, folder):
    """Ratios by constant, value and program."""
    trials, found = Trials(options, folder), {}
    path = options.write / f"{kind}.json" if options.write else None
    if path and path.exists():
        found = json.loads(path.read_text())
    trials.programs = [w for w in workloads(kind) if options.program in (None, w.name)]
    chosen = [c for c in constants() if c.kind == kind and options.only in (None, c.name)]
    for constant in chosen:
        for value in constant.tried():
            if str(value) in found.get(constant.name, {}):
                continue
            try:
                ratios = getattr(trials, kind)(constant, value)
            except Failure as failure:
                options.failed += 1
                print(f"FAIL: {constant.name}={value}: {failure}", file=sys.stderr)
                continue
            found.setdefault(constant.name, {})[str(value)] = ratios
            print(row(constant, value, ratios), flush=True)
            if path:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps(found, indent=1))
    progress("")


def row(constant, value, ratios):
    """A row of the table: how many programs, their mean, the best and the worst of them."""
    def extreme(choose):
        name = choose(ratios, key=ratios.get)
        return f"{ratios[name]:.2f} {name}"

    shown = f"{value:g}"
    if not ratios:
        return [f"`{constant.name}`", f"{constant.value:g}", shown, "0", "", "", ""]
    mean = geometric_mean(list(ratios.values()))
    return [f"`{constant.name}`", f"{constant.value:g}", shown, str(len(ratios)), f"{mean:.2f}",
            extreme(min), extreme(max)]  # fmt: skip


def write_page(folder):
    """Writes the page from its template. Constants that change no program have no row."""
    parts = pages.stored()
    for kind in ON_PAGE:
        table = Table(kind, "constant", "value", "tried", "programs", "mean", "fastest", "slowest")
        path = folder / f"{kind}.json"
        found = json.loads(path.read_text()) if path.exists() else {}
        for constant in constants():
            for value, ratios in found.get(constant.name, {}).items():
                if ratios:
                    table.add(*row(constant, float(value), ratios))
        parts[f"tuning_{kind}"] = pages.body(table)
    path = pages.DOCS / "performance" / "tuning.md"
    path.write_text(pages.render(parts)[path])


def main():
    parser = harness.argument_parser(__doc__)
    add = parser.add_argument
    add("--kind", choices=KINDS, help="default: all")
    add("--only", metavar="NAME", help="one constant")
    add("--program", metavar="NAME", help="one program")
    add("--repetitions", "-r", type=int, default=3)
    add("--timeout", type=float, default=600, help="seconds for a command, default 600")
    add("--write", type=pathlib.Path, metavar="FOLDER")
    add("--page", type=pathlib.Path, metavar="FOLDER")
    options = parser.parse_args()
    options.failed = 0
    if options.page:
        write_page(options.page)
        return 0
    if options.only and options.only not in [c.name for c in constants()]:
        parser.error(f"'--only {options.only}' names no constant of a Tuning.h")
    if options.program and options.program not in [w.name for k in KINDS for w in workloads(k)]:
        parser.error(f"'--program {options.program}' names no program that is measured")
    harness.find_compiler(parser, options)
    for kind in [options.kind] if options.kind else KINDS:
        with tempfile.TemporaryDirectory(prefix="cilk2chan-") as folder:
            measure(options, kind, pathlib.Path(folder))
    return 1 if options.failed else 0


if __name__ == "__main__":
    sys.exit(main())
