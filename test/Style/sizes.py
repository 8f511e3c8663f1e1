#!/usr/bin/env python3
# ===- sizes.py - Files and functions that are too long -------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------------===#
"""Fails where a C or C++ file has over 700 lines, or a function in one over 120.

It relies on the project's format: a function begins with the last line before its "}"
that has the same indentation.

    sizes.py SOURCE-ROOT
"""

import pathlib
import re
import sys

FOLDERS = ("include", "lib", "runtime", "test/Unit", "tools")
MOST_LINES, MOST_LINES_OF_FUNCTION = 700, 120
NO_FUNCTION = re.compile(
    r"\s*(namespace|class|struct|union|enum|extern|if|for|while|do|switch|else|case)\b"
)


def functions(lines):
    """Pairs of the first line's number and the number of lines, of whole functions."""
    begun = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        indentation = len(line) - len(line.lstrip())
        if text in ("}", "};"):
            first, header = begun.pop(indentation, (0, ""))
            if text == "}" and indentation <= 2 and "(" in header:
                yield first, number - first + 1
        elif text and not re.match(r"//|#|}|{|(public|private|protected):", text):
            if NO_FUNCTION.match(text):
                begun.pop(indentation, None)
            else:
                begun[indentation] = (number, text)


def main():
    root = pathlib.Path(sys.argv[1])
    files = sorted(
        path
        for folder in FOLDERS
        for path in (root / folder).rglob("*")
        if path.suffix in (".c", ".cpp", ".h", ".td", ".def")
    )
    if len(files) < 100:
        sys.exit(f"sizes.py: only {len(files)} files below {root}")
    failures = found = 0
    for path in files:
        lines = path.read_text().splitlines()
        name = path.relative_to(root)
        if len(lines) > MOST_LINES:
            print(f"{name}: {len(lines)} lines; at most {MOST_LINES} are allowed")
            failures += 1
        for first, length in functions(lines):
            found += 1
            if length > MOST_LINES_OF_FUNCTION:
                print(
                    f"{name}:{first}: a function of {length} lines; "
                    f"at most {MOST_LINES_OF_FUNCTION} are allowed"
                )
                failures += 1
    print(f"{len(files)} files, {found} functions, {failures} too long")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
