# ===- figures.py - Tables and plots of docs/Reproduction.md ---------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""MICRO'15 beside ours, from the records of a data file (results.py)."""

import statistics

import charts
import machines
from machines import ALL_LIMITS, EXPERIMENTS, FORMS, VARIANTS
from results import CORE, DIE, SYSTEM, TABLES, UNITS
from tables import Table

# MICRO'15 Table 2: blocks of kernels. Two of ours are not among them.
BLOCKS = {
    "Kernel": 8, "Kernel2": 3, "invert_mapping": 3, "compute_step_factor": 2,
    "initialize_variables": 1, "time_step": 1, "compute_flux": 12, "lud_internal": 3,
    "lud_diagonal": 11, "lud_perimiter": 22, "Fan1": 2, "Fan2": 5, "hotspot_kernel": 27,
    "kernel_gpu_cuda": 21, "euclid": 2, "normalize_weights_kernel": 5, "adjust_weights": 3,
    "layerforward": 20, "needle_cuda_shared_1": 13, "needle_cuda_shared_2": 13,
    "streamcluster_kernel_compute_cost": 6,
}  # fmt: skip
# What the text of MICRO'15 has for a figure: the mean, the smallest and the largest.
PAPER = {
    3: (0.1, None, None), 7: (3, 0.9, 11), 8: (1.45, 0.4, 3.1), 9: (1.75, 0.7, 7),
    11: (1.33, None, None),
}  # fmt: skip
PAPER_SHARE, PAPER_MEDIAN, PAPER_CYCLES = 0.0018, 0.001, 34
OF_PAPER, NOT_MAPPED = "mean of MICRO'15", "does not map"
NOTICED = 1.1  # as many times as fast is noticed
LEVELS = {"system": SYSTEM, "die": DIE, "core": CORE}


def times(value):
    """A ratio, with two digits that count."""
    if value is None:
        return ""
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def percent(value):
    return f"{value:.2%}"


def geometric_mean(values):
    return statistics.geometric_mean(values) if min(values) > 0 else 0


def known(values):
    return [value for value in values if value is not None]


def variants(programs):
    return [source for source in VARIANTS if source.split("-")[0] in programs]


def as_list(notes):
    """Notes by name, below a table: "* **bfs**" and its notes."""
    lines = []
    for name, texts in notes.items():
        if texts:
            lines += [f"* **{name}**", *[f"    * {text}" for text in texts]]
    return "\n".join(lines)


class Figure:
    """A number for each name, of one or several `series`, beside the mean of the paper."""

    def __init__(self, number, title, label, series, rows, notes=None):
        self.number, self.title, self.label = number, title, label
        self.series, self.rows, self.notes = series, rows, notes
        self.paper = PAPER.get(number, [None])[0]

    def table(self):
        columns = ["", *self.series]
        if self.paper:
            columns += [OF_PAPER, *[f"{name} / MICRO'15" for name in self.series]]
        table = Table(f"Figure {self.number}: {self.title}", *columns)
        for name, row in self.rows.items():
            self.add(table, name, row)
        by_series = [known(column) for column in zip(*self.rows.values())]
        if all(by_series):
            self.add(table, "mean", [statistics.mean(v) for v in by_series])
            self.add(table, "geometric mean", [geometric_mean(v) for v in by_series])
        table.note = as_list(self.notes or {})
        return table

    def add(self, table, name, row):
        cells = [NOT_MAPPED if value is None else times(value) for value in row]
        if self.paper:
            cells.append(times(self.paper))
            cells += ["" if value is None else times(value / self.paper) for value in row]
        table.add(name, *cells)

    def plot(self):
        paper = (self.paper, OF_PAPER) if self.paper else ()
        return charts.bars(self.rows, self.series, self.label, *paper, missing=NOT_MAPPED)

    def first(self):
        """The values of the first series, by name, without those that are not mapped."""
        return {name: row[0] for name, row in self.rows.items() if row[0] is not None}


def register_shares(results, source):
    """LVC accesses, divided by those to a register file: the registers that the model of Fermi
    read and wrote, and the operands and results of the instructions."""
    value, fermi = results.of(source), results.of(source, "fermi")
    accesses = value["rows.lvc_accesses"]
    registers = fermi["registers.reads"] + fermi["registers.writes"]
    return [accesses / registers, accesses / value["rows.register_accesses"]]


def mapped_form(results, program):
    """The file of a program that SGMF runs, Rodinia's form if it can; or None."""
    forms = [FORMS[program], *variants([program])]
    return next((form for form in forms if not results.refusals(form, "sgmf")), None)


def reason(results, source):
    """Why SGMF does not run a file: a text for each reason."""
    reasons = {}
    for refused in results.refusals(source, "sgmf"):
        name = f"`{refused['kernel']}`"
        # A function with a loop is a kernel of its own, which launches the loop's.
        name = name if refused["loop"] else f"the function that launches {name}"
        reasons.setdefault(refused["reason"], {})[name] = None
    return [f"{', '.join(names)}: {text}" for text, names in reasons.items()]


