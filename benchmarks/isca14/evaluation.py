# ===- evaluation.py - Tables and plots of ISCA'14's evaluation ----------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""ISCA'14 beside ours, from the records of a data file (records.py): Tables 3 to 5, Figures
15 to 19. A run that failed is an empty cell with the word "failed"."""

import charts
import experiments
from claims import claims_table
from levels import wavefronts
from measures import (FAILED, PAPER_BLOCKED, PAPER_DISPATCHES, PAPER_REGISTERS, PAPER_SPEEDUPS,
                      PAPER_INPUTS, PAPER_TASKS, Study, divided, fits_tree, number, percent, ratio, times)  # fmt: skip
from tables import Table
from workloads import AGGREGATORS, CHANNELS, CORES, FLAT, SIZES, WIDTHS, base


TABLE3 = """\
* *Wavefronts* are those that the machine ran. *By the tree* is the number that the tree of tasks needs: each level needs one for 64 tasks.
* *Measured with* is the small input of the run that gives the cycles of a wavefront. This run has one CU and channels of 64 elements.
* *Cycles of a wavefront* are those in which the CU has a wavefront, divided by the number of wavefronts.
* *With waiting* adds the cycles in which the CU waits for the aggregator. The comparison with ISCA'14 is without them."""
TABLE5 = "[The channel GPU](APU.md#the-aggregators-of-table-5) has the parameters of each aggregator."


def wrong_counts(records):
    """Runs that had other wavefronts than their tree of tasks needs. Of larger sizes, only
    the run that all studies start from counts: others divide some levels otherwise. The
    claims have these."""
    bases = {base(program, name) for program in WIDTHS for name in SIZES}
    quick = SIZES["quick"]
    problems = []
    for run, record in records.runs.items():
        found = record.get("statistics")
        if not found or run.width != WIDTHS.get(run.program):
            continue
        if run not in bases and run.size != quick[run.program]:
            continue
        tasks, later = wavefronts(run.program, run.size)
        counts = found["aggregator.dispatches"], found["aggregator.continuations"]
        yields = found["aggregator.wavefront_yields"]
        if not fits_tree(found, tasks + later) or not later <= counts[1] <= later + yields:
            problems.append(f"{run}: {counts[0]} wavefronts, {counts[1]} of continuations, "
                            f"and the tree needs {tasks + later} and {later}")  # fmt: skip
    return problems


def origin(records, study):
    wanted = [*study.all_runs(), *[run for p in study.programs for run in experiments.wanted(p)]]
    runs = [records.runs[run] for run in dict.fromkeys(wanted) if run in records.runs]
    days = sorted({record["date"] for record in runs})
    table = Table("Origin", "", "")
    table.add("days", " to ".join(dict.fromkeys([days[0], days[-1]])))
    table.add("revisions of the sources", ", ".join(sorted({r["revision"] for r in runs})))
    for program, name in study.sizes.items():
        of_paper = PAPER_INPUTS[program]
        instead = "" if name != "paper" or study.size(program) == of_paper else f" for {of_paper}"
        table.add(f"size of {program}", f"{study.size(program)} ({name}{instead})")
    table.add("runs", f"{len(runs)}")
    table.add("of these, failed", f"{sum('failure' in record for record in runs)}")
    table.add("processor time of the simulator",
              f"{sum(record.get('seconds', 0) for record in runs) / 60:.0f} min")  # fmt: skip
    return table


def table3(study):
    table = Table("Table 3: workloads", "", "kernel nodes", "registers", "ISCA'14's", "context, B",
                  "width", "wavefronts", "by the tree", "ISCA'14 (its size)",
                  "cycles of a wavefront", "with waiting", "ISCA'14", "ours / ISCA'14",
                  "measured with")  # fmt: skip
    table.note = TABLE3
    for program in study.programs:
        found, kernels = study.base(program), study.kernels(program)
        registers = ", ".join(f"{k['s']}s/{k['d']}d/{k['c']}c" for k in kernels)
        _, of_paper, cycles = PAPER_TASKS[program]
        ours, run = study.task_cycles(program), study.one_wavefront(program)
        table.add(
            study.name(program), f"{len(kernels)}", registers, PAPER_REGISTERS[program],
            number(study.context(program)), number(WIDTHS[program]),
            number(found and found["aggregator.dispatches"]),
            number(sum(wavefronts(program, study.size(program)))), number(of_paper),
            number(ours), number(study.run_cycles(program)), number(cycles), ratio(ours, cycles),
            f"{program} {run.size}" if run else FAILED,
        )  # fmt: skip
    return table


