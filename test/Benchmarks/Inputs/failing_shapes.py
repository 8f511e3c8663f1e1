# failing_shapes.py - Counters with which no shape of ISCA'14 holds.
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""failing_shapes.py FOLDER: FOLDER has shapes.py. All runs have the same counters, but those
with 8 CUs have a third of fibonacci's cycles; a better aggregator blocks more; and the
programs that should diverge do not. Prints how many shapes hold: 0."""

import sys

sys.path.insert(0, sys.argv[1])
import shapes  # noqa: E402


def counters(run):
    is_fibonacci = run.program == "fibonacci" and run.size == shapes.SIZES["fibonacci"]
    level = shapes.LEVELS.index(run) if run in shapes.LEVELS else 0
    diverges = run.program == "strassen"
    return {
        "run.cycles": 100 if is_fibonacci and run.cores == 8 and run.width > 256 else 300,
        "aggregator.gpu_blocked_cycles": [10, 20, 30, 31][level],
        "aggregator.yielded_cycles": 100,
        "aggregator.done_count_cycles": 50,
        "l1.hits": 6,
        "l1.accesses": 10,
        "l2.hits": 5,
        "l2.reads": 10,
        **{f"simt.lanes_quarter_{quarter}": 1 for quarter in (1, 2, 3)},
        "simt.lanes_quarter_4": 1 if diverges else 100,
    }


def narrow(run):
    # Where narrow channels are to starve the GPU, they do not.
    found = counters(run)
    return found | ({"run.cycles": 100} if run == shapes.NARROWEST else {})


holding = [name for name, _, is_so in shapes.shapes(narrow) if is_so]
print(len(holding), *holding, sep="\n")
