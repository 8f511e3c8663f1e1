# ===- workloads.py - Runs of ISCA'14's evaluation -----------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""The runs that reproduce.py makes: a program of this folder in a size, on the machine
isca14-apu with a number of cores, a width of channels, an aggregator and a kind of channel.

    Run("fibonacci", 14, cores=8, width=32768)
      -> chansim run --set cores=8 --set channel.width=32768 fibonacci 14
"""

import json
import pathlib
import re
import sys
import tempfile
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from commands import Failure, checked  # noqa: E402

PROGRAMS = ["fibonacci", "queens", "sort", "strassen"]
# Table 4: the program with channels, and the conventional one.
FLAT = {"strassen": "matmul-blocked", "queens": "queens-flat"}
# Table 3 has 13 queens in 1,114 wavefronts, and base cases of four rows. With these, 11 queens
# have 1,620 wavefronts, and 13 queens 54,460. So it is the number of wavefronts that is the
# paper's here: a run of 13 queens would take hours.
SIZES = {
    "quick": {"fibonacci": 14, "queens": 8, "sort": 2000, "strassen": 64},
    "middle": {"fibonacci": 20, "queens": 9, "sort": 20000, "strassen": 128},
    "paper": {"fibonacci": 24, "queens": 11, "sort": 1000000, "strassen": 512},
}
# Figure 17. With the baseline channel, lanes compete for a word, so larger inputs take hours.
CHANNEL_SIZES = {
    "quick": SIZES["quick"],
    "middle": {"fibonacci": 18, "queens": 8, "sort": 20000, "strassen": 128},
    "paper": {"fibonacci": 18, "queens": 8, "sort": 100000, "strassen": 256},
}
CORES = [1, 2, 4, 8]
# Table 3: what gave the best time.
WIDTHS = {"fibonacci": 32768, "queens": 16384, "sort": 32768, "strassen": 8192}
# Figure 18. Small inputs do not fill wide channels.
SWEEP = {
    "quick": [64, 256, 1024],
    "middle": [64, 256, 1024, 4096],
    "paper": [64, 1024, 8192, 16384, 32768, 65536],
}
# Table 5. What a line does not name is as in the machine file.
AGGREGATORS = {
    "simple": {"pipelined": "false"},
    "2-way light": {"width": 2, "rob_entries": 8, "queue_entries": 2, "registers": 64,
                    "load_entries": 8, "store_entries": 8},
    "2-way": {"width": 2, "rob_entries": 64, "queue_entries": 32, "registers": 64,
              "load_entries": 32, "store_entries": 32},
    "4-way": {"width": 4, "rob_entries": 128, "queue_entries": 64, "registers": 128,
              "load_entries": 64, "store_entries": 64},
}  # fmt: skip
CHANNELS = ["baseline", "leader", "padded"]  # Figure 17
# Table 3 measures a wavefront with one core and channels of one wavefront, and the largest
# of these inputs without yields.
ONE_WAVEFRONT = 64
SMALL = {"fibonacci": [10, 11, 12, 13, 14], "queens": [5, 6, 7], "sort": [1000, 2000, 4000, 6000],
         "strassen": [32, 64]}  # fmt: skip
COMPILED = ("channel.layout=",)  # parameters that decide instructions, beside the channel
WHAT_COUNTS = ["lib", "include", "runtime/sim", "tools", "benchmarks/isca14/programs"]


class Run(NamedTuple):
    program: str
    size: int
    cores: int = 8
    width: int = 0
    aggregator: str = "2-way"
    channel: str = "leader"
    # Other parameters of the machine, "memory.message_cycles=8 simt.warps=4".
    changes: str = ""

    def compiled(self):
        """Of the changes, what the compiler has to know; and of those, what is not."""
        words = self.changes.split()
        return [word for word in words if word.startswith(COMPILED)], [
            word for word in words if not word.startswith(COMPILED)
        ]

    def settings(self):
        """What the run changes of the machine file."""
        settings = {"cores": self.cores, "channel.width": self.width}
        if self.aggregator != "2-way":
            for key, value in AGGREGATORS[self.aggregator].items():
                settings[f"aggregator.{key}"] = value
        words = ["=".join(map(str, item)) for item in settings.items()] + self.compiled()[1]
        return [part for word in words for part in ("--set", word)]

    def __str__(self):
        text = f"{self.program} {self.size}, {self.cores} CUs, width {self.width}"
        text += f", {self.aggregator}" if self.aggregator != "2-way" else ""
        text += f", {self.channel}" if self.channel != "leader" else ""
        return text + (f", {self.changes}" if self.changes else "")


def base(program, sizes):
    """The run that all studies start from."""
    return Run(program, SIZES[sizes][program], width=WIDTHS[program])


def sweep(program, sizes):
    """Runs with other widths, and the base, by width."""
    widths = sorted({*SWEEP[sizes], WIDTHS[program]})
    return {width: base(program, sizes)._replace(width=width) for width in widths}


def by_channel(program, sizes):
    """Runs with each kind of channel, by channel."""
    first = base(program, sizes)._replace(size=CHANNEL_SIZES[sizes][program])
    return {channel: first._replace(channel=channel) for channel in CHANNELS}


def small(program):
    """The runs of single wavefronts."""
    return [Run(program, size, 1, ONE_WAVEFRONT) for size in SMALL[program]]


def conventional(program, sizes):
    return base(program, sizes)._replace(program=FLAT[program])


def wanted(program, sizes):
    """All runs of a program, without repetitions."""
    first = base(program, sizes)
    runs = [first._replace(cores=cores) for cores in CORES]
    runs += by_channel(program, sizes).values()
    runs += [first._replace(aggregator=name) for name in AGGREGATORS]
    runs += [*sweep(program, sizes).values(), *small(program)]
    if program in FLAT:
        runs.append(conventional(program, sizes))
    return list(dict.fromkeys(runs))


def compile_for(options, run, folder):
    """The executable for a run: one for each kind of channel and layout."""
    channel = {"lowering": run.channel}
    for word in run.compiled()[0]:
        key, value = word.removeprefix("channel.").split("=")
        channel[key] = value
    name = "-".join(channel.values())
    path = folder / f"{run.program}-{name}"
    if not path.exists():
        machine = "isca14-apu"
        if channel != {"lowering": "leader"}:
            machine = folder / f"isca14-{name}.json"
            machine.write_text(
                json.dumps({"name": machine.stem, "base": "isca14-apu", "channel": channel})
            )
        source = HERE / "programs" / f"{run.program}.c"
        command = [options.cilk2chan, "--target=simt", f"--machine={machine}", "-O2"]
        checked([*command, source, "-o", path], options.timeout)
    return path


def perform(options, run, executable):
    """The simulator's report, and seconds of a processor. The program checks its answer."""
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as folder:
        report = pathlib.Path(folder) / "report.json"
        command = [options.chansim, "run", f"--stats={report}", *run.settings()]
        result = checked([*command, executable, run.size], options.timeout)
        if result.stdout.splitlines()[-1:] != ["ok"]:
            raise Failure(f"{run}: printed {result.stdout!r}")
        return json.loads(report.read_text()), result.cpu_seconds


def kernels(options, program):
    """The registers of each kernel."""
    command = [options.cilk2chan, "--target=simt", "--machine=isca14-apu", "-O2", "--emit=simt"]
    text = checked([*command, HERE / "programs" / f"{program}.c"], options.timeout).stdout
    found = []
    for part in re.split(r"^\.kernel ", text, flags=re.MULTILINE)[1:]:
        numbers = re.search(r"^  \.registers (.*)", part, re.MULTILINE)
        words = numbers[1].split() if numbers else []
        classes = dict(zip(words[::2], map(int, words[1::2])))
        record = {"program": program, "kernel": part.split()[0]}
        found.append(record | {kind: classes.get(kind, 0) for kind in "sdc"})
    return found
