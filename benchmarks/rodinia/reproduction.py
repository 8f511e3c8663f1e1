#!/usr/bin/env python3
# ===- reproduction.py - The tables of docs/Reproduction.md -------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compares MICRO'15 with the simulated machines: tables and plots.

    python3 benchmarks/rodinia/reproduction.py --write     # runs what is missing
    python3 benchmarks/rodinia/reproduction.py --render --write

The first runs all programs of this folder on all machines, and on VGIW without one limit
at a time. What the tables need of a run goes into a data file, docs/reproduction/results.json,
as soon as the run ends; runs that are there are not made again. The second makes the page
and the plots of that file, without a compiler. Without --write, the tables are printed.
"""

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent.parent / "test" / "Workloads")]

import figures  # noqa: E402
import harness  # noqa: E402
import machines  # noqa: E402
from generated import differing, page_with  # noqa: E402
from progress import perform_all  # noqa: E402
from results import Results  # noqa: E402
from run import Failure, configuration  # noqa: E402
from tables import Table  # noqa: E402

DOCS = HERE.parent.parent / "docs"
DOCUMENT, FOLDER = DOCS / "Reproduction.md", DOCS / "reproduction"
DATA = FOLDER / "results.json"


def map_kernels(options, results, revision, sources):
    """Records of the kernels that run a loop's iterations, of each file that has none."""
    have = {kernel["source"] for kernel in results.kernels}
    options.machine = None
    with tempfile.TemporaryDirectory(prefix="cilk2chan-") as folder:
        for source in sources:
            if source in have:
                continue
            config, _ = configuration(options, HERE / f"{source}.c", pathlib.Path(folder))
            for kernel in config["kernels"]:
                # Short ranges that share a tile have another kernel, of launch "ranges".
                if kernel["launch"] != "range":
                    continue
                blocks = kernel["blocks"]
                replicas = [block["replicas"] for block in blocks]
                units = [len(block["units"]) for block in blocks]
                results.kernels.append({
                    "source": source, "kernel": kernel["source"], "revision": revision,
                    "blocks": len(blocks), "live_values": kernel["live_values"],
                    "replicas": [min(replicas), max(replicas)], "units": [min(units), max(units)],
                })  # fmt: skip
    results.kernels.sort(key=lambda kernel: (kernel["source"], kernel["kernel"]))


def origin(results, runs):
    """When and of what the runs were made."""
    records = [results.records[run] for run in runs]
    days = sorted({record["date"] for record in records})
    revisions = sorted({record["revision"] for record in records})
    minutes = sum(record.get("seconds", 0) for record in records) / 60
    table = Table("Origin", "", "")
    table.add("days", " to ".join(dict.fromkeys([days[0], days[-1]])))
    table.add("revisions of the sources", ", ".join(revisions))
    table.add("sizes", results.sizes)
    table.add("sizes of the experiments without limits", results.limit_sizes)
    table.add("runs", f"{len(records)}")
    table.add("processor time of the simulator", f"{minutes:.0f} min")
    return table


def image(name, text):
    return f"\n![{text}](reproduction/{name})\n"


def render(results, runs):
    """The generated parts of the page by name, and the plots by file name."""
    made = figures.figures_of(results)
    plots = {f"figure{figure.number}.svg": figure.plot() for figure in made}
    plots["table2.svg"] = figures.block_plot(results)
    parts = [
        figures.run_table(results).text(),
        figures.limit_table(results).text(),
    ]
    for figure in made:
        plot = image(f"figure{figure.number}.svg", f"Figure {figure.number}: {figure.title}")
        parts.append(figure.table().text() + plot)
    blocks = image("table2.svg", "Blocks of kernels, in MICRO'15 and ours")
    parts.append(figures.block_table(results).text() + blocks)
    parts.append(figures.variant_table(results).text())
    claims = figures.claims_table(results, made).text()
    texts = {
        "origin": origin(results, runs).text().partition("\n\n")[2],
        "claims": claims.partition("\n\n")[2],
        "tables": "\n".join(parts),
    }
    return texts, plots


def wrong_files(texts, plots):
    """The files of docs that are not what they should be, with what they should be."""
    files = {DOCUMENT: page_with(DOCUMENT, texts, "reproduction.py")}
    return differing(files | {FOLDER / name: plot for name, plot in plots.items()})


def make_runs(options, results, runs):
    revision = machines.revision()
    if options.renew:
        results.forget_other(revision)
    try:
        map_kernels(options, results, revision, sorted({run.source for run in runs}))
        perform_all(options, runs, results, revision)
        if set(options.only) == set(machines.PROGRAMS):
            results.keep_only(runs)
    finally:
        results.write()


def parse():
    parser = harness.argument_parser(__doc__)
    add = parser.add_argument
    add("--results", type=pathlib.Path, metavar="FILE",
        help="data file; default docs/reproduction/results.json, but not for other sizes than "
        "those of the paper")  # fmt: skip
    add("--keep", type=pathlib.Path, metavar="DIR", help="leave the simulator's reports there")
    add("--sizes", choices=machines.SIZES, default="paper", help="of the problems, default paper")
    add("--limit-sizes", choices=machines.SIZES,
        help="of the experiments without limits, default those of --sizes")  # fmt: skip
    add("--only", action="append", choices=machines.PROGRAMS, help="a program; may be repeated")
    add("--jobs", type=int, default=2, help="runs at a time, default 2")
    add("--renew", action="store_true",
        help="forget first what another revision of the sources gave")  # fmt: skip
    add("--render", action="store_true", help="run nothing: tables and plots of the data file")
    add("--write", action="store_true", help="put tables and plots into docs")
    add("--check", action="store_true", help="with --render: fail if docs differ from the data")
    add("--timeout", type=float, default=14400, help="seconds for a command, default 14400")
    options = parser.parse_args()
    if (options.write or options.check) and options.only:
        parser.error("the page is of all programs: not with --only")
    if not options.results:
        if not options.render and options.sizes != "paper":
            parser.error("name a data file for these sizes: --results")
        options.results = DATA
    options.limit_sizes = options.limit_sizes or options.sizes
    options.only = options.only or machines.PROGRAMS
    harness.find_compiler(parser, options, not options.render)
    return options


def main():
    options = parse()
    try:
        results = Results(options.results)
        results.programs = options.only
        if not options.render:
            results.sizes, results.limit_sizes = options.sizes, options.limit_sizes
        runs = machines.wanted(options.only, results.sizes, results.limit_sizes)
        if not options.render:
            make_runs(options, results, runs)
        elif lacking := [run for run in runs if run not in results.records]:
            raise Failure(f"{options.results}: lacks {len(lacking)} runs: {lacking[0]}, ...")
        texts, plots = render(results, runs)
        wrong = wrong_files(texts, plots) if options.write or options.check else {}
    except Failure as failure:
        print(f"FAIL: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"interrupted; {options.results} has what was done", file=sys.stderr)
        return 130
    if options.check:
        for path in wrong:
            print(f"{path.relative_to(DOCS.parent)} is not what {options.results.name} makes; "
                  "run reproduction.py --render --write")  # fmt: skip
        return int(bool(wrong))
    for path, text in wrong.items():
        path.write_text(text, encoding="utf-8")
    if not options.write:
        print("\n".join([texts["claims"], texts["tables"]]), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
