# tracks.py - Whether a trace of the channel GPU agrees with the counters of its run.
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tracks.py TRACE STATISTICS: what is in one track may not overlap, and each counted
dispatch, yield, miss and blocked cycle is in the trace."""

import collections
import json
import sys

events = json.load(open(sys.argv[1]))
of = {c["name"]: c["value"] for c in json.load(open(sys.argv[2]))["statistics"]}

names, spans = {}, collections.defaultdict(list)
for event in events:
    if event["name"] == "thread_name":
        names[event["tid"]] = event["args"]["name"]
    if event["ph"] == "X":
        begin = round(event["ts"] * 1000)
        spans[event["tid"]].append(
            (begin, begin + round(event["dur"] * 1000), event["name"], event["args"])
        )
for track, list_ in spans.items():
    list_.sort(key=lambda span: span[:2])
    for before, after in zip(list_, list_[1:]):
        assert before[1] <= after[0], (names[track], before, after)


def all_of(prefix, kind=""):
    """The spans of these tracks whose names begin so."""
    return [
        span
        for track, list_ in spans.items()
        if names[track].startswith(prefix)
        for span in list_
        if span[2].startswith(kind)
    ]


def check(what, found, expected):
    assert found == expected, (what, found, expected)


cores = [f"core {i}" for i in range(8)]
saves = [s for c in cores for s in all_of(c + ": yields", "save ")]
restores = [s for c in cores for s in all_of(c + ": yields", "restore ")]
check("saves", len(saves), of["simt.yields"])
check("saved bytes", sum(s[3]["bytes"] for s in saves), of["simt.context_saved"])
check("restored", sum(s[3]["bytes"] for s in restores), of["simt.context_restored"])
assert saves and all(" at level " in s[3]["waits for"] for s in saves + restores)
# About a hundred lines each.
assert all(end - begin > 50 for begin, end, _, _ in saves + restores)

decisions = [s for s in all_of("aggregator") if "from" in s[3]]
resumed = [s for s in decisions if s[2].startswith("resume ")]
check("dispatches", len(decisions) - len(resumed), of["aggregator.dispatches"])
check("resumes", len(resumed), of["simt.yields"])
threads = sum(s[3]["threads"] for s in decisions if s not in resumed)
check("threads", threads, of["aggregator.elements"])
assert all(s[3]["from"].startswith("channel ") for s in decisions)
assert all(" at level " in s[3]["waited for"] for s in resumed)
blocked = all_of("aggregator: no wavefront")
check("blocked", sum(s[1] - s[0] for s in blocked), of["aggregator.gpu_blocked_cycles"])

for counters, prefixes in {
    "l1": [c + ": L1 misses" for c in cores],
    "l1i": ["L1I misses"],
    "aggregator.l1d": ["aggregator: L1D misses"],
    "aggregator.l1i": ["aggregator: L1I misses"],
}.items():
    came = collections.Counter(s[2] for p in prefixes for s in all_of(p))
    from_home = came["from L2"] + came["from DRAM"]
    check(counters, from_home, of[counters + ".lines_from_l2"])
    check(counters, came["from another cache"], of[counters + ".cache_to_cache"])
caches = [s for p in cores + ["aggregator: L1", "L1I"] for s in all_of(p) if "line" in s[3]]
upgrades = sum(s[2] == "upgrade" for s in caches)
check("upgrades", upgrades, of["directory.upgrades"])
check("DRAM", sum(s[2] == "from DRAM" for s in caches), of["dram.reads"])
print(len(saves), "yields,", len(caches), "misses, as counted")
