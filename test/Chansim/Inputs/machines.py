# machines.py - Whether the head of a comparison agrees with the files.
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""machines.py TABLE a.json b.json ...: computes what `chansim compare` prints first."""

import json
import sys

first = None
rows = {}
for line in open(sys.argv[1]):
    rows.setdefault(line[:28].strip(), line[28:].split())
for column, name in enumerate(sys.argv[2:]):
    run = json.load(open(name))
    of = {counter["name"]: counter["value"] for counter in run["statistics"]}
    of.update(run["parameters"])
    time = of["run.cycles"] / of["clocks." + of["clock_of.cores"]]
    first = first or time
    lines = of["dram.reads"] + of.get("dram.writes", 0)
    expected = {
        "time, us": (time, 0.005),
        "times as fast as the first": (first / time, 0.0005),
        "threads": (of["core.threads"], 0),
        "DRAM, bytes": (of.get("dram.bytes", lines * of["l2.line_bytes"]), 0),
        "energy, uJ, horowitz": (of["energy.horowitz.total"] / 1e6, 0.005),
        "energy, uJ, gpuwattch": (of["energy.gpuwattch.total"] / 1e6, 0.005),
        "hits in L1, %": (100 * of["l1.hit_rate"], 0.05),
        "hits in L2, %": (100 * of["l2.hit_rate"], 0.05),
    }
    for row, (value, tolerance) in expected.items():
        printed = float(rows[row][column])
        assert abs(printed - value) <= tolerance + 1e-9, (row, name, printed, value)
