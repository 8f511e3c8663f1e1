# ===- plots.py - Plots of the benchmarks --------------------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Pictures of the tables of a run, as SVG. Needs matplotlib."""

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "cilk2chan"  # equal figures, equal files

import matplotlib.pyplot  # noqa: E402

MARKERS = "ovsPX^D<>*hpd"
OURS = "cilk2chan"


def dots(path, values, order, label, line, logarithmic):
    """A line of dots for each program, one for each column; a grey line at `line`.
    `order` gives a column the same look in all pictures."""
    names = list(values)
    figure, axes = matplotlib.pyplot.subplots(figsize=(9, 0.42 * len(names) + 1.6))
    for column in next(iter(values.values())):
        number = order.index(column)
        ours = column.startswith(OURS)
        axes.plot([values[name][column] for name in names], range(len(names)),
                  MARKERS[number % len(MARKERS)], label=column,
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


def one_worker(path, times, order):
    """`times` are by program and column, in those of clang's serial elision."""
    label = ("time of a task, divided by that of clang's serial elision; one worker "
             "(lower is better)")  # fmt: skip
    dots(path, times, order, label, 1, True)


def two_workers(path, speedups, order):
    """`speedups` are by program and column."""
    label = "two workers: times as fast as one (higher is better)"
    dots(path, speedups, order, label, 2, False)
