#!/usr/bin/env python3
# ===- csmith.py - Programs of csmith with spawns put in -----------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compares csmith's programs, made fork-join programs, with their elision.

Each seed makes one program: csmith (Yang et al., PLDI 2011) writes it with options drawn from
the seed, csmith_rewrite.py puts spawns, syncs, scopes, blocks and `cilk_for` in. The original
and the elision must print the same, compiled by clang at -O0 and -O2 and under AddressSanitizer
and UBSan; where the original has undefined behaviour or runs long, another of csmith's seeds is
taken, and the first is counted as skipped. Then cilk2chan's programs must print that, at each of --levels
and with flags drawn by points.py, with 1, 2 and 8 workers; some seeds under a sanitizer, too:
ThreadSanitizer would find a race that was put in. The first programs that fail are made small.

  csmith.py --first 1 --count 1000
  csmith.py --seed 123 --print
"""

import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
from argparse import Namespace

import csmith_rewrite
import harness
import oracle
import points
import shrink
from csmith_effects import Unsupported

TRIES = 20  # how many of csmith's seeds, until one can be used
LEAST_LINES = 100  # of a program of csmith
SECONDS = 3  # of the original
LEAST = 8  # what must have been put in
CONFIGS = [harness.Config(w, width) for w, width in ((1, None), (2, 64), (8, None), (8, 64))]
STRICT = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


class Unusable(Exception):
    """Why a seed of csmith makes no program."""


def csmith_options(rng, machine):
    """csmith's command line, without its seed."""
    chosen = ["--concise", "--no-argc"]
    for option, share in (("--no-pointers", 0.5), ("--no-volatiles", 0.3), ("--no-jumps", 0.2),
                          ("--no-bitfields", 0.3), ("--no-packed-struct", 0.3), ("--no-unions", 0.2),
                          ("--float", 0.2), ("--inline-function", 0.3), ("--no-structs", 0.1)):  # fmt: skip
        chosen += [option] * (rng.random() < share)
    if rng.random() < 0.3:
        chosen += ["--builtins", "--disable-builtin-kinds", "x86"]
    for option, values in (("block-size", (3, 4, 6, 8)), ("expr-complexity", (2, 4, 8)), ("funcs", (5, 8, 12)),
                           ("block-depth", (2, 3, 4)), ("array-len-per-dim", (3, 6, 10))):  # fmt: skip
        chosen += [f"--max-{option}", str(rng.choice(values[:2] if machine else values))]
    return chosen


def syntax_tree(clang, path):
    command = [clang, "-w", "-Wno-everything", "-fsyntax-only", "-Xclang", "-ast-dump=json", path]
    result = subprocess.run(command, capture_output=True, check=False)
    if result.returncode:
        raise Unusable("clang refuses it")
    return json.loads(result.stdout)


