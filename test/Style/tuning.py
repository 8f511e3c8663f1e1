#!/usr/bin/env python3
# ===- tuning.py - The constants of Tuning.h -------------------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------------===#
"""Fails if a constant of a Tuning.h has no evidence or no hidden option, or shares its name.

A constant may share its comment with those that follow without an empty line. Two inline
variables of one name in different headers would silently be one variable.

    tuning.py SOURCE-ROOT HELP
"""

import pathlib
import re
import sys


def main():
    root, options = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text()
    faults, count, headers = [], 0, {}
    for header in sorted([*(root / "include").rglob("Tuning.h"), *(root / "lib").rglob("Tuning.h")]):
        for paragraph in header.read_text().split("\n\n"):
            for variable in re.findall(r"Tunable<\w+>\s*(\w+)\(", paragraph):
                if variable in headers:
                    faults.append(f"{header}: {variable} is in {headers[variable]} as well")
                headers[variable] = header
            names = re.findall(r'Tunable<\w+>\s*\w+\(\s*"([^"]+)"', paragraph)
            count += len(names)
            if names and not re.search("Evidence:|By design", paragraph):
                faults.append(f"{header}: {names[0]} has no evidence")
            faults += [f"{header}: no option {name}" for name in names if f"--{name}=" not in options]
    if count < 80:
        faults.append(f"only {count} constants found")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
