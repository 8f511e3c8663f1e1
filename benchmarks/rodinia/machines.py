# ===- machines.py - Runs of this folder's programs on simulated machines ------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""The runs of reproduction.py: programs, machines, sizes and experiments."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple, Optional

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent.parent / "test" / "Workloads")]

import harness  # noqa: E402
from run import FLAGS, Failure  # noqa: E402

SOURCES = sorted(source.stem for source in HERE.glob("*.c"))
# A file "lud-groups" or "bfs-layout" has the thread blocks, or the order of data, of Rodinia's
# CUDA program. It stands for the program, and the other file is a variant.
FORMS = {name.split("-")[0]: name for name in SOURCES}
PROGRAMS = list(FORMS)
VARIANTS = [name for name in SOURCES if name not in FORMS.values()]

MACHINES = {
    "vgiw": ["--target=vgiw"],
    "fermi": ["--target=simt", "--machine=micro15-fermi"],
    "sgmf": ["--target=vgiw", "--machine=micro15-sgmf"],
}
MAY_REFUSE = ["sgmf"]  # its fabric must hold a whole kernel
# What limits VGIW: each run takes one limit away. The numbers are as large, or the times
# as short, as the machine file allows or as makes no difference any more.
EXPERIMENTS = {
    "threads in flight": "fabric.token_buffer_entries=1024,fabric.reservation_entries=1024",
    "misses of L1": "l1.bytes=67108864,l1.mshrs=4096,l1.mshr_targets=4096",
    # Its size limits the threads of a tile as well.
    "size of the LVC": "lvc.bytes=67108864,lvc.mshrs=4096,lvc.mshr_targets=4096",
    "latency of L2 and DRAM": "l2.hit_cycles=1,dram.path_cycles=0",
    "bandwidth": "memory.link_bytes=4096,dram.channels=24,l2.mshrs=4096,l2.mshr_targets=4096",
    "banks": "l1.banks=256,lvc.banks=256",
    "reconfiguration": "control.configuration_passes=1,control.pass_cycles=1,"
    "control.reset_cycles=0,control.fetch_cycles=0",
    "dispatch": "aggregator.dispatch_cycles=0,aggregator.resume_cycles=0,"
    "host.package_cycles=1,host.operation_cycles=0",
}
# And one takes all of them away. What is left is the rate at which the graphs start threads.
ALL_LIMITS = "all of them"
EXPERIMENTS[ALL_LIMITS] = ",".join(EXPERIMENTS.values())

# "paper": those of Rodinia and MICRO'15, which the programs have by default.
SIZES = {
    "paper": {},
    "middle": {
        "backprop": "8192", "bfs": "10000", "cfd": "900", "gaussian": "64", "hotspot": "256",
        "kmeans": "8000", "lavamd": "2", "lud": "64", "nn": "42764", "nw": "128",
        "particlefilter": "1000", "streamcluster": "1500",
    },
    "quick": dict.fromkeys(PROGRAMS, "quick"),
}  # fmt: skip
# About how many seconds of a processor a run on VGIW takes at the sizes "paper": for the order
# of the runs, and for the time that is left, until the data file knows them. Other machines
# take no longer. A run of another size takes about a second.
SECONDS = {
    "backprop": 2, "backprop-groups": 9, "bfs": 60, "bfs-layout": 60, "cfd": 50, "cfd-layout": 60,
    "gaussian": 3, "gaussian-layout": 4, "hotspot": 2, "kmeans": 180, "lavamd": 740,
    "lavamd-groups": 780, "lud": 4, "lud-groups": 4, "nw": 30, "nw-groups": 16,
    "streamcluster": 380, "streamcluster-layout": 165,
}  # fmt: skip

REFUSAL = re.compile(r"error: (.*)'([^']*)' cannot run on this machine: (.*)")
LOOP = "the cilk_for in "  # names a kernel that executes a loop's iterations
WHAT_COUNTS = ["lib", "include", "runtime/sim", "tools", "benchmarks/rodinia/*.c",
               "benchmarks/rodinia/*.h"]  # fmt: skip


