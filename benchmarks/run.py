#!/usr/bin/env python3
# ===- run.py - cilk2chan beside its peers ------------------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Builds and runs the benchmarks and prints their tables.

  fib      run time of fib with one worker, beside OpenMP tasks, oneTBB's
           task_group and the serial elision of two compilers
  compile  time of compiling each file of test/Workloads, beside Clang's for the
           serial elision, without and with -g
  memory   peak memory where it has to be bounded

Runs are interleaved, so that a slow spell of the machine meets all rows alike, and
medians are compared; of compilations, which only ever take longer than they need, the
fastest. All rows use one thread, so processor time is compared: on an
idle machine it is the wall-clock time, and on a busy one it is far steadier. The exit status is 1 when a goal is
missed or a run gives a wrong answer.
"""

import os
import pathlib
import platform
import re
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test" / "Workloads"))

import harness  # noqa: E402
from tables import Table  # noqa: E402

PEERS = ROOT / "benchmarks" / "peers"
FIB = ROOT / "docs" / "examples" / "fib.c"
LANGUAGE = ROOT / "test" / "Language"
WORKLOADS = ROOT / "test" / "Workloads"
ELISION = [
    (r"\bcilk_for\b", "for"),
    (r"\b(cilk_spawn|cilk_sync|cilk_scope)\b", ""),
    (r"^( *)sync;", r"\1;"),
    (r"\bspawn (?=\w+\()", ""),
    (r"^cilk (?=\w)", ""),
]
ELIDED = ["-Dcilk_spawn=", "-Dcilk_sync=", "-I", harness.SUPPORT]


def checked(command, env=None, timeout=600):
    """Runs a command that must succeed; ends the benchmark otherwise."""
    result = harness.run(command, env, timeout)
    if result.status != 0:
        line = harness.command_line(command, env)
        sys.exit(f"{line}: {harness.describe(result.status)}\n{result.stderr}")
    return result


def interleaved(rows, repetitions, choose=statistics.median):
    """Runs each row's command in turn, `repetitions` times over. Returns one of the
    processor seconds, the median, and the standard output of each."""
    seconds = {name: [] for name, _, _ in rows}
    output = {}
    for turn in range(repetitions):
        for name, command, env in rows:
            progress(f"{name}, run {turn + 1} of {repetitions}")
            result = checked(command, env)
            seconds[name].append(result.cpu_seconds)
            output[name] = result.stdout
    progress("")
    return {name: choose(s) for name, s in seconds.items()}, output


def progress(text):
    if sys.stderr.isatty():
        print(f"\r{text:<60.60}", end="\r", file=sys.stderr, flush=True)


class Bench:
    """One invocation of this script. A benchmark returns its table and appends to
    `missed` what did not reach its goal."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.missed = []

    def goal(self, table, text, reached):
        table.notes.append(f"{'Reached' if reached else 'MISSED'}: {text}.")
        if not reached:
            self.missed.append(text)

    def build(self, name, command):
        path = self.folder / name
        progress(f"building {name}")
        checked([*command, "-o", path])
        return path

    def cilk2chan(self, name, source):
        return self.build(name, [self.options.cilk2chan, "-O2", source])

    def fib(self):
        n, one = str(self.options.n), {"CHAN_WORKERS": "1"}
        clang = pathlib.Path(self.options.clang)
        clangxx = clang.with_name(clang.name.replace("clang", "clang++"))
        ours = self.cilk2chan("fib", FIB)
        omp = self.build("omp", [clang, "-O2", "-fopenmp", PEERS / "fib_omp.c"])
        tbb = self.build("tbb", [clangxx, "-O2", PEERS / "fib_tbb.cpp", "-ltbb"])
        rows = [
            ("cilk2chan, 1 worker", [ours, n], one),
            ("libomp tasks, 1 thread", [omp, n], {"OMP_NUM_THREADS": "1"}),
            ("oneTBB task_group, 1 thread", [tbb, n, "1"], {}),
        ]
        for compiler in (clang, pathlib.Path("gcc")):
            command = [compiler, "-O2", *ELIDED, FIB]
            serial = self.build(f"serial-{compiler.name}", command)
            rows.append((f"serial elision, {compiler.name}", [serial, n], {}))
        seconds, output = interleaved(rows, self.options.repetitions)
        if len(set(output.values())) != 1:
            sys.exit(f"fib: the answers differ: {output}")
        calls = fib_calls(self.options.n)
        table = Table(f"fib({n})", "", "seconds", "ns per call", "times cilk2chan's")
        own = seconds[rows[0][0]]
        for name, value in seconds.items():
            table.add(name, f"{value:.3f}", f"{value / calls * 1e9:.2f}", f"{value / own:.2f}")
        for name, _, _ in rows[1:3]:
            self.goal(table, f"no slower than {name}", own <= seconds[name])
        return table

    def compile(self):
        """Times `-O2 -c` of each file. Clang gets the elision as a text of its own:
        headers that define the words away would be work that cilk2chan has not."""
        sources = sorted(WORKLOADS.glob("**/*.c"))
        elided = self.folder / "elided"
        for part in (WORKLOADS, harness.SUPPORT):
            elide(part, elided / part.name)
        table = Table("Compile time", "-O2 -c", "ms", "times Clang's", "with -g, ms", "times Clang's")
        ratios = {}
        for source in sources:
            name = str(source.relative_to(WORKLOADS))
            cells = [name]
            for debug in ([], ["-g"]):
                flags = ["-O2", *debug, "-I", harness.SUPPORT, "-c", "-o", self.folder / "o"]
                rows = [
                    ("ours", [self.options.cilk2chan, *flags, source], {}),
                    ("clang", [self.options.clang, *flags, elided / "Workloads" / name], {}),
                ]
                seconds, _ = interleaved(rows, self.options.repetitions, min)
                ratio = seconds["ours"] / seconds["clang"]
                ratios.setdefault(bool(debug), []).append(ratio)
                cells += [f"{seconds['ours'] * 1000:.0f}", f"{ratio:.2f}"]
            table.add(*cells)
        for what, choose in (("median", statistics.median), ("largest", max)):
            plain, debug = choose(ratios[False]), choose(ratios[True])
            table.add(what, "", f"{plain:.2f}", "", f"{debug:.2f}")
        worst = max(max(ratios[False]), max(ratios[True]))
        self.goal(table, "at most 4 times Clang's", worst <= 4)
        return table

    def memory(self):
        n = str(self.options.n)
        fib = self.cilk2chan("fib", FIB)
        many = self.cilk2chan("many", LANGUAGE / "spawn-many-children.c")
        deep = self.cilk2chan("deep", LANGUAGE / "spawn-deep-list.c")
        rows = [
            ("10 million spawns in a loop", [many, "10000000"], {}, 64),
            (f"fib({n}), width 64", [fib, n], {"CHAN_WIDTH": "64"}, 64),
            (f"fib({n})", [fib, n], {}, 64),
            ("list recursion, a million deep", [deep, "1000000"], {}, 512),
        ]
        table = Table("Peak memory", "", "MiB", "limit", "seconds")
        for name, command, env, limit in rows:
            progress(name)
            result = checked(command, env)
            peak = result.maxrss_mb
            table.add(name, f"{peak:.1f}", str(limit), f"{result.seconds:.3f}")
            self.goal(table, f"{name}: below {limit} MiB", peak < limit)
        progress("")
        return table