def table4(study):
    table = Table("Table 4: conventional programs", "", "conventional", "lines", "fewer", "ISCA'14",
                  "wavefronts", "conventional's", "times as many", "ISCA'14",
                  "times as fast", "ISCA'14", "ours / ISCA'14")  # fmt: skip
    for program in study.with_flat:
        found, flat = study.base(program), study.flat(program)
        few, many, reduction = study.lines(program)
        dispatches, speedup = PAPER_DISPATCHES[program]
        counts = [f and f["aggregator.dispatches"] for f in (found, flat)]
        ours = study.flat_speedup(program)
        table.add(
            study.name(program), FLAT[program], f"{few} and {many}", f"{1 - few / many:.0%}",
            f"{reduction:.0%}", *map(number, counts), ratio(*counts), times(dispatches),
            times(ours), times(speedup), ratio(ours, speedup),
        )  # fmt: skip
    return table


def figure15(study):
    table = Table("Figure 15: scaling", "", "CUs", "cycles", "GPU active", "blocked on aggregator",
                  "speed-up", "ISCA'14 at 8", "ours / ISCA'14")  # fmt: skip
    for program in study.programs:
        for cores in CORES:
            run = study.first(program)._replace(cores=cores)
            blocked, gain = study.blocked(run), study.speedup(program, cores)
            paper = PAPER_SPEEDUPS.get(program) if cores == CORES[-1] else None
            table.add(
                study.name(program) if cores == 1 else "", f"{cores}", number(study.cycles(run)),
                FAILED if blocked is None else percent(1 - blocked), percent(blocked),
                times(gain), times(paper) if paper else "", ratio(gain, paper),
            )  # fmt: skip
    return table


def figure15_plots(study):
    def rows(value):
        return {study.name(p): [value(p, cores) for cores in CORES[1:]] for p in study.programs}

    def blocked(program, cores):
        share = study.blocked(study.first(program)._replace(cores=cores))
        return None if share is None else 100 * share

    series = [f"{cores} CUs" for cores in CORES[1:]]
    return {
        "isca14-figure15.svg": charts.bars(
            rows(study.speedup), series, "times as fast as one CU", missing=FAILED
        ),
        "isca14-figure15-blocked.svg": charts.bars(
            rows(blocked), series, "% of the time blocked on the aggregator", missing=FAILED
        ),
    }


def figure16(study):
    table = Table("Figure 16: caches", "", "CUs", "L1 accesses", "hits in L1", "lines from L2",
                  "hits in L2", "lines from another L1", "share of lines")  # fmt: skip
    for program in study.programs:
        for cores in CORES:
            found = study.of(study.first(program)._replace(cores=cores))
            name = study.name(program) if cores == 1 else ""
            if not found:
                table.add(name, f"{cores}", *[FAILED] * 6)
                continue
            l1, l2, others = study.hits(found)
            table.add(
                name, f"{cores}", number(found["l1.accesses"]), percent(l1),
                number(found["l1.lines_from_l2"]), percent(l2),
                number(found["l1.cache_to_cache"]), percent(others),
            )  # fmt: skip
    return table


def figure16_plot(study):
    rows = {}
    for program in study.programs:
        found = study.base(program)
        rows[study.name(program)] = [100 * v for v in study.hits(found)] if found else [None] * 3
    series = ["hits in L1", "hits in L2", "from another L1"]
    return charts.bars(rows, series, "% (8 CUs)", missing=FAILED)


def figure17(study):
    table = Table("Figure 17: channels", "", *[f"cycles, {name}" for name in CHANNELS],
                  *[f"{name} / leader" for name in CHANNELS if name != "leader"],
                  *[f"atomic operations, {name}" for name in CHANNELS],
                  "baseline / leader")  # fmt: skip
    for program in study.programs:
        cycles = study.by_channel(program, "run.cycles")
        atomics = study.by_channel(program, "simt.atomics")
        table.add(
            study.channel_name(program), *[number(cycles[name]) for name in CHANNELS],
            *[ratio(cycles[n], cycles["leader"]) for n in CHANNELS if n != "leader"],
            *[number(atomics[name]) for name in CHANNELS],
            ratio(atomics["baseline"], atomics["leader"]),
        )  # fmt: skip
    return table


def figure17_plot(study):
    rows = {}
    for program in study.programs:
        cycles = study.by_channel(program, "run.cycles")
        first = cycles["leader"]
        rows[study.channel_name(program)] = [
            cycles[name] and first and cycles[name] / first for name in CHANNELS
        ]
    return charts.bars(rows, CHANNELS, "cycles, divided by those of leader", missing=FAILED)


