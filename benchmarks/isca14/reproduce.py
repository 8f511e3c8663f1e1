#!/usr/bin/env python3
# ===- reproduce.py - The evaluation of ISCA'14 --------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Makes docs/ReproductionISCA14.md: the evaluation of ISCA'14 (section 8) on isca14-apu.

    python3 benchmarks/isca14/reproduce.py --sizes=quick --write    # runs what is missing
    python3 benchmarks/isca14/reproduce.py --render --write

The first makes all runs of the four programs. What the tables need of a run goes into a data
file, docs/reproduction/isca14.json, as soon as the run ends. Runs that are there are not made
again. A run that fails or takes too long is there as a failure; --retry makes it again. The
second makes the tables and plots of the file, without a compiler. They have each program in
the largest size of which the file has all runs. Without --write, the tables are printed.

The exit status is 1 if a number of wavefronts is not what the tree of tasks needs, or if a
run failed.
"""

import concurrent.futures
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(ROOT / "test" / "Workloads")]
sys.path.append(str(HERE.parent / "rodinia"))

import evaluation  # noqa: E402
import experiments  # noqa: E402
import harness  # noqa: E402
import machines  # noqa: E402
import workloads  # noqa: E402
from generated import differing, page_with  # noqa: E402
from progress import Progress  # noqa: E402
from records import Records  # noqa: E402
from workloads import PROGRAMS, SIZES, Failure  # noqa: E402

DOCS = ROOT / "docs"
DOCUMENT, FOLDER = DOCS / "ReproductionISCA14.md", DOCS / "reproduction"
DATA = FOLDER / "isca14.json"


def attempt(options, run, executable):
    """What the run adds to its record: a report and seconds, or a failure."""
    try:
        return workloads.perform(options, run, executable)
    except Failure as failure:
        return str(failure)


def make_runs(options, records, runs):
    """Makes the `runs` that the file lacks. Those with the baseline channel are last: they
    take longest."""
    revision = machines.revision(tuple(workloads.WHAT_COUNTS))
    if options.renew:
        records.forget(lambda record: record["revision"] != revision)
    if options.retry:
        records.forget(lambda record: "failure" in record)
    kept = {run for p in PROGRAMS for s in SIZES for run in workloads.wanted(p, s)}
    records.keep_only(kept | {run for p in PROGRAMS for run in experiments.wanted(p)})
    missing = [run for run in runs if run not in records.runs]
    missing.sort(key=lambda run: run.channel == "baseline")
    if missing:
        print(f"compiling for {len(missing)} runs", file=sys.stderr, flush=True)
    have = {kernel["program"] for kernel in records.kernels}
    for program in dict.fromkeys(run.program for run in missing):
        if program not in have:
            records.kernels += workloads.kernels(options, program)
    progress = Progress(dict.fromkeys(missing, 5), options.jobs)
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as scratch:
        executables = {
            run: workloads.compile_for(options, run, pathlib.Path(scratch)) for run in missing
        }
        pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
        waiting, working = missing[::-1], {}
        try:
            while waiting or working:
                while waiting and len(working) < options.jobs:
                    run = waiting.pop()
                    progress.start(run)
                    working[pool.submit(attempt, options, run, executables[run])] = run
                done, _ = concurrent.futures.wait(
                    working, return_when=concurrent.futures.FIRST_COMPLETED
                )
                for future in done:
                    run = working.pop(future)
                    progress.finish(run)
                    found = future.result()
                    if isinstance(found, str):
                        # The executable's folder is another each time.
                        text = found.splitlines()
                        failure = [line.replace(f"{scratch}/", "") for line in text[:4]]
                        records.add(run, revision, failure="; ".join(failure))
                        progress.say(f"FAIL: {run}: {text[0]}")
                    else:
                        records.add_report(run, revision, *found)
                        progress.say(str(run))
                    records.write()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    records.write()


def parse():
    parser = harness.argument_parser(__doc__)
    add = parser.add_argument
    add("--results", type=pathlib.Path, metavar="FILE", default=DATA,
        help="data file; default docs/reproduction/isca14.json")  # fmt: skip
    add("--sizes", choices=SIZES, default="paper", help="of the inputs, default paper")
    add("--only", action="append", choices=PROGRAMS, help="a program; may be repeated")
    add("--jobs", type=int, default=2, help="runs at a time, default 2")
    add("--renew", action="store_true",
        help="forget first what another revision of the sources gave")  # fmt: skip
    add("--retry", action="store_true", help="forget failures first")
    add("--render", action="store_true", help="run nothing: tables and plots of the data file")
    add("--write", action="store_true", help="put tables and plots into docs")
    add("--check", action="store_true", help="with --render: fail if docs differ from the data")
    add("--timeout", type=float, default=14400, help="seconds for a command, default 14400")
    options = parser.parse_args()
    harness.find_compiler(parser, options, not options.render)
    options.chansim = options.cilk2chan.with_name("chansim")
    return options


def main():
    options = parse()
    status = 0
    try:
        records = Records(options.results)
        if not options.render:
            programs = options.only or PROGRAMS
            runs = [run for p in programs for run in workloads.wanted(p, options.sizes)]
            if options.sizes != "quick":
                runs += [run for p in programs for run in experiments.wanted(p)]
            runs = list(dict.fromkeys(runs))
            make_runs(options, records, runs)
            for run, failure in records.failures().items():
                print(f"FAIL: {run}: {failure}", file=sys.stderr)
                status = 1
        for problem in evaluation.wrong_counts(records):
            print(f"FAIL: {problem}", file=sys.stderr)
            status = 1
        if not records.programs():
            raise Failure(f"{options.results}: has all runs of no program")
        texts, plots = evaluation.render(records)
        wrong = {}
        if options.write or options.check:
            files = {DOCUMENT: page_with(DOCUMENT, texts, "reproduce.py")}
            wrong = differing(files | {FOLDER / name: plot for name, plot in plots.items()})
    except Failure as failure:
        print(f"FAIL: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"interrupted; {options.results} has what was done", file=sys.stderr)
        return 130
    if options.check:
        for path in wrong:
            print(f"{path.relative_to(ROOT)} is not what {options.results.name} makes; "
                  "run reproduce.py --render --write")  # fmt: skip
        return int(bool(wrong)) or status
    for path, text in wrong.items():
        path.write_text(text, encoding="utf-8")
    if not options.write:
        print("\n".join(texts.values()), end="")
    return status


if __name__ == "__main__":
    sys.exit(main())
