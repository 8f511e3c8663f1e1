# ===- oracle.py - Whether a program fails, and how ---------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compiles and runs programs and their elision, and repeats a failure while its
program is made small (shrink.py)."""

import math
import re
import shutil
import time

import harness
import random_program
import shrink

# Enough for what is made small; a program without an end shall find its end soon.
SHALLOW_STACK = ["sh", "-c", 'ulimit -s 65536; exec "$0" "$@"']


def meaning(flags):
    """Those flags that may change what the elision computes."""
    return [f for f in flags if f.startswith(("-march=", "-ffp-contract=", "-fno-math-errno"))]


class Tools:
    """Compiles and runs, with the options of the command line."""

    def __init__(self, options):
        self.options = options
        self.flags = ["-w", *options.flag]
        # Debian's libgcc does not have what converts a __bf16.
        ask = [options.clang, "--print-libgcc-file-name", "--rtlib=compiler-rt"]
        self.libraries = ["-lm", harness.run(ask).stdout.strip()]
        self.environment = {}
        if options.sanitize:
            self.flags += ["-g", f"-fsanitize={options.sanitize}"]
            self.flags += ["-fno-sanitize-recover=all"]
            self.environment = {"ASAN_OPTIONS": "detect_leaks=0"}

    def compile(self, compiler, flags, sources, output, timeout=300):
        """The problem, or an empty text."""
        command = [*compiler, *flags, *sources, "-o", output, *self.libraries]
        result = harness.run(command, timeout=timeout)
        if result.status == 0:
            return ""
        return (f"compiler: {harness.describe(result.status)}\n"
                f"{harness.command_line(command)}\n{harness.shorten(result.stderr)}")  # fmt: skip

    def cilk(self, flags, sources, output, timeout=300):
        compiler = [self.options.cilk2chan, *self.flags]
        return self.compile(compiler, flags, sources, output, timeout)

    def clang(self, flags, sources, output):
        compiler = [self.options.clang, "-include", harness.SUPPORT / "elide.h"]
        flags = ["-Wno-everything", "-Werror=return-type", "-Werror=uninitialized",
                 *meaning(self.options.flag), *flags]  # fmt: skip
        return self.compile(compiler, flags, sources, output)

    def lines(self, command, config=None, timeout=120):
        """The lines that a program printed, and how it failed or an empty text."""
        env = {**self.environment, **config.environment()} if config else {}
        result = harness.run(command, env, timeout)
        problem = harness.describe(result.status) if result.status != 0 else ""
        if problem:
            problem += "\n" + harness.shorten(result.stderr)
        return result.stdout.splitlines(), problem


def kind(problem):
    """What two failures have in common that are the same: how it ends, and for a
    compiler its message, but for names and numbers."""
    first, _, rest = problem.partition("\n")
    message = next((t for t in rest.splitlines() if "error:" in t), "")
    if not first.startswith("compiler:"):
        message = ""
    return first, re.sub(r"'[^']*'|\d+", "", message.partition("error:")[2])


class OutOfTime(Exception):
    """The time for making a program small has passed."""


class Oracle:
    """Asks of programs whether they fail as one did, with the flags and the
    configuration with which it did, until `seconds` have passed."""

    RUNS = 20  # how often a program runs that does not always fail

    def __init__(self, tools, folder, flags, config, seconds):
        self.tools, self.folder, self.flags = tools, folder, flags
        self.config = config or tools.options.configs[0]
        self.end = time.monotonic() + seconds
        self.runs, self.kind, self.last = 1, None, None
        self.path = folder / "program.out"

    def left(self, most):
        left = self.end - time.monotonic()
        if left <= 0:
            raise OutOfTime
        return min(most, left)

    def write(self, folder, lines):
        """The paths of a program's files."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        paths = []
        for line in lines:
            if line.startswith(shrink.FILE):
                paths.append(folder / line[len(shrink.FILE) :])
                paths[-1].touch()
            else:
                with paths[-1].open("a") as file:
                    file.write(line + "\n")
        return paths

    def elision(self, sources, flags, init):
        """What the elision prints, or None where it does not end well. Objects that
        have no value yet have one of two."""
        self.left(1)
        flags = [*flags, *meaning(self.flags), f"-ftrivial-auto-var-init={init}"]
        if self.tools.clang(flags, sources, self.path):
            return None
        lines, problem = self.tools.lines([*SHALLOW_STACK, self.path], timeout=5)
        return None if problem else lines

    def problem(self, sources, right):
        """How the program fails, or an empty text."""
        problem = self.tools.cilk(self.flags, sources, self.path, self.left(60))
        for _ in range(0 if problem else self.runs):
            lines, problem = self.tools.lines([self.path], self.config, self.left(20))
            if problem or lines != right:
                return problem or "wrong answer"
        return problem

    def fails(self, lines):
        """Whether a correct program fails in the same way. The cheap questions come
        first."""
        self.left(1)
        sources = self.write(self.folder / "shrink", lines)
        right = self.elision(sources, ["-O0"], "zero")
        if right is None or kind(self.problem(sources, right)) != self.kind:
            return False
        self.left(1)
        strict = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
        if self.elision(sources, strict, "pattern") != right:
            return False
        self.last = lines
        return True

    def reproduces(self, lines):
        """Whether a program fails, which is what all others are compared with; counts
        how often it must run for that."""
        sources = self.write(self.folder / "shrink", lines)
        right = self.elision(sources, ["-O0"], "zero")
        if right is None:
            return False
        self.runs = self.RUNS
        problem = self.problem(sources, right)
        if not problem:
            return False
        self.kind, self.runs, failed = kind(problem), 1, 0
        if not problem.startswith("compiler:"):
            for _ in range(self.RUNS):
                printed, problem = self.tools.lines([self.path], self.config, self.left(20))
                failed += bool(problem) or printed != right
            # As often as leaves one chance in a hundred of not seeing it.
            share = min(max(failed, 1) / self.RUNS, 0.99)
            self.runs = math.ceil(math.log(0.01) / math.log(1 - share)) if share < 0.99 else 1
        return self.fails(lines)


