#!/usr/bin/env python3
# ===- golden.py - All counters of a few runs, beside stored ones -------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Runs programs on simulated machines, and compares every counter with a file.

    golden.py --scratch=DIR            exit status 1 if a counter differs
    golden.py --scratch=DIR --update   writes the files anew

A change of the simulator that should not change what is simulated, such as a new
structure of its source, must leave the files alone. A change of a model or of the
compiler changes them: then write them anew, and read the difference before you
commit it. A file golden/RUN.txt has a line "COUNTER VALUE" for each counter of the
run. `cilk2chan` is taken from the PATH.
"""

import argparse
import difflib
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[2]

VGIW = ["--target=vgiw"]
SGMF = ["--target=vgiw", "--machine=micro15-sgmf"]
FERMI = ["--target=simt", "--machine=micro15-fermi"]
# By name: the program, its arguments, parameters of the machine, and the machine if it
# is not VGIW.
RUNS = {
    # Spawns and continuations.
    "fib": ("docs/examples/fib.c", ["14"], ""),
    "fib-4-cores": ("docs/examples/fib.c", ["14"], "cores=4"),
    # Threads yield, and are resumed.
    "fib-yields": ("docs/examples/fib.c", ["12"], "aggregator.channel_width=4"),
    # Memory of the device's, and system calls.
    "nqueens": ("docs/examples/nqueens.c", ["6"], ""),
    "nqueens-host-allocates": ("docs/examples/nqueens.c", ["6"], "host.allocates=true,cores=2"),
    # Ranges; loads that hit and miss; floating point.
    "hotspot": ("benchmarks/rodinia/hotspot.c", ["32"], ""),
    "hotspot-window": (
        "benchmarks/rodinia/hotspot.c",
        ["32"],
        "fabric.channel_release=window,fabric.token_buffer_entries=512,l1.bytes=16384,control.tile_limit=cvt",
    ),
    "bfs-4-cores": ("benchmarks/rodinia/bfs.c", ["500"], "cores=4"),
    # Private memory.
    "lavamd": ("benchmarks/rodinia/lavamd.c", ["1"], ""),
    # The other kinds of cores, on the same memory.
    "sgmf-nn": ("benchmarks/rodinia/nn.c", ["2000"], "", SGMF),
    "fermi-fib": ("docs/examples/fib.c", ["12"], "cores=2", FERMI),
    "fermi-hotspot": ("benchmarks/rodinia/hotspot.c", ["32"], "", FERMI),
    # Memory of the host's stack.
    "fermi-lavamd": ("benchmarks/rodinia/lavamd.c", ["1"], "", FERMI),
}


def build(program, machine, scratch):
    name = program.replace("/", "-").removesuffix(".c") + machine[-1].replace("=", "-")
    executable = scratch / name
    if not executable.exists():
        command = ["cilk2chan", "-O2", *machine, SOURCE / program, "-o", executable, "-lm"]
        subprocess.run(command, check=True)
    return executable


def run(name, scratch):
    program, arguments, settings, *machine = RUNS[name]
    report = scratch / f"{name}.json"
    environment = dict(os.environ, CHANSIM_STATS=str(report), CHANSIM_SET=settings)
    command = [build(program, *machine or [VGIW], scratch), *arguments]
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    counters = json.loads(report.read_text(encoding="utf-8"))["statistics"]
    return [f"{counter['name']} {counter['value']}\n" for counter in counters]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scratch", required=True, type=pathlib.Path, help="an empty folder")
    parser.add_argument("--update", action="store_true", help="write the stored files anew")
    options = parser.parse_args()
    options.scratch.mkdir(parents=True, exist_ok=True)
    if any(options.scratch.iterdir()):
        parser.error(f"{options.scratch} is not empty: programs of an older build would be run")
    differ = 0
    for name in RUNS:
        counters = run(name, options.scratch)
        file = HERE / "golden" / f"{name}.txt"
        if options.update:
            file.write_text("".join(counters), encoding="utf-8")
            continue
        stored = file.read_text(encoding="utf-8").splitlines(keepends=True)
        difference = list(difflib.unified_diff(stored, counters, str(file), "this run", n=0))
        sys.stdout.writelines(difference)
        differ += bool(difference)
    if differ:
        print(f"{differ} of {len(RUNS)} runs differ; {pathlib.Path(__file__).name} says what to do")
    return differ != 0


if __name__ == "__main__":
    sys.exit(main())
