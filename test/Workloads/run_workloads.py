#!/usr/bin/env python3
# ===- run_workloads.py - Compiles, runs and compares the workloads -----------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Runs the programs of test/Workloads, test/Language, docs/examples and
benchmarks/rodinia.

Each is compiled by cilk2chan, and by `cilk2chan -fcilk-serialize` for the serial
elision; exit status and standard output must agree, with 1, 2 and 8 workers and
channel widths 64 and default. A program is a .c or .cilk file or a folder of them,
and says in comments at its head, where it differs from the default:

  // ARGS: ...         arguments of the runs
  // CFLAGS: ...       more compiler flags
  // LIBS: ...         more linker flags
  // EXPECT-EXIT: N    the right exit status is N, not 0
  // MAXRSS-MB: N      the compiled program must stay below N MiB
  // TIMEOUT: N        seconds per run, default 60
  // BENCH-ARGS: ...   arguments of the runs that benchmarks/run.py times
  // SANITIZE: yes     part of the sample for --sanitize
  // ELISION: no       an ordinary compiler cannot compile it, see --validate
  // VGIW-ARGS: ...    arguments of the runs with --target=vgiw
  // VGIW: no          of the host's workers, or endless without them
  // VGIW-SAMPLE: yes  part of the sample for --target=vgiw --quick

--target=vgiw or simt compiles for the simulated machine and runs each program once
there, or once for each number of --cores and each of --widths; with --quick, a sample. What
the heads say of VGIW is so for each simulated machine. CHANSIM_SET changes the machine:

  run_workloads.py --target=simt --flag=--machine=isca14-apu --widths 64 default
  CHANSIM_SET=yield.live_only=true run_workloads.py --target=simt --flag=--machine=isca14-apu

