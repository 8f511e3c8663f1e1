#!/usr/bin/env python3
# ===- validate.py - The model of Fermi beside GPGPU-Sim ----------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Runs the programs of this folder on micro15-fermi, beside published logs of GPGPU-Sim.

Each program is a kernel of a public log, written anew. The machine has the cores,
clocks, L2 and DRAM of the published run. A kernel agrees if its cycles, or its thread
instructions in a cycle (IPC), are within 25 % of the log's. The exit status is 1 if a
kernel of which docs/SIMT.md says that it agrees does not, or if the order of the kernels
by IPC is another one.
"""

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent / "test" / "Workloads")]

import harness  # noqa: E402
from commands import Failure, checked  # noqa: E402
from simulated import counters  # noqa: E402
from tables import Table  # noqa: E402

PAGE = HERE.parent.parent / "docs" / "SIMT.md"
BEGIN, END = "<!-- table: validate.py --write -->\n", "<!-- end of table -->\n"
FLAGS = ["-O2", "-fno-math-errno", "--target=simt", "--machine=micro15-fermi"]
LIMIT = 0.25
CLOCKS = 2  # of ours at 1400 MHz in one of GPGPU-Sim's at 700 MHz

# What the logs print of their configuration, where micro15-fermi has another value. No
# aggregator is in GPGPU-Sim, whose cycles are those of a kernel alone.
COMMON = {
    "cores": 15,  # -gpgpu_n_clusters 15
    "clocks.interconnect": 700,  # -gpgpu_clock_domains 700.0:700.0:700.0:924.0
    "l2.banks": 12,  # -gpgpu_n_mem 6, -gpgpu_n_sub_partition_per_mchannel 2
    "l2.ways": 8,  # -gpgpu_cache:dl2 64:128:8
    "dram.interleave_bytes": 256,  # -gpgpu_mem_addr_mapping dramid@8
    "aggregator.dispatch_cycles": 0,
}
SETTINGS = {
    "3.2.2": COMMON,
    "4.0.0": COMMON | {
        "l1.hit_cycles": 70,  # -gpgpu_l1_latency 35, of 700 MHz
        "l1.mshrs": 64,  # -gpgpu_cache:dl1 ...,S:64:8
        "l2.mshrs": 256,  # -gpgpu_cache:dl2 ...,A:256:4
        "dram.queue_entries": 64,  # -gpgpu_frfcfs_dram_sched_queue_size 64
    },
}  # fmt: skip
ECE786, FINAL = "adeeshag/ece_786_pa: src/PA2/", "briancpark/ece786: proj/final/task1/original_output/"


class Kernel:
    """Launches `first` + 1 to `last` of a program, and what a log says of them: cycles
    (gpu_sim_cycle), instructions (gpu_sim_insn) and lanes of the instructions that were
    issued (the sum of n times Wn)."""

    def __init__(self, name, program, last, version, log, cycles, instructions, issued,
                 agrees, first=0, isQuick=False):  # fmt: skip
        self.name, self.program, self.first, self.last = name, program, first, last
        self.version, self.log = version, log
        self.cycles, self.instructions, self.issued = cycles, instructions, issued
        self.agrees, self.isQuick = agrees, isQuick

    def ipc(self):
        return self.issued / self.cycles


# The programs' comments say what they compute.
KERNELS = [
    Kernel("conv-rows", "conv-rows", 1, "3.2.2", ECE786 + "shm_image2.txt",
           133032, 92963248, 111094736, agrees=["IPC"]),
    Kernel("conv", "conv", 1, "3.2.2", ECE786 + "regular_test.txt",
           145900, 96405456, 114019824, agrees=["IPC"]),
    Kernel("lud-internal", "lud-internal", 1, "4.0.0", FINAL + "rodinia_lud_output.txt",
           10687, 5356800, 5356800, agrees=["cycles", "IPC"], isQuick=True),
    Kernel("bfs, launches 1 to 3", "bfs", 3, "4.0.0", FINAL + "ispass_bfs_output.txt",
           19323, 3744331, 3941464, agrees=["cycles"], isQuick=True),
    Kernel("bfs, all 9 launches", "bfs", 100, "4.0.0", FINAL + "ispass_bfs_output.txt",
           497252, 18560915, 19525810, agrees=["cycles", "IPC"]),
    Kernel("queens", "queens", 1, "4.0.0", FINAL + "ispass_nqu_output.txt",
           44475, 1352861, 1404976, agrees=["cycles"], isQuick=True),
]  # fmt: skip


class Result:
    """A kernel's cycles of 700 MHz and lanes of instructions on our machine."""

    def __init__(self, kernel, cycles, issued):
        self.kernel, self.cycles, self.issued = kernel, cycles / CLOCKS, issued
        self.ratios = {"cycles": self.cycles / kernel.cycles, "IPC": self.ipc() / kernel.ipc()}

    def ipc(self):
        return self.issued / self.cycles

    def problem(self):
        for what in self.kernel.agrees:
            if abs(self.ratios[what] - 1) > LIMIT:
                return f"its {what} are {self.ratios[what]:.2f} times GPGPU-Sim's"
        return None


