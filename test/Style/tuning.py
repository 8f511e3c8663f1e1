#!/usr/bin/env python3
# ===- tuning.py - The constants of Tuning.h -------------------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------------===#
"""Fails where a constant of a Tuning.h has no evidence, or no hidden option.

A constant may share its comment with those that follow without an empty line.

    tuning.py SOURCE-ROOT HELP
"""

import pathlib
import re
import sys


def main():
    root, options = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text()
    faults, count = [], 0
    for header in sorted((root / "include").rglob("Tuning.h")):
        for paragraph in header.read_text().split("\n\n"):
            names = re.findall(r'Tunable<\w+>\s*\w+\(\s*"([^"]+)"', paragraph)
            count += len(names)
            if names and not re.search("Evidence:|By design", paragraph):
                faults.append(f"{header}: {names[0]} has no evidence")
            faults += [f"{header}: no option {name}" for name in names if f"--{name}=" not in options]
    if count < 40:
        faults.append(f"only {count} constants found")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
