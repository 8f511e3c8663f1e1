# ===- charts.py - Bars as SVG ---------------------------------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Bars by name, as SVG. Equal values give equal files on all machines, so that a test can
compare the plots of docs/Reproduction.md with its data."""

import html
import math

COLOURS = ["#1f6fb4", "#9ec5e6", "#e08a2e"]
WIDTH, BAR, GAP, TOP, LETTER = 480, 13, 9, 28, 7
STYLE = 'font-family="sans-serif" font-size="12" fill="#222"'


def ticks(most):
    """About five round numbers from 0 to `most`."""
    step = 10 ** math.floor(math.log10(most / 4))
    step *= next(f for f in (1, 2, 5, 10) if most / (step * f) <= 6)
    return [round(i * step, 6) for i in range(int(most / step + 1e-9) + 1)]


class Chart:
    """Elements of a picture, whose bars begin at `left`."""

    def __init__(self, left, most):
        self.left, self.scale, self.parts = left, WIDTH / most, []

    def x(self, value):
        return f"{self.left + value * self.scale:.1f}"

    def text(self, x, y, text, anchor="start"):
        self.parts.append(
            f'<text x="{x}" y="{y}" text-anchor="{anchor}" {STYLE}>{html.escape(text)}</text>'
        )

    def line(self, x, top, bottom, colour, width):
        self.parts.append(
            f'<line x1="{x}" x2="{x}" y1="{top}" y2="{bottom}" stroke="{colour}" '
            f'stroke-width="{width}"/>'
        )

    def box(self, x, y, width, height, colour):
        self.parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{colour}"/>'
        )


def bars(rows, series, label, line=None, of_line="", missing=""):
    """SVG of `rows`: a value for each of `series`, by name. A grey line stands at `line`. In
    place of None stands the text `missing`."""
    values = [value for row in rows.values() for value in row if value is not None]
    most = 1.1 * max([*values, line or 0])
    left = LETTER * max(map(len, rows)) + 16
    chart = Chart(left, most)
    group = BAR * len(series) + GAP
    bottom = TOP + group * len(rows)
    for tick in ticks(most):
        chart.line(chart.x(tick), TOP - 4, bottom, "#ddd", 1)
        chart.text(chart.x(tick), bottom + 15, f"{tick:g}", "middle")
    if line is not None:
        chart.line(chart.x(line), TOP - 4, bottom, "#555", 1.5)
    for number, (name, row) in enumerate(rows.items()):
        top = TOP + number * group
        chart.text(left - 6, top + BAR * len(series) / 2 + 4, name, "end")
        for place, value in enumerate(row):
            y = top + place * BAR
            if value is None:
                chart.text(left + 4, y + BAR - 2, missing)
            else:
                chart.box(left, y, f"{value * chart.scale:.1f}", BAR - 1, COLOURS[place])
                chart.text(f"{left + value * chart.scale + 4:.1f}", y + BAR - 2, f"{value:.3g}")
    chart.text(left, bottom + 34, label)
    x = left
    for place, name in enumerate(series if len(series) > 1 else []):
        chart.box(x, 7, 11, 11, COLOURS[place])
        chart.text(x + 15, 17, name)
        x += 30 + LETTER * len(name)
    if line is not None:
        chart.line(x + 2, 6, 19, "#555", 1.5)
        chart.text(x + 10, 17, of_line)
    size = f'width="{left + WIDTH + 20}" height="{bottom + 44}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<rect {size} fill="#fff"/>\n'
    return head + "\n".join(chart.parts) + "\n</svg>\n"
