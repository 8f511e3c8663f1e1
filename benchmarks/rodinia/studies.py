#!/usr/bin/env python3
# ===- studies.py - The tables of docs/Studies.md ------------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Sweeps the parameters that MICRO'15 leaves open: tables of cycles.

    python3 benchmarks/rodinia/studies.py --write

runs programs of this folder with other values of a parameter, and puts a table for each
study into docs/Studies.md. Without --write it prints the tables. The first column has the
million cycles of the machine file, and the others the cycles divided by those:

    | hotspot 256 | 3.05 | 1.41 | 0.13 |
"""

import concurrent.futures
import dataclasses
import math
import pathlib
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent.parent / "test" / "Workloads")]

import harness  # noqa: E402
import machines  # noqa: E402
from commands import checked  # noqa: E402
from run import FLAGS, Failure  # noqa: E402
from simulated import counters  # noqa: E402
from tables import Table  # noqa: E402

DOCUMENT = HERE.parent.parent / "docs" / "Studies.md"
BEGIN, END = "<!-- study: {} -->\n", "<!-- end of study -->\n"
# Loads of neighbouring words (nn, hotspot, backprop), of scattered ones (bfs, kmeans), long
# bodies (cfd), and many short loops (gaussian, lud, particlefilter).
PROGRAMS = [
    "backprop-groups 8192", "bfs-layout 10000", "cfd-layout 900", "gaussian-layout 64", "hotspot 256",
    "kmeans 1000", "lud-groups 64", "nn 42764", "particlefilter-layout 200",
]  # fmt: skip


@dataclasses.dataclass
class Study:
    """Columns: settings beside the machine file's, by what the heading says."""

    name: str
    title: str
    default: str
    columns: dict
    programs: list = dataclasses.field(default_factory=lambda: PROGRAMS)
    machine: str = "vgiw"
    statistic: str = "run.cycles"


def entries(number, release="terminator"):
    """`number` threads in flight in a replica."""
    return (
        f"fabric.token_buffer_entries={number},fabric.reservation_entries={number},"
        f"fabric.channel_release={release}"
    )


def latencies(operations):
    """Operations and hits in L1 in cycles of 700 MHz, which are two of the core."""
    return ",".join(f"operations.{name}={cycles}" for name, cycles in operations.items())


TWICE = latencies({
    "int_add": 8, "int_mul": 10, "int_div": 290, "float_add": 8, "float_mul": 10,
    "float_div": 78, "double_add": 16, "double_mul": 16, "double_div": 660,
})  # fmt: skip

STUDIES = [
    Study("threads", "Threads in flight", "61", {
        "30": entries(30), "32": entries(32), "64": entries(64), "128": entries(128),
        "512": entries(512), "61, window": entries(61, "window"),
        "512, window": entries(512, "window"),
    }),
    Study("reservations", "Reservation buffers", "61", {
        str(number): f"fabric.reservation_entries={number}" for number in [8, 16, 32]
    }),
    Study("tile", "Size of a tile", "lvc", {
        "cvt": "control.tile_limit=cvt", "CVT x 4": "control.cvt_bits=262144",
        "cvt, CVT x 4": "control.tile_limit=cvt,control.cvt_bits=262144",
    }),
    Study("latencies", "Latencies of L2 and DRAM", "120 / 132", {
        "60 / 66": "l2.hit_cycles=60,dram.path_cycles=66,control.fetch_cycles=174",
        "240 / 264": "l2.hit_cycles=240,dram.path_cycles=264,control.fetch_cycles=534",
    }),
    Study("latencies-fermi", "Latencies of L2 and DRAM on Fermi", "120 / 132", {
        "60 / 66": "l2.hit_cycles=60,dram.path_cycles=66",
        "240 / 264": "l2.hit_cycles=240,dram.path_cycles=264",
    }, machine="fermi"),
    Study("core", "Clock of the core's latencies", "1400 MHz", {
        "operations x 2": TWICE, "L1 x 2": "l1.hit_cycles=70", "LVC x 2": "lvc.hit_cycles=70",
        "all x 2": f"{TWICE},l1.hit_cycles=70,lvc.hit_cycles=70", "LVC 8": "lvc.hit_cycles=8",
    }),
    Study("core-fermi", "Clock of the core's latencies on Fermi", "1400 MHz", {
        "operations x 2": TWICE, "L1 x 2": "l1.hit_cycles=70",
        "all x 2": f"{TWICE},l1.hit_cycles=70",
    }, machine="fermi"),
    Study("stores", "Stores", "posted, fetch", {
        "not posted": "memory.posted_stores=false", "L1 validate": "l1.write_policy=validate",
        "both validate": "l1.write_policy=validate,lvc.write_policy=validate",
        "L1 through": "l1.write_policy=through",
    }),
    Study("misses", "Misses in flight", "32", {
        "16": "l1.mshrs=16,lvc.mshrs=16", "64": "l1.mshrs=64,lvc.mshrs=64",
        "128": "l1.mshrs=128,lvc.mshrs=128",
        "512 threads": entries(512), "512 threads, 128": entries(512) + ",l1.mshrs=128,lvc.mshrs=128",
    }),
    Study("control", "Reconfigurations", "34 cycles, 294", {
        "22 cycles": "control.reset_cycles=0", "fetch 0": "control.fetch_cycles=0",
        "FIFO of 1": "control.fifo_entries=1", "FIFO of 8": "control.fifo_entries=8",
        "store of 0": "control.stored_configurations=0",
        "store of 8": "control.stored_configurations=8",
        "store of 128": "control.stored_configurations=128",
        "nothing": "control.configuration_passes=1,control.pass_cycles=1,"
        "control.reset_cycles=0,control.fetch_cycles=0",
    }),
    Study("dram", "Bank groups of DRAM", "4 groups", {
        "no groups": "dram.bank_groups=1", "12 channels": "dram.channels=12",
    }),
]  # fmt: skip
# Reconfiguration takes the less of the time the more threads there are.
SHARES = Study(
    "shares", "Reconfiguration and size", "", {}, [
        "particlefilter 1000", "particlefilter 10000", "particlefilter 100000",
        "lud-groups 64", "lud-groups 256", "lud-groups 512",
        "gaussian-layout 64", "gaussian-layout 208", "gaussian-layout 512",
        "nw-groups 128", "nw-groups 512", "nw-groups 2048",
        "bfs-layout 10000", "bfs-layout 100000",
    ], statistic="bbs.configuring_share",
)  # fmt: skip


