#!/usr/bin/env python3
# ===- units.py - Which units of a folder include which --------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------------===#
"""Fails where units of a folder include each other.

A unit is a header together with the .cpp file of its name. For folders whose units are
layers, as those of the host runtime.

    units.py FOLDER...
"""

import graphlib
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"/]+)\.h"', re.MULTILINE)


def faults_of(folder):
    graph, faults = {}, []
    for source in sorted(pathlib.Path(folder).iterdir()):
        if source.suffix not in (".h", ".cpp"):
            continue
        text = source.read_text()
        included = graph.setdefault(source.stem, set())
        included.update(set(INCLUDE.findall(text)) - {source.stem})
    if not any(graph.values()):
        faults.append(f"{folder}: no includes found")
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        faults.append(f"{folder}: units include each other: " + " <- ".join(error.args[1]))
    return faults


def main():
    faults = [fault for folder in sys.argv[1:] for fault in faults_of(folder)]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
