# ===- experiments.py - Why numbers differ, and what the paper leaves ----===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Runs with one parameter changed, and tables of them:

    E1  cycles of a wavefront (O3 to O6, O9), by what the paper leaves open of the GPU
    E2  scaling, blocked time and hits (O1, O16 to O19, O21), by the size of the input
    E3  blocked time (O16 to O19), by what the paper leaves open of the aggregator's links
    E4  what the paper leaves to future work, each a parameter of the machine
    E5  scaling, widths and hits of queens (O1, O15, O21), if its wavefronts wait less to enqueue
    E6  scaling (O1), by what the paper leaves open of the memory
    E7  how much cycles differ by chance

A row of E1, E3, E4 and E6 is a change, a column a program. Inputs are small, so that these runs
take minutes.
"""

import statistics

from measures import PAPER_TASKS, divided, number, percent, times
from tables import Table
from workloads import ONE_WAVEFRONT, PROGRAMS, WIDTHS, Run

AS_IS = "as the machine file"

# E1: a row's changes. The first row is the machine as it is.
OPEN = {
    AS_IS: "",
    "messages of 8 cycles, not 2": "memory.message_cycles=8",
    "messages of 20 cycles": "memory.message_cycles=20",
    "hits in L1 after 24 cycles, not 4": "l1.hit_cycles=24",
    "results 16 cycles later": "simt.pipeline_cycles=16",
    "results 24 cycles later": "simt.pipeline_cycles=24",
    "4 addresses a cycle, not 64": "simt.load_store_lanes=4",
    "both: 16 cycles later, 4 addresses": "simt.pipeline_cycles=16 simt.load_store_lanes=4",
}
# The inputs with which Table 3 measures here.
SINGLE = {"fibonacci": 11, "queens": 6, "sort": 2000, "strassen": 64}
# E2.
INPUTS = {"fibonacci": [16, 18, 20, 22], "queens": [7, 8, 9, 10],
          "sort": [2000, 20000, 100000], "strassen": [64, 128, 256]}  # fmt: skip
# E3.
LINKS = {
    AS_IS: "",
    "registers in 8 cycles, not 32": "aggregator.device_cycles=8",
    "registers in 128 cycles": "aggregator.device_cycles=128",
    "messages of 8 cycles, not 2": "memory.message_cycles=8",
    "wrong branches cost 16 cycles, not 8": "aggregator.mispredict_cycles=16",
    "results 16 cycles later": "simt.pipeline_cycles=16",
}
# E3 and E4.
MEDIUM = {"fibonacci": 20, "queens": 10, "sort": 20000, "strassen": 128}
# E4: changes, the width (the paper's, or one at which wavefronts yield), and the kind of
# channel.
NARROW = 256
FUTURE = {
    "write-combining caches": ("memory.protocol=write_combining", 0, "leader"),
    "structures of arrays": ("channel.layout=fields", 0, "leader"),
    "hierarchical channels": ("channel.hierarchy=cores", 0, "leader"),
    "hierarchical channels, baseline": ("channel.hierarchy=cores", 0, "baseline"),
    "only live registers saved": ("yield.live_only=true", NARROW, "leader"),
    "hybrid of help-first and work-first": ("aggregator.work_first_above=90", NARROW, "leader"),
}
# E5: with the flat channel of the paper, wavefronts of all cores wait at one word.
QUEUES = {
    AS_IS: "",
    "hierarchical channels": "channel.hierarchy=cores",
    "write-combining caches": "memory.protocol=write_combining",
}
QUEUE_SIZE, QUEUE_NARROW = 11, 1024
# E6, with the largest inputs of E2.
MEMORY = {
    AS_IS: "",
    "L2 of 2 banks, not 4": "l2.banks=2",
    "L2 of 1 bank": "l2.banks=1",
    "messages of 20 cycles, not 2": "memory.message_cycles=20",
    "results 16 cycles later": "simt.pipeline_cycles=16",
}
# E7: what hardly matters, so that only the order of events changes.
CHANCE = ["", *[f"aggregator.device_cycles={cycles}" for cycles in (30, 31, 33, 34)]]


def single(program, changes):
    return Run(program, SINGLE[program], 1, ONE_WAVEFRONT, changes=changes)


def medium(program, changes="", width=0, channel="leader"):
    first = Run(program, MEDIUM[program], width=width or WIDTHS[program])
    return first._replace(changes=changes, channel=channel)


def inputs(program):
    """By size: the runs with one CU and with eight."""
    runs = {}
    for size in INPUTS[program]:
        run = Run(program, size, width=WIDTHS[program])
        runs[size] = (run._replace(cores=1), run)
    return runs


def by_memory(program):
    """By row: the runs with one CU and with eight."""
    few, many = inputs(program)[INPUTS[program][-1]]
    return {
        row: (few._replace(changes=changes), many._replace(changes=changes))
        for row, changes in MEMORY.items()
    }


def by_chance(program):
    """By size: runs that differ by next to nothing."""
    runs = [medium(program), inputs(program)[INPUTS[program][-1]][1]]
    return {
        run.size: [run._replace(changes=changes) for changes in CHANCE]
        for run in dict.fromkeys(runs)
    }


def future(program):
    """By row: the run without the change, and that with it."""
    return {
        row: (medium(program, "", width, channel), medium(program, changes, width, channel))
        for row, (changes, width, channel) in FUTURE.items()
    }


def queues():
    """By row: the runs with one CU, with eight, and with eight and narrow channels."""
    first = Run("queens", QUEUE_SIZE, width=WIDTHS["queens"])
    rows = {row: first._replace(changes=changes) for row, changes in QUEUES.items()}
    return {
        row: (run._replace(cores=1), run, run._replace(width=QUEUE_NARROW))
        for row, run in rows.items()
    }


def wanted(program):
    runs = [single(program, changes) for changes in OPEN.values()]
    runs += [run for pair in inputs(program).values() for run in pair]
    runs += [medium(program, changes) for changes in LINKS.values()]
    runs += [run for pair in future(program).values() for run in pair]
    runs += [run for pair in by_memory(program).values() for run in pair]
    runs += [run for several in by_chance(program).values() for run in several]
    if program == "queens":
        runs += [run for row in queues().values() for run in row]
    return list(dict.fromkeys(runs))


class Experiments:
    """The tables, of the programs of which all runs are there."""

    def __init__(self, records):
        self.records = records
        self.programs = [
            p for p in PROGRAMS if all(run in records.runs for run in wanted(p))
        ]

    def of(self, run):
        return self.records.of(run)

    def blocked(self, run):
        found = self.of(run)
        return found and found["aggregator.gpu_blocked_cycles"] / found["run.cycles"]

    def task_cycles(self, run):
        found = self.of(run)
        return found and found["simt.cycles"] / found["aggregator.dispatches"]

    def open_of_gpu(self):
        table = Table("E1: cycles of a wavefront", "", *self.programs, "strassen / fibonacci",
                      "sort / fibonacci")  # fmt: skip

        def add(row, cycles):
            ratios = [divided(cycles.get(p), cycles.get("fibonacci")) for p in ("strassen", "sort")]
            table.add(row, *[number(cycles[p]) for p in self.programs],
                      *["" if r is None else times(r) for r in ratios])  # fmt: skip

        add("ISCA'14, Table 3", {p: PAPER_TASKS[p][2] for p in self.programs})
        for row, changes in OPEN.items():
            add(row, {p: self.task_cycles(single(p, changes)) for p in self.programs})
        runs = {p: self.of(single(p, "")) for p in self.programs}
        instructions = {p: found and found["simt.instructions"] / found["aggregator.dispatches"]
                        for p, found in runs.items()}  # fmt: skip
        add("instructions of a wavefront", instructions)
        return table

    def by_input(self):
        table = Table("E2: inputs", "", "cycles", "wavefronts", "speed-up of 8 CUs",
                      "blocked, 8 CUs", "hits in L1, 1 CU", "8 CUs")  # fmt: skip
        for program in self.programs:
            for size, (one, eight) in inputs(program).items():
                few, many = self.of(one), self.of(eight)
                gain = divided(few and few["run.cycles"], many and many["run.cycles"])
                hits = [f and f["l1.hits"] / f["l1.accesses"] for f in (few, many)]
                table.add(f"{program} {size}", number(many and many["run.cycles"]),
                          number(many and many["aggregator.dispatches"]), times(gain),
                          percent(self.blocked(eight)), *map(percent, hits))  # fmt: skip
        return table

    def open_of_aggregator(self):
        table = Table("E3: time blocked on the aggregator, 8 CUs", "", *self.programs)
        for row, changes in LINKS.items():
            table.add(row, *[percent(self.blocked(medium(p, changes))) for p in self.programs])
        return table

    def future_work(self):
        table = Table("E4: cycles, divided by those without the change", "", "width of channels",
                      *self.programs)  # fmt: skip
        for row, (_, width, _) in FUTURE.items():
            values = []
            for program in self.programs:
                before, after = (self.of(run) for run in future(program)[row])
                values.append(divided(after and after["run.cycles"],
                                      before and before["run.cycles"]))  # fmt: skip
            table.add(row, number(width) if width else "the paper's", *map(times, values))
        return table

    def waits_to_enqueue(self):
        """Instructions that a wavefront repeats as it waits are in `simt.instructions`."""
        columns = [f"{what}, {where}" for what in ("cycles", "instructions")
                   for where in ("1 CU", "8 CUs", f"8 CUs, width {QUEUE_NARROW:,}")]  # fmt: skip
        table = Table(f"E5: queens {QUEUE_SIZE}, with less waiting to enqueue", "",
                      *columns, "speed-up of 8 CUs", "hits in L1, 8 CUs")  # fmt: skip
        for row, runs in queues().items():
            one, eight, _ = found = [self.of(run) for run in runs]
            cycles = [f and f["run.cycles"] for f in found]
            gain = divided(one and cycles[0], eight and cycles[1])
            hits = eight and eight["l1.hits"] / eight["l1.accesses"]
            table.add(row, *map(number, cycles),
                      *[number(f and f["simt.instructions"]) for f in found],
                      times(gain), percent(hits))  # fmt: skip
        return table

    def scaling(self):
        columns = [f"{program} {INPUTS[program][-1]}" for program in self.programs]
        table = Table("E6: speed-up of 8 CUs", "", *columns)
        for row in MEMORY:
            gains = []
            for program in self.programs:
                few, many = (self.of(run) for run in by_memory(program)[row])
                gains.append(divided(few and few["run.cycles"], many and many["run.cycles"]))
            table.add(row, *map(times, gains))
        return table

    def spread(self):
        table = Table("E7: cycles of five runs that differ by next to nothing", "", "least",
                      "median", "most", "most / least")  # fmt: skip
        for program in self.programs:
            for size, runs in by_chance(program).items():
                cycles = [found["run.cycles"] for found in map(self.of, runs) if found]
                least, most = min(cycles, default=None), max(cycles, default=None)
                middle = statistics.median(cycles) if cycles else None
                table.add(f"{program} {size}", *map(number, (least, middle, most)),
                          times(divided(most, least)))  # fmt: skip
        return table

    def text(self):
        if not self.programs:
            return ""
        sizes = ", ".join(f"{program} {MEDIUM[program]}" for program in self.programs)
        parts = [
            self.open_of_gpu().text(),
            self.by_input().text(),
            f"E3 and E4 have these inputs: {sizes}. They are smaller than the paper's, so that all "
            "rows take minutes. Table 5 has other inputs, so its numbers differ from those of E3.\n",
            self.open_of_aggregator().text(),
            self.future_work().text(),
        ]
        if "queens" in self.programs:
            parts.append(self.waits_to_enqueue().text())
        parts += [self.scaling().text(), self.spread().text()]
        return "\n".join(parts)