class Run(NamedTuple):
    """A program's file on a machine, or on VGIW without one of its limits."""

    source: str
    machine: str
    sizes: str
    experiment: Optional[str] = None

    def program(self):
        return self.source.split("-")[0]

    def arguments(self):
        size = SIZES[self.sizes].get(self.program())
        return [size] if size else []

    def file_name(self):
        what = self.experiment.replace(" ", "-") if self.experiment else self.machine
        return f"{self.source}.{what}.{self.sizes}.json"

    def __str__(self):
        what = f" without limit: {self.experiment}" if self.experiment else ""
        return f"{self.source} on {self.machine}{what}"


def wanted(programs, sizes, limit_sizes):
    """All runs that the tables of `programs` need."""
    sources = [name for name in SOURCES if name.split("-")[0] in programs]
    runs = [Run(source, machine, sizes) for source in sources for machine in MACHINES]
    forms = [FORMS[program] for program in programs]
    if limit_sizes != sizes:
        runs += [Run(form, machine, limit_sizes) for form in forms for machine in ("vgiw", "fermi")]
    return runs + [Run(form, "vgiw", limit_sizes, e) for form in forms for e in EXPERIMENTS]


class Refused(Exception):
    """A program that the compiler does not map for a machine. `kernels` are those that do not
    fit: the function, whether it is a loop's kernel, and the reason."""

    def __init__(self, found):
        self.kernels = [
            {"kernel": function, "loop": what == LOOP, "reason": reason}
            for what, function, reason in found
        ]
        super().__init__("; ".join(f"{k['kernel']}: {k['reason']}" for k in self.kernels))


def checked(command, timeout, env=None):
    """As checked() of commands.py, but Ctrl-C reaches the command."""
    try:
        result = subprocess.run(
            [str(c) for c in command], stdin=subprocess.DEVNULL, capture_output=True,
            encoding="utf-8", errors="replace", env=env, timeout=timeout, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Failure(f"timed out: {harness.command_line(command)}") from None
    if result.returncode:
        if refusals := REFUSAL.findall(result.stderr):
            raise Refused(refusals)
        what = harness.describe(result.returncode)
        line = harness.command_line(command)
        raise Failure(f"{what}: {line}\n{harness.shorten(result.stderr)}")
    return result.stdout


def compile_for(options, run, folder):
    """The executable. Raises Refused."""
    executable = folder / f"{run.source}-{run.machine}"
    source = HERE / f"{run.source}.c"
    command = [options.cilk2chan, *FLAGS, *MACHINES[run.machine], source, "-o", executable, "-lm"]
    checked(command, options.timeout)
    return executable


def perform(options, run, executable):
    """Runs it, and checks that the program did so of itself: the report, and the output."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CHAN")}
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as folder:
        path = (options.keep or pathlib.Path(folder)) / run.file_name()
        unfinished = path.with_suffix(".part")
        environment["CHANSIM_STATS"] = str(unfinished)
        environment["CHANSIM_SET"] = EXPERIMENTS[run.experiment] if run.experiment else ""
        output = checked([executable, *run.arguments()], options.timeout, environment)
        os.replace(unfinished, path)
        return json.loads(path.read_text(encoding="utf-8")), output.strip()


def git(*arguments):
    command = ["git", "-C", str(harness.ROOT), *arguments]
    try:
        return subprocess.run(command, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return b""


def revision(what_counts=tuple(WHAT_COUNTS)):
    """The commit that last changed what counts for a result; with what changed since, if so."""
    commit = git("log", "-1", "--format=%h", "--", *what_counts).decode().strip()
    changes = git("diff", "HEAD", "--", *what_counts)
    if not changes:
        return commit or "unknown"
    import hashlib  # pylint: disable=import-outside-toplevel

    return f"{commit}+{hashlib.sha256(changes).hexdigest()[:8]}"
