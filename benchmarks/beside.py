# ===- beside.py - Programs of a folder, each built in several ways ------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""What the runners of `loops` and of `strangers` share.

The programs are built at once and run one by one, in turns, so that a slow spell of the
machine meets all ways alike. They say themselves how long they took (stopwatch.h); the
least of some runs counts. Failures are counted in a tally and stop nothing else.
"""

import concurrent.futures
import math
import os

import harness
from commands import Failure, checked
from measure import SECONDS, progress
from suite import environment


def attempt(tally, name, work, *arguments):
    """What `work` returns; None, and a failure is counted, if that is no answer."""
    try:
        return work(*arguments)
    except Failure as failure:
        problem, _, details = str(failure).partition("\n")
        tally.check(name, problem, details)
    return None


def build_all(build, jobs):
    """Calls `build` for each job, for as many at once as there are CPUs, and returns the
    jobs for which that returned something true."""
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        built = list(pool.map(lambda job: build(*job), jobs))
    return [job for job, good in zip(jobs, built) if good]


def in_turns(runs, repetitions, timeout):
    """The least seconds by the clock and of processors of each of `runs`, which are
    commands with numbers of workers and have to print the same."""
    least, expected = [(math.inf, math.inf)] * len(runs), None
    for _ in range(repetitions):
        for number, (command, workers) in enumerate(runs):
            result = checked(command, timeout, environment(workers))
            if expected is None:
                expected = result.stdout
            if result.stdout != expected:
                line = harness.command_line(command, {"CHAN_WORKERS": workers})
                raise Failure(f"printed {result.stdout!r}, the first {expected!r}\n{line}")
            seconds = map(float, SECONDS.search(result.stderr).groups())
            least[number] = tuple(map(min, least[number], seconds))
    return least


def measure_all(jobs, work, tally):
    """What `work` returns for each job, by job; those that fail are left out. A job is a
    program and more."""
    figures = {}
    for job in jobs:
        name = ", ".join(map(str, job))
        progress(name)
        figure = attempt(tally, name, work, *job)
        if figure:
            tally.check(name, "")
            figures[job] = figure
    progress("")
    return figures


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def argument_parser(description, names):
    parser = harness.argument_parser(description)
    add = parser.add_argument
    add("--repetitions", "-r", type=int, default=3)
    add("--only", choices=names, action="append", metavar="NAME",
        help="one program; may be repeated")  # fmt: skip
    add("--size", help="of the problems: a number or 'quick'; default: each program's")
    add("--quick", action="store_true", help="a test; nothing is measured")
    add("--timeout", type=float, default=600, help="seconds for a command, default 600")
    return parser


def parse(parser):
    options = parser.parse_args()
    harness.find_compiler(parser, options)
    if options.quick:
        options.size, options.repetitions = "quick", 1
    return options
