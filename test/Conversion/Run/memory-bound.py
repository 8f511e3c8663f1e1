# ===- memory-bound.py - What the runtime maps, against what it may -----------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Runs a program with several numbers of workers and widths, and compares what libchan
has mapped with the bound that docs/architecture/Scheduling.md states, of what CHAN_STATS has counted.

  memory-bound.py <graph> <program> <arguments...>

<graph> is the program by --emit=mlir, which knows how large frames are. --width=<n> runs
the program with another width than the bound is for, as if it were not kept.
"""

import argparse
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

MIB = 1 << 20
WORKERS, WIDTHS = (1, 2, 8), (64, 4096)
# As in docs/architecture/Scheduling.md: of a worker, of a level, and of an element beside its fields.
OF_WORKER, OF_LEVEL, OF_ELEMENT = 15 * MIB, 256, 32
MOST_IN_BATCH = 4096
# Deferred assignments: of an activation, and how many times the width of a worker.
RECORDS, MORE_RECORDS = 64, 16


def frames(graph):
    """The largest frame of each function's kernels, with the records of its deferred
    assignments, and the largest record."""
    largest, record = {}, 0
    kernels = re.split(r"chan\.kernel @", graph)[1:]
    for name, size, body in (re.match(r"(\w+).*? frame (\d+)(.*)", k, re.S).groups() for k in kernels):
        sizes = [32 + (int(n) + 15 & ~15) for n in re.findall(r"chan\.defer (\d+) align", body)]
        record = max([record, *sizes])
        largest[name] = max(largest.get(name, 0), int(size) + RECORDS * max(sizes, default=0))
    return largest, record


def bound(stats, width, frames, record):
    """Bytes of all workers together. What is counted is the sum of theirs. Elements of levels
    beyond the last that is counted by itself are on levels of their own, at worst."""
    workers, levels = stats["workers"], {}
    total = 2 * workers * MORE_RECORDS * width * record
    for row in stats["rows"]:
        count = row["elements"]
        # Phases and result handlers see the elements of their batch.
        if not count or row["form"] in ("phase", "handler"):
            continue
        level, is_deep = row["level"], row["level"] >= stats["deepLevel"]
        levels[level] = max(levels.get(level, 0), count if is_deep else min(workers, count))
        frame = frames.get(row["kernel"].split(".")[0], 0)
        each = row["bytes"] / count + frame + OF_ELEMENT
        in_batch = row["form"] in ("batch", "reduction")
        most = max(width, MOST_IN_BATCH) if in_batch else width
        total += 2 * each * (count if is_deep else min(workers * most, count))
    return workers * OF_WORKER + OF_LEVEL * sum(levels.values()) + total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int)
    parser.add_argument("graph")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    graph, command = options.graph, options.command
    with open(graph) as file:
        described = frames(file.read())
    failed = False
    for workers, width in itertools.product(WORKERS, WIDTHS):
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            env = {"CHAN_WORKERS": str(workers), "CHAN_WIDTH": str(options.width or width),
                   "CHAN_STATS": file.name}  # fmt: skip
            subprocess.run(command, env=os.environ | env, check=True, stdout=subprocess.DEVNULL)
            stats = json.load(file)
        most = bound(stats, width, *described)
        is_kept = stats["mapped"] <= most
        failed |= not is_kept
        print(f"{workers} workers, width {width}: {stats['mapped'] / MIB:.1f} of {most / MIB:.1f} MiB"
              f"{'' if is_kept else ': too much'}")  # fmt: skip
    sys.exit(failed)


main()
