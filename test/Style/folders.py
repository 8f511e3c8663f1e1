#!/usr/bin/env python3
# ===- folders.py - Which folders include which ---------------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------------===#
"""Fails where an include goes sideways ("../..."), or folders include each other.

A folder is one of lib/ with its headers in include/cilk2chan/. The headers of a dialect
belong to its IR, but Passes.h and Netlists.h to its Transforms. The simulator's folders are
those of runtime/sim/src.

    folders.py SOURCE-ROOT
"""

import graphlib
import os
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
SIMULATOR = "runtime/sim/src"
TRANSFORMS = {"Passes.h", "Netlists.h"}


def folder(path):
    """The name of the folder that a file belongs to: Dialect/Chan/IR, runtime/chan."""
    parent = path.parent.as_posix()
    if parent.startswith(SIMULATOR):
        return parent
    if parent.startswith("runtime/"):
        return "/".join(parent.split("/")[:2])
    if not parent.startswith("include/cilk2chan"):
        return parent.removeprefix("lib/")
    name = parent.removeprefix("include/cilk2chan").strip("/")
    if re.fullmatch(r"Dialect/\w+", name):
        name += "/Transforms" if path.name in TRANSFORMS else "/IR"
    return name


def target(source, included):
    """The file of the project that an include is of; None if it is of another."""
    for root in (source.parent, pathlib.Path("include"), pathlib.Path(SIMULATOR)):
        path = pathlib.Path(os.path.normpath(root / included))
        if path.exists():
            return path
    return None


def main():
    os.chdir(sys.argv[1])
    graph, faults = {}, []
    for top in ("include", "lib", "tools", "runtime"):
        for source in sorted(pathlib.Path(top).rglob("*.*")):
            if source.suffix not in (".h", ".hpp", ".cpp", ".c"):
                continue
            for included in INCLUDE.findall(source.read_text()):
                if included.startswith(".."):
                    faults.append(f"{source}: includes {included} of another folder")
                found = target(source, included)
                if found and folder(found) != folder(source):
                    graph.setdefault(folder(source), set()).add(folder(found))
    if not graph:
        faults.append("no includes found")
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        faults.append("folders include each other: " + " <- ".join(error.args[1]))
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
