#!/usr/bin/env python3
# ===- run.py - cilk2chan beside its peers ------------------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Builds and runs the benchmarks and prints their tables.

  programs  time of each program with one worker and with two, beside its serial
            elision by two compilers and beside peers: OpenMP tasks of libomp and
            libgomp, oneTBB's task_group and, where the path of their sources is
            given, Lace, OpenCilk's runtime, libfork and Taskflow; peak memory; goals
  scaling   time of our programs with larger inputs, with one worker and with two
  workloads time of the other programs of test/Workloads, beside their elisions
  processors
            time of programs compiled for older processors, or for any, beside elisions
            for the same
  oversubscribed
            time of programs and workloads with 2 and with 8 workers on 2 CPUs
  counters  instructions, misses and full lanes of the programs' tasks, by perf or,
            where it has no counters, by Valgrind in smaller sizes
  calls     time of a call that makes a small tree of tasks
  compile   time of compiling each file of test/Workloads, beside Clang's for the
            serial elision, without and with -g
  memory    peak memory where it has to be bounded

All are written into docs/Performance.md and docs/performance with --write, which needs
matplotlib (pages.py).
With --quick, each program is run once in a tiny size, and answers are compared.
The exit status is 1 when something does not compile or run, or an answer is wrong.
"""

import importlib.util
import os
import pathlib
import platform
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "test" / "Workloads"))

import harness  # noqa: E402
import pages  # noqa: E402
from commands import Failure, checked  # noqa: E402
from costs import Costs  # noqa: E402
from measure import Session  # noqa: E402
from report import Report  # noqa: E402
from suite import PROGRAMS, SOURCES  # noqa: E402
from verdicts import goals, summary  # noqa: E402

PARTS = ["programs", "scaling", "workloads", "processors", "oversubscribed", "counters", "calls", "compile", "memory"]


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
    add("--only", choices=PARTS)
    add("--program", choices=[p.name for p in PROGRAMS], action="append")
    add("--rows", default="", metavar="REGEX", help="of the programs' tables")
    add("--workloads", default="", metavar="REGEX", help="which of the other workloads")
    add("--quick", action="store_true", help="a test; nothing is measured")
    add("--write", action="store_true", help="write docs/Performance.md, docs/performance and the plots")
    for peer, file in SOURCES.items():
        add(f"--{peer}", type=pathlib.Path, metavar="DIR", help=f"its sources, with {file}")
    options = parser.parse_args()
    harness.find_compiler(parser, options)
    for peer, file in SOURCES.items():
        given = getattr(options, peer)
        if given and not (given / file).is_file():
            parser.error(f"there is no {given / file}, which is one of {peer}'s sources")
    if options.write and (options.only or options.program or options.rows or options.workloads
                          or options.quick):  # fmt: skip
        parser.error("--write wants all benchmarks")
    if options.write and not importlib.util.find_spec("matplotlib"):
        parser.error("--write needs matplotlib, which is Debian's python3-matplotlib")
    options.programs = [p for p in PROGRAMS if p.name in (options.program or [p.name])]
    return options


def show(table):
    text = table.text()
    print(text, flush=True)
    return text


def version(compiler):
    """The first line of what it says of itself."""
    return checked([compiler, "--version"]).stdout.splitlines()[0]


def documents(options, tables):
    """The text of each page, by path, and the tables; `tables` are lists of texts, by
    part or `goals`."""
    parts = {part: "\n".join(texts).rstrip("\n") for part, texts in tables.items()}
    run = pages.run_table(machine(), version(options.clang), version("gcc"), options.repetitions)
    parts["run"] = run.text().rstrip("\n")
    # tuning.py measures these.
    parts |= {part: text for part, text in pages.stored().items() if part.startswith("tuning_")}
    return pages.render(parts), parts


def write(options, tables):
    texts, parts = documents(options, tables)
    pages.plot(parts)
    for path, text in texts.items():
        path.write_text(text)


def measure(options, folder):
    tables, verdicts = {}, []
    if options.only in (None, "programs"):
        session = Session(options, folder)
        session.build_all(options.programs)
        figures = session.measure(options.programs, options.repetitions)
        shares = session.clone_shares(options.programs)
        report = Report(options.programs, session.rows, figures, shares)
        tables["programs"] = [show(table) for table in report.tables()]
        verdicts += report.verdicts
    costs = Costs(options, folder)
    for part in PARTS[1:]:
        if options.only in (None, part):
            tables[part] = [show(getattr(costs, part)())]
    verdicts += costs.verdicts
    if verdicts:
        tables["goals"] = [show(goals(verdicts))]
    if options.write:
        write(options, tables)
    print(summary(verdicts))


def main():
    options = parse()
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as name:
        folder = pathlib.Path(name)
        try:
            if options.quick:
                return Session(options, folder).smoke(options.programs)
            measure(options, folder)
        except Failure as failure:
            sys.exit(f"error: {failure}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
