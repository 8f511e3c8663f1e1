# ===- plots.py - Plots of the benchmarks --------------------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Pictures of a `report.Report`, as SVG. Needs matplotlib."""

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "cilk2chan"  # equal figures, equal files

import matplotlib.pyplot  # noqa: E402

MARKERS = "ovsPX^D<>*hpd"


def dots(path, report, rows, value, label, line, logarithmic):
    """A line of dots for each program, one for each row; a line where 1 is."""
    names = [program.name for program in report.programs]
    figure, axes = matplotlib.pyplot.subplots(figsize=(9, 0.42 * len(names) + 1.6))
    for row in rows:
        number = report.rows.index(row)  # the same look in all pictures
        values = [value(program, row) for program in report.programs]
        ours = row.name in report.ours
        axes.plot(values, range(len(names)), MARKERS[number % len(MARKERS)], label=row.name,
                  color=f"C{number % 10}", zorder=3 if ours else 2,
                  markersize=9 if ours else 6, alpha=1 if ours else 0.7)  # fmt: skip
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.axvline(line, color="grey", linewidth=0.8)
    if logarithmic:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
    axes.set_xlabel(label)
    axes.grid(axis="both", linewidth=0.3)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
    matplotlib.pyplot.close(figure)


def one_worker(path, report):
    """The time of each row over that of clang's serial elision."""
    clang = next(row for row in report.rows if row.name == "clang")

    def value(program, row):
        own = report.figure(program, row).nanoseconds
        return own / report.figure(program, clang).nanoseconds

    label = "time of a task, times the serial elision's by clang; one worker"
    dots(path, report, [r for r in report.rows if r is not clang], value, label, 1, True)


def two_workers(path, report):
    rows = [row for row in report.rows if len(row.workers) > 1]
    dots(path, report, rows, report.speedup, "two workers, times as fast as one", 2, False)
