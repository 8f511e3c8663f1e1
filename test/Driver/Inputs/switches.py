# switches.py - Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the switches of lib/Driver/Options.cpp that a document leaves out.

usage: switches.py OPTIONS.cpp DOCUMENT

A switch is a string literal that begins with a dash, or the name of an entry of the table
`switches`. A document has it if it names the switch or its opposite. A `-` of a manual page may
stand as `\\-`."""

import pathlib
import re
import sys

# Parts of other switches, what users of other compilers may write, and a former name.
NO_SWITCHES = {"-fchan-", "-fno-chan-", "-help", "-Weverything", "-Wno-everything", "-march=", "-ftapir=cilk",
               "-ftapir=opencilk", "-o", "-fno-chan-simd"}  # fmt: skip


def switches(source):
    parser = source[: source.index("void cilk2chan::printHelp")]
    for name in re.findall(r'"(--?[a-zA-Z][\w-]*=?)"', parser):
        if name not in NO_SWITCHES and not name.startswith("-X") and name != "-mllvm":
            yield name.rstrip("=")
    table = source[source.index("Switch switches[]") :]
    for name in re.findall(r'^\s+\{"([\w-]+)", "', table[: table.index("};\n")], re.MULTILINE):
        yield "-fno-chan-" + name


def opposite(name):
    for one, other in (("-fno-", "-f"), ("-static-", "-shared-")):
        if name.startswith(one):
            return other + name.removeprefix(one)
        if name.startswith(other):
            return one + name.removeprefix(other)
    return name


def main(source, document):
    text = pathlib.Path(document).read_text().replace("\\-", "-").replace("\\f", " ")
    words = set(re.findall(r"--?[a-zA-Z][\w-]*", text))
    names = sorted(set(switches(pathlib.Path(source).read_text())))
    assert len(names) > 20, "the switches have another form"
    missing = [name for name in names if not {name, opposite(name)} & words]
    for name in missing:
        print(f"{document}: {name} is missing")
    sys.exit(bool(missing))


main(*sys.argv[1:])
