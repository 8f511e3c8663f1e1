#!/usr/bin/env python3
# ===- lines.py - Lines of code of Table 4 of ISCA'14 -------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Counts the lines of code of the programs with channels, and of the conventional ones.

Only what lies between the comments `// count from here` and `// to here` counts: the
algorithm, without its input, its check and `main`. Comments and blank lines do not count.
The table has the reduction: the part of the conventional program's lines that the program
with channels does not need. The paper's is beside it; its conventional programs are in
OpenCL and CUDA.

  python3 benchmarks/isca14/lines.py
  | Queens   | queens.c | 48 | queens-flat.c | 105 | 54% | 36% |

The exit status is 1 if a program does not have one pair of these comments.
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from tables import Table  # noqa: E402

BEGIN, END = "// count from here\n", "// to here\n"
# The program with channels, the conventional one, and the reduction in Table 4.
PAIRS = {
    "Strassen": ("strassen.c", "matmul-blocked.c", 0.42),
    "Queens": ("queens.c", "queens-flat.c", 0.36),
}
# What may hide the beginning of a comment comes first: strings and characters.
TOKENS = re.compile(
    r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|/\*.*?\*/|//[^\n]*""", re.DOTALL
)


def lines_of_code(text):
    """The number of lines of C that are not blank, and not only comment."""

    def without_comment(match):
        return match[1] or " " + "\n" * match[0].count("\n")

    return sum(1 for line in TOKENS.sub(without_comment, text).splitlines() if line.strip())


def counted_part(path):
    """The text between the two comments."""
    text = path.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        sys.exit(f"error: {path}: no single pair of '{BEGIN.strip()}' and '{END.strip()}'")
    return text.split(BEGIN)[1].split(END)[0]


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "programs"
    table = Table("Lines of code", "", "channels", "lines", "conventional", "lines",
                  "reduction", "paper")  # fmt: skip
    for name, (ours, other, paper) in PAIRS.items():
        few, many = (lines_of_code(counted_part(folder / file)) for file in (ours, other))
        table.add(name, ours, str(few), other, str(many), f"{1 - few / many:.0%}", f"{paper:.0%}")
    print(table.text(), end="")


if __name__ == "__main__":
    main()
