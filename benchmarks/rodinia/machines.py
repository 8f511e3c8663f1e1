# ===- machines.py - Runs of this folder's programs on simulated machines ------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""The runs of reproduction.py: machines, sizes and experiments, and their reports.

A run is kept as FOLDER/PROGRAM.RUN.json, the statistics that the simulator writes, and
one that is there is not made again. So a reproduction that was interrupted goes on.
"""

import concurrent.futures
import json
import os
import pathlib
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from run import FLAGS, Failure, checked  # noqa: E402

PROGRAMS = [source.stem for source in sorted(HERE.glob("*.c"))]
MACHINES = {
    "vgiw": ["--target=vgiw"],
    "fermi": ["--target=simt", "--machine=micro15-fermi"],
}
# What limits VGIW: each run takes one limit away. The numbers are as large, or the times
# as short, as the machine file allows or as makes no difference any more.
EXPERIMENTS = {
    "threads in flight": "fabric.token_buffer_entries=1024,fabric.reservation_entries=1024",
    "misses": "l1.bytes=67108864,lvc.bytes=67108864,l1.mshrs=4096,lvc.mshrs=4096,"
    "l1.mshr_targets=4096,lvc.mshr_targets=4096",
    "latency of L2 and DRAM": "l2.hit_cycles=1,dram.path_cycles=0",
    "bandwidth": "memory.link_bytes=4096,dram.channels=24,l2.mshrs=4096,l2.mshr_targets=4096",
    "banks": "l1.banks=256,lvc.banks=256",
    "reconfiguration": "control.configuration_passes=1,control.pass_cycles=1,"
    "control.reset_cycles=0,control.fetch_cycles=0",
    "dispatch": "aggregator.dispatch_cycles=0,aggregator.resume_cycles=0,"
    "host.package_cycles=1,host.operation_cycles=0",
}
# "paper": those of Rodinia and MICRO'15, which the programs have by default. "quick" is a
# minute for all, and "middle" some minutes.
SIZES = {
    "paper": {},
    "middle": {
        "backprop": "8192", "bfs": "10000", "cfd": "900", "gaussian": "64", "hotspot": "256",
        "kmeans": "8000", "lavamd": "2", "lud": "64", "nn": "42764", "nw": "128",
        "particlefilter": "1000", "streamcluster": "1500",
    },
    "quick": dict.fromkeys([name.split("-")[0] for name in PROGRAMS], "quick"),
}  # fmt: skip


class Run:
    """A program on a machine, or on VGIW without one of its limits."""

    def __init__(self, program, machine, experiment=None):
        self.program, self.machine, self.experiment = program, machine, experiment

    def path(self, folder):
        name = self.machine if self.experiment is None else self.experiment.replace(" ", "-")
        return folder / f"{self.program}.{name}.json"

    def __str__(self):
        what = f" without limit: {self.experiment}" if self.experiment else ""
        return f"{self.program} on {self.machine}{what}"


def statistics(path):
    """The values of a report by name, parameters among them."""
    report = json.loads(path.read_text(encoding="utf-8"))
    values = {s["name"]: s["value"] for s in report["statistics"]}
    return report["parameters"] | values


def perform(options, run, executables):
    """Runs it, and checks that the program did so of itself."""
    path = run.path(options.keep)
    unfinished = path.with_suffix(".part")
    # A variant of a program has its sizes: "lud-groups".
    size = SIZES[options.sizes].get(run.program.split("-")[0])
    settings = EXPERIMENTS[run.experiment] if run.experiment else ""
    command = [executables[run.program, run.machine], *([size] if size else [])]
    environment = {"CHANSIM_STATS": str(unfinished), "CHANSIM_SET": settings}
    output = checked(command, options.timeout, environment).stdout
    path.with_suffix(".txt").write_text(output, encoding="utf-8")
    os.replace(unfinished, path)
    return output


def compile_all(options, runs, folder):
    executables = {}
    for run in runs:
        key = run.program, run.machine
        if key in executables:
            continue
        executables[key] = folder / f"{run.program}-{run.machine}"
        source = HERE / f"{run.program}.c"
        command = [options.cilk2chan, *FLAGS, *MACHINES[run.machine], source]
        checked([*command, "-o", executables[key], "-lm"], options.timeout)
    return executables


def perform_all(options, runs):
    """All runs that are not there, some at a time, with progress on stderr. Raises Failure if
    the machines disagree about a program's output."""
    options.keep.mkdir(parents=True, exist_ok=True)
    missing = [run for run in runs if not run.path(options.keep).exists()]
    begin, done = time.monotonic(), 0
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as scratch:
        executables = compile_all(options, missing, pathlib.Path(scratch))
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            under_way = {pool.submit(perform, options, run, executables): run for run in missing}
            for future in concurrent.futures.as_completed(under_way):
                future.result()
                done += 1
                print(
                    f"{time.monotonic() - begin:.0f} s: {done} of {len(missing)}: "
                    f"{under_way[future]}",
                    file=sys.stderr,
                )
    outputs = {}
    for run in runs:
        output = run.path(options.keep).with_suffix(".txt").read_text(encoding="utf-8")
        if outputs.setdefault(run.program, output) != output:
            raise Failure(f"{run}: printed {output!r}, and another run {outputs[run.program]!r}")
