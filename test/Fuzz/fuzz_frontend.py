#!/usr/bin/env python3
# ===- fuzz_frontend.py - The compiler on wrong programs -----------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compiles mutations of the C files of test/ and docs/examples.

The compiler may accept each or refuse it with an error at a file and line; a signal,
a failed assertion, an error without a place, and more than the time or memory allowed
are failures. What fails is shrunk and kept in --keep. When plain Clang fails on the
serial elision of the input too, that is Clang's bug, counted apart.

Input number N of a seed is always the same: `--seed S --input N --print` shows it.
"""

import concurrent.futures
import os
import pathlib
import random
import re
import sys
import tempfile
import time

import mutate

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Workloads"))
import harness  # noqa: E402

CPU_SECONDS, ADDRESS_SPACE_KIB = 20, 4 << 20
LIMITS = f'ulimit -t {CPU_SECONDS}; ulimit -v {ADDRESS_SPACE_KIB}; exec "$0" "$@"'

# All phases but the optimiser's many passes, which are LLVM's affair.
MODES = [
    ["-fsyntax-only"],
    ["-fsyntax-only", "-fno-cilk-keywords"],
    ["-c", "-fcilk-serialize"],
    ["-c", "-O0"],
    ["-c", "-O0", "-g"],
    ["-c", "-O1"],
    ["-c", "-O0", "-ffp-model=strict"],
    ["-c", "-O0", "-fsanitize=address,undefined"],
]

ABORTED = re.compile(
    r"PLEASE submit a bug report|Assertion .* failed|UNREACHABLE|LLVM ERROR"
    r"|error: error in backend|Stack dump"
)
# Clang's own errors about the file as a whole.
PLACELESS = re.compile(r"too many errors emitted|cannot specify -o|unable to open")


def problem_of(result):
    """What is wrong with how a compilation ended, or nothing. Two runs with the same
    words failed in the same way."""
    if result.status not in (0, 1):
        return harness.describe(result.status)
    aborted = ABORTED.search(result.stderr)
    if aborted:
        return aborted[0]
    errors = re.findall(r"^.*\berror: .*$", result.stderr, re.MULTILINE)
    placeless = [
        line
        for line in errors
        if not re.match(r".+:\d+:\d+: (fatal )?error: ", line)
        and not PLACELESS.search(line)
    ]
    if placeless:
        return "an error without a place: " + re.sub(r"'[^']*'|\b\d+", "_", placeless[0])
    if result.status == 1 and not errors:
        return "exit status 1 without an error"
    return ""


class Fuzzer:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        roots = [harness.ROOT / "test", harness.ROOT / "docs" / "examples"]
        paths = sorted(path for root in roots for path in root.rglob("*.c"))
        self.corpus = [path.read_bytes() for path in paths]
        self.tally = harness.Tally(0)
        self.clang_failures = 0
        self.deadline = time.monotonic() + options.seconds

    def make(self, number):
        """Input `number` and how it is compiled."""
        chance = random.Random(f"{self.options.seed}/{number}")
        source = mutate.mutate(
            chance, chance.choice(self.corpus), chance.choice(self.corpus)
        )
        return source, chance.choice(MODES)

    def compile(self, compiler, mode, source, path):
        path.write_bytes(source)
        command = [*compiler, *mode, "-fno-caret-diagnostics", "-I", harness.SUPPORT]
        if "-c" in mode:
            command += ["-o", os.devnull]
        # Wall time is much longer than CPU time on a busy machine.
        return harness.run(
            ["sh", "-c", LIMITS, *command, path], timeout=20 * CPU_SECONDS
        )

    def is_clangs(self, mode, source, path):
        """Whether plain Clang does no better with the serial elision."""
        mode = [flag for flag in mode if "cilk" not in flag]
        compiler = [self.options.clang, "-include", harness.SUPPORT / "elide.h"]
        return bool(problem_of(self.compile(compiler, mode, source, path)))

    def keep(self, number, source, mode, problem):
        """Shrinks and saves a failing input; returns where it is."""
        path = self.folder / f"shrink{number}.c"

        def fails(smaller):
            result = self.compile([self.options.cilk2chan], mode, smaller, path)
            return problem_of(result) == problem

        self.options.keep.mkdir(parents=True, exist_ok=True)
        kept = self.options.keep / f"seed{self.options.seed}-{number}.c"
        kept.write_bytes(mutate.shrink(source, fails))
        return kept

    def run(self, number):
        source, mode = self.make(number)
        path = self.folder / f"input{number}.c"
        result = self.compile([self.options.cilk2chan], mode, source, path)
        problem = problem_of(result)
        if problem and self.is_clangs(mode, source, path):
            self.clang_failures += 1
            print(f"input {number}: clang's own: {problem}", flush=True)
        elif problem:
            kept = self.keep(number, source, mode, problem)
            command = [self.options.cilk2chan, *mode, "-o", os.devnull, kept]
            details = harness.command_line(command) + "\n"
            details += "\n".join(line[:200] for line in result.stderr.splitlines()[:9])
            self.tally.check(f"input {number}", problem, details)
        else:
            self.tally.check(f"input {number}", "")
        path.unlink()

    def worker(self, first):
        number = first
        while time.monotonic() < self.deadline:
            self.run(number)
            number += self.options.jobs


def parse():
    parser = harness.argument_parser(__doc__)
    add = parser.add_argument
    add("--jobs", "-j", type=int, default=len(os.sched_getaffinity(0)))
    add("--seconds", type=float, default=60, help="how long, default 60")
    add("--seed", type=int, default=random.randrange(1 << 32), help="default: random")
    add("--input", type=int, help="this input only")
    add("--print", action="store_true", help="print the input and stop")
    keep = pathlib.Path(tempfile.gettempdir()) / "cilk2chan-fuzz"
    add("--keep", type=pathlib.Path, default=keep, help=f"default {keep}")
    options = parser.parse_args()
    harness.find_compiler(parser, options, not options.print)
    return options


def main():
    options = parse()
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as name:
        fuzzer = Fuzzer(options, pathlib.Path(name))
        if options.print:
            source, mode = fuzzer.make(options.input or 0)
            sys.stdout.buffer.write(b"// %s\n" % " ".join(mode).encode() + source)
            return 0
        print(f"--seed {options.seed}, {len(fuzzer.corpus)} files", flush=True)
        if options.input is not None:
            fuzzer.run(options.input)
        else:
            with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
                workers = range(options.jobs)
                for future in [pool.submit(fuzzer.worker, n) for n in workers]:
                    future.result()
        if fuzzer.clang_failures:
            print(f"{fuzzer.clang_failures} inputs fail in plain Clang as well")
    return fuzzer.tally.close()


if __name__ == "__main__":
    sys.exit(main())