def figure18(study):
    table = Table("Figure 18: widths of channels", "", "width", "cycles", "times the best",
                  "wavefronts", "yields", "blocked on aggregator", "best of ISCA'14")  # fmt: skip
    for program in study.programs:
        runs = study.sweep(program)
        known = [cycles for run in runs.values() if (cycles := study.cycles(run))]
        for place, (width, run) in enumerate(runs.items()):
            found = study.of(run)
            table.add(
                study.name(program) if place == 0 else "", number(width),
                number(study.cycles(run)), ratio(study.cycles(run), min(known, default=None)),
                number(found and found["aggregator.dispatches"]),
                number(found and found["aggregator.wavefront_yields"]),
                percent(study.blocked(run)), "yes" if width == WIDTHS[program] else "",
            )  # fmt: skip
    return table


def figure18_plot(study):
    rows = {}
    for program in study.programs:
        runs = study.sweep(program)
        known = [cycles for run in runs.values() if (cycles := study.cycles(run))]
        for width, run in runs.items():
            cycles = study.cycles(run)
            rows[f"{program} {width}"] = [cycles and cycles / min(known)]
    return charts.bars(rows, ["cycles"], "cycles, divided by the fewest", missing=FAILED)


def table5(study):
    table = Table("Table 5: time blocked on the aggregator, 8 CUs", "", "aggregator", "ours",
                  "ISCA'14", "ours / ISCA'14", "cycles")  # fmt: skip
    table.note = TABLE5
    for program in study.programs:
        for place, name in enumerate(AGGREGATORS):
            run = study.first(program)._replace(aggregator=name)
            ours, paper = study.blocked(run), PAPER_BLOCKED[name][program]
            table.add(study.name(program) if place == 0 else "", name, percent(ours),
                      percent(paper), ratio(ours, paper), number(study.cycles(run)))  # fmt: skip
    return table


def figure19(study):
    table = Table("Figure 19: lanes of instructions", "", "1 to 16", "17 to 32", "33 to 48",
                  "49 to 64", "all 64", "instructions")  # fmt: skip
    for program in study.programs:
        found = study.base(program)
        if not found:
            table.add(study.name(program), *[FAILED] * 6)
            continue
        shares = study.quarters(found)
        everyone = found["simt.lanes_all"] / found["simt.instructions"]
        table.add(study.name(program), *map(percent, [*shares, everyone]),
                  number(found["simt.instructions"]))  # fmt: skip
    return table


def figure19_plot(study):
    rows = {}
    for program in study.programs:
        found = study.base(program)
        first, second, third, fourth = study.quarters(found) if found else [None] * 4
        rows[study.name(program)] = (
            [100 * first, 100 * (second + third), 100 * fourth] if found else [None] * 3
        )
    series = ["1 to 16 lanes", "17 to 48", "49 to 64"]
    return charts.bars(rows, series, "% of instructions", missing=FAILED)


def speed(study):
    table = Table("Speed of the simulator, 8 CUs", "", "cycles", "instructions of wavefronts",
                  "seconds of a processor", "cycles a second", "instructions a second")  # fmt: skip
    for program in study.programs:
        found, seconds = study.base(program), study.seconds(program)
        cycles, instructions = (found and found[name] for name in ("run.cycles", "simt.instructions"))
        table.add(study.name(program), number(cycles), number(instructions),
                  "" if seconds is None else f"{seconds:.1f}",
                  number(divided(cycles, seconds)), number(divided(instructions, seconds)))  # fmt: skip
    return table


def image(name, text):
    return f"\n![{text}](reproduction/{name})\n"


def render(records):
    """The generated parts of the page by name, and the plots by file name."""
    study = Study(records)
    plots = {
        **figure15_plots(study),
        "isca14-figure16.svg": figure16_plot(study),
        "isca14-figure17.svg": figure17_plot(study),
        "isca14-figure18.svg": figure18_plot(study),
        "isca14-figure19.svg": figure19_plot(study),
    }
    parts = [table3(study).text(), table4(study).text(), table5(study).text()]
    for number_, table in enumerate((figure15, figure16, figure17, figure18, figure19), 15):
        part = table(study)
        pictures = [name for name in plots if f"figure{number_}" in name]
        parts.append(part.text() + "".join(image(name, part.title) for name in pictures))
    parts.append(speed(study).text())
    texts = {
        "isca14-origin": origin(records, study).text().partition("\n\n")[2],
        "isca14-claims": claims_table(study).text().partition("\n\n")[2],
        "isca14-experiments": experiments.Experiments(records).text(),
        "isca14-tables": "\n".join(parts),
    }
    return texts, plots
