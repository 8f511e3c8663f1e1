#!/usr/bin/env python3
# ===- reproduction.py - The tables of docs/Reproduction.md -------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compares MICRO'15 with the simulated machines: tables and plots.

    python3 benchmarks/rodinia/reproduction.py --keep=DIR --write

runs all programs of this folder on all machines, and on VGIW without one limit at a time,
and leaves the reports in DIR. Without --write it prints the tables; with it, they go into
docs/Reproduction.md, and the plots beside it. Reports that are in DIR are not made again.
"""

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent.parent / "test" / "Workloads")]

import harness  # noqa: E402
import machines  # noqa: E402
from run import Failure, configuration  # noqa: E402
from tables import Table  # noqa: E402

DOCUMENT = HERE.parent.parent / "docs" / "Reproduction.md"
BEGIN, END = "<!-- tables: reproduction.py --write -->\n", "<!-- end of tables -->\n"

# MICRO'15 Table 2: blocks of kernels. Two of them are not in this folder.
BLOCKS = {
    "Kernel": 8, "Kernel2": 3, "invert_mapping": 3, "compute_step_factor": 2,
    "initialize_variables": 1, "time_step": 1, "compute_flux": 12, "lud_internal": 3,
    "lud_diagonal": 11, "lud_perimiter": 22, "Fan1": 2, "Fan2": 5, "hotspot_kernel": 27,
    "kernel_gpu_cuda": 21, "euclid": 2, "normalize_weights_kernel": 5, "adjust_weights": 3,
    "layerforward": 20, "needle_cuda_shared_1": 13, "needle_cuda_shared_2": 13,
    "streamcluster_kernel_compute_cost": 6,
}  # fmt: skip
KINDS = ["fpu_alu", "scu", "ldst", "lvu", "sju", "cvu"]
TABLES = ["horowitz", "gpuwattch"]
# Figure 10: what a core, a die and a system are made of.
CORE = ["compute", "token_buffers", "interconnect", "live_values", "control",
        "instructions", "register_file", "static"]  # fmt: skip
DIE = [*CORE, "l1", "l2"]
SYSTEM = [*DIE, "dram"]
# The mean that MICRO'15 gives, with the figure.
PAPER = {"speedup": 3, "energy": 1.75, "share": 0.1}


def mean(values):
    return sum(values) / len(values)


class Results:
    """Reports by program and machine."""

    def __init__(self, options):
        self.folder = options.keep

    def of(self, program, machine="vgiw", experiment=None):
        return machines.statistics(machines.Run(program, machine, experiment).path(self.folder))

    def size(self, program):
        """ "hotspot 512: checksum ..., ok" """
        path = machines.Run(program, "vgiw").path(self.folder).with_suffix(".txt")
        return path.read_text(encoding="utf-8").split(":")[0].split()[-1]

    def speedup(self, program):
        return self.of(program, "fermi")["run.cycles"] / self.of(program)["run.cycles"]

    def energy(self, program, machine, table, units):
        values = self.of(program, machine)
        return sum(values.get(f"energy.{table}.{unit}", 0) for unit in units)

    def efficiency(self, program, table, units):
        """Energy of Fermi, divided by that of VGIW."""
        fermi = self.energy(program, "fermi", table, units)
        return fermi / self.energy(program, "vgiw", table, units)


def with_mean(table, programs, columns):
    """A row for each program, of `columns`: functions of a program, and how to show a value."""
    values = [[value(program) for value, _ in columns] for program in programs]
    for program, row in zip(programs, values):
        table.add(program, *[show(v) for v, (_, show) in zip(row, columns)])
    means = [mean(column) for column in zip(*values)]
    table.add("mean", *[show(v) for v, (_, show) in zip(means, columns)])
    return table


def times(value):
    return f"{value:.2f}"


def run_table(results, programs):
    columns = ["size", "cycles", "cycles of Fermi", "reconfiguring", "threads a block run",
               "units starting", "L1 hits and merges", "IPC of Fermi"]  # fmt: skip
    table = Table("Runs", "", *columns)
    shares = []
    for program in programs:
        value, fermi = results.of(program), results.of(program, "fermi")
        firings = sum(value[f"fabric.{kind}_firings"] for kind in KINDS)
        shares.append(value["bbs.configuring_share"])
        found = (value["l1.hits"] + value["l1.merged"]) / value["l1.accesses"]
        table.add(
            program, results.size(program), f"{value['run.cycles']:,}",
            f"{fermi['run.cycles']:,}", f"{shares[-1]:.2%}",
            f"{value['bbs.threads'] / value['bbs.blocks']:.0f}",
            f"{firings / value['bbs.cycles']:.1f}", f"{found:.0%}", times(fermi["simt.ipc"]),
        )  # fmt: skip
    median = sorted(shares)[len(shares) // 2]
    table.add("mean", "", "", "", f"{mean(shares):.2%}", "", "", "", "")
    table.note = f"The median of the shares of reconfiguration is {median:.2%}."
    return table


def live_value_share(results, program):
    """Figure 3: accesses to the LVC, divided by those to a register file."""
    value = results.of(program)
    return value["rows.lvc_accesses"] / value["rows.register_accesses"]


def fermi_share(results, program):
    """The same, by the registers that the model of Fermi has read and written."""
    fermi = results.of(program, "fermi")
    registers = fermi["registers.reads"] + fermi["registers.writes"]
    return results.of(program)["rows.lvc_accesses"] / registers


def share_table(results, programs):
    table = Table("Figure 3: live values and registers", "", "LVC / registers",
                  "MICRO'15, mean", "registers / LVC", "LVC / registers of Fermi")  # fmt: skip
    return with_mean(table, programs, [
        (lambda p: live_value_share(results, p), lambda v: f"{v:.3f}"),
        (lambda p: PAPER["share"], times),
        (lambda p: 1 / live_value_share(results, p), times),
        (lambda p: fermi_share(results, p), lambda v: f"{v:.3f}"),
    ])  # fmt: skip


def speedup_table(results, programs):
    table = Table("Figure 7: speedup over Fermi", "", "ours", "MICRO'15, mean", "ours / MICRO'15")
    return with_mean(table, programs, [
        (lambda p: results.speedup(p), times),
        (lambda p: PAPER["speedup"], times),
        (lambda p: results.speedup(p) / PAPER["speedup"], times),
    ])  # fmt: skip


def energy_table(results, programs):
    columns = [f"{name}, {table}" for table in TABLES for name in ["system", "die", "core"]]
    table = Table("Figures 9 and 10: energy of Fermi / energy of VGIW", "", *columns,
                  "MICRO'15, mean")  # fmt: skip
    return with_mean(table, programs, [
        *[
            (lambda p, t=t, units=units: results.efficiency(p, t, units), times)
            for t in TABLES for units in [SYSTEM, DIE, CORE]
        ],
        (lambda p: PAPER["energy"], times),
    ])  # fmt: skip


def gains(results, program):
    """How many times as fast VGIW is without each limit."""
    cycles = results.of(program)["run.cycles"]
    return {
        name: cycles / results.of(program, "vgiw", name)["run.cycles"]
        for name in machines.EXPERIMENTS
    }


def limit_table(results, programs):
    table = Table("Limits", "", *machines.EXPERIMENTS, "limit")
    for program in programs:
        gain = gains(results, program)
        most = max(gain, key=gain.get)
        # Nothing else is left: the units of the graph that is configured.
        limit = most if gain[most] >= 1.1 else "issue rate"
        table.add(program, *map(times, gain.values()), limit)
    return table


def tile_threads(machine, kernel):
    """As tileThreads() of the simulator."""
    threads = machine["control.cvt_bits"] // len(kernel["blocks"]) // 64 * 64
    if machine["control.tile_limit"] == "lvc" and kernel["live_values"]:
        fitting = machine["lvc.bytes"] // 8 // kernel["live_values"] // 64 * 64
        threads = min(threads, max(fitting, 64))
    return threads


def block_table(options, results, programs):
    """A row for each kernel of Table 2: what runs its iterations."""
    machine = results.of(programs[0])
    columns = ["MICRO'15", "of the loop", "in all", "replicas", "units", "threads of a tile"]
    table = Table("Blocks", "", "kernel", *columns)
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as folder:
        for source in [HERE / f"{program}.c" for program in programs]:
            config, _ = configuration(options, source, pathlib.Path(folder))
            for kernel in config["kernels"]:
                # Short ranges that share a tile have another kernel for the same loop.
                if (
                    not kernel["name"].startswith("__cilk_range")
                    or kernel["launch"] == "ranges"
                ):
                    continue
                blocks = kernel["blocks"]
                body = blocks if kernel["launch"] == "range" else body_of(kernel)
                replicas = sorted(b["replicas"] for b in body)
                units = sorted(len(b["units"]) for b in body)
                table.add(
                    source.stem, kernel["source"], str(BLOCKS.get(kernel["source"], "")),
                    str(len(body)), str(len(blocks)), f"{replicas[0]} to {replicas[-1]}",
                    f"{units[0]} to {units[-1]}", str(tile_threads(machine, kernel)),
                )  # fmt: skip
    return table


def body_of(kernel):
    """The blocks of a range's kernel that do its iterations: from which no element for
    a part of the range is reserved. The entry only chooses whether to divide it."""
    follow = {b["id"]: [s for s in b["successors"] if isinstance(s, int)] for b in kernel["blocks"]}

    def reaches(start):
        seen, work = set(), [start]
        while work:
            block = work.pop()
            if block not in seen:
                seen.add(block)
                work += follow[block]
        return seen

    reserving = {
        b["id"] for b in kernel["blocks"] if any(u["op"].startswith("reserve") for u in b["units"])
    }
    return [b for b in kernel["blocks"][1:] if not reaches(b["id"]) & reserving]


def plot_all(results, programs):
    """The figures, beside the document."""
    import plots  # pylint: disable=import-outside-toplevel

    def values(function):
        return {program: function(program) for program in programs}

    figures = {
        3: ("LVC accesses / register accesses", values(lambda p: live_value_share(results, p)),
            PAPER["share"]),
        7: ("times as fast as Fermi", values(results.speedup), PAPER["speedup"]),
        9: ("energy of Fermi / energy of VGIW (gpuwattch)",
            values(lambda p: results.efficiency(p, "gpuwattch", SYSTEM)), PAPER["energy"]),
        10: ("energy of Fermi / energy of VGIW, cores alone (gpuwattch)",
             values(lambda p: results.efficiency(p, "gpuwattch", CORE)), PAPER["energy"]),
    }  # fmt: skip
    for number, (label, by_program, paper) in figures.items():
        path = DOCUMENT.parent / f"reproduction-figure{number}.svg"
        plots.bars(path, by_program, label, paper, "mean of MICRO'15")


def main():
    parser = harness.argument_parser(__doc__)
    add = parser.add_argument
    add("--keep", type=pathlib.Path, required=True, metavar="DIR", help="where the reports are")
    add("--sizes", choices=machines.SIZES, default="paper", help="of the problems, default paper")
    add("--only", action="append", choices=machines.PROGRAMS, help="a program; may be repeated")
    add("--machine", help="machine file, for the table of blocks")
    add("--jobs", type=int, default=2, help="runs at a time, default 2")
    add("--write", action="store_true", help="put tables and plots into docs")
    add("--timeout", type=float, default=14400, help="seconds for a command, default 14400")
    options = parser.parse_args()
    harness.find_compiler(parser, options)
    programs = options.only or machines.PROGRAMS
    runs = [machines.Run(p, m) for p in programs for m in machines.MACHINES]
    runs += [machines.Run(p, "vgiw", e) for p in programs for e in machines.EXPERIMENTS]
    try:
        machines.perform_all(options, runs)
        results = Results(options)
        tables = [
            run_table(results, programs), speedup_table(results, programs),
            limit_table(results, programs), share_table(results, programs),
            energy_table(results, programs), block_table(options, results, programs),
        ]  # fmt: skip
    except Failure as failure:
        print(f"FAIL: {failure}", file=sys.stderr)
        return 1
    text = "\n".join(table.text() for table in tables)
    if not options.write:
        print(text, end="")
        return 0
    plot_all(results, programs)
    document = DOCUMENT.read_text(encoding="utf-8")
    before, _, rest = document.partition(BEGIN)
    _, _, after = rest.partition(END)
    DOCUMENT.write_text(before + BEGIN + text + END + after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
