# ===- measure.py - Runs the benchmarks' programs beside each other -----------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Builds programs for all rows, counts their tasks, runs them and compares answers.

A program says itself how long its computation took, and how much memory it needed
(stopwatch.h). One worker's processor time counts, which is steadier than the clock's;
how much faster two are is by the clock. Runs are interleaved, so that a slow spell of
the machine meets all rows alike, and the fastest of each counts: a run only ever takes
longer than it needs.
"""

import concurrent.futures
import json
import os
import re
import sys
from typing import NamedTuple

import harness
from commands import Failure, checked
from suite import BESIDE, OURS, Rows, environment

SECONDS = re.compile(r"^seconds: (\S+) by the clock, (\S+) of processors$", re.MULTILINE)
PEAK = re.compile(r"^peak: (\d+) KiB$", re.MULTILINE)
TASKS = re.compile(r"^tasks: (\d+)$", re.MULTILINE)


class Figure(NamedTuple):
    """The least of some runs: seconds of the processors and of the clock, memory.
    Tasks are always as many."""

    processors: float
    clock: float
    tasks: int
    memory_mb: float

    @property
    def nanoseconds(self):
        return self.processors / self.tasks * 1e9

    def least(self, other):
        return Figure(*map(min, self, other))


def progress(text):
    if sys.stderr.isatty():
        print(f"\r{text:<60.60}", end="\r", file=sys.stderr, flush=True)


class Session:
    """Programs, built in a folder. All failures are raised as `Failure`."""

    def __init__(self, options, folder):
        self.folder = folder
        rows = Rows(options, folder)
        self.counting = rows.counting()
        self.rows = [row for row in rows.all() if re.search(options.rows, row.name)]
        self.answers = {}  # of a program in a size: standard output and tasks

    def path(self, program, row):
        return self.folder / (f"{program.name}-{row.name}".replace(" ", ""))

    def build(self, program, row):
        checked([*row.build(program), "-o", self.path(program, row)])

    def build_all(self, programs):
        """As many at once as there are CPUs."""
        jobs = [(p, row) for p in programs for row in [self.counting, *self.rows]]
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            futures = [pool.submit(self.build, *job) for job in jobs]
            for done, future in enumerate(futures):
                progress(f"built {done} of {len(jobs)} programs")
                future.result()
        progress("")

    def answer(self, program, size):
        """What a program is to print in that size, and how many tasks it has."""
        if (program.name, size) not in self.answers:
            command = [self.path(program, self.counting), *program.arguments(size)]
            result = checked(command)
            tasks = int(TASKS.search(result.stderr)[1])
            self.answers[program.name, size] = result.stdout, tasks
        return self.answers[program.name, size]

    def run(self, program, row, size, workers):
        """Runs once."""
        expected, tasks = self.answer(program, size)
        command = [self.path(program, row), *program.arguments(size)]
        env = environment(workers)
        result = checked(command, env=env)
        if result.stdout != expected:
            details = f"{harness.command_line(command, env)}\nexpected: {expected!r}"
            raise Failure(f"wrong answer: {result.stdout!r}\n{details}")
        clock, processors = map(float, SECONDS.search(result.stderr).groups())
        return Figure(processors, clock, tasks, int(PEAK.search(result.stderr)[1]) / 1024)

    def run_beside(self, program, row, size):
        """Runs twice at once, with a worker each; the slower of the two."""
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            runs = [pool.submit(self.run, program, row, size, 1) for _ in range(2)]
            return max((run.result() for run in runs), key=lambda figure: figure.clock)

    def measure(self, programs, repetitions):
        """Figures by program, row and workers, or BESIDE for the first of OURS."""
        figures = {}
        for program in programs:
            for turn in range(program.runs(repetitions)):
                for row in self.rows:
                    both = [BESIDE] if row.name == OURS[0][0] else []
                    for workers in [*row.workers, *both]:
                        progress(f"{program.name}, {row.name}, run {turn + 1}")
                        size = row.sized(program)
                        if workers == BESIDE:
                            figure = self.run_beside(program, row, size)
                        else:
                            figure = self.run(program, row, size, workers)
                        key = program.name, row.name, workers
                        figures[key] = figure.least(figures.get(key, figure))
        progress("")
        return figures

    def statistics(self, program, row):
        """CHAN_STATS of a program with one worker, whose serial clones count as well."""
        path = self.folder / "counted"
        checked([*row.build(program), "-fchan-stats", "-o", path])
        statistics = self.folder / "statistics.json"
        command = [path, *program.arguments(row.sized(program))]
        checked(command, env={**environment(1), "CHAN_STATS": str(statistics)})
        return json.loads(statistics.read_text())

    def clone_shares(self, programs):
        """The share of the tasks that serial clones run, by program and row."""
        shares = {}
        for program in programs:
            for row in self.rows:
                if row.name in dict(OURS):
                    progress(f"{program.name}, {row.name}, with statistics")
                    shares[program.name, row.name] = self.statistics(program, row)["tasks"]["cloneShare"]
        progress("")
        return shares

    def smoke(self, programs):
        """Every program once in each row, in a tiny size, with two workers if it may;
        counts the failures instead of raising them."""
        tally = harness.Tally(len(programs))

        def attempt(program, row):
            try:
                self.build(program, row)
                if row != self.counting:
                    self.run(program, row, "quick", row.workers[-1])
                problem, details = "", ""
            except Failure as failure:
                problem, _, details = str(failure).partition("\n")
            tally.check(f"{program.name}, {row.name}", problem, details)

        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            for future in [pool.submit(attempt, p, self.counting) for p in programs]:
                future.result()
            jobs = [pool.submit(attempt, p, row) for p in programs for row in self.rows]
            for future in jobs:
                future.result()
        return tally.close()
