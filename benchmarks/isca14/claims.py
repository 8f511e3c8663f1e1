# ===- claims.py - Claims of ISCA'14, and whether they hold --------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Rows O1 to O21: a claim of the paper, its number beside ours, and whether ours agrees. A
number agrees if it is within a factor of 1.5 of the paper's, and a sign or an order if it is
the same. The page has the thresholds of each order."""

from levels import wavefronts as wavefronts_of
from measures import (PAPER_BLOCKED, PAPER_DISPATCHES, PAPER_INPUTS, PAPER_SPEEDUPS, PAPER_TASKS,
                      divided, fits_tree, number, percent, times)  # fmt: skip
from tables import Table
from workloads import AGGREGATORS, WIDTHS

CLOSE = 1.5
ROWS = {"fibonacci": "O3", "queens": "O4", "sort": "O5", "strassen": "O6"}
BLOCKED = dict(zip(AGGREGATORS, ["O16", "O17", "O18", "O19"]))


class Claims:
    def __init__(self):
        self.table = Table("Claims", "", "ISCA'14", "ours", "ours / ISCA'14", "agrees")
        self.answers = {}  # "yes" and "no" by the claim's number

    def answer(self, claim, agrees):
        if agrees:
            self.answers.setdefault(claim.partition(":")[0], []).append(agrees)
        return agrees

    def compare(self, claim, paper, ours, show=times):
        """A number beside that of the paper."""
        value = divided(ours, paper)
        agrees = "" if value is None else "yes" if 1 / CLOSE <= value <= CLOSE else "no"
        self.table.add(claim, show(paper), show(ours), times(value) if value is not None else "",
                       self.answer(claim, agrees))  # fmt: skip

    def judge(self, claim, paper, ours, holds):
        """A sign or an order. `holds` is None if a run failed."""
        agrees = "" if holds is None else "yes" if holds else "no"
        self.table.add(claim, paper, ours, "", self.answer(claim, agrees))

    def check(self, row, expected, ours, holds):
        """A row that is no claim of the paper."""
        agrees = "" if holds is None else "yes" if holds else "no"
        self.table.add(row, f"({expected})", ours, "", agrees)

    def count(self):
        """How many claims agree, without those whose runs failed."""
        every = [agrees for found in self.answers.values() for agrees in found]
        lines = [f"{every.count('yes')} of {len(every)} claims agree."]
        for text, answer in [("All claims agree with", "yes"), ("No claim agrees with", "no")]:
            alike = [number for number, found in self.answers.items() if set(found) == {answer}]
            if alike:
                lines.append(f"{text} these numbers: {', '.join(alike)}.")
        return "\n".join(lines)


def holds(values, condition):
    """None if one of `values` is."""
    return None if any(value is None for value in values) else condition(*values)


def scaling(study, claims):
    for program, paper in PAPER_SPEEDUPS.items():
        if program in study.programs:
            claims.compare(f"O1: {program}, speed-up of 8 CUs", paper, study.speedup(program, 8))
    if "queens" in study.programs:
        gain = study.speedup("queens", 8)
        claims.judge("O1: queens, speed-up of 8 CUs", "2.6 to 4.3", times(gain),
                     holds([gain], lambda g: 2.6 / CLOSE <= g <= 4.3 * CLOSE))  # fmt: skip
    if "fibonacci" in study.programs:
        gains = [study.speedup("fibonacci", cores) for cores in (4, 8)]
        claims.judge("O2: fibonacci, speed-up of 8 CUs (and of 4)", "does not scale to 8",
                     f"{times(gains[1])} ({times(gains[0])})",
                     holds(gains, lambda four, eight: eight < 1.1 * four))  # fmt: skip


def tasks(study, claims):
    cycles = {program: study.task_cycles(program) for program in study.programs}
    for program in study.programs:
        row, (nodes, wavefronts, paper) = ROWS[program], PAPER_TASKS[program]
        claims.compare(f"{row}: {program}, kernel nodes", nodes, len(study.kernels(program)),
                       number)  # fmt: skip
        found, of_paper = study.base(program), PAPER_INPUTS[program]
        if study.sizes[program] == "paper" and study.size(program) != of_paper:
            # Another input, chosen for its number of wavefronts: no agreement.
            claims.judge(f"{row}: {study.name(program)} (ISCA'14: {of_paper}), wavefronts",
                         number(wavefronts), number(found and found["aggregator.dispatches"]),
                         False)  # fmt: skip
        elif study.sizes[program] == "paper":
            claims.compare(f"{row}: {study.name(program)}, wavefronts", wavefronts,
                           found and found["aggregator.dispatches"], number)  # fmt: skip
        needed = sum(wavefronts_of(program, study.size(program)))
        runs = study.same_width(program)
        counts = sorted({found["aggregator.dispatches"] for found in runs})
        claims.check(
            f"{row}: {study.name(program)}, wavefronts of all runs of this width",
            f"tree: {number(needed)}",
            " to ".join(map(number, dict.fromkeys([counts[0], counts[-1]]))) if counts else "",
            all(fits_tree(found, needed) for found in runs) if runs else None,
        )  # fmt: skip
        claims.compare(f"{row}: {program}, cycles of a wavefront", paper, cycles[program], number)
    for program in study.programs:
        most = max((k["s"] + 2 * k["d"] for k in study.kernels(program)), default=0)
        of_paper = 28 if program == "strassen" else 32
        claims.compare(f"O7: {program}, words of registers, most of a kernel", of_paper, most,
                       number)  # fmt: skip
    for program in study.programs:
        saved, largest = study.saved(program), study.context(program)
        text = "no yield" if saved is None else number(saved)
        claims.judge(f"O8: {program}, bytes of a yield", f"at most {number(largest)}", text,
                     holds([saved], lambda s, most=largest: 856 < s <= most))  # fmt: skip
    if "fibonacci" in cycles:
        for program, paper in [("strassen", 37), ("sort", 4)]:
            if program in cycles:
                claims.compare(f"O9: {program}, cycles of a wavefront, divided by fibonacci's",
                               paper, divided(cycles[program], cycles["fibonacci"]))  # fmt: skip


def conventional(study, claims):
    for program, row in [("strassen", "O10"), ("queens", "O11")]:
        if program not in study.with_flat:
            continue
        few, many, reduction = study.lines(program)
        dispatches, speedup = PAPER_DISPATCHES[program]
        counts = [f and f["aggregator.dispatches"]
                  for f in (study.base(program), study.flat(program))]  # fmt: skip
        claims.compare(f"{row}: {program}, fewer lines", reduction, 1 - few / many, percent)
        claims.compare(f"{row}: {study.name(program)}, times as many wavefronts", dispatches,
                       divided(*counts))  # fmt: skip
        claims.compare(f"{row}: {study.name(program)}, times as fast", speedup,
                       study.flat_speedup(program))  # fmt: skip


def channels(study, claims):
    for program in study.programs:
        atomics = study.by_channel(program, "simt.atomics")
        gain = divided(atomics["baseline"], atomics["leader"])
        claims.judge(f"O12: {study.channel_name(program)}, times fewer atomic operations", "up to 64", times(gain),
                     holds([gain], lambda g: 1 < g <= 64))  # fmt: skip
    for program in study.programs:
        cycles = study.by_channel(program, "run.cycles")
        value = divided(cycles["padded"], cycles["leader"])
        claims.judge(f"O13: {study.channel_name(program)}, cycles padded / leader", "above 1", times(value),
                     holds([value], lambda v: v > 1))  # fmt: skip
    for program in study.programs:
        share = study.held_by_done_count(program)
        claims.judge(f"O14: {study.name(program)}, stalls for the done count, at most",
                     "below 3%", "no yield" if share is None else percent(share),
                     holds([share], lambda s: s < 0.03))  # fmt: skip
    for program in study.programs:
        cycles = {width: c for width, run in study.sweep(program).items()
                  if (c := study.cycles(run))}  # fmt: skip
        best = min(cycles, key=cycles.get, default=None)
        loss = divided(cycles.get(WIDTHS[program]), cycles.get(best))
        claims.judge(
            f"O15: {study.name(program)}, best width (cycles of the paper's / of the best)",
            f"{WIDTHS[program]:,}", f"{number(best)} ({times(loss)})",
            holds([loss], lambda value: value < 1.02),
        )  # fmt: skip


def blocked(study, claims):
    for name, row in BLOCKED.items():
        for program in study.programs:
            run = study.first(program)._replace(aggregator=name)
            claims.compare(f"{row}: {study.name(program)}, blocked, {name}",
                           PAPER_BLOCKED[name][program], study.blocked(run), percent)  # fmt: skip
    for program in study.programs:
        shares = [study.blocked(study.first(program)._replace(aggregator=n)) for n in AGGREGATORS]
        claims.judge(f"O16 to O19: {study.name(program)}, order", "simple > light > 2-way > 4-way",
                     " > ".join(map(percent, shares)),
                     holds(shares, lambda *s: list(s) == sorted(s, reverse=True)))  # fmt: skip


def divergence(study, claims):
    found = {program: study.base(program) for program in study.programs}
    full = {program: f and study.quarters(f)[3] for program, f in found.items()}
    for program, share in full.items():
        high = program == "strassen"
        claims.judge(f"O20: {program}, instructions of 49 to 64 lanes", "most" if high else "few",
                     percent(share),
                     holds([share], lambda s, high=high: (s > 0.5) == high))  # fmt: skip
    for program, values in found.items():
        l1, l2, _ = study.hits(values) if values else [None] * 3
        claims.judge(f"O21: {program}, hits in L1, in L2", "few, many",
                     f"{percent(l1)}, {percent(l2)}",
                     holds([l1, l2], lambda one, two: one < 0.5 < two))  # fmt: skip


def claims_table(study):
    claims = Claims()
    for part in (scaling, tasks, conventional, channels, blocked, divergence):
        part(study, claims)
    claims.table.note = claims.count()
    return claims.table
