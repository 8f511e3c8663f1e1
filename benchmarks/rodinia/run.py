#!/usr/bin/env python3
# ===- run.py - The kernels of MICRO'15 Table 2 -------------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Builds, runs and checks the programs of this folder and prints a table.

Each is compiled by cilk2chan for a target, and by Clang for the serial elision. Both
check themselves against their reference and must print the same. Where a run
writes statistics (CHANSIM_STATS), the table has the simulator's counters.

With --map nothing runs: the table has what --emit=config puts on the fabric of the
machine, kernel by kernel. The exit status is 1 when anything failed.
"""

import json
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent / "test" / "Workloads")]

import harness  # noqa: E402
from commands import Failure, checked  # noqa: E402
from simulated import counters  # noqa: E402
from tables import Table  # noqa: E402

ELIDED = ["-include", harness.SUPPORT / "elide.h", "-I", harness.SUPPORT]
# GPUs have no errno either: with it, each square root is followed by a test.
FLAGS = ["-O2", "-fno-math-errno"]
COUNTERS = {
    "cycles": "run.cycles",
    "LVC accesses": "rows.lvc_accesses",
    "register accesses": "rows.register_accesses",
    "reconfiguring": "bbs.configuring_share",
}


def measure(options, source, folder):
    """A row: seconds for the target and of the elision, and counters."""
    program, elision = folder / source.stem, folder / f"{source.stem}-elision"
    kept = options.keep or folder
    statistics = kept / f"{source.stem}.json"
    target = [options.cilk2chan, *FLAGS, f"--target={options.target}"]
    checked([*target, source, "-o", program, "-lm"], options.timeout)
    checked([options.clang, *FLAGS, *ELIDED, source, "-o", elision, "-lm"], options.timeout)
    size = [options.size] if options.size else []
    ours = checked([program, *size], options.timeout, {"CHANSIM_STATS": str(statistics)})
    serial = checked([elision, *size], options.timeout)
    if ours.stdout != serial.stdout:
        raise Failure(f"printed {ours.stdout!r}, the elision {serial.stdout!r}")
    (kept / f"{source.stem}.txt").write_text(ours.stdout)
    *counts, share = counters(statistics, COUNTERS.values()) or [None]
    cells = [] if share is None else [*map(str, counts), f"{share:.2%}"]
    return [[source.stem, f"{ours.seconds:.3f}", f"{serial.seconds:.3f}", *cells]]


def configuration(options, source, folder):
    """What --emit=config says of a program, and the seconds that it took."""
    path = folder / "config.json"
    command = [options.cilk2chan, *FLAGS, "--emit=config", source, "-o", path]
    if options.machine:
        command.insert(1, f"--machine={options.machine}")
    seconds = checked(command, options.timeout).seconds
    return json.loads(path.read_text()), seconds


def mapped(options, source, folder):
    """A row for each kernel of the table: of all that belongs to its function, and the
    blocks of its loop, which Table 2 has without what divides the iterations."""
    config, seconds = configuration(options, source, folder)
    rows = {}
    for kernel in config["kernels"]:
        row = rows.setdefault(kernel["source"], [0] * 5)
        row[0] += len(kernel["blocks"])
        if kernel["name"].startswith("__cilk_range"):
            row[1] += len(kernel["blocks"])
        row[2] += sum(len(b["units"]) // b["replicas"] for b in kernel["blocks"])
        row[3] = max(row[3], kernel["live_values"])
        row[4] += sum("syscall" == u["op"] for b in kernel["blocks"] for u in b["units"])
    if not rows:
        raise Failure("no kernel")
    return [
        [source.stem if i == 0 else "", name, *map(str, row), f"{seconds:.1f}" if i == 0 else ""]
        for i, (name, row) in enumerate(rows.items())
    ]


def parse(sources):
    parser = harness.argument_parser(__doc__)
    add = parser.add_argument
    add("--target", default="host", help="cilk2chan's --target, default host")
    add("--machine", help="machine file, with --map")
    add("--map", action="store_true", help="map for the machine, run nothing")
    add("--size", help="of the problems: a number or 'quick'; default: each program's")
    add("--only", choices=[s.stem for s in sources], help="one program")
    add("--keep", type=pathlib.Path, metavar="DIR",
        help="leave statistics and outputs there, for reproduction.py")  # fmt: skip
    add("--timeout", type=float, default=3600, help="seconds for a command, default 3600")
    options = parser.parse_args()
    harness.find_compiler(parser, options)
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    return options


def main():
    sources = sorted(HERE.glob("*.c"))
    options = parse(sources)
    if options.only:
        sources = [HERE / f"{options.only}.c"]
    rows, failed = [], 0
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as folder:
        for source in sources:
            try:
                work = mapped if options.map else measure
                rows += work(options, source, pathlib.Path(folder))
            except Failure as failure:
                failed += 1
                print(f"FAIL: {source.stem}: {failure}", file=sys.stderr)
    if options.map:
        counts = ["blocks", "of the loop", "units", "live values", "system calls"]
        table = Table("Mapped", "", "kernel", *counts, "s")
    else:
        columns = ["", f"{options.target}, s", "elision, s", *COUNTERS]
        table = Table("Run", *columns[: max([len(r) for r in rows], default=3)])
    for row in rows:
        table.add(*row)
    print(table.text(), end="")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
