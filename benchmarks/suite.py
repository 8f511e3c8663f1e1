# ===- suite.py - Programs, rows and goals of the benchmarks ------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""What is run: programs, how each row of a table is built, and what is to be reached.

A program is a file of Cilk C; its serial elisions are of the same file. Peers get the
file of that name in `portable`, with a header of `peers` (see peers/peer.h). A row's
`build` returns the command that compiles a program, without the output's name.
"""

import pathlib
import re
from typing import Callable, NamedTuple, Optional

import harness
from commands import checked

HERE = pathlib.Path(__file__).resolve().parent
PORTABLE, PEERS = HERE / "portable", HERE / "peers"
# Where a function begins decides up to a tenth of a loop's time on some processors.
FULL = ["-O3", "-falign-functions=64"]
# Without optimisation, gcc does not contract what clang contracts.
QUICK = ["-O1", "-ffp-contract=off"]
ELIDED = ["-include", harness.SUPPORT / "elide.h", "-I", harness.SUPPORT]

# How cilk2chan is measured: name and flags. The first is judged by the goals.
OURS = [
    ("cilk2chan", []),
    ("cilk2chan -fchan-batch", ["-fchan-batch"]),
    ("cilk2chan -fno-chan-batch", ["-fno-chan-batch"]),
]

# Of what two runs beside each other get done, two workers are to get this much done.
MACHINE_SHARE = 0.95
# In place of a number of workers: two runs beside each other, with a worker each.
BESIDE = "beside"

# Peers whose sources are given by an option of that name, and a file of theirs.
SOURCES = {
    "lace": "src/lace.c",
    "opencilk": "runtime/cilk2c.h",
    "libfork": "include/libfork.hpp",
    "taskflow": "taskflow/taskflow.hpp",
}


class Goals(NamedTuple):
    """How many times as fast as each, at one worker, and as itself with two."""

    clang: float = 0.97
    gcc: Optional[float] = None
    lace: Optional[float] = 0.97
    workers: float = 1.9


FINE = Goals(3, 3, 4)


class Program(NamedTuple):
    """`size` is for what takes a few nanoseconds a task, `small` for what takes
    tens and for simulation, `quick` for tests; `large` takes one worker of ours about a
    second. A `fine` one is measured by the task, others as a whole."""

    name: str
    folder: str
    size: str
    small: str
    quick: str
    large: str
    goals: Goals
    fine: bool = True

    @property
    def sources(self):
        return [harness.ROOT / self.folder / f"{self.name}.c"]

    @property
    def portable(self):
        return PORTABLE / f"{self.name}.c"

    def arguments(self, size):
        return getattr(self, size).split()

    def runs(self, repetitions):
        """Coarse ones are to be as fast as others within a few per cent, and most
        wait for memory, which neighbours on the machine share: more runs."""
        return repetitions if self.fine else 3 * repetitions


def coarse(name, folder, size, small, quick, large):
    return Program(name, folder, size, small, quick, large, Goals(), False)


OWN, WORKLOADS = "benchmarks/programs", "test/Workloads"
PROGRAMS = [
    Program("fib", OWN, "42", "32", "16", "48", Goals(5, 2, 8)),
    Program("nqueens-bits", OWN, "15", "13", "7", "17", Goals(8, 8, 8)),
    Program("tree", OWN, "26", "22", "8", "32", Goals(8, 8, 10)),
    Program("nqueens", WORKLOADS, "12", "11", "6", "14", Goals(4, 4, 4)),
    Program("knapsack", OWN, "44", "41", "14", "48", FINE),
    Program("binomial", WORKLOADS, "32 13", "25 10", "10 4", "36 15", FINE),
    Program("colouring", WORKLOADS, "15 5", "14 5", "8 3", "16 6", FINE),
    Program("minmax", OWN, "7", "6", "3", "8", FINE),
    Program("treesum", OWN, "22", "22", "9", "24", Goals(3, 3, 3)),
    Program("parentheses", OWN, "17", "13", "7", "19", Goals(lace=None)),
    coarse("cilksort", OWN, "4000000", "400000", "20000", "20000000"),
    coarse("matmul", OWN, "1024", "256", "128", "2048"),
    coarse("strassen", WORKLOADS, "1024 64", "256 64", "32 8", "2048 64"),
    coarse("heat", WORKLOADS, "1024 200", "1024 10", "32 5", "1024 2000"),
    coarse("lu", WORKLOADS, "1000", "300", "50", "2000"),
    coarse("fft", OWN, "20", "16", "12", "23"),
]
# Has no portable version: what matters is the way in, from ordinary C.
SMALL_TREES = Program("small-trees", OWN, "1000000", "", "", "", Goals())


class Row(NamedTuple):
    """One way to build and run every program. `goal` says which of the goals is
    about it; `size` names the size of its programs when they are `fine`."""

    name: str
    build: Callable
    workers: tuple = (1, 2)
    size: str = "size"
    goal: Optional[str] = None

    def sized(self, program):
        return self.size if program.fine else "size"


def environment(workers):
    """For all rows: each reads one of these."""
    names = ("CHAN_WORKERS", "PEER_WORKERS", "CILK_NWORKERS", "OMP_NUM_THREADS")
    return {name: str(workers) for name in names}


class Rows:
    """The rows that the options ask for. `folder` is for what peers need to be built
    once."""

    def __init__(self, options, folder, flags=("-march=native",)):
        self.options, self.folder = options, folder
        self.flags = ["-DNDEBUG", *(QUICK if options.quick else FULL), *flags]
        self.c = [options.clang]
        # The clang++ beside it has this name or that.
        self.cxx = [options.clang, "--driver-mode=g++", "-std=c++20", "-x", "c++"]
        self.gxx = ["g++", "-std=c++20", "-x", "c++"]

    def all(self):
        """The elisions, cilk2chan, the peers."""
        rows = [
            Row("clang", self.elision(self.options.clang), (1,), goal="clang"),
            Row("gcc", self.elision("gcc"), (1,), goal="gcc"),
        ]
        rows += [Row(name, self.ours(flags)) for name, flags in OURS]
        options, omp = self.options, ["-fopenmp"]
        if options.lace:
            rows.append(Row("Lace", self.lace(), goal="lace"))
        slow = []
        if options.opencilk:
            slow.append(("OpenCilk", self.opencilk()))
        if options.libfork:
            more = ["-pthread", "-I", options.libfork / "include"]
            slow.append(("libfork", self.portable(self.cxx, "libfork.h", more)))
        if options.taskflow:
            more = ["-pthread", "-I", options.taskflow]
            slow.append(("Taskflow", self.portable(self.cxx, "taskflow.h", more)))
        slow.append(("libomp", self.portable(self.cxx, "openmp.h", omp)))
        slow.append(("libgomp", self.portable(self.gxx, "openmp.h", omp)))
        slow.append(("oneTBB", self.portable(self.cxx, "tbb.h", ["-ltbb"])))
        rows += [Row(name, build, size="small") for name, build in slow]
        return rows

    def counting(self):
        """Runs a program's tasks one after another and says how many they are."""
        return Row("serial", self.portable(self.c, "serial.h"), (1,))

    def elision(self, compiler):
        return lambda program: [compiler, *self.flags, *ELIDED, *program.sources, "-lm"]

    def ours(self, flags):
        command = [self.options.cilk2chan, *self.flags, *flags]
        return lambda program: [*command, *program.sources, "-lm"]

    def portable(self, compiler, header, more=()):
        """`more` may have sources; what follows them is of any kind."""
        common = [*compiler, *self.flags, "-w", f'-DPEER="{PEERS / header}"']
        common += ["-I", harness.SUPPORT]
        return lambda program: [*common, program.portable, "-x", "none", *more, "-lm"]

    def lace(self):
        source = self.options.lace / "src"
        config = (source / "lace_config.h.in").read_text()
        config = re.sub(r"#cmakedefine01 (\w+)", r"#define \1 0", config)
        (self.folder / "lace_config.h").write_text(config)
        more = ["-pthread", "-I", self.folder, "-I", source]

        def build(program):
            wide = "WIDE_TASKS" in program.portable.read_text()
            runtime = source / ("lace14.c" if wide else "lace.c")
            return self.portable(self.c, "lace.h", [*more, runtime])(program)

        return build

    def opencilk(self):
        """Its runtime as it is released: without assertions."""
        runtime, objects = self.options.opencilk / "runtime", self.folder / "opencilk"
        objects.mkdir(exist_ok=True)
        flags = ["-DOPENCILK_ABI", "-DREDUCER_MODULE", "-DCILK_DEBUG=0", "-w"]
        flags += ["-I", self.options.opencilk / "include", "-I", runtime]
        # Comes with another file, which includes it.
        sources = [s for s in runtime.glob("*.c") if s.name != "pedigree_ext.c"]
        for source in sources:
            checked([*self.c, *self.flags, *flags, "-c", source, "-o", objects / f"{source.stem}.o"])
        library = self.folder / "libopencilk.a"
        checked(["ar", "rcs", library, *objects.glob("*.o")])
        more = [*flags, "-fno-omit-frame-pointer", library, "-pthread"]
        return self.portable(self.c, "opencilk.h", more)