def holding_form(results, source, kernel):
    """The form of a program whose loop SGMF holds whole in function `kernel`, or None."""
    for form in [source, *variants([source.split("-")[0]])]:
        refusals = results.refusals(form, "sgmf")
        if not any(r["loop"] and r["kernel"] == kernel for r in refusals):
            return form
    return None


def sgmf_figure(results, number, title, label, series, values, reasons):
    """A figure of the programs that SGMF can run: `values` are of a file."""
    rows, notes = {}, {}
    for program in results.programs:
        form = mapped_form(results, program)
        if form is None:
            rows[program] = [None] * len(series)
            notes[program] = reason(results, FORMS[program]) if reasons else []
        else:
            rows[program] = values(form)
            notes[program] = [] if form == FORMS[program] else [f"as `{form}.c`"]
    return Figure(number, title, label, series, rows, notes)


def figures_of(results):
    def rows(values):
        return {program: values(FORMS[program]) for program in results.programs}

    def energy(source, machine):
        return [results.efficiency(source, machine, table, SYSTEM) for table in TABLES[::-1]]

    tables, energy_label = TABLES[::-1], "energy of {}, divided by that of VGIW"
    fermi = energy_label.format("Fermi")
    return [
        Figure(3, "live values and registers", "accesses to the LVC, divided by those to registers",
               ["by Fermi's registers", "by operands"],
               rows(lambda s: register_shares(results, s))),
        Figure(7, "speedup over Fermi", "times as fast as Fermi", ["ours"],
               rows(lambda s: [results.speedup(s, "fermi")])),
        sgmf_figure(results, 8, "speedup over SGMF", "times as fast as SGMF", ["ours"],
                    lambda s: [results.speedup(s, "sgmf")], reasons=True),
        Figure(9, "energy efficiency over Fermi", fermi, tables,
               rows(lambda s: energy(s, "fermi"))),
        Figure(10, "energy efficiency of system, die and core", f"{fermi} (gpuwattch)",
               list(LEVELS), rows(lambda s: [
                   results.efficiency(s, "fermi", "gpuwattch", units) for units in LEVELS.values()
               ])),
        sgmf_figure(results, 11, "energy efficiency over SGMF", energy_label.format("SGMF"),
                    tables, lambda s: energy(s, "sgmf"), reasons=False),
    ]  # fmt: skip


def run_table(results):
    columns = ["size", "cycles of VGIW", "of Fermi", "of SGMF", "reconfiguring", "fetching",
               "threads a tile", "threads a block run", "units starting", "L1 hits and merges",
               "IPC of Fermi"]  # fmt: skip
    table = Table("Runs", "file", *columns)
    for source in [FORMS[program] for program in results.programs]:
        value, fermi, sgmf = [results.of(source, machine) for machine in machines.MACHINES]
        firings = sum(value[f"fabric.{unit}_firings"] for unit in UNITS)
        found = (value["l1.hits"] + value["l1.merged"]) / value["l1.accesses"]
        table.add(
            source, results.size(source), f"{value['run.cycles']:,}", f"{fermi['run.cycles']:,}",
            f"{sgmf['run.cycles']:,}" if sgmf else "", percent(reconfiguring(results, source)),
            percent(value["bbs.cycles_fetching"] / value["bbs.cycles"]),
            f"{value['core.threads'] / value['core.tiles']:.0f}",
            f"{value['bbs.threads'] / value['bbs.blocks']:.0f}",
            f"{firings / value['bbs.cycles']:.1f}", f"{found:.0%}", times(fermi["simt.ipc"]),
        )  # fmt: skip
    return table


def variant_table(results):
    columns = ["cycles, Rodinia's form / this", "speedup over Fermi", "over SGMF",
               "energy efficiency over Fermi", "over SGMF", "LVC / registers of Fermi"]  # fmt: skip
    table = Table("Variants", "file", *columns)
    notes = {source: reason(results, source) for source in variants(results.programs)}
    table.note = "Why SGMF does not run some:\n\n" + as_list(notes) if any(notes.values()) else ""
    for source in variants(results.programs):
        form = FORMS[source.split("-")[0]]
        cycles = [results.of(s)["run.cycles"] for s in (form, source)]
        energies = [results.efficiency(source, m, "gpuwattch", SYSTEM) for m in ("fermi", "sgmf")]
        table.add(
            source, times(cycles[0] / cycles[1]), times(results.speedup(source, "fermi")),
            times(results.speedup(source, "sgmf")), *map(times, energies),
            times(register_shares(results, source)[0]),
        )  # fmt: skip
    return table


def limit_of(gains):
    """What an experiment found to limit a program."""
    single = {name: gain for name, gain in gains.items() if name != ALL_LIMITS}
    most = max(single, key=single.get)
    if single[most] >= NOTICED:
        return most
    # What is left is the rate at which the units of the configured graph start.
    return "several together" if gains[ALL_LIMITS] >= NOTICED else "issue rate"


