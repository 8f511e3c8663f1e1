# ===- records.py - The data file of reproduce.py ------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""What the tables need of each run: docs/reproduction/isca14.json. It has a line for each
run, with the revision of the sources, the day, seconds of a processor, and the counters. The
line of a run that failed has its failure. There is also a line for each kernel."""

import datetime
import json
import os

from workloads import FLAT, PROGRAMS, SIZES, Failure, Run, wanted

FORMAT, VERSION = "cilk2chan-isca14", 2
COUNTERS = [
    "run.cycles", "aggregator.dispatches", "aggregator.continuations", "aggregator.partial",
    "aggregator.wavefront_yields", "aggregator.yielded_cycles", "aggregator.done_count_cycles",
    "aggregator.gpu_blocked_cycles", "aggregator.instructions",
    "simt.cycles", "simt.empty_cycles", "simt.instructions", "simt.lanes_quarter_1",
    "simt.lanes_quarter_2", "simt.lanes_quarter_3", "simt.lanes_quarter_4", "simt.lanes_all",
    "simt.atomics", "simt.context_saved", "l1.accesses", "l1.hits", "l1.lines_from_l2",
    "l1.cache_to_cache", "l1.upgrades", "l2.reads", "l2.hits", "l2.misses",
    "directory.forwards", "directory.invalidations", "dram.reads", "dram.writes",
]  # fmt: skip

# Caches that combine stores own no lines.
OF_MOESI = ["l1.cache_to_cache", "l1.upgrades"]


class Records:
    def __init__(self, path):
        self.path, self.kernels, self.runs = path, [], {}
        if path.exists():
            data = json.loads(path.read_text(encoding="utf-8"))
            if data.get("format") != FORMAT or data.get("version") != VERSION:
                raise Failure(f"{path}: is no file of {FORMAT}, version {VERSION}")
            self.kernels = data["kernels"]
            for record in data["runs"]:
                self.runs[Run(*(record[field] for field in Run._fields))] = record

    def text(self):
        """A line for each record, so that differences are readable."""
        lines = [f'{{"format": "{FORMAT}", "version": {VERSION},']
        lists = [("kernels", self.kernels), ("runs", [self.runs[run] for run in sorted(self.runs)])]
        for key, records in lists:
            body = ",\n".join(json.dumps(record) for record in records)
            lines.append(f'"{key}": [\n{body}\n]' + ("," if key == "kernels" else "}"))
        return "\n".join(lines) + "\n"

    def write(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.path.with_suffix(".part")
        unfinished.write_text(self.text(), encoding="utf-8")
        os.replace(unfinished, self.path)

    def forget(self, condition):
        self.runs = {run: r for run, r in self.runs.items() if not condition(r)}

    def keep_only(self, runs):
        self.runs = {run: record for run, record in self.runs.items() if run in runs}

    def add(self, run, revision, **what):
        day = datetime.date.today().isoformat()
        self.runs[run] = run._asdict() | {"revision": revision, "date": day} | what

    def add_report(self, run, revision, report, seconds):
        values = {s["name"]: s["value"] for s in report["statistics"]}
        if "memory.protocol=write_combining" in run.changes:
            values |= dict.fromkeys(OF_MOESI, 0)
        if absent := set(COUNTERS) - set(values):
            raise Failure(f"{run}: no counter {', '.join(sorted(absent))}")
        kept = {name: values[name] for name in COUNTERS}
        self.add(run, revision, seconds=round(seconds, 2), statistics=kept)

    def failures(self):
        return {run: r["failure"] for run, r in self.runs.items() if "failure" in r}

    # What the tables use.

    def of(self, run):
        """The counters of a run, or None if it failed."""
        return self.runs[run].get("statistics")

    def cycles(self, run):
        found = self.of(run)
        return found and found["run.cycles"]

    def sizes(self):
        """The largest sizes of which all runs were made, by program."""
        return {
            program: name
            for program in PROGRAMS
            for name in SIZES
            if all(run in self.runs for run in wanted(program, name))
        }

    def programs(self):
        return list(self.sizes())

    def with_flat(self):
        return [program for program in self.programs() if program in FLAT]
