# ===- report.py - Tables of programs, rows and goals --------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Tables of what `measure.Session.measure` returns."""

from suite import BESIDE, MACHINE_SHARE, OURS
from tables import Table
from verdicts import at_least, below

# Per cent of a program's tasks, in fine rows.
CLONES = 5


class Report:
    """Figures by program, row and workers, as tables; shares of tasks in serial clones
    by program and row. `verdicts` are those on the first of OURS."""

    def __init__(self, programs, rows, figures, shares):
        self.programs, self.rows, self.figures = programs, rows, figures
        self.shares = shares
        self.ours = [row.name for row in rows if row.name in dict(OURS)]
        self.first = next((row for row in rows if row.name == OURS[0][0]), None)
        self.peers = [r for r in rows if r.name not in self.ours and len(r.workers) > 1]
        self.verdicts = []

    def figure(self, program, row, workers=1):
        return self.figures[program.name, row.name, workers]

    def ratio(self, program, ours, row):
        """How many times as fast ours is, by the task."""
        other = self.figure(program, row).nanoseconds
        return other / self.figures[program.name, ours, 1].nanoseconds

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
        if self.first:
            yield self.goals()

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
        name = program.name, self.first.name
        alone, beside = self.figures[*name, 1], self.figures[*name, BESIDE]
        return 2 * alone.clock / beside.clock

    def speedups(self):
        rows = [row for row in self.rows if len(row.workers) > 1]
        names = [*(["two runs"] if self.first else []), *(row.name for row in rows)]
        table = Table("Two workers: times as fast as with one", "", *names)
        for program in self.programs:
            values = [self.ceiling(program)] if self.first else []
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

    def judged(self, program):
        """Verdicts by the column of their table; no goal, or no figure: none."""
        limits, found = program.goals, {}
        for row in self.rows:
            limit = getattr(limits, row.goal) if row.goal else None
            if limit is not None:
                goal = f"one worker, times as fast as {row.name}"
                ratio = self.ratio(program, self.first.name, row)
                found[row.name] = at_least(goal, program.name, ratio, limit)
        others = [self.ratio(program, self.first.name, p) for p in self.peers if p.goal != "lace"]
        if others and limits.lace is not None:
            goal = "one worker, times as fast as the fastest other peer"
            found["other peers"] = at_least(goal, program.name, min(others), limits.lace)
        goal = "two workers, times as fast as one"
        limit = min(limits.workers, MACHINE_SHARE * self.ceiling(program))
        found["2 workers"] = at_least(goal, program.name, self.speedup(program, self.first), limit)
        if program.fine:
            goal = "tasks in serial clones, per cent"
            share = 100 * self.shares[program.name, self.first.name]
            found["clones, %"] = below(goal, program.name, share, CLONES)
        return found

    def goals(self):
        """What each program reaches and, in brackets, is to reach."""
        named = [row.name for row in self.rows if row.goal]
        columns = [*named, "other peers", "2 workers", "clones, %"]
        title = f"Goals of `{self.first.name}`, by program"
        table = Table(title, "", *columns, "2 workers, 1.9", "missed")
        for program in self.programs:
            found = self.judged(program)
            self.verdicts += found.values()
            cells = [str(found.get(column, "")) for column in columns]
            missed = [column for column in columns if column in found and not found[column].reached]
            plain = found["2 workers"].value >= program.goals.workers
            table.add(program.name, *cells, "yes" if plain else "no", ", ".join(missed))
        return table
