#!/usr/bin/env python3
# ===- generate.py - Random spawn/sync programs against their elision ---------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compares random programs with their serial elision.

Each seed makes one program, see random_program.py. Several share an executable to
save compile time; each prints one line, and lines are compared seed by seed, with
1, 2 and 8 workers and channel widths 64 and default. A failing seed is printed
with the command that runs it alone; `--seed N --print` shows its source.
"""

import concurrent.futures
import os
import pathlib
import sys
import tempfile

import harness
import random_program

# One batch in four is compiled without optimisation, which keeps more in frames.
LEVELS = ["-O2", "-O1", "-O0", "-O2"]


class Batch:
    """The programs of a few seeds, in one executable."""

    def __init__(self, options, tally, folder, number, seeds):
        self.options, self.tally = options, tally
        self.seeds = seeds
        self.source = folder / f"batch{number}.c"
        self.opt = options.opt or LEVELS[number % len(LEVELS)]
        self.rerun = f"{sys.argv[0]} --cilk2chan {options.cilk2chan} --opt={self.opt}"

    def fail(self, seed, configuration, problem, details=""):
        name = f"seed {seed} ({configuration})"
        hint = f"again: {self.rerun} --seed {seed}\n{details}"
        self.tally.check(name, problem, hint)

    def build(self, compiler, flags, output):
        """Compiles; counts a failure of every seed when that fails."""
        command = [*compiler, *flags, self.source, "-o", output]
        result = harness.run(command, timeout=300)
        if result.status == 0:
            return True
        details = harness.command_line(command) + "\n" + harness.shorten(result.stderr)
        for seed in self.seeds:
            problem = f"compiler: {harness.describe(result.status)}"
            self.fail(seed, output.suffix[1:], problem, details)
            details = ""
        return False

    def elision(self):
        """The lines that the serial elision prints, or None after a failure."""
        path = self.source.with_suffix(".elision")
        if self.options.validate:
            support = harness.SUPPORT
            compiler = [self.options.clang, "-include", support / "elide.h"]
            flags = ["-g", self.opt, "-w", "-fsanitize=address,undefined"]
            flags += ["-fno-sanitize-recover=all"]
        else:
            compiler = [self.options.cilk2chan, "-fcilk-serialize"]
            flags = [self.opt, "-w"]
        if not self.build(compiler, flags, path):
            return None
        result = harness.run([*harness.DEEP_STACK, path])
        lines = result.stdout.splitlines()
        if result.status == 0 and len(lines) == len(self.seeds):
            return lines
        seed = self.seeds[min(len(lines), len(self.seeds) - 1)]
        problem = harness.describe(result.status)
        self.fail(seed, "elision", problem, harness.shorten(result.stderr))
        return None

    def compare(self, path, config, expected):
        """Counts one check per seed. A program that dies takes the seeds behind it
        in the batch along; those are not counted."""
        result = harness.run([path], config.environment(), timeout=120)
        lines = result.stdout.splitlines()
        for seed, line, right in zip(self.seeds, lines, expected):
            problem = "" if line == right else f"printed {line!r}, not {right!r}"
            self.fail(seed, config, problem)
        if result.status != 0:
            seed = self.seeds[min(len(lines), len(self.seeds) - 1)]
            details = harness.shorten(result.stderr)
            self.fail(seed, config, harness.describe(result.status), details)

    def run(self):
        self.source.write_text(random_program.translation_unit(self.seeds))
        expected = self.elision()
        if self.options.validate:
            for seed in self.seeds if expected else []:
                self.tally.check(f"seed {seed}", "")
        elif expected:
            path = self.source.with_suffix(".compile")
            if self.build([self.options.cilk2chan], [self.opt, "-w"], path):
                for config in harness.ALL_CONFIGS:
                    self.compare(path, config, expected)
        self.tally.step(f"seeds {self.seeds[0]} to {self.seeds[-1]}")


def parse():
    parser = harness.argument_parser(__doc__)
    add = parser.add_argument
    add("--jobs", "-j", type=int, default=len(os.sched_getaffinity(0)))
    add("--count", type=int, default=300, help="how many programs, default 300")
    add("--first", type=int, default=1, help="the first seed, default 1")
    add("--seed", type=int, help="this seed only")
    add("--batch", type=int, default=10, help="programs per executable")
    add("--opt", default="", help="optimisation level, default a mixture")
    add("--print", action="store_true", help="print the source and stop")
    add("--validate", action="store_true", help="check the generator by sanitizers")
    options = parser.parse_args()
    if options.seed is not None:
        options.first, options.count = options.seed, 1
    harness.find_compiler(parser, options, not options.validate and not options.print)
    return options


def main():
    options = parse()
    seeds = list(range(options.first, options.first + options.count))
    if options.print:
        print(random_program.translation_unit(seeds), end="")
        return 0
    groups = [seeds[i : i + options.batch] for i in range(0, len(seeds), options.batch)]
    print(f"random programs: seeds {seeds[0]} to {seeds[-1]}")
    tally = harness.Tally(len(groups))
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as name:
        folder = pathlib.Path(name)
        batches = [Batch(options, tally, folder, n, g) for n, g in enumerate(groups)]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for future in [pool.submit(batch.run) for batch in batches]:
                future.result()
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
