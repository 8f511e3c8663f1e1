# ===- counters.py - Instructions, misses and lanes of the programs ------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""What a task takes, in other units than time: what limits a program that misses its
goal. Counted by the processor, if perf may ask it, and else by Valgrind's Callgrind."""

import pathlib
import shutil
from typing import Callable, NamedTuple

import harness
from commands import Failure, checked
from measure import Session, progress
from suite import Row, Rows, environment
from tables import Table

# The last is of the second level; the processor's event may be of another.
COLUMNS = ["instructions", "cycles", "branch misses", "L1D misses", "L2 misses"]
EVENTS = dict(zip(COLUMNS, ["instructions:u", "cycles:u", "branch-misses:u",
                            "L1-dcache-load-misses:u", "cache-misses:u"]))  # fmt: skip
SIMULATED = dict(zip(COLUMNS, [("Ir",), (), ("Bcm", "Bim"), ("D1mr", "D1mw"), ("DLmr", "DLmw")]))
HEADER = pathlib.Path(__file__).resolve().parent / "counted.h"


class Tool(NamedTuple):
    """`command` runs a program's and leaves a text, whose counts `read` has by column;
    all rows are compiled with `flags`, for a `size` of a Program."""

    command: list
    read: Callable
    flags: list
    size: str
    note: str


def read_perf(text):
    """Of lines `value,unit,event,...`; the value may be words."""
    lines = [line.split(",") for line in text.splitlines() if "," in line]
    values = {line[2]: int(line[0]) for line in lines if line[0].isdigit()}
    return {column: values[event] for column, event in EVENTS.items() if event in values}


def read_callgrind(text):
    lines = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
    values = dict(zip(lines["events"].split(), map(int, lines["totals"].split())))
    return {column: sum(values.get(event, 0) for event in events)
            for column, events in SIMULATED.items() if events}  # fmt: skip


def find_tool(file):
    """Which writes its counts into `file`."""
    perf = ["perf", "stat", "-x,", "-o", file, "-e", ",".join(EVENTS.values()), "--"]
    if shutil.which("perf"):
        if harness.run([*perf, "true"]).status == 0 and "instructions" in read_perf(file.read_text()):
            note = ("Counted by the processor (`perf stat`), user code alone, of whole programs: "
                    "input and checks are included. `L2 misses` are `cache-misses`.")  # fmt: skip
            return Tool(perf, read_perf, ["-march=native"], "size", note)
    if not shutil.which("valgrind"):
        raise Failure("neither has perf counters of this processor nor is there Valgrind")
    command = ["valgrind", "--tool=callgrind", "--collect-atstart=no", "--cache-sim=yes",
               "--branch-sim=yes", "--D1=32768,8,64", "--LL=1048576,8,64",
               f"--callgrind-out-file={file}"]  # fmt: skip
    note = ("This machine does not count events of its processor. So Valgrind's Callgrind counts the instructions of the "
            "timed part. It simulates caches of 32 KiB and 1 MiB and a branch predictor, but no cycles. It does not support "
            "AVX-512, so this table has programs compiled with `-march=x86-64-v3`, and smaller inputs. `cilk2chan`'s code "
            "differs from that of the other tables: it has half as many lanes. If a batch is faster only with AVX-512, "
            "serial clones run its tasks. The column `clones` gives their share.")  # fmt: skip
    return Tool(command, read_callgrind, ["-march=x86-64-v3", "-include", HEADER], "small", note)


def of_a_task(counts, tasks):
    """Cells for COLUMNS and the instructions per cycle."""
    cells = [f"{counts[c] / tasks:.3f}" if c in counts else "" for c in COLUMNS]
    cycles = counts.get("cycles")
    return [*cells, f"{counts['instructions'] / cycles:.2f}" if cycles else ""]


def elements(rows, of):
    """How many there are in one `of`, on average; None if there is none."""
    total = sum(row[of] for row in rows)
    return sum(row["elements"] for row in rows) / total if total else None


def batches(statistics):
    """Cells: how many lanes have an element, in per cent; elements of a batch."""
    rows = statistics["rows"]
    occupied = elements([row for row in rows if "lanes" in row], "lanes")
    size = elements([row for row in rows if row["form"] == "batch"], "calls")
    return [f"{100 * occupied:.1f}" if occupied else "", f"{size:.1f}" if size else ""]


class Counters:
    def __init__(self, options, folder):
        self.session = Session(options, folder)
        self.file = folder / "counts"
        self.tool = find_tool(self.file)
        rows = Rows(options, folder, self.tool.flags)
        self.rows = [
            Row("clang", rows.elision(options.clang)),
            Row("gcc", rows.elision("gcc")),
            Row("cilk2chan", rows.ours([])),
        ]
        # Lanes and batches are of what the other tables measure.
        self.native = Row("cilk2chan", Rows(options, folder).ours([]))

    def counts(self, program, row):
        expected, tasks = self.session.answer(program, self.tool.size)
        path = self.session.folder / "counted"
        checked([*row.build(program), "-o", path])
        command = [*self.tool.command, path, *program.arguments(self.tool.size)]
        if checked(command, env=environment(1)).stdout != expected:
            raise Failure(f"{program.name}, {row.name}: wrong answer when counted")
        return of_a_task(self.tool.read(self.file.read_text()), tasks)

    def lanes(self, program, row):
        """Cells for what only our row has."""
        if row.name != self.native.name:
            return ["", "", ""]
        share = self.session.statistics(program, row)["tasks"]["cloneShare"]
        return [f"{100 * share:.1f}", *batches(self.session.statistics(program, self.native))]

    def table(self, programs):
        table = Table("What a task takes, one worker", "", "", *COLUMNS, "instructions per cycle",
                      "clones, %", "lanes, %", "elements of a batch")  # fmt: skip
        table.note = self.tool.note
        for program in programs:
            self.session.build(program, self.session.counting)
            for row in self.rows:
                progress(f"{program.name}, {row.name}, counted")
                cells = [*self.counts(program, row), *self.lanes(program, row)]
                table.add(program.name, row.name, *cells)
        progress("")
        return table
