# ===- costs.py - What compiling takes, and memory, and small trees ------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Tables beside those of the programs. Each method of `Costs` returns one and appends
the verdicts on its goals to `verdicts`."""

import concurrent.futures
import os
import pathlib
import re
import statistics

import harness
import points
from commands import Failure, checked
from counters import Counters
from measure import SECONDS, progress
from run_workloads import discover
from suite import MACHINE_SHARE, OURS, PROGRAMS, SMALL_TREES, Rows, environment
from tables import Table
from verdicts import at_least, at_most, below

LANGUAGE = harness.ROOT / "test" / "Language"
WORKLOADS = harness.ROOT / "test" / "Workloads"
FIB = harness.ROOT / "docs" / "examples" / "fib.c"
CROWD = (2, 8)  # workers
OTHER = ["x86-64", "x86-64-v3"]  # processors
ELISION = [
    (r"\bcilk_for\b", "for"),
    (r"\b(cilk_spawn|cilk_sync|cilk_scope)\b", ""),
    (r"^( *)sync;", r"\1;"),
    (r"\bspawn (?=\w+\()", ""),
    (r"^cilk (?=\w)", ""),
]


def elide(source, target):
    """Copies C files without their Cilk words."""
    for file in source.glob("**/*.[ch]"):
        text = file.read_text()
        for pattern, replacement in ELISION:
            text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
        copy = target / file.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text)


def other_workloads(pattern):
    """Those of test/Workloads that are none of PROGRAMS: name, sources, arguments."""
    measured = {source for program in PROGRAMS for source in program.sources}
    for program in discover("^test/Workloads/"):
        name = pathlib.Path(program.name).stem
        if measured.intersection(program.sources) or not re.search(pattern, name):
            continue
        arguments = program.words("BENCH-ARGS")
        if not arguments:
            raise Failure(f"{program.name} does not say BENCH-ARGS")
        yield name, program, arguments


class Costs:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.verdicts = []

    def cilk2chan(self, name, source):
        path = self.folder / name
        checked([self.options.cilk2chan, "-O2", source, "-o", path])
        return path

    def fastest(self, commands):
        """The least processor seconds of each command, interleaved."""
        seconds = [[] for _ in commands]
        for _ in range(self.options.repetitions):
            for command, found in zip(commands, seconds):
                found.append(checked(command).cpu_seconds)
        return [min(found) for found in seconds]

    def build_each(self, builds, program):
        """The paths of what each has built."""
        paths = [self.folder / f"workload-{number}" for number in range(len(builds))]
        for build, path in zip(builds, paths):
            checked([*build(program), "-o", path])
        return paths

    def interleaved(self, name, runs):
        """Runs commands with numbers of workers, which all have to give the same answer.
        For each its seconds: all by the clock, all of processors."""
        clock, processors = ([[] for _ in runs] for _ in range(2))
        answers = set()
        for _ in range(3 * self.options.repetitions):
            for number, (command, workers) in enumerate(runs):
                result = checked(command, env=environment(workers))
                answers.add(result.stdout)
                if len(answers) > 1:
                    raise Failure(f"{name}: different answers: {answers}")
                found = map(float, SECONDS.search(result.stderr).groups())
                for kind, seconds in zip((clock, processors), found):
                    kind[number].append(seconds)
        return clock, processors

    def together(self, command, copies, workers):
        """The seconds by the clock of as many runs beside each other, until the last ends,
        and what they print."""
        with concurrent.futures.ThreadPoolExecutor(copies) as pool:
            runs = [pool.submit(checked, command, env=environment(workers)) for _ in range(copies)]
            results = [run.result() for run in runs]
        seconds = max(float(SECONDS.search(result.stderr)[1]) for result in results)
        return seconds, {result.stdout for result in results}

    def scaling(self):
        """Times our programs with inputs for a second: with one worker, with two, and two
        runs with one worker each, which is what the machine gives."""
        goal = "two workers, larger inputs, times as fast as one"
        table = Table("Two workers, larger inputs", "", "input", "1 worker, ms",
                      "2 workers, ms", "times as fast", "two runs", "goal")  # fmt: skip
        build = Rows(self.options, self.folder).ours([])
        for program in self.options.programs:
            progress(program.name)
            command = [*self.build_each([build], program), *program.arguments("large")]
            kinds, answers = [(1, 1), (1, 2), (2, 1)], set()
            found = [[] for _ in kinds]
            for _ in range(self.options.repetitions):
                for kind, seconds in zip(kinds, found):
                    taken, printed = self.together(command, *kind)
                    seconds.append(taken)
                    answers |= printed
            if len(answers) > 1:
                raise Failure(f"{program.name}: different answers: {answers}")
            one, two, beside = map(min, found)
            ceiling = 2 * one / beside
            limit = min(program.goals.workers, MACHINE_SHARE * ceiling)
            self.verdicts.append(at_least(goal, program.name, one / two, limit))
            table.add(program.name, program.large, f"{1000 * one:.0f}", f"{1000 * two:.0f}",
                      f"{one / two:.2f}", f"{ceiling:.2f}", f"{limit:.2f}")  # fmt: skip
        progress("")
        return table

    def compile(self):
        """Times `-c` of each file. Clang gets the elision as a text of its own:
        headers that define the words away would be work that cilk2chan has not."""
        sources = sorted(WORKLOADS.glob("**/*.c"))
        elided = self.folder / "elided"
        for part in (WORKLOADS, harness.SUPPORT):
            elide(part, elided / part.name)
        # Without -march there is code for several processors.
        names = "-O3 -march=native", "-O3 -march=native -g", "-O2"
        settings = {name: name.split() for name in names}
        columns = [cell for name in settings for cell in (f"{name}, ms", "times Clang's time")]
        table = Table("Compile time", "file", *columns)
        ratios = {name: [] for name in settings}
        for source in sources:
            name = str(source.relative_to(WORKLOADS))
            progress(f"compiling {name}")
            cells = [name]
            for setting, options in settings.items():
                flags = [*options, "-I", harness.SUPPORT, "-c", "-o", self.folder / "o"]
                ours, clang = self.fastest([
                    [self.options.cilk2chan, *flags, source],
                    [self.options.clang, *flags, elided / "Workloads" / name],
                ])  # fmt: skip
                ratios[setting].append(ours / clang)
                cells += [f"{ours * 1000:.0f}", f"{ours / clang:.2f}"]
            table.add(*cells)
            ratio = ratios["-O3 -march=native"][-1]
            self.verdicts.append(at_most("compiling for one processor, times Clang's time",
                                         name, ratio, 4))  # fmt: skip
        progress("")
        for what, choose in (("median", statistics.median), ("largest", max)):
            cells = [cell for found in ratios.values() for cell in ("", f"{choose(found):.2f}")]
            table.add(what, *cells)
        return table

    def workloads(self):
        """Times the tree of each workload that is none of the programs beside its own
        elision, with the arguments that it says."""
        rows = Rows(self.options, self.folder)
        builds = [rows.elision(self.options.clang), rows.ours([])]
        table = Table("Other workloads", "", "clang, ms", "cilk2chan, ms",
                      "times as fast", "2 workers")  # fmt: skip
        for name, program, arguments in other_workloads(self.options.workloads):
            progress(name)
            elision, ours = ([path, *arguments] for path in self.build_each(builds, program))
            found = self.interleaved(name, [(elision, 1), (ours, 1), (ours, 2)])
            clock, processors = (list(map(min, kind)) for kind in found)
            ratio = processors[0] / processors[1]
            self.verdicts.append(at_least("other workloads, times as fast as their elisions",
                                          name, ratio, 0.97))  # fmt: skip
            cells = [f"{1000 * seconds:.1f}" for seconds in processors[:2]]
            table.add(name, *cells, f"{ratio:.2f}", f"{clock[1] / clock[2]:.2f}")
        progress("")
        return table

    def oversubscribed(self):
        """Times our programs and workloads on two CPUs, with as many workers and with four
        times as many."""
        cpus = ",".join(map(str, sorted(os.sched_getaffinity(0))[:2]))
        columns = [f"{count} workers, {what}, ms" for what in ("best", "median") for count in CROWD]
        table = Table("More workers than CPUs", "", *columns, "times, best", "times, median")
        build = Rows(self.options, self.folder).ours([])
        jobs = [(p.name, p, p.arguments("size")) for p in self.options.programs]
        for name, program, arguments in [*jobs, *other_workloads(self.options.workloads)]:
            progress(name)
            command = ["taskset", "-c", cpus, *self.build_each([build], program), *arguments]
            clock, _ = self.interleaved(name, [(command, count) for count in CROWD])
            best, median = (list(map(of, clock)) for of in (min, statistics.median))
            goal = f"{CROWD[1]} workers on two CPUs, times as long as {CROWD[0]}"
            self.verdicts.append(at_most(goal, name, best[1] / best[0], 1.1))
            cells = [f"{1000 * seconds:.1f}" for seconds in (*best, *median)]
            table.add(name, *cells, *(f"{many / few:.2f}" for few, many in (best, median)))
        progress("")
        return table

    def present(self):
        """Those of points.PROCESSORS whose code runs here."""
        source, path = self.folder / "processor.c", self.folder / "processor"
        source.write_text(points.PROBE)
        checked([self.options.clang, source, "-o", path])
        has = checked([path]).stdout.split()
        return [name for name, yes in zip(points.PROCESSORS, has) if yes == "1"]

    def processors(self):
        """Times programs that are compiled for processors with shorter registers beside
        elisions that are, too, and the program for any processor beside its own."""
        found = self.present()
        targets = [[f"-march={name}"] for name in OTHER if name in found] + [[]]
        names = [" ".join(target) or "no -march" for target in targets]
        columns = [cell for name in names for cell in (f"{name}, ms", "times as fast")]
        table = Table("Other processors", "", *columns)
        rows = [Rows(self.options, self.folder, target) for target in targets]
        builds = [build for row in rows for build in (row.elision(self.options.clang), row.ours([]))]
        for program in self.options.programs:
            progress(program.name)
            paths = self.build_each(builds, program)
            best = []
            # Beside the first spawn of all, 30 us, what is measured has to be long.
            size = "small" if program.fine else "size"
            # What products and sums are fused depends on the processor, and so do answers.
            for pair in zip(paths[::2], paths[1::2]):
                runs = [([path, *program.arguments(size)], 1) for path in pair]
                best += map(min, self.interleaved(program.name, runs)[1])
            cells = []
            for name, elision, ours in zip(names, best[::2], best[1::2]):
                goal = f"{name}, times as fast as the elision for the same"
                self.verdicts.append(at_least(goal, program.name, elision / ours, 0.97))
                cells += [f"{1000 * ours:.2f}", f"{elision / ours:.2f}"]
            table.add(program.name, *cells)
        progress("")
        return table

    def counters(self):
        return Counters(self.options, self.folder).table(self.options.programs)

    def calls(self):
        """What a call from ordinary C takes that makes a tree of 12 tasks, alone and
        beside a worker that has nothing else to do."""
        rows = Rows(self.options, self.folder)
        builds = {"clang": rows.elision(self.options.clang)}
        builds |= {name: rows.ours(flags) for name, flags in OURS}
        workers = (1, 2)
        seconds = {(name, count): [] for name in builds for count in workers}
        for number, build in enumerate(builds.values()):
            checked([*build(SMALL_TREES), "-o", self.folder / f"small-trees-{number}"])
        for _ in range(self.options.repetitions):
            for number, name in enumerate(builds):
                command = [self.folder / f"small-trees-{number}", SMALL_TREES.size]
                for count in workers:
                    error = checked(command, env=environment(count)).stderr
                    seconds[name, count].append(float(SECONDS.search(error)[1]))
        columns = [cell for count in workers
                   for cell in (f"ns a call of 12 tasks, {count}w", "above clang's")]  # fmt: skip
        table = Table("Small trees", "", *columns)
        serial = min(seconds["clang", 1])
        for name in builds:
            cells = []
            for count in workers:
                found = min(seconds[name, count])
                own, above = (s / int(SMALL_TREES.size) * 1e9 for s in (found, found - serial))
                cells += [f"{own:.0f}", f"{above:.0f}"]
                if name == OURS[0][0]:
                    self.verdicts.append(at_most("a call that makes a small tree, nanoseconds above clang's",
                                                 f"{count} workers", above, 1000))  # fmt: skip
            table.add(name, *cells)
        return table

    def memory(self):
        fib = self.cilk2chan("fib", FIB)
        many = self.cilk2chan("many", LANGUAGE / "spawn-many-children.c")
        deep = self.cilk2chan("deep", LANGUAGE / "spawn-deep-list.c")
        rows = [
            ("10 million spawns in a loop", [many, "10000000"], {}, 64),
            ("fib(38), width 64", [fib, "38"], {"CHAN_WIDTH": "64"}, 64),
            ("fib(38)", [fib, "38"], {}, 64),
            ("list recursion, a million deep", [deep, "1000000"], {}, 512),
        ]
        table = Table("Bounds of memory", "", "MiB", "limit", "seconds")
        for name, command, env, limit in rows:
            progress(name)
            result = checked(command, env=env)
            peak = result.maxrss_mb
            table.add(name, f"{peak:.1f}", str(limit), f"{result.seconds:.3f}")
            self.verdicts.append(below("memory, MiB", name, peak, limit))
        progress("")
        return table