def measure(options, kernel, folder):
    program = folder / kernel.program
    if not program.exists():
        source = HERE / f"{kernel.program}.c"
        checked([options.cilk2chan, *FLAGS, source, "-o", program, "-lm"], options.timeout)
    setting = ",".join(f"{key}={value}" for key, value in SETTINGS[kernel.version].items())
    totals = []
    for launches in (kernel.first, kernel.last):
        statistics = folder / f"{kernel.program}.{launches}.json"
        if not statistics.exists():
            env = {"CHANSIM_SET": setting, "CHANSIM_STATS": str(statistics)}
            checked([program, str(launches)], options.timeout, env)
        # A program that runs nothing on the machine writes no statistics.
        totals.append(counters(statistics, ["run.cycles", "simt.lane_operations"]) or [0, 0])
    return Result(kernel, *(after - before for before, after in zip(*totals)))


def table_of(results):
    table = Table("Beside GPGPU-Sim", "kernel", "GPGPU-Sim, cycles", "ours", "ratio",
                  "GPGPU-Sim, million instructions", "ours", "GPGPU-Sim, IPC", "ours",
                  "ratio")  # fmt: skip
    for result in results:
        kernel = result.kernel
        table.add(kernel.name, f"{kernel.cycles:,}", f"{result.cycles:,.0f}",
                  f"{result.ratios['cycles']:.2f}", f"{kernel.issued / 1e6:.2f}",
                  f"{result.issued / 1e6:.2f}", f"{kernel.ipc():.1f}", f"{result.ipc():.1f}",
                  f"{result.ratios['IPC']:.2f}")  # fmt: skip
    return table


def source_table(kernels):
    table = Table("Sources", "kernel", "log", "GPGPU-Sim", "gpu_sim_insn", "gpu_ipc")
    for kernel in kernels:
        table.add(kernel.name, kernel.log, kernel.version, f"{kernel.instructions:,}",
                  f"{kernel.instructions / kernel.cycles:.1f}")  # fmt: skip
    return table


def order(results, ipc):
    return [r.kernel.name for r in sorted(results, key=ipc, reverse=True)]


def write(tables):
    """Puts the tables, without their headings, between the marks of the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    bodies = [table.text().split("\n\n", 1)[1] for table in tables]
    PAGE.write_text(before + BEGIN + "\n" + "\n".join(bodies) + "\n" + END + after,
                    encoding="utf-8")  # fmt: skip


def main():
    parser = harness.argument_parser(__doc__)
    parser.add_argument("--quick", action="store_true", help="the kernels that take a second")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/SIMT.md")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR",
                        help="leave programs and statistics there; what is there is not made again")  # fmt: skip
    parser.add_argument("--timeout", type=float, default=3600, help="seconds for a command, default 3600")  # fmt: skip
    options = parser.parse_args()
    harness.find_compiler(parser, options)
    if options.quick and options.write:
        parser.error("--write needs all kernels")
    kernels = [kernel for kernel in KERNELS if kernel.isQuick or not options.quick]
    failed = False
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as scratch:
        folder = options.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            results = [measure(options, kernel, folder) for kernel in kernels]
        except Failure as failure:
            print(f"FAIL: {failure}", file=sys.stderr)
            return 1
    tables = [table_of(results), source_table(kernels)]
    print("\n".join(table.text() for table in tables), end="")
    for result in results:
        if problem := result.problem():
            print(f"FAIL: {result.kernel.name}: {problem}", file=sys.stderr)
            failed = True
    theirs, ours = order(results, lambda r: r.kernel.ipc()), order(results, Result.ipc)
    if ours != theirs:
        print(f"FAIL: by IPC: {', '.join(ours)}; GPGPU-Sim: {', '.join(theirs)}", file=sys.stderr)
        failed = True
    if options.write and not failed:
        write(tables)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
