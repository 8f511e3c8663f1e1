# ===- measures.py - What ISCA'14's evaluation computes of runs ----------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""The numbers of ISCA'14 (Orr et al., section 8), and the same of the records of a data file.

    study.speedup("sort", 8)  ->  2.31      # times as fast as one CU, or None if a run failed
"""

from lines import PAIRS, counted_part, lines_of_code
from workloads import (CHANNEL_SIZES, FLAT, HERE, SIZES, base, by_channel, conventional, small,
                       sweep, wanted)  # fmt: skip

FAILED = "failed"
# Table 3: kernel nodes, wavefronts, and cycles of a wavefront.
PAPER_TASKS = {"fibonacci": (2, 2192, 7046), "queens": (2, 1114, 35407),
               "sort": (4, 4238, 30673), "strassen": (1, 587, 259299)}  # fmt: skip
PAPER_INPUTS = {"fibonacci": 24, "queens": 13, "sort": 1000000, "strassen": 512}
PAPER_REGISTERS = {"fibonacci": "16s/8d/2c, 3s/4d/1c", "queens": "16s/8d/3c, 5s/5d/1c",
                   "sort": "16s/8d/2c (all 4)", "strassen": "16s/6d/8c"}  # fmt: skip
PAPER_SPEEDUPS = {"sort": 2.6, "strassen": 4.3}
PAPER_DISPATCHES = {"strassen": (13, 1.06), "queens": (12.5, 0.98)}  # Table 4: and speed-ups
# Table 5.
PAPER_BLOCKED = {
    "simple": {"fibonacci": 0.415, "queens": 0.029, "sort": 0.089, "strassen": 0.034},
    "2-way light": {"fibonacci": 0.351, "queens": 0.020, "sort": 0.072, "strassen": 0.025},
    "2-way": {"fibonacci": 0.301, "queens": 0.016, "sort": 0.058, "strassen": 0.018},
    "4-way": {"fibonacci": 0.298, "queens": 0.015, "sort": 0.056, "strassen": 0.019},
}


def number(value):
    return FAILED if value is None else f"{value:,.0f}"


def percent(value):
    return FAILED if value is None else f"{value:.1%}"


def times(value):
    return FAILED if value is None else f"{value:.2f}"


def divided(one, other):
    return one / other if one is not None and other else None


def ratio(one, other):
    value = divided(one, other)
    return "" if value is None else times(value)


def fits_tree(found, needed):
    """Whether a run had the wavefronts that its tree of tasks needs. Where a level is wider than
    its channel, wavefronts yield, and the level may be cut at another place by each of them."""
    count, yields = found["aggregator.dispatches"], found["aggregator.wavefront_yields"]
    return needed <= count <= needed + yields


class Study:
    """The records of each program in one size. What needs a run that failed is None."""

    def __init__(self, records):
        self.records, self.sizes = records, records.sizes()
        self.programs, self.with_flat = records.programs(), records.with_flat()

    def all_runs(self):
        return [run for program, name in self.sizes.items() for run in wanted(program, name)]

    def size(self, program):
        return SIZES[self.sizes[program]][program]

    def name(self, program):
        return f"{program} {self.size(program)}"

    def of(self, run):
        return self.records.of(run)

    def cycles(self, run):
        return self.records.cycles(run)

    def first(self, program):
        return base(program, self.sizes[program])

    def base(self, program):
        return self.of(self.first(program))

    def seconds(self, program):
        """Seconds of a processor that the base run took."""
        return self.records.runs[self.first(program)].get("seconds")

    def sweep(self, program):
        return sweep(program, self.sizes[program])

    def same_width(self, program):
        """The runs of this input with channels of the paper's width that did not fail."""
        first = self.first(program)
        runs = [r for r in wanted(program, self.sizes[program]) if r[:2] == first[:2]]
        return [f for run in runs if run.width == first.width and (f := self.of(run))]

    def kernels(self, program):
        return [kernel for kernel in self.records.kernels if kernel["program"] == program]

    def context(self, program):
        """Bytes that a wavefront stores when it yields, in the kernel with the most."""
        return max(856 + 256 * k["s"] + 512 * k["d"] + 8 * k["c"] for k in self.kernels(program))

    def saved(self, program):
        """Bytes that a wavefront that yielded stored on the mean, of all widths; None if none
        yielded."""
        found = [f for run in self.sweep(program).values() if (f := self.of(run))]
        yields = sum(f["aggregator.wavefront_yields"] for f in found)
        return divided(sum(f["simt.context_saved"] for f in found), yields)

    def held_by_done_count(self, program):
        """Of the cycles that wavefronts wait after a yield, the share in which elements that are
        done wait for others of their done count; None if none yielded. Of all widths but 64,
        where a done count is of the whole channel."""
        found = [f for width, run in self.sweep(program).items() if width > 64
                 and (f := self.of(run))]  # fmt: skip
        waited = sum(f["aggregator.yielded_cycles"] for f in found)
        return divided(sum(f["aggregator.done_count_cycles"] for f in found), waited)

    def one_wavefront(self, program):
        """The run with the largest input, of those of narrow channels without a yield."""
        runs = [r for r in small(program)
                if (f := self.of(r)) and not f["aggregator.wavefront_yields"]]  # fmt: skip
        return max(runs, key=lambda run: run.size, default=None)

    def task_cycles(self, program):
        """Cycles of a wavefront, measured as Table 3 does. Those in which the CU waits for the
        aggregator do not count."""
        run = self.one_wavefront(program)
        found = run and self.of(run)
        return found and divided(found["simt.cycles"], found["aggregator.dispatches"])

    def run_cycles(self, program):
        """The same with the cycles in which the CU waits."""
        run = self.one_wavefront(program)
        return run and divided(self.cycles(run), self.of(run)["aggregator.dispatches"])

    def speedup(self, program, cores):
        one = self.first(program)._replace(cores=1)
        return divided(self.cycles(one), self.cycles(one._replace(cores=cores)))

    def blocked(self, run):
        """The share of the time in which no CU had a wavefront."""
        found = self.of(run)
        return found and found["aggregator.gpu_blocked_cycles"] / found["run.cycles"]

    def hits(self, found):
        """Of accesses those that hit in L1, of requests to L2 those that hit there, and of
        lines that came to an L1 those from another L1."""
        lines = found["l1.lines_from_l2"] + found["l1.cache_to_cache"]
        return [
            found["l1.hits"] / found["l1.accesses"],
            found["l2.hits"] / found["l2.reads"],
            found["l1.cache_to_cache"] / lines,
        ]

    def by_channel(self, program, counter):
        runs = by_channel(program, self.sizes[program])
        return {name: (f := self.of(run)) and f[counter] for name, run in runs.items()}

    def channel_name(self, program):
        return f"{program} {CHANNEL_SIZES[self.sizes[program]][program]}"

    def quarters(self, found):
        counts = [found[f"simt.lanes_quarter_{quarter}"] for quarter in (1, 2, 3, 4)]
        return [count / sum(counts) for count in counts]

    def flat(self, program):
        return self.of(conventional(program, self.sizes[program]))

    def flat_speedup(self, program):
        """How many times as fast as the conventional program it is."""
        flat = self.flat(program)
        return divided(flat and flat["run.cycles"], self.cycles(self.first(program)))

    def lines(self, program):
        """Lines of code of both programs, and the reduction in Table 4."""
        ours, other, reduction = PAIRS[program.capitalize()]
        assert other == f"{FLAT[program]}.c"
        parts = [counted_part(HERE / "programs" / file) for file in (ours, other)]
        return *map(lines_of_code, parts), reduction
