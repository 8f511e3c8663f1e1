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
workers, and channel widths 64, 1024 and default. A failing seed is tried alone, and
made small (shrink.py) into --keep, if that is given. The long run:

  generate.py --count 10000 --keep failures
"""

import concurrent.futures
import os
import pathlib
import random
import sys
import tempfile

import harness
import random_program
import shrink

LEVELS = ["-O0", "-O1", "-O2", "-O3"]
CONFIGS = [harness.Config(w, width) for w in (1, 2, 8) for width in (64, 1024, None)]
LOOP = "int main(void) { cilk_for (int i = 0; i < 3; ++i) {} cilk_scope {} return 0; }\n"


class Tools:
    """Compiles and runs, with the options of the command line."""

    def __init__(self, options):
        self.options = options
        self.flags = ["-w", *options.flag]
        self.environment = {}
        if options.sanitize:
            self.flags += ["-g", f"-fsanitize={options.sanitize}"]
            self.flags += ["-fno-sanitize-recover=all"]
            self.environment = {"ASAN_OPTIONS": "detect_leaks=0"}

    def compile(self, compiler, flags, sources, output):
        """The problem, or an empty text."""
        command = [*compiler, *flags, *sources, "-o", output]
        result = harness.run(command, timeout=300)
        if result.status == 0:
            return ""
        return (f"compiler: {harness.describe(result.status)}\n"
                f"{harness.command_line(command)}\n{harness.shorten(result.stderr)}")  # fmt: skip

    def cilk(self, flags, sources, output):
        return self.compile([self.options.cilk2chan], [*self.flags, *flags], sources, output)

    def clang(self, flags, sources, output):
        compiler = [self.options.clang, "-include", harness.SUPPORT / "elide.h"]
        flags = ["-Wno-everything", "-Werror=return-type", "-Werror=uninitialized",
                 "-Dcilk_for=for", "-Dcilk_scope=", *flags]
        return self.compile(compiler, flags, sources, output)

    def lines(self, command, config=None, timeout=120):
        """The lines that a program printed, and how it failed or an empty text."""
        env = {**self.environment, **config.environment()} if config else {}
        result = harness.run(command, env, timeout)
        problem = harness.describe(result.status) if result.status != 0 else ""
        if problem:
            problem += "\n" + harness.shorten(result.stderr)
        return result.stdout.splitlines(), problem

    def sound(self, source, path):
        """What the elision prints, or None if the program is wrong by itself: it
        does not end well under the sanitizers, or reads what it never wrote."""
        answers = []
        for init in ("zero", "pattern"):
            flags = ["-O1", f"-ftrivial-auto-var-init={init}",
                     "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]  # fmt: skip
            if self.clang(flags, [source], path):
                return None
            lines, problem = self.lines([*harness.DEEP_STACK, path], timeout=10)
            answers.append(None if problem else lines)
        return answers[0] if answers[0] and answers[0] == answers[1] else None


class Shrinker:
    """Makes the program of a seed small that fails with some flags."""

    def __init__(self, tools, folder, seed, flags):
        self.tools, self.flags, self.seed = tools, flags, seed
        self.source = folder / f"shrink{seed}.c"
        self.path = self.source.with_suffix(".out")

    def fails(self, text):
        """Whether a correct program fails; the cheap question comes first."""
        self.source.write_text(text)
        if self.tools.clang(["-O1"], [self.source], self.path):
            return False
        right, problem = self.tools.lines([*harness.DEEP_STACK, self.path], timeout=10)
        if problem or not right:
            return False
        problem = self.tools.cilk(self.flags, [self.source], self.path)
        if not problem:
            for config in harness.QUICK_CONFIGS:
                lines, problem = self.tools.lines([self.path], config, 20)
                if problem or lines != right:
                    problem = "wrong"
                    break
        elif "error:" in problem and "killed" not in problem:
            # Only a message that the whole program gets too is the same problem.
            if getattr(self, "message", None) is None:
                self.message = self.first_error(problem)
            problem = problem if self.first_error(problem) == self.message else ""
        return bool(problem) and self.tools.sound(self.source, self.path) is not None

    @staticmethod
    def first_error(text):
        return next((t.split("error:")[1] for t in text.splitlines() if "error:" in t), "")

    def run(self, loops, keep):
        text = random_program.translation_units([self.seed], 1, loops)[0]
        if not self.fails(text):
            return f"seed {self.seed} alone, in one file, with {self.flags}, passes"
        small = shrink.shrink(text, self.fails)
        keep.mkdir(parents=True, exist_ok=True)
        file = keep / f"seed{self.seed}.c"
        file.write_text(small)
        return f"{len(small.splitlines())} lines in {file}; flags {' '.join(self.flags)}"


class Batch:
    """The programs of a few seeds, in one executable."""

    def __init__(self, options, tools, tally, folder, seeds):
        self.options, self.tools, self.tally = options, tools, tally
        self.seeds, self.folder = seeds, folder
        self.shrunk = set()
        rng = random.Random(seeds[0])
        self.files = rng.randint(1, 3)
        self.debug = ["-g"] if rng.random() < 0.3 else []
        self.spawning_main = rng.random() < 0.3
        self.path = folder / f"batch{seeds[0]}.out"

    def fail(self, seed, problem, flags, config=""):
        """Counts a failure and, the first time, makes its program small."""
        name = f"seed {seed} ({' '.join(map(str, [*flags, config]))})"
        rerun = f"again: {sys.argv[0]} --cilk2chan {self.options.cilk2chan} --seed {seed}"
        if self.options.keep and flags and seed not in self.shrunk:
            self.shrunk.add(seed)
            shrinker = Shrinker(self.tools, self.folder, seed, flags)
            rerun += "\n" + shrinker.run(self.options.loops, self.options.keep)
        problem, _, details = problem.partition("\n")
        self.tally.check(name, problem, f"{rerun}\n{details}")

    def elision(self):
        """The lines that both elisions print, or None after a failure."""
        answers = []
        for name, compiler in (("clang", self.tools.clang), ("serial", self.tools.cilk)):
            flags = ["-O0"] if name == "clang" else ["-O0", "-fcilk-serialize"]
            problem = compiler(flags, self.sources, self.path)
            lines = []
            if not problem:
                lines, problem = self.tools.lines([*harness.DEEP_STACK, self.path])
            if problem or len(lines) != len(self.seeds):
                seed = self.seeds[min(len(lines), len(self.seeds) - 1)]
                self.fail(seed, problem or "printed too little", [], f"elision, {name}")
                return None
            answers.append(lines)
        for seed, plain, serial in zip(self.seeds, *answers):
            if plain != serial:
                self.fail(seed, f"printed {serial!r}, not {plain!r}", [], "elision")
        return answers[0]

    def compare(self, flags, config, expected):
        """Counts one check per seed. A program that dies takes the seeds behind it
        in the batch along; those are not counted."""
        lines, problem = self.tools.lines([self.path], config, 300)
        for seed, line, right in zip(self.seeds, lines, expected):
            if line == right:
                self.tally.check(f"seed {seed}", "")
            else:
                self.fail(seed, f"printed {line!r}, not {right!r}", flags, config)
        if problem or len(lines) != len(expected):
            seed = self.seeds[min(len(lines), len(self.seeds) - 1)]
            self.fail(seed, problem or "printed too little", flags, config)

    def run(self):
        texts = random_program.translation_units(
            self.seeds, self.files, self.options.loops, self.spawning_main
        )
        self.sources = [self.folder / f"batch{self.seeds[0]}_{n}.c" for n in range(self.files)]
        for source, text in zip(self.sources, texts):
            source.write_text(text)
        expected = self.elision()
        for level in self.options.levels if expected else []:
            flags = [level, *self.debug]
            problem = self.tools.cilk(flags, self.sources, self.path)
            if problem:
                self.compile_failed(problem, flags)
                continue
            for config in self.options.configs:
                self.compare(flags, config, expected)
        for file in [*self.sources, self.path]:
            file.unlink(missing_ok=True)
        self.tally.step(f"seeds {self.seeds[0]} to {self.seeds[-1]}")

    def compile_failed(self, problem, flags):
        """Finds the seeds that cannot be compiled."""
        guilty = []
        for seed in self.seeds:
            source = self.folder / f"alone{seed}.c"
            source.write_text(random_program.translation_units([seed], 1, self.options.loops)[0])
            alone = self.tools.cilk(flags, [source], self.path)
            source.unlink()
            if alone:
                guilty.append((seed, alone))
        for seed, text in guilty or [(self.seeds[0], problem)]:
            self.fail(seed, text, flags)


def parse():
    parser = harness.argument_parser(__doc__)
    add = parser.add_argument
    add("--jobs", "-j", type=int, default=len(os.sched_getaffinity(0)))
    add("--count", type=int, default=300, help="how many programs, default 300")
    add("--first", type=int, default=1, help="the first seed, default 1")
    add("--seed", type=int, help="this seed only")
    add("--batch", type=int, default=15, help="programs per executable")
    add("--levels", default="0123", help="optimisation levels, default 0123")
    add("--flag", action="append", default=[], help="one more flag for cilk2chan")
    add("--sanitize", default="", help="address,undefined or thread")
    add("--quick", action="store_true", help="two of the nine configurations")
    add("--keep", type=pathlib.Path, help="where small failing programs go")
    add("--print", action="store_true", help="print the source and stop")
    options = parser.parse_args()
    if options.seed is not None:
        options.first, options.count = options.seed, 1
    options.levels = [f"-O{level}" for level in options.levels]
    options.configs = harness.QUICK_CONFIGS if options.quick else CONFIGS
    harness.find_compiler(parser, options)
    return options


def main():
    options = parse()
    seeds = list(range(options.first, options.first + options.count))
    groups = [seeds[i : i + options.batch] for i in range(0, len(seeds), options.batch)]
    tally, tools = harness.Tally(len(groups)), Tools(options)
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as name:
        folder = pathlib.Path(name)
        probe = folder / "probe.c"
        probe.write_text(LOOP)
        options.loops = not tools.cilk([], [probe], folder / "probe.out")
        if options.print:
            print(random_program.translation_units(seeds, 1, options.loops)[0], end="")
            return 0
        words = "with" if options.loops else "without"
        print(f"random programs: seeds {seeds[0]} to {seeds[-1]}, {words} cilk_for")
        batches = [Batch(options, tools, tally, folder, group) for group in groups]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for future in [pool.submit(batch.run) for batch in batches]:
                future.result()
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
