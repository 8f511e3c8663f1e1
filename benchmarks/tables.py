# ===- tables.py - Tables of the benchmarks -----------------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Markdown tables."""


def cells_of(text, title):
    """The cells of the table under the heading `title`, by row; its columns first."""
    lines = iter(text.split(f"## {title}\n", 1)[1].lstrip("\n").splitlines())
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return [rows[0], *rows[2:]]


class Table:
    """A Markdown table, readable as it is. A `note` stands below it."""

    def __init__(self, title, *columns):
        self.title, self.rows, self.note = title, [columns], ""

    def add(self, *cells):
        self.rows.append(cells)

    def text(self):
        widths = [max(len(row[i]) for row in self.rows) for i in range(len(self.rows[0]))]
        lines = []
        for number, row in enumerate(self.rows):
            cells = [c.ljust(w) if i == 0 else c.rjust(w)
                     for i, (c, w) in enumerate(zip(row, widths))]  # fmt: skip
            lines.append("| " + " | ".join(cells) + " |")
            if number == 0:
                rules = ["-" * w if i == 0 else "-" * (w - 1) + ":"
                         for i, w in enumerate(widths)]  # fmt: skip
                lines.append("| " + " | ".join(rules) + " |")
        note = f"\n{self.note}\n" if self.note else ""
        return f"## {self.title}\n\n" + "\n".join(lines) + "\n" + note