def run(options, executables, study, program, settings):
    """The value of the study's statistic."""
    name, size = program.split()
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        environment = {"CHANSIM_STATS": report.name, "CHANSIM_SET": settings}
        command = [executables[name, study.machine], "quick" if options.quick else size]
        checked(command, options.timeout, environment)
        return counters(pathlib.Path(report.name), [study.statistic])[0]


def perform(options, studies, folder):
    """Values by study, program and settings. Progress goes to stderr."""
    executables = {}
    for study in studies:
        for name in {program.split()[0] for program in study.programs}:
            key = name, study.machine
            if key not in executables:
                executables[key] = pathlib.Path(folder) / "-".join(key)
                source = HERE / f"{name}.c"
                target = machines.MACHINES[study.machine]
                command = [options.cilk2chan, *FLAGS, *target, source, "-o", executables[key], "-lm"]
                checked(command, options.timeout)
    # Studies share the runs of the machine file.
    keys = {
        (study.machine, study.statistic, program, settings): (study, program, settings)
        for study in studies
        for program in study.programs
        for settings in ["", *study.columns.values()]
    }
    begin, values = time.monotonic(), {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = {pool.submit(run, options, executables, *what): k for k, what in keys.items()}
        for future in concurrent.futures.as_completed(futures):
            values[futures[future]] = future.result()
            seconds = time.monotonic() - begin
            print(f"{seconds:.0f} s: {len(values)} of {len(keys)}", file=sys.stderr)
    return values


def table(study, values):
    """Cycles of the machine file, and those of the columns divided by them."""
    result = Table(study.title, "", f"{study.default}, M cycles", *study.columns)
    ratios = []
    for program in study.programs:
        of = {s: values[study.machine, study.statistic, program, s]
              for s in ["", *study.columns.values()]}  # fmt: skip
        row = [of[settings] / of[""] for settings in study.columns.values()]
        ratios.append(row)
        result.add(program, f"{of[''] / 1e6:.3f}", *[f"{ratio:.2f}" for ratio in row])
    means = [math.prod(column) ** (1 / len(column)) for column in zip(*ratios)]
    result.add("geometric mean", "", *[f"{m:.2f}" for m in means])
    return result


def shares(values):
    result = Table(SHARES.title, "", "share of the cycles")
    for program in SHARES.programs:
        share = values[SHARES.machine, SHARES.statistic, program, ""]
        result.add(program, f"{share:.2%}")
    return result


def write(name, text):
    """Replaces the study's table, for which the page has a place."""
    document = DOCUMENT.read_text(encoding="utf-8")
    before, begin, rest = document.partition(BEGIN.format(name))
    if not begin:
        raise Failure(f"{DOCUMENT}: no line {BEGIN.format(name).strip()}")
    _, end, after = rest.partition(END)
    # The page has the heading, and a text below it.
    rows = text.split("\n", 2)[2]
    DOCUMENT.write_text(before + begin + rows + end + after, encoding="utf-8")


def write_origin(revision):
    """Of what the tables were made last."""
    document = DOCUMENT.read_text(encoding="utf-8")
    before, begin, rest = document.partition("<!-- origin -->\n")
    _, end, after = rest.partition("<!-- end of origin -->\n")
    text = f"The tables are of revision {revision}.\n"
    DOCUMENT.write_text(before + begin + text + end + after, encoding="utf-8")


def main():
    parser = harness.argument_parser(__doc__)
    add = parser.add_argument
    names = [study.name for study in [*STUDIES, SHARES]]
    add("--only", action="append", choices=names, help="a study; may be repeated")
    add("--quick", action="store_true", help="smallest sizes: shows only that all runs")
    add("--jobs", type=int, default=2, help="runs at a time, default 2")
    add("--write", action="store_true", help="put the tables into docs")
    add("--timeout", type=float, default=3600, help="seconds for a command, default 3600")
    options = parser.parse_args()
    if options.quick and options.write:
        parser.error("--quick has no numbers to write")
    harness.find_compiler(parser, options)
    studies = [s for s in [*STUDIES, SHARES] if not options.only or s.name in options.only]
    try:
        with tempfile.TemporaryDirectory(prefix="cilk2chan-") as folder:
            values = perform(options, studies, folder)
        for study in studies:
            text = (shares(values) if study is SHARES else table(study, values)).text()
            if options.write:
                write(study.name, text)
            else:
                print(text)
        if options.write:
            write_origin(machines.revision())
    except Failure as failure:
        print(f"FAIL: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