def limit_table(results):
    table = Table("Limits", "", "size", *EXPERIMENTS, "limit", "without all, over Fermi")
    over_fermi = []
    for program in results.programs:
        source = FORMS[program]
        gains = results.gains(source, "vgiw")
        over_fermi.append(results.gains(source, "fermi")[ALL_LIMITS])
        size = results.size(source, results.limit_sizes)
        table.add(program, size, *map(times, gains.values()), limit_of(gains),
                  times(over_fermi[-1]))  # fmt: skip
    table.add("mean", *[""] * (len(EXPERIMENTS) + 2), times(statistics.mean(over_fermi)))
    return table


def kernels_of(results, source):
    return [kernel for kernel in results.kernels if kernel["source"] == source]


def pair(values):
    return " to ".join(map(str, sorted(set(values))))


def blocks_of(results):
    """Blocks of the kernels of Table 2, by name: MICRO'15's, ours, and those of the variant."""
    rows = {}
    for program in results.programs:
        others = [k for v in variants([program]) for k in kernels_of(results, v)]
        variant = {kernel["kernel"]: kernel["blocks"] for kernel in others}
        for kernel in kernels_of(results, FORMS[program]):
            name = kernel["kernel"]
            rows[name] = BLOCKS.get(name), kernel["blocks"], variant.get(name), program, kernel
    return rows


def block_table(results):
    columns = ["kernel", "MICRO'15", "ours", "ours / MICRO'15", "of the variant", "replicas",
               "units", "live values", "whole on SGMF"]  # fmt: skip
    table = Table("Table 2: blocks of kernels", "", *columns)
    for name, (paper, ours, variant, program, kernel) in blocks_of(results).items():
        form = holding_form(results, FORMS[program], name)
        table.add(
            program, name, str(paper or ""), str(ours), times(ours / paper) if paper else "",
            str(variant or ""), pair(kernel["replicas"]), pair(kernel["units"]),
            str(kernel["live_values"]),
            {None: "no", FORMS[program]: "yes"}.get(form, f"as `{form}.c`"),
        )  # fmt: skip
    return table


def block_plot(results):
    rows = {name: [paper, ours] for name, (paper, ours, *_) in blocks_of(results).items() if paper}
    return charts.bars(rows, ["MICRO'15", "ours"], "blocks of a kernel")


def reconfiguring(results, source):
    value = results.of(source)
    return value["bbs.cycles_configuring"] / value["bbs.cycles"]


def claim_rows(figure, names):
    """Mean, smallest and largest beside those of the paper."""
    values = figure.first()
    if not values:
        return
    all_mapped = len(values) == len(figure.rows)
    of = "" if all_mapped else f", {len(values)} of {len(figure.rows)} programs"
    mean = statistics.mean(values.values())
    paper, smallest, largest = PAPER[figure.number]
    yield f"{names}, mean{of}", paper, mean, ""
    yield f"{names}, geometric mean{of}", None, geometric_mean(values.values()), ""
    for word, value, choose in [("smallest", smallest, min), ("largest", largest, max)]:
        name = choose(values, key=values.get)
        yield f"{names}, {word}{of}", value, values[name], f" ({name})"


def claims_table(results, figures):
    """V1 to V8 as numbers."""
    by_number = {figure.number: figure for figure in figures}
    table = Table("Claims", "", "MICRO'15", "ours", "ours / MICRO'15")

    def add(claim, what, paper, ours, note="", show=times):
        ratio = times(ours / paper) if paper else ""
        table.add(f"{claim}: {what}", show(paper) if paper else "", show(ours) + note, ratio)

    for claim, number, names in [
        ("V1", 7, "speedup over Fermi"), ("V2", 8, "speedup over SGMF"),
        ("V3", 9, "energy efficiency over Fermi"), ("V4", 11, "energy efficiency over SGMF"),
        ("V5", 3, "LVC accesses / register accesses"),
    ]:  # fmt: skip
        figure = by_number[number]
        for place, series in enumerate(figure.series):
            names_of = f"{names} ({series})" if len(figure.series) > 1 else names
            part = Figure(number, "", "", [series], {n: [r[place]] for n, r in figure.rows.items()})
            for what, paper, ours, note in claim_rows(part, names_of):
                add(claim, what, paper, ours, note)
    values = [results.of(FORMS[program]) for program in results.programs]
    cycles = sum(v["bbs.cycles_configuring"] for v in values) / sum(v["bbs.blocks"] for v in values)
    shares = [reconfiguring(results, FORMS[program]) for program in results.programs]
    add("V6", "cycles of a reconfiguration", PAPER_CYCLES, cycles)
    add("V7", "share of reconfiguration, mean", PAPER_SHARE, statistics.mean(shares), "", percent)
    add("V7", "share of reconfiguration, median", PAPER_MEDIAN, statistics.median(shares), "",
        percent)  # fmt: skip
    blocks = [row for row in blocks_of(results).values() if row[0]]
    whole = [row for row in blocks if holding_form(results, row[4]["source"], row[4]["kernel"])]
    add("V2", f"kernels that SGMF holds whole, of {len(blocks)}", None, len(whole), "", str)
    add("V8", f"blocks of {len(blocks)} kernels, sum", sum(row[0] for row in blocks),
        sum(row[1] for row in blocks), "", str)  # fmt: skip
    return table
