#!/usr/bin/env python3
# ===- reproduction.py - The tables of docs/Reproduction.md -------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compares runs of this folder's programs on the simulated machine with MICRO'15.

The runs are those that `run.py --target=vgiw --keep=DIR` left in DIR; blocks are
counted anew. Prints tables, or puts them into docs/Reproduction.md with --write.
"""

import json
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent.parent / "test" / "Workloads")]

import harness  # noqa: E402
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


def mean(values):
    return sum(values) / len(values)


def run_table(folder):
    """A row for each program, from its statistics."""
    columns = ["size", "cycles", "LVC rows", "register rows", "registers / LVC", "reconfiguring",
               "threads a block run", "units starting", "L1 hits"]  # fmt: skip
    table = Table("Runs", "", *columns)
    ratios, shares = [], []
    for source in sorted(HERE.glob("*.c")):
        path = folder / f"{source.stem}.json"
        if not path.exists():
            table.add(source.stem, "not run", *[""] * (len(columns) - 1))
            continue
        value = {s["name"]: s["value"] for s in json.loads(path.read_text())["statistics"]}
        lvc, registers = value["rows.lvc_accesses"], value["rows.register_accesses"]
        firings = sum(value[f"fabric.{kind}_firings"] for kind in KINDS)
        ratios.append(registers / lvc)
        shares.append(value["bbs.configuring_share"])
        # "hotspot 512: checksum ..., ok"
        size = path.with_suffix(".txt").read_text().split(":")[0].split()[-1]
        table.add(
            source.stem, size, f"{value['run.cycles']:,}", f"{lvc:,}", f"{registers:,}",
            f"{ratios[-1]:.2f}", f"{shares[-1]:.2%}",
            f"{value['bbs.threads'] / value['bbs.blocks']:.0f}",
            f"{firings / value['bbs.cycles']:.1f}", f"{value['l1.hit_rate']:.0%}",
        )  # fmt: skip
    if ratios:
        table.add("mean", "", "", "", "", f"{mean(ratios):.2f}", f"{mean(shares):.2%}", "", "", "")
    return table


def parameters(folder):
    """Of the machine that has run."""
    for path in sorted(folder.glob("*.json")):
        return json.loads(path.read_text())["parameters"]
    raise Failure(f"{folder}: no statistics; run.py --keep leaves them")


def tile_threads(machine, kernel):
    """As tileThreads() of the simulator."""
    threads = machine["control.cvt_bits"] // len(kernel["blocks"]) // 64 * 64
    if machine["control.tile_limit"] == "lvc" and kernel["live_values"]:
        fitting = machine["lvc.bytes"] // 8 // kernel["live_values"] // 64 * 64
        threads = min(threads, max(fitting, 64))
    return threads


def block_table(options):
    """A row for each kernel of Table 2: what runs its iterations."""
    machine = parameters(options.statistics)
    columns = ["MICRO'15", "of the loop", "in all", "replicas", "units", "threads of a tile"]
    table = Table("Blocks", "", "kernel", *columns)
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as folder:
        for source in sorted(HERE.glob("*.c")):
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


def main():
    parser = harness.argument_parser(__doc__)
    add = parser.add_argument
    add("--statistics", type=pathlib.Path, required=True, metavar="DIR", help="of run.py --keep")
    add("--machine", help="machine file")
    add("--write", action="store_true", help="put the tables into docs/Reproduction.md")
    add("--timeout", type=float, default=600, help="seconds for a command, default 600")
    options = parser.parse_args()
    harness.find_compiler(parser, options)
    try:
        text = run_table(options.statistics).text() + "\n" + block_table(options).text()
    except Failure as failure:
        print(f"FAIL: {failure}", file=sys.stderr)
        return 1
    if not options.write:
        print(text, end="")
        return 0
    document = DOCUMENT.read_text()
    before, _, rest = document.partition(BEGIN)
    _, _, after = rest.partition(END)
    DOCUMENT.write_text(before + BEGIN + text + END + after)
    return 0


if __name__ == "__main__":
    sys.exit(main())
