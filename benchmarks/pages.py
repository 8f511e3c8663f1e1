#!/usr/bin/env python3
# ===- pages.py - The pages that say how fast programs are ---------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Writes docs/Performance.md, the generated pages of docs/performance, and the plots.

The templates are in benchmarks/pages. The pages of docs/performance hold the tables of
the last run, each between two marks, so a changed template needs no new run. The
summary and the plots are made from these tables as well. Without options, this writes
the pages anew. Needs matplotlib for --plots only.
"""

import argparse
import pathlib
import re
import string
import sys
from statistics import geometric_mean

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from tables import Table, cells_of  # noqa: E402

DOCS = HERE.parent / "docs"
TEMPLATES = HERE / "pages"
SUMMARY = "Performance.md"
OURS = "cilk2chan"
RATIOS = "How many times as fast `{}` is, one worker"
FINE = "One worker, nanoseconds per task"
SPEEDUPS = "Two workers: times as fast as with one"
MARK = "<!-- table: {0} -->\n\n{1}\n\n<!-- end of {0} -->"
MARKED = re.compile(r"<!-- table: (\w+) -->\n\n(.*?)\n\n<!-- end of \1 -->", re.DOTALL)
BESIDE = "clang", "2 workers to one"  # the ratios of other workloads
LOW = 0.97  # A program with a smaller ratio is called slower.


def page(template):
    """Where the text of a template goes."""
    return DOCS / SUMMARY if template.name == SUMMARY else DOCS / "performance" / template.name


def stored():
    """The tables that the pages of docs/performance hold, by part."""
    pages = [page(t) for t in sorted(TEMPLATES.glob("*.md")) if t.name != SUMMARY]
    return dict(MARKED.findall("\n".join(p.read_text() for p in pages if p.exists())))


def run_table(machine, clang, gcc, repetitions):
    table = Table("The run", "", "value")
    table.add("machine", machine)
    table.add("Clang", clang)
    table.add("gcc", gcc)
    table.add("runs of each program", str(repetitions))
    return table


def figures(parts, title):
    """The figures of a table of the programs, by program and column."""
    head, *rows = cells_of(parts["programs"], title)
    return {row[0]: dict(zip(head[1:], map(float, row[1:]))) for row in rows}


def summary(parts):
    """The ratios of one worker, and our speed-up with two."""
    columns, two = figures(parts, RATIOS.format(OURS)), figures(parts, SPEEDUPS)
    head = list(next(iter(columns.values())))
    table = Table("One worker against the peers, and two workers", "", *head, "2 workers")
    for program, row in columns.items():
        table.add(program, *(f"{row[name]:.2f}" for name in head), f"{two[program][OURS]:.2f}")
    return table


def slower(parts):
    """Every figure of the tables that is less than LOW: of one worker, and of two
    workers of the workloads beside one."""
    table = Table("Slower than the other side", "program", "how many times as fast")
    for program, row in figures(parts, RATIOS.format(OURS)).items():
        low = [f"{name} {ratio:.2f}" for name, ratio in row.items() if ratio < LOW]
        if low:
            table.add(program, ", ".join(low))
    _, *rows = cells_of(parts["workloads"], "Other workloads")
    for name, _, _, *two in rows:
        low = [f"{other} {ratio}" for other, ratio in zip(BESIDE, two) if float(ratio) < LOW]
        if low:
            table.add(f"{name} (workload)", ", ".join(low))
    head, *rows = cells_of(parts["processors"], "Other processors")
    for name, *cells in rows:
        for title, ratio in zip(head[1::2], cells[1::2]):
            if float(ratio) < LOW:
                table.add(f"{name}, {title.removesuffix(', ms')}", f"clang {ratio}")
    return table


def spread(table, name, values):
    three = min(values), geometric_mean(values), max(values)
    table.add(name, *(f"{value:.2f}" for value in three))


def compiling(parts):
    """Least, mean and most of each column of the table of compile times."""
    head, *rows = cells_of(parts["compile"], "Compile time")
    table = Table("Compile time, times Clang's", "", "least", "geometric mean", "most")
    for column in range(2, len(head), 2):
        name = head[column - 1].removesuffix(", ms")
        spread(table, name, [float(row[column]) for row in rows])
    return table


def switches(parts):
    """How many times as fast as clang's elision the fine-grained programs are, one
    worker, by the flags of both."""
    fine = [row[0] for row in cells_of(parts["programs"], FINE)[1:]]
    table = Table("By flags", "flags", "least", "geometric mean", "most")
    for name in re.findall(RATIOS.format("(.*)"), parts["programs"]):
        beside = figures(parts, RATIOS.format(name))
        flags = f"-march=native{name.removeprefix(OURS)}"
        spread(table, f"`{flags}`", [beside[program]["clang"] for program in fine])
    head, *rows = cells_of(parts["processors"], "Other processors")
    for column in range(2, len(head), 2):
        values = [float(row[column]) for row in rows if row[0] in fine]
        flags = head[column - 1].removesuffix(", ms")
        spread(table, flags if flags.startswith("no") else f"`{flags}`", values)
    return table


def body(table):
    """The text of a table without its title."""
    return table.text().partition("\n\n")[2].rstrip("\n")


def render(parts):
    """The text of each page, by path."""
    values = {part: MARK.format(part, text) for part, text in parts.items()}
    made = {make.__name__: body(make(parts)) for make in (summary, slower, switches, compiling)}
    facts = {row[0].replace(" ", "_"): row[1] for row in cells_of(parts["run"], "The run")[1:]}
    pages = {}
    for template in sorted(TEMPLATES.glob("*.md")):
        given = made | facts if template.name == SUMMARY else values
        pages[page(template)] = string.Template(template.read_text()).substitute(given)
    return pages


def plot(parts):
    import plots

    order = cells_of(parts["programs"], "Peak memory with two workers, MiB")[0][1:]
    two = figures(parts, SPEEDUPS)
    for row in two.values():
        row.pop("two runs", None)
    times = {program: {} for program in two}
    ours = re.findall(RATIOS.format("(.*)"), parts["programs"])
    ratios = {name: figures(parts, RATIOS.format(name)) for name in ours}
    for program, row in times.items():
        beside = ratios[OURS][program]
        for name in order:
            if name in ratios:
                row[name] = 1 / ratios[name][program]["clang"]
            elif name != "clang":
                row[name] = beside[name] / beside["clang"]
    plots.one_worker(DOCS / "performance-one-worker.svg", times, order)
    plots.two_workers(DOCS / "performance-two-workers.svg", two, order)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page differs")
    parser.add_argument("--plots", action="store_true", help="draw the plots as well")
    options = parser.parse_args()
    parts = stored()
    different = 0
    for path, text in render(parts).items():
        if path.exists() and text == path.read_text():
            continue
        different += 1
        if options.check:
            name = path.relative_to(DOCS.parent)
            print(f"{name} is not what its template and its tables make; run {pathlib.Path(__file__).name}")
        else:
            path.write_text(text)
    if options.plots and not options.check:
        plot(parts)
    return int(options.check and different > 0)


if __name__ == "__main__":
    sys.exit(main())
