# ===- results.py - The data file of reproduction.py ----------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""What docs/Reproduction.md needs of each run: docs/reproduction/results.json.

The file has a line for each run: program, machine, sizes, experiment; the revision of
the sources and the day of the run; seconds of a processor; what the program printed;
and the statistics that the tables use. If the compiler does not map the program, the
line has the kernels that do not fit, and the reasons. It also has a line for each kernel of VGIW.
"""

import datetime
import json
import os

import machines
from machines import Run

FORMAT, VERSION = "cilk2chan-reproduction", 1
UNITS = ["fpu_alu", "scu", "ldst", "lvu", "sju", "cvu"]
TABLES = ["horowitz", "gpuwattch"]
# What a core, a die and a system are made of (MICRO'15, Figure 10).
CORE = ["compute", "token_buffers", "interconnect", "live_values", "control",
        "instructions", "register_file", "static"]  # fmt: skip
DIE = [*CORE, "l1", "l2"]
SYSTEM = [*DIE, "dram"]
ENERGIES = [f"energy.{table}.{unit}" for table in TABLES for unit in SYSTEM]
STATISTICS = {
    "run.cycles", "bbs.blocks", "bbs.threads", "bbs.cycles", "bbs.cycles_configuring",
    "bbs.cycles_fetching", "core.tiles", "core.threads", "rows.lvc_accesses",
    "rows.register_accesses", "l1.accesses", "l1.hits", "l1.merged", "simt.ipc",
    "registers.reads", "registers.writes", *[f"fabric.{unit}_firings" for unit in UNITS],
    *ENERGIES,
}  # fmt: skip


class Results:
    """The records of a data file, by run."""

    def __init__(self, path):
        self.path = path
        self.sizes = self.limit_sizes = None
        self.programs = machines.PROGRAMS  # those of the tables
        self.kernels, self.records = [], {}
        if path.exists():
            self.read(json.loads(path.read_text(encoding="utf-8")))

    def read(self, data):
        if data.get("format") != FORMAT or data.get("version") != VERSION:
            raise machines.Failure(f"{self.path}: is no file of {FORMAT}, version {VERSION}")
        self.sizes, self.limit_sizes = data["sizes"], data["limit_sizes"]
        self.kernels = data["kernels"]
        for record in data["runs"]:
            run = Run(record["source"], record["machine"], record["sizes"],
                      record.get("experiment"))  # fmt: skip
            self.records[run] = record

    def text(self):
        """A line for each record, so that differences are readable."""
        lines = [f'{{"format": "{FORMAT}", "version": {VERSION},',
                 f'"sizes": "{self.sizes}", "limit_sizes": "{self.limit_sizes}",']  # fmt: skip
        order = sorted(self.records, key=lambda run: (*run[:3], run.experiment or ""))
        for key, records in [("kernels", self.kernels), ("runs", map(self.records.get, order))]:
            body = ",\n".join(json.dumps(record) for record in records)
            lines.append(f'"{key}": [\n{body}\n]' + ("," if key == "kernels" else "}"))
        return "\n".join(lines) + "\n"

    def write(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.path.with_suffix(".part")
        unfinished.write_text(self.text(), encoding="utf-8")
        os.replace(unfinished, self.path)

    def forget_other(self, revision):
        """Forgets what another revision of the sources gave."""
        self.records = {k: r for k, r in self.records.items() if r["revision"] == revision}
        self.kernels = [k for k in self.kernels if k["revision"] == revision]

    def keep_only(self, runs):
        self.records = {run: self.records[run] for run in runs}

    def add(self, run, revision, **what):
        record = {"source": run.source, "machine": run.machine, "sizes": run.sizes}
        if run.experiment:
            record["experiment"] = run.experiment
        day = datetime.date.today().isoformat()
        self.records[run] = record | {"revision": revision, "date": day} | what

    def add_report(self, run, revision, report, output):
        values = {s["name"]: s["value"] for s in report["statistics"]}
        needed = {"run.cycles"} if run.experiment else STATISTICS
        kept = {n: round(v) if n in ENERGIES else v for n, v in values.items() if n in needed}
        host = {s["name"]: s["value"] for s in report["host"]}
        seconds = round(host["host.processor_milliseconds"] / 1000, 2)
        self.add(run, revision, seconds=seconds, output=output, statistics=kept)

    def seconds(self, run):
        """How long a run took, or one like it."""
        alike = [run, run._replace(experiment=None), Run(run.source, "vgiw", run.sizes)]
        for record in map(self.records.get, alike):
            if record and "seconds" in record:
                return record["seconds"]
        return machines.SECONDS.get(run.source, 1) if run.sizes == "paper" else 1

    def differences(self):
        """Runs of a program that printed something else than the others."""
        outputs, found = {}, []
        for run, record in self.records.items():
            if "output" not in record:
                continue
            first = outputs.setdefault((run.source, run.sizes), record["output"])
            if record["output"] != first:
                found.append(f"{run}: printed {record['output']!r}, and another run {first!r}")
        return found

    # What the tables use.

    def of(self, source, machine="vgiw", experiment=None):
        """The statistics of a run, or None if the program is not mapped."""
        sizes = self.limit_sizes if experiment else self.sizes
        return self.records[Run(source, machine, sizes, experiment)].get("statistics")

    def refusals(self, source, machine):
        """Kernels that are not mapped; each has a reason."""
        return self.records[Run(source, machine, self.sizes)].get("refused", [])

    def size(self, source, sizes=None):
        """ "hotspot 512: checksum ..., ok" """
        output = self.records[Run(source, "vgiw", sizes or self.sizes)]["output"]
        return output.split(":")[0].split()[-1]

    def speedup(self, source, machine):
        """How many times as fast as `machine` VGIW is."""
        other = self.of(source, machine)
        return other and other["run.cycles"] / self.of(source)["run.cycles"]

    def energy(self, source, machine, table, units):
        values = self.of(source, machine)
        return values and sum(values.get(f"energy.{table}.{unit}", 0) for unit in units)

    def efficiency(self, source, machine, table, units):
        """The energy of `machine`, divided by that of VGIW."""
        other = self.energy(source, machine, table, units)
        return other and other / self.energy(source, "vgiw", table, units)

    def gains(self, source, machine):
        """How many times as fast as `machine` VGIW is without each limit."""
        base = self.records[Run(source, machine, self.limit_sizes)]["statistics"]["run.cycles"]
        return {
            name: base / self.of(source, "vgiw", name)["run.cycles"]
            for name in machines.EXPERIMENTS
        }