--validate checks the programs themselves and needs no cilk2chan: their elision,
made by an ordinary Clang with elide.h, must compile without warnings and run
under ASan and UBSan without reports.
"""

import concurrent.futures
import os
import pathlib
import re
import sys
import tempfile

import harness

DIRECTIVE = re.compile(r"^// ([A-Z]+(?:-[A-Z]+)*): *(.*)$", re.MULTILINE)
KNOWN = {
    "ARGS", "CFLAGS", "LIBS", "EXPECT-EXIT", "MAXRSS-MB", "TIMEOUT", "SANITIZE",
    "BENCH-ARGS", "ELISION", "VGIW", "VGIW-ARGS", "VGIW-SAMPLE",
}  # fmt: skip
SANITIZER_ENVIRONMENT = {
    "ASAN_OPTIONS": "detect_leaks=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": "halt_on_error=1:exitcode=66",
}


def files(folder, stem):
    return sorted([*folder.glob(stem + ".c"), *folder.glob(stem + ".cilk")])


class Program:
    """A test program and what its head says."""

    def __init__(self, path):
        self.path = path
        self.name = str(path.relative_to(harness.ROOT))
        self.sources = files(path, "*") if path.is_dir() else [path]
        main = files(path, "main")[0] if path.is_dir() else path
        self.directives = dict(DIRECTIVE.findall(main.read_text()))
        unknown = set(self.directives) - KNOWN
        if unknown:
            sys.exit(f"{main}: unknown directive {', '.join(sorted(unknown))}")

    def words(self, key):
        return self.directives.get(key, "").split()

    def number(self, key, otherwise):
        return int(self.directives.get(key, otherwise))

    def says(self, key, value):
        return self.directives.get(key) == value

    def compile(self, compiler, flags, output):
        libs = self.words("LIBS") + ["-lpthread"]
        command = [*compiler, *flags, *self.words("CFLAGS"), *self.sources]
        command += ["-o", output, *libs]
        return command, harness.run(command, timeout=300)


def discover(pattern):
    found = []
    for folder in ("test/Workloads", "test/Language", "docs/examples", "benchmarks/programs",
                   "benchmarks/rodinia"):
        base = harness.ROOT / folder
        found += files(base, "*")
        found += [main.parent for main in files(base, "*/main")]
    programs = [Program(path) for path in sorted(found)]
    return [p for p in programs if re.search(pattern, p.name)]


class Session:
    """One invocation of this script."""

    def __init__(self, options, folder, total):
        self.options = options
        self.folder = folder
        self.tally = harness.Tally(total, options.verbose)
        self.configs = harness.ALL_CONFIGS
        if options.quick:
            self.configs = harness.QUICK_CONFIGS
        if options.target != "host":
            self.configs = [
                harness.MachineConfig(cores, options.target, width)
                for cores in options.cores
                for width in options.widths
            ]

    def arguments(self, program):
        if self.options.target != "host" and "VGIW-ARGS" in program.directives:
            return program.words("VGIW-ARGS")
        return program.words("ARGS")

    def output(self, program, kind):
        return self.folder / (program.name.replace("/", "-") + "." + kind)

    def build(self, program, what, compiler, flags):
        """Compiles; returns the executable, or None after counting a failure."""
        path = self.output(program, what)
        command, result = program.compile(compiler, flags, path)
        problem = ""
        if result.status != 0:
            problem = f"compiler: {harness.describe(result.status)}"
        elif self.options.validate and result.stderr:
            problem = "compiler: not silent"
        details = harness.command_line(command) + "\n" + harness.shorten(result.stderr)
        self.tally.check(f"{program.name} ({what})", problem, details)
        return None if problem else path

    def judge(self, program, name, command, env, result, expected, limit):
        """Counts one run; `expected` is the right standard output, or None."""
        status = program.number("EXPECT-EXIT", 0)
        problem = ""
        if result.status != status:
            problem = f"{harness.describe(result.status)}, not {status}"
        elif expected is not None and result.stdout != expected:
            problem = (
                f"printed {harness.shorten(result.stdout, 3)!r}, "
                f"not {harness.shorten(expected, 3)!r}"
            )
        elif limit and result.maxrss_mb >= limit:
            problem = f"peak memory {result.maxrss_mb:.1f} MiB, limit {limit}"
        details = harness.command_line(command, env)
        details += "\n" + harness.shorten(result.stderr)
        self.tally.check(name, problem, details)
        return not problem

    def elision(self, program):
        """The standard output of the serial elision, or None after a failure."""
        compiler = [self.options.cilk2chan, "-fcilk-serialize"]
        flags = [self.options.opt, *self.options.flag]
        path = self.build(program, "elision", compiler, flags)
        if not path:
            return None
        command = [*harness.DEEP_STACK, path, *self.arguments(program)]
        result = harness.run(command, timeout=program.number("TIMEOUT", 60))
        name = f"{program.name} (elision)"
        good = self.judge(program, name, command, {}, result, None, None)
        return result.stdout if good else None

    def run(self, program):
        expected = self.elision(program)
        flags, env = [self.options.opt, "--target=" + self.options.target], {}
        flags += self.options.flag
        sanitize = self.options.sanitize
        if sanitize:
            flags += ["-g", f"-fsanitize={sanitize}"]
            flags += ["-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
            env = SANITIZER_ENVIRONMENT
        path = self.build(program, "compile", [self.options.cilk2chan], flags)
        if path and expected is not None:
            for config in self.configs:
                command = [path, *self.arguments(program)]
                full = {**env, **config.environment()}
                timeout = program.number("TIMEOUT", 60) * (4 if sanitize else 1)
                timeout *= self.options.patience
                result = harness.run(command, full, timeout)
                limit = None if sanitize else program.number("MAXRSS-MB", 0)
                name = f"{program.name} ({config})"
                self.judge(program, name, command, full, result, expected, limit)
            path.unlink()
        self.tally.step(program.name)

    def validate(self, program):
        if not program.says("ELISION", "no"):
            support = harness.SUPPORT
            flags = ["-include", support / "elide.h", "-I", support, "-g"]
            flags += [self.options.opt, "-Wall", "-Wextra", "-Werror"]
            flags += ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
            path = self.build(program, "validate", [self.options.clang], flags)
            if path:
                command = [*harness.DEEP_STACK, path, *program.words("ARGS")]
                result = harness.run(command)
                self.judge(program, program.name, command, {}, result, None, None)
                path.unlink()
        self.tally.step(program.name)


def parse():
    parser = harness.argument_parser(__doc__)
    add = parser.add_argument
    add("--jobs", "-j", type=int, default=len(os.sched_getaffinity(0)))
    add("--filter", default="", help="regular expression on the program's path")
    add("--opt", default="-O2", help="optimisation level, default -O2")
    add("--flag", action="append", default=[], help="one more flag for cilk2chan")
    add("--quick", action="store_true", help="two of the six configurations")
    add("--target", default="host", choices=["host", "vgiw", "simt"])
    add("--cores", type=int, nargs="+", default=[1], help="of the simulated machine")
    harness.add_widths(parser)
    add("--patience", type=float, default=1, metavar="X", help="times as long as TIMEOUT says")
    add("--sanitize", default="", help="address,undefined or thread")
    add("--validate", action="store_true", help="check the programs themselves")
    add("--verbose", "-v", action="store_true")
    options = parser.parse_args()
    harness.check_widths(parser, options)
    harness.find_compiler(parser, options, not options.validate)
    return options


def main():
    options = parse()
    programs = discover(options.filter)
    if options.sanitize:
        programs = [p for p in programs if p.says("SANITIZE", "yes")]
    if options.target != "host":
        programs = [p for p in programs if not p.says("VGIW", "no")]
    if options.target != "host" and options.quick:
        programs = [p for p in programs if p.says("VGIW-SAMPLE", "yes")]
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as folder:
        session = Session(options, pathlib.Path(folder), len(programs))
        work = session.validate if options.validate else session.run
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for future in [pool.submit(work, program) for program in programs]:
                future.result()
        return session.tally.close()


if __name__ == "__main__":
    sys.exit(main())