def starts(seed, batch, options):
    """The programs to try first, the smallest first: the seed alone, alone in as many
    files as its batch has, and with all of its batch."""
    for seeds, files in (([seed], 1), ([seed], batch.files), (batch.seeds, batch.files)):
        main = batch.spawning_main and files == batch.files
        texts = random_program.translation_units(seeds, files, options.loops, main, options.fuel,
                                                 options.numeric)  # fmt: skip
        lines = []
        for number, text in enumerate(texts):
            lines += [f"{shrink.FILE}{chr(ord('a') + number)}.c", *text.splitlines()]
        yield lines


def make_small(tools, programs, seed, flags, config, folder):
    """Writes the smallest program that was found below the folder --keep, and
    says what it is; of `programs`, the first that fails is made small."""
    options = tools.options
    work = folder / f"shrink{seed}"
    oracle = Oracle(tools, work, flags, config, options.seconds)
    words = "nothing smaller can be made"
    try:
        for lines in programs:
            if oracle.reproduces(lines):
                shrink.shrink(lines, oracle.fails)
                break
    except OutOfTime:
        words = f"stopped after {options.seconds} s (--seconds)"
    if oracle.last is None:
        return f"seed {seed}: could not be repeated: {words}"
    keep = options.keep / f"seed{seed}"
    paths = oracle.write(keep, oracle.last)
    command = [options.cilk2chan, *tools.flags, *flags, *paths, *tools.libraries]
    run = harness.command_line(["./a.out"], oracle.config.environment())
    return (f"seed {seed}: {sum(1 for p in paths for _ in p.open())} lines of "
            f"{len(lines) - len(paths)} in {keep}; {words}\n"
            f"  {harness.command_line(command)} && {run}"
            f"{f'  # up to {oracle.runs} times' if oracle.runs > 1 else ''}")  # fmt: skip
