# trace.py - What the traces of test/Driver/trace.c promise.
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import sys

fib, batch, sleep, ended, race, long = [json.load(open(path))["traceEvents"] for path in sys.argv[1:7]]
statistics = json.load(open(sys.argv[7]))


def check(condition, what):
    if not condition:
        sys.exit(f"trace.py: {what}")


def slices(events, **wanted):
    return [e for e in events if e["ph"] == "X" and all(e.get(key) == value for key, value in wanted.items())]


def depths(events, track):
    """How many slices are around each, from the outermost; those of a track nest."""
    ends, found = [], []
    for event in slices(events, tid=track):
        while ends and ends[-1] <= event["ts"] + 0.0005:
            ends.pop()
        end = event["ts"] + event["dur"]
        # Rounding: a nanosecond or two.
        check(not ends or end <= ends[-1] + 0.005, f"{event} ends inside what is around it")
        found.append(len(ends))
        ends.append(end)
    return found


check(sum(e["args"]["elements"] for e in slices(fib, name="fib.0", cat="kernel")) == 21891, "all elements are in slices")
check({e["args"]["level"] for e in slices(fib, name="fib.0")} == set(range(20)), "levels")
check(max(depths(fib, 1)) > 0, "what a yield runs is inside the kernel that yields")
check([e["args"]["name"] for e in fib if e["name"] == "thread_name"] == ["worker 0"], "a track for the worker")

check({e["cat"] for e in slices(batch)} == {"batch", "phase"}, "forms")
check({e["args"]["phase"] for e in slices(batch, cat="phase")} == {0, 1}, "phases")
check(sum(e["args"]["elements"] for e in slices(batch, cat="phase") if e["args"]["phase"] == 0) == 10945, "elements")
check(max(depths(batch, 1)) == 19, "batches of children are inside that of their parents")

for events in (sleep, ended, race):
    tracks = {e["tid"] for e in slices(events)}
    check(len(tracks) == 2, f"two workers: {tracks}")
    for track in tracks:
        depths(events, track)
    offered = {e["id"]: e for e in events if e["ph"] == "s"}
    steals = slices(events, name="steal")
    check(steals and slices(events, name="share"), "somebody had something of somebody else")
    for arrow in [e for e in events if e["ph"] == "f"]:
        begin = offered.get(arrow["id"])
        check(begin and begin["ts"] < arrow["ts"] and begin["tid"] != arrow["tid"], f"{arrow} comes from {begin}")
        check([e for e in steals if e["ts"] == arrow["ts"] and e["tid"] == arrow["tid"]], "it leads to a steal")
    for event in slices(events, name="doze.0"):
        if event["args"]["level"] == 1 and events is sleep:
            check(event["dur"] >= 20000 * event["args"]["elements"], f"{event} sleeps 20 ms for each")
check(slices(sleep, name="wait") or slices(sleep, name="parked"), "somebody had nothing to do")
# What runs when the process ends goes on to the end.
for events in (ended, race):
    ends = [max(e["ts"] + e["dur"] for e in slices(events, tid=track)) for track in (1, 2)]
    check(max(ends) - min(ends) < 0.005, f"slices that are open at the end: {ends}")

check(len(slices(long)) == 1 << 17, "as many events as there is room for")
(lost,) = [e for e in long if e["ph"] == "i"]
calls = sum(row["calls"] for row in statistics["rows"])
check(lost["args"]["lost"] + len(slices(long)) == calls, f"{lost} of {calls}")
check(lost["name"] == f"{lost['args']['lost']} events lost from here on", "it says so")
check(lost["ts"] >= max(e["ts"] for e in slices(long)), "from there on")
