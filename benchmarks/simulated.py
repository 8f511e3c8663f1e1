# ===- simulated.py - Runs on a simulated machine -----------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""What the simulator counted, for rodinia/run.py and isca14.py."""

import json

from commands import Failure


def counters(path, names):
    """The values of the counters `names`, or nothing if the target does not write them."""
    if not path.exists():
        return []
    values = {s["name"]: s["value"] for s in json.loads(path.read_text())["statistics"]}
    absent = set(names) - set(values)
    if absent:
        raise Failure(f"{path}: no counter {', '.join(sorted(absent))}")
    return [values[name] for name in names]