def elide(source, target):
    """Copies C files without their Cilk words."""
    for file in source.glob("**/*.[ch]"):
        text = file.read_text()
        for pattern, replacement in ELISION:
            text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
        copy = target / file.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text)


def fib_calls(n):
    """How many calls fib(n) makes, itself included."""
    calls, before = 1, 1
    for _ in range(n - 1):
        calls, before = calls + before + 1, calls
    return calls


def machine():
    name = platform.machine()
    info = pathlib.Path("/proc/cpuinfo")
    if info.exists():
        models = [l for l in info.read_text().splitlines() if l.startswith("model name")]
        name = models[0].split(":")[1].strip() if models else name
    return f"{name}, {len(os.sched_getaffinity(0))} CPUs, {platform.system()}"


def parse():
    parser = harness.argument_parser(__doc__)
    add = parser.add_argument
    add("--repetitions", "-r", type=int, default=3)
    add("--n", type=int, default=38, help="fib's argument, default 38")
    add("--only", choices=["fib", "compile", "memory"])
    add("--write", action="store_true", help="write docs/Performance.md as well")
    options = parser.parse_args()
    harness.find_compiler(parser, options)
    if options.write and options.only:
        parser.error("--write wants all benchmarks")
    return options


def main():
    options = parse()
    tables = []
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as folder:
        bench = Bench(options, pathlib.Path(folder))
        for name in ("fib", "compile", "memory"):
            if options.only in (None, name):
                tables.append(getattr(bench, name)().text())
                print(tables[-1], flush=True)
    if options.write:
        head = (
            "# Performance\n\nWritten by `./dev bench --write`; medians of "
            f"{options.repetitions} interleaved runs.\nMachine: {machine()}.\n\n"
        )
        (ROOT / "docs" / "Performance.md").write_text(head + "\n".join(tables))
    return 1 if bench.missed else 0


if __name__ == "__main__":
    sys.exit(main())
