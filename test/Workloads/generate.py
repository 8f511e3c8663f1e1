#!/usr/bin/env python3
# ===- generate.py - Random spawn/sync programs against their elision ---------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compares random programs with their serial elision.

Each seed makes one program, see random_program.py. Several share an executable to
save time; each prints one line, and lines are compared seed by seed: between the
elision by cilk2chan and by clang, and with every optimisation level, 1, 2 and 8
workers, and channel widths 64, 1024 and default. Besides, each executable is compiled with
the flags of some points of the product of levels, processors, lanes, blocks and the
switches of cilk2chan, drawn from its seeds (points.py). The programs of the first failing
seeds are made small (shrink.py) after their failures are printed. The long run, and
one seed again:

  generate.py --first 100000 --count 10000
  generate.py --seed 101234

--target=vgiw or simt compiles for the simulated machine and runs each executable once there,
or once for each of --widths; the programs have fewer tasks:

  generate.py --target=simt --flag=--machine=isca14-apu --widths 64 default
"""

import concurrent.futures
import os
import pathlib
import random
import sys
import tempfile
import threading

import harness
import oracle
import points
import random_program

LEVELS = ["-O0", "-O1", "-O2", "-O3"]
CONFIGS = [harness.Config(w, width) for w in (1, 2, 8) for width in (64, 1024, None)]
LOOP = "int main(void) { cilk_for (int i = 0; i < 3; ++i) {} cilk_scope {} return 0; }\n"


class Batch:
    """The programs of a few seeds, in one executable."""

    def __init__(self, options, tools, tally, folder, seeds):
        self.options, self.tools, self.tally = options, tools, tally
        self.seeds, self.folder = seeds, folder
        self.unsettled = {}  # by flags, the seeds that clang answers in several ways
        self.failed = {}  # the flags and configuration of each seed's first failure
        rng = random.Random(seeds[0])
        self.files = rng.randint(1, 3)
        self.debug = ["-g"] if rng.random() < 0.3 else []
        self.spawning_main = rng.random() < 0.3
        self.points = [points.draw(rng, options.processors) for _ in range(self.count_points(rng))]
        self.path = folder / f"batch{seeds[0]}.out"

    def count_points(self, rng):
        most = self.options.points
        return int(most) + (rng.random() < most % 1)

    def fail(self, seed, problem, flags, config=None):
        """Counts a failure; the first of a seed is made small later."""
        name = f"seed {seed} ({' '.join(map(str, [*flags, config or '']))})"
        chosen = [f"--target={self.options.target}", *(f"--flag={f}" for f in self.options.flag)]
        if self.options.numeric:
            chosen.append("--numeric")
        if self.options.widths != [None]:
            chosen += ["--widths", *("default" if w is None else w for w in self.options.widths)]
        drawn = [flag for flag in flags or [] if flag.startswith(points.PREFIXES)]
        if drawn:
            level = next(flag for flag in flags if flag.startswith("-O"))
            chosen += [f"--levels={level[2:]}", "--points=0", *(f"--flag={f}" for f in drawn)]
        if self.options.sanitize:
            chosen.append(f"--sanitize={self.options.sanitize}")
        command = [sys.argv[0], "--cilk2chan", self.options.cilk2chan, *chosen]
        size = len(self.seeds)
        rerun = (f"again: {harness.command_line(command)} --seed {seed}, or in its batch: "
                 f"--first {self.seeds[0]} --count {size} --batch {size}")  # fmt: skip
        problem, _, details = problem.partition("\n")
        self.tally.check(name, problem, f"{rerun}\n{details}")
        if flags and seed not in self.failed:
            self.failed[seed] = (flags, config)

    def make_small(self):
        for seed, (flags, config) in self.failed.items():
            if self.options.shrinks.acquire(blocking=False):
                programs = oracle.starts(seed, self, self.options)
                text = oracle.make_small(self.tools, programs, seed, flags, config, self.folder)
                self.tally.say(text)

    def elision(self):
        """The lines that both elisions print, or None after a failure."""
        plain = self.printed(self.tools.clang, ["-O0"])
        flags = ["-O0", "-fcilk-serialize"]
        serial = plain and self.printed(self.tools.cilk, flags)
        if not serial:
            return None
        for seed, right, line in zip(self.seeds, plain, serial):
            if line != right:
                self.fail(seed, f"printed {line!r}, not {right!r}", flags)
        return plain

    def printed(self, compiler, flags):
        """The lines that an elision prints, or None after a failure."""
        problem = compiler(flags, self.sources, self.path)
        if problem and compiler == self.tools.cilk:
            self.compile_failed(problem, flags)
            return None
        lines = []
        if not problem:
            lines, problem = self.tools.lines([*harness.DEEP_STACK, self.path])
        if problem or len(lines) != len(self.seeds):
            seed = self.seeds[min(len(lines), len(self.seeds) - 1)]
            # What fails with clang is wrong by itself, and is not made small.
            small = compiler == self.tools.cilk
            self.fail(seed, problem or "printed too little", flags if small else [])
            return None
        return lines

    def disagreements(self, flags):
        """The seeds for which levels of clang print different lines: where an optimiser
        comes to know all of a product and a sum, it may round once or twice."""
        meaning = tuple(oracle.meaning(flags))
        if meaning not in self.unsettled:
            path, answers = self.path.with_suffix(".elision"), []
            for level in ("-O0", "-O1", "-O2", "-O3"):
                if not self.tools.clang([level, *meaning], self.sources, path):
                    answers.append(self.tools.lines([*harness.DEEP_STACK, path])[0])
            path.unlink(missing_ok=True)
            several = [len(set(lines)) > 1 for lines in zip(*answers)]
            self.unsettled[meaning] = {seed for seed, yes in zip(self.seeds, several) if yes}
            for seed in self.unsettled[meaning]:
                self.tally.say(f"seed {seed} is left out: clang's levels disagree {' '.join(meaning)}")
        return self.unsettled[meaning]

    def compare(self, flags, config, expected):
        """Counts one check per seed. A program that dies takes the seeds behind it
        in the batch along; those are not counted."""
        lines, problem = self.tools.lines([self.path], config, 300)
        for seed, line, right in zip(self.seeds, lines, expected):
            if line == right:
                self.tally.check(f"seed {seed}", "")
            elif seed not in self.disagreements(flags):
                self.fail(seed, f"printed {line!r}, not {right!r}", flags, config)
        if problem or len(lines) != len(expected):
            seed = self.seeds[min(len(lines), len(self.seeds) - 1)]
            self.fail(seed, problem or "printed too little", flags, config)

    def compile_and_compare(self, flags, configs, expected):
        problem = self.tools.cilk(flags, self.sources, self.path)
        if problem:
            self.compile_failed(problem, flags)
            return
        for config in configs:
            self.compare(flags, config, expected)

    def run(self):
        texts = random_program.translation_units(
            self.seeds, self.files, self.options.loops, self.spawning_main, self.options.fuel,
            self.options.numeric)  # fmt: skip
        self.sources = [self.folder / f"batch{self.seeds[0]}_{n}.c" for n in range(self.files)]
        for source, text in zip(self.sources, texts):
            source.write_text(text)
        if expected := self.elision():
            for level in self.options.levels:
                flags = [level, *self.debug, f"--target={self.options.target}"]
                self.compile_and_compare(flags, self.options.configs, expected)
            for point in self.points:
                meaning, right = oracle.meaning(point.flags), expected
                if points.may_contract(meaning):
                    right = self.printed(self.tools.clang, ["-O0", *meaning])
                if right:
                    self.compile_and_compare([*point.flags, *self.debug], point.configs, right)
        for file in [*self.sources, self.path]:
            file.unlink(missing_ok=True)
        self.make_small()
        self.tally.step(f"seeds {self.seeds[0]} to {self.seeds[-1]}")

    def compile_failed(self, problem, flags):
        """Finds the seeds that cannot be compiled."""
        guilty = []
        for seed in self.seeds:
            source = self.folder / f"alone{seed}.c"
            source.write_text(alone_text(self.options, [seed]))
            alone = self.tools.cilk(flags, [source], self.path)
            source.unlink()
            if alone:
                guilty.append((seed, alone))
        for seed, text in guilty or [(self.seeds[0], problem)]:
            self.fail(seed, text, flags)


def alone_text(options, seeds):
    """The programs of `seeds` in one file."""
    return random_program.translation_units(seeds, loops=options.loops, fuel=options.fuel, numeric=options.numeric)[0]


def parse():
    parser = harness.argument_parser(__doc__)
    add = parser.add_argument
    add("--jobs", "-j", type=int, default=len(os.sched_getaffinity(0)))
    add("--count", type=int, default=300, help="how many programs, default 300")
    add("--first", type=int, default=1, help="the first seed, default 1")
    add("--seed", type=int, help="this seed only")
    add("--batch", type=int, default=15, help="programs per executable")
    add("--target", default="host", choices=["host", "vgiw", "simt"])
    add("--levels", help="optimisation levels, default 0123, and 2 for a machine")
    add("--points", type=float, default=2,
        help="random points of the product of all flags per executable, default 2")  # fmt: skip
    harness.add_widths(parser)
    add("--numeric", action="store_true", help="only functions that compute, which take little time")
    add("--flag", action="append", default=[], help="one more flag for cilk2chan")
    add("--sanitize", default="", help="address,undefined or thread")
    add("--quick", action="store_true", help="two of the nine configurations")
    add("--keep", type=pathlib.Path, default=harness.ROOT / "build" / "failures",
        help="where small failing programs go, default build/failures")  # fmt: skip
    add("--shrink", type=int, default=3, help="how many failing seeds to make small, default 3")
    add("--seconds", type=int, default=300, help="the time for each of them, default 300")
    add("--print", action="store_true", help="print the source and stop")
    options = parser.parse_args()
    if options.seed is not None:
        options.first, options.count = options.seed, 1
    machine = options.target != "host"
    options.levels = [f"-O{level}" for level in options.levels or ("2" if machine else "0123")]
    options.shrinks = threading.Semaphore(options.shrink)
    options.configs = harness.QUICK_CONFIGS if options.quick else CONFIGS
    options.fuel = random_program.MACHINE_FUEL if machine else random_program.START_FUEL
    if machine:
        options.points = 0
        options.configs = [harness.MachineConfig(1, options.target, w) for w in options.widths]
    if options.points and oracle.meaning(options.flag):
        parser.error("what is drawn would differ from --flag in its answers; say --points 0")
    harness.check_widths(parser, options)
    harness.find_compiler(parser, options)
    return options


def main():
    options = parse()
    seeds = list(range(options.first, options.first + options.count))
    groups = [seeds[i : i + options.batch] for i in range(0, len(seeds), options.batch)]
    tally, tools = harness.Tally(len(groups)), oracle.Tools(options)
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as name:
        folder = pathlib.Path(name)
        probe = folder / "probe.c"
        probe.write_text(LOOP)
        options.loops = not tools.cilk([], [probe], folder / "probe.out")
        if options.print:
            print(alone_text(options, seeds), end="")
            return 0
        options.processors, missing = points.processors(tools, folder) if options.points else ([], [])
        if missing:
            print(f"this processor is no {' or '.join(missing)}: these are left out")
        words = "with" if options.loops else "without"
        print(f"random programs: seeds {seeds[0]} to {seeds[-1]}, {words} cilk_for")
        batches = [Batch(options, tools, tally, folder, group) for group in groups]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for future in [pool.submit(batch.run) for batch in batches]:
                future.result()
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
