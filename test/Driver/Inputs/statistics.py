# statistics.py - What the statistics of test/Driver/statistics.c promise.
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import sys

one, four, batches, uncounted, sleeping, yielding = [json.load(open(path)) for path in sys.argv[1:]]


def check(condition, what):
    if not condition:
        sys.exit(f"statistics.py: {what}")


def elements(report, kernel):
    return {row["level"]: row["elements"] for row in report["rows"] if row["kernel"] == kernel}


for kernel in ("fib.0", "fib.1"):
    check(elements(one, kernel), f"{kernel} has rows")
    check(elements(one, kernel) == elements(four, kernel), f"elements of {kernel} by level, with 1 and 4 workers")
check(one["workers"] == 1 and four["workers"] == 4, "workers")
for report in (one, four):
    check(report["tasks"]["kernels"] == 21891, "all tasks are a kernel's")
    check(report["tasks"]["cloneShare"] == 0, "none is a clone's")
    check(0 < sum(row["nanoseconds"] for row in report["rows"]) <= report["nanoseconds"] * report["workers"], "time")
check(sum(row["stolen"] for row in one["rows"]) == 0, "one worker steals nothing")
check(sum(row["yields"] for row in four["rows"]) > 0, "narrow channels yield")

check(batches["tasks"] == {"kernels": 0, "batches": 10945, "cloneCalls": 0, "clones": 0, "cloneShare": 0}, "batches")
phases = [row for row in batches["rows"] if row["form"] == "phase"]
for number in (0, 1):
    check(sum(row["elements"] for row in phases if row["phase"] == number) == 10945, f"all go through phase {number}")
for row in phases:
    check(row["lanes"] % 4 == 0 and row["elements"] <= row["lanes"], f"lanes of {row}")
    # Whole groups but the last of a call.
    check(row["lanes"] - row["elements"] < 4 * row["calls"], f"lanes of {row}")

check(uncounted["tasks"]["cloneCalls"] == 1, "one call of a clone")
check(uncounted["tasks"]["clones"] is None and uncounted["tasks"]["cloneShare"] is None, "nobody knows")

# Eight that sleep: somebody else has had one, at its level.
stolen = {row["level"]: row["stolen"] for row in sleeping["rows"] if row["stolen"]}
check(set(stolen) == {1}, f"stolen {stolen}")
check(elements(sleeping, "doze.0") == {0: 1, 1: 8}, "levels of what was stolen")
# A kernel that makes way has no part in what runs meanwhile.
times = {row["level"]: row["nanoseconds"] for row in yielding["rows"] if row["kernel"] == "doze.0"}
check(times[1] >= 160e6 and times[0] < times[1] / 2, f"time by level {times}")
# Time is that of the calls alone: 160 ms, whoever waits.
slept = sum(row["nanoseconds"] for row in sleeping["rows"])
check(160e6 <= slept < 2 * 160e6, f"{slept} ns of 160 ms")
