# ===- progress.py - Makes runs, some at a time, and says how it goes -----------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Makes the runs that a data file lacks. The longest begin first, and each result is in
the file before the next run begins: what was interrupted can go on."""

import concurrent.futures
import pathlib
import sys
import tempfile
import time

import machines

SILENCE = 60  # seconds after which it says what it waits for


def duration(seconds):
    minutes = round(seconds / 60)
    if minutes < 2:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


class Progress:
    """Expected and real time of runs. It belongs to one thread."""

    def __init__(self, expected, jobs):
        self.expected, self.jobs = expected, jobs
        self.open = dict.fromkeys(expected)
        self.begun, self.now = {}, time.monotonic()
        self.begin = self.now
        self.was_expected = self.took = 0

    def start(self, run):
        self.begun[run] = time.monotonic()

    def finish(self, run):
        self.took += time.monotonic() - self.begun.pop(run)
        self.was_expected += self.expected[run]
        del self.open[run]

    def left(self):
        """Seconds, if the rest takes as much longer than expected as what is done."""
        longer = self.took / self.was_expected if self.was_expected else 1
        now = time.monotonic()
        times = [
            max(self.expected[run] * longer - (now - self.begun.get(run, now)), 0)
            for run in self.open
        ]
        return max(sum(times) / self.jobs, max(times, default=0))

    def say(self, text):
        elapsed = duration(time.monotonic() - self.begin)
        done, total = len(self.expected) - len(self.open), len(self.expected)
        line = f"{elapsed}: {done} of {total}, about {duration(self.left())} left: {text}"
        print(line, file=sys.stderr, flush=True)

    def say_what_runs(self):
        now = time.monotonic()
        self.say("; ".join(f"{run}, for {duration(now - t)}" for run, t in self.begun.items()))


def compile_all(options, runs, results, revision, folder):
    """Executables by file and machine. What is refused goes into `results`."""
    executables = {}
    keys = {run[:2] for run in runs}
    if keys:
        print(f"compiling {len(keys)} programs", file=sys.stderr, flush=True)
    for run in runs:
        key = run.source, run.machine
        if key in executables:
            continue
        try:
            executables[key] = machines.compile_for(options, run, folder)
        except machines.Refused as refused:
            if run.machine not in machines.MAY_REFUSE:
                raise machines.Failure(f"{run}: {refused}") from None
            executables[key] = None
            results.add(run, revision, refused=refused.kernels)
    return {key: executable for key, executable in executables.items() if executable}


def perform_all(options, runs, results, revision):
    """All `runs` that are not in `results`. If some fail, the others go on; then it raises
    Failure."""
    missing = [run for run in runs if run not in results.records]
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    failures = []
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as scratch:
        executables = compile_all(options, missing, results, revision, pathlib.Path(scratch))
        expected = {run: results.seconds(run) for run in missing if run[:2] in executables}
        waiting = sorted(expected, key=expected.get)
        progress = Progress(expected, options.jobs)
        pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
        working = {}
        try:
            while waiting or working:
                while waiting and len(working) < options.jobs:
                    run = waiting.pop()
                    progress.start(run)
                    executable = executables[run[:2]]
                    working[pool.submit(machines.perform, options, run, executable)] = run
                done, _ = concurrent.futures.wait(
                    working, SILENCE, concurrent.futures.FIRST_COMPLETED
                )
                for future in done:
                    run = working.pop(future)
                    progress.finish(run)
                    try:
                        results.add_report(run, revision, *future.result())
                        results.write()
                    except machines.Failure as failure:
                        failures.append(f"{run}: {failure}")
                    progress.say(str(run))
                if not done:
                    progress.say_what_runs()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    failures += results.differences()
    if failures:
        raise machines.Failure("\n".join(failures))
