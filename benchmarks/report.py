# ===- report.py - Tables of programs, rows and goals --------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Tables of what `measure.Session.measure` returns."""

from suite import BESIDE, OURS
from tables import Table


class Report:
    """Figures by program, row and workers, as tables; shares of tasks in serial clones
    by program and row. `verdicts` says of each goal that was judged, of the first of
    OURS, whether it was reached."""

    def __init__(self, programs, rows, figures, shares):
        self.programs, self.rows, self.figures = programs, rows, figures
        self.shares = shares
        self.ours = [row.name for row in rows if row.name in dict(OURS)]
        self.peers = [r for r in rows if r.name not in self.ours and len(r.workers) > 1]
        self.verdicts = []

    def figure(self, program, row, workers=1):
        return self.figures[program.name, row.name, workers]

    def ratio(self, program, ours, row):
        """How many times as fast ours is, by the task."""
        other = self.figure(program, row).nanoseconds
        return other / self.figures[program.name, ours, 1].nanoseconds

    def named(self, goal):
        """The row that a goal is about, if it is here."""
        return next((row for row in self.rows if row.goal == goal), None)

    def tables(self):
        units = sorted({program.fine for program in self.programs}, reverse=True)
        for fine in units:
            yield self.times("One worker", 1, fine)
        for name in self.ours:
            yield self.ratios(name)
        for fine in units:
            yield self.times("Two workers", 2, fine)
        yield self.speedups()
        yield self.memory()
        yield self.clones()
        for name in self.ours:
            yield self.goals(name)

    def by_row(self, title, rows, programs, cell):
        table = Table(title, "", *(row.name for row in rows))
        for program in programs:
            table.add(program.name, *(cell(program, row) for row in rows))
        return table

    def times(self, title, workers, fine):
        """One worker's by the processor, two workers' by the clock."""

        def cell(program, row):
            figure = self.figure(program, row, workers)
            seconds = figure.processors if workers == 1 else figure.clock
            return f"{seconds / figure.tasks * 1e9:.2f}" if fine else f"{seconds * 1000:.0f}"

        unit = "nanoseconds per task" if fine else "milliseconds"
        programs = [p for p in self.programs if p.fine == fine]
        rows = [row for row in self.rows if workers in row.workers]
        return self.by_row(f"{title}, {unit}", rows, programs, cell)

    def ratios(self, ours):
        def cell(program, row):
            return f"{self.ratio(program, ours, row):.2f}"

        rows = [row for row in self.rows if row.name not in self.ours]
        title = f"How many times as fast `{ours}` is, one worker"
        return self.by_row(title, rows, self.programs, cell)

    def speedup(self, program, row):
        one, two = (self.figure(program, row, workers) for workers in (1, 2))
        return one.clock / two.clock

    def ceiling(self, program):
        """How much more two runs of ours beside each other get done than one alone,
        which is what the machine gives two workers."""
        name = program.name, OURS[0][0]
        alone, beside = self.figures[*name, 1], self.figures[*name, BESIDE]
        return 2 * alone.clock / beside.clock

    def speedups(self):
        rows = [row for row in self.rows if len(row.workers) > 1]
        has_ceiling = OURS[0][0] in self.ours
        names = [*(["two runs"] if has_ceiling else []), *(row.name for row in rows)]
        table = Table("Two workers: times as fast as with one", "", *names)
        for program in self.programs:
            values = [self.ceiling(program)] if has_ceiling else []
            values += [self.speedup(program, row) for row in rows]
            table.add(program.name, *(f"{value:.2f}" for value in values))
        return table

    def memory(self):
        def cell(program, row):
            return f"{self.figure(program, row, row.workers[-1]).memory_mb:.0f}"

        title = "Peak memory with two workers, MiB"
        return self.by_row(title, self.rows, self.programs, cell)

    def clones(self):
        def cell(program, row):
            return f"{100 * self.shares[program.name, row.name]:.1f}"

        rows = [row for row in self.rows if row.name in self.ours]
        title = "Tasks in serial clones, one worker, per cent"
        return self.by_row(title, rows, self.programs, cell)

    def goals(self, ours):
        """What each program is to reach, in brackets, and what it does."""
        table = Table(f"Goals of `{ours}`", "", "clang", "gcc", "Lace", "other peers",
                      "2 workers", "")  # fmt: skip
        row = next(row for row in self.rows if row.name == ours)
        for program in self.programs:
            goals, cells, missed = program.goals, [], []

            def judge(what, value, limit):
                """Writes down a goal, if it has a limit and there is a figure."""
                cells.append("" if value is None else f"{value:.2f}")
                if None in (value, limit):
                    return
                cells[-1] += f" ({limit:g})"
                reached = round(value, 2) >= limit
                if not reached:
                    missed.append(what)
                if ours == OURS[0][0]:
                    self.verdicts.append(reached)

            for goal in ("clang", "gcc", "lace"):
                other = self.named(goal)
                value = other and self.ratio(program, ours, other)
                judge(other and other.name, value, getattr(goals, goal))
            others = [self.ratio(program, ours, p) for p in self.peers if p.goal != "lace"]
            least = min(others, default=None)
            judge("others", least, goals.lace if program.fine else None)
            judge("2 workers", self.speedup(program, row), goals.workers)
            verdict = "missed: " + ", ".join(missed) if missed else "reached"
            table.add(program.name, *cells, verdict)
        return table