class Program:
    """One seed."""

    def __init__(self, options, tally, folder, seed):
        self.options, self.tally, self.seed = options, tally, seed
        self.rng = random.Random(seed)
        self.folder = folder / f"seed{seed}"
        self.folder.mkdir()
        self.original, self.source = self.folder / "original.c", self.folder / "program.c"
        self.path = self.folder / "program.out"
        self.tools = oracle.Tools(options)
        self.failed = None
        self.skipped = 0
        self.aliasing = []

    def write(self, number):
        """Writes the original of one of csmith's seeds and the program made of it; returns
        what was put in."""
        machine = self.options.target != "host"
        words = csmith_options(self.rng, machine)
        # With floating point, csmith points to integers by pointers to floats.
        self.aliasing = ["-fno-strict-aliasing"] * ("--float" in words)
        result = harness.run(["csmith", *words, "--seed", str(number)], timeout=20, folder=tempfile.gettempdir())  # It writes a file.
        text = result.stdout.replace('#include "csmith.h"', "#include <csmith/csmith.h>")
        if result.status != 0 or not LEAST_LINES <= text.count("\n") <= self.options.lines:
            raise Unusable("too small or too large")
        self.original.write_text(text)
        try:
            tree = syntax_tree(self.options.clang, self.original)
            rewriter = csmith_rewrite.Rewriter(text, tree, self.rng.random())
            self.source.write_text(rewriter.rewritten())
        except Unsupported as problem:
            raise Unusable(str(problem)) from problem
        if sum(rewriter.counts.values()) < LEAST:
            raise Unusable("too little could be put in")
        return rewriter.counts

    def elision(self, source, flags):
        """The lines that an elision prints."""
        problem = self.tools.clang([*flags, *self.aliasing], [source], self.path)
        if not problem:
            lines, problem = self.tools.lines([*harness.DEEP_STACK, self.path], timeout=SECONDS)
        if problem:
            raise Unusable(problem)
        return lines

    def expected(self):
        """What the program must print, or None where its elision prints something else
        than the original."""
        right = self.elision(self.original, ["-O2"])
        try:
            for flags in (["-O0"], STRICT):
                self.agree(self.source, flags, right)
        except Unusable as problem:
            # Undefined behaviour is the original's, or the rewriter's fault.
            for flags in (["-O0"], STRICT):
                self.agree(self.original, flags, right)
            self.fail(f"the elision differs from the original: {problem}", flags)
            return None
        return right

    def agree(self, source, flags, right):
        lines = self.elision(source, flags)
        if lines != right:
            raise Unusable(f"{' '.join(flags)}: printed {lines}, not {right}")

    def make(self):
        """What the program must print, after the first of csmith's seeds that can be used."""
        reasons = []
        for attempt in range(TRIES):
            try:
                counts = self.write(self.seed * TRIES + attempt)
                right = self.expected()
                self.tally.say(f"seed {self.seed}: {counts}") if self.options.verbose else None
                return right
            except Unusable as problem:
                self.skipped += 1
                reasons.append(str(problem).partition("\n")[0])
        self.fail(f"no program can be made: {reasons}", [])
        return None

    def fail(self, problem, flags, config=None, sanitize=""):
        words = " ".join(map(str, [*flags, f"-fsanitize={sanitize}" if sanitize else "", config or ""]))
        problem, _, details = problem.partition("\n")
        kept = self.options.keep / f"csmith{self.seed}.c"
        kept.parent.mkdir(parents=True, exist_ok=True)
        if self.source.exists():
            kept.write_text(self.source.read_text())
        command = [sys.argv[0], "--cilk2chan", self.options.cilk2chan, f"--target={self.options.target}"]
        rerun = f"again: {harness.command_line(command)} --seed {self.seed}; the program is {kept}"
        self.tally.check(f"csmith seed {self.seed} ({words})", problem, f"{rerun}\n{details}")
        if self.failed is None and flags:
            self.failed = (flags, config, sanitize)

    def compare(self, flags, configs, right, sanitize=""):
        tools, flags = self.tools_with(sanitize), [*flags, *self.aliasing]
        problem = tools.cilk(flags, [self.source], self.path)
        if problem:
            self.fail(problem, flags, None, sanitize)
            return
        for config in configs:
            lines, problem = tools.lines([self.path], config, 120)
            if problem or lines != right:
                self.fail(problem or f"printed {lines}, not {right}", flags, config, sanitize)
            else:
                self.tally.check(f"seed {self.seed}", "")

    def tools_with(self, sanitize):
        return oracle.Tools(Namespace(**{**vars(self.options), "sanitize": sanitize}))

    def run(self):
        right = self.make()
        if right is not None:
            target = [f"--target={self.options.target}"]
            for level in self.options.levels:
                debug = ["-g"] * (self.rng.random() < 0.2)
                self.compare([level, *debug, *target], self.options.configs, right)
            count = int(self.options.points + self.rng.random())
            for point in [points.draw(self.rng, self.options.processors) for _ in range(count)]:
                # Floating point in csmith's programs is not what this is about.
                if "-ffp-contract=off" not in point.flags:
                    point.flags.append("-ffp-contract=off")
                self.compare(point.flags, point.configs, right)
            if self.rng.random() < self.options.sanitized:
                level, sanitize = self.rng.choice(["-O0", "-O1", "-O2"]), self.rng.choice(["address,undefined", "thread"])
                self.compare([level], harness.QUICK_CONFIGS, right, sanitize)
        if self.failed and self.failed[0] and self.options.shrinks.acquire(blocking=False):
            self.make_small()
        for file in self.folder.iterdir():
            if file.is_file():
                file.unlink()
        self.tally.step(f"seed {self.seed}")
        return self.skipped

    def make_small(self):
        flags, config, sanitize = self.failed
        lines = [f"{shrink.FILE}a.c", *self.source.read_text().splitlines()]
        tools = self.tools_with(sanitize)
        self.tally.say(oracle.make_small(tools, [lines], self.seed, flags, config, self.folder))


def parse():
    parser = harness.argument_parser(__doc__)
    add = parser.add_argument
    add("--jobs", "-j", type=int, default=len(os.sched_getaffinity(0)))
    add("--count", type=int, default=20, help="how many programs, default 20")
    add("--first", type=int, default=1, help="the first seed, default 1")
    add("--seed", type=int, help="this seed only")
    add("--target", default="host", choices=["host", "vgiw", "simt"])
    add("--levels", default="02", help="optimisation levels, default 02")
    add("--points", type=float, default=1, help="random points of the product of all flags, default 1")
    add("--lines", type=int, default=2000, help="how long a program of csmith is at most, default 2000")
    add("--sanitized", type=float, default=0.1, help="the share that runs under a sanitizer, default 0.1")
    add("--keep", type=pathlib.Path, default=harness.ROOT / "build" / "failures",
        help="where failing programs go, default build/failures")  # fmt: skip
    add("--shrink", type=int, default=0, help="how many failing seeds to make small, default 0")
    add("--seconds", type=int, default=300, help="the time for each of them, default 300")
    add("--verbose", action="store_true", help="print what was put into each program")
    add("--print", action="store_true", help="print the source and stop")
    options = parser.parse_args()
    if options.seed is not None:
        options.first, options.count = options.seed, 1
    options.levels = [f"-O{level}" for level in options.levels]
    options.shrinks = threading.Semaphore(options.shrink)
    options.flag, options.sanitize, options.configs = ["-Wno-incompatible-pointer-types"], "", CONFIGS
    if options.target != "host":
        options.points, options.sanitized = 0, 0
        options.configs = [harness.MachineConfig(target=options.target)]
    if not options.print:
        harness.find_compiler(parser, options)
    return options


def main():
    options = parse()
    seeds = range(options.first, options.first + options.count)
    tally = harness.Tally(len(seeds), options.verbose)
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as name:
        folder = pathlib.Path(name)
        if options.print:
            program = Program(options, tally, folder, options.first)
            program.make()
            print(program.source.read_text(), end="")
            return 0
        options.processors, _ = points.processors(oracle.Tools(options), folder)
        programs = [Program(options, tally, folder, seed) for seed in seeds]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            skipped = sum(future.result() for future in [pool.submit(p.run) for p in programs])
    print(f"{skipped} of csmith's seeds were skipped")
    return tally.close()


if __name__ == "__main__":
    sys.exit(main())
