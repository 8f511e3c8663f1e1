#!/usr/bin/env python3
# ===- units.py - Which units of a folder include which --------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------------===#
"""Fails where units of a folder include each other.

A unit is a header together with the .cpp file of its name, and with a header that no other
unit includes and that has no .cpp file. For folders whose units are
layers, as those of the host runtime and of the simulator. An include names a file of its
folder alone ("Worker.h"), or with the folder ("memory/Cache.h").

    units.py FOLDER...
"""

import graphlib
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"(?:(\w+)/)?([^"/]+)\.h"', re.MULTILINE)

# Units of a folder that may all stand alone.
MOST_ALONE = 4


def faults_of(folder):
    graph, faults = {}, []
    own = ("", pathlib.Path(folder).name)
    for source in sorted(pathlib.Path(folder).iterdir()):
        if source.suffix not in (".h", ".cpp"):
            continue
        text = source.read_text()
        included = graph.setdefault(source.stem, set())
        names = {name for folder, name in INCLUDE.findall(text) if folder in own}
        included.update(names - {source.stem})
    if not any(graph.values()) and len(graph) > MOST_ALONE:
        faults.append(f"{folder}: no includes found")
    for unit in sorted(graph):
        users = [user for user in graph if unit in graph[user]]
        if len(users) == 1 and not (pathlib.Path(folder) / f"{unit}.cpp").exists():
            graph[users[0]] |= graph.pop(unit) - {users[0]}
            graph[users[0]].discard(unit)
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
