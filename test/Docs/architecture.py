# architecture.py - Part of cilk2chan, under the Apache License v2.0 with LLVM
# Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compares the files that docs/Architecture.md and docs/architecture name with those there are.  `Graph*`
# and `Batch…` stand for several.  A pass may be named instead of its file:
# `cilk-for-to-spawn` is CilkForToSpawn.cpp or ForToSpawn.cpp.
#
#   architecture.py SOURCE

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
pages = [source / "docs/Architecture.md", *sorted((source / "docs/architecture").glob("*.md"))]
page = "\n".join(path.read_text() for path in pages)
words = set(re.findall(r"\w+", page))
prefixes = tuple(re.findall(r"`(\w+)(?:\*|…)`", page))
passes = {"".join(part.upper() if part in ("vgiw", "simt") else part.title() for part in name.split("-"))
          for name in re.findall(r"\b((?:cilk|chan|vgiw|simt)-[a-z-]+|[a-z]+-stage)\b", page)}
passes |= {re.sub(r"^(Cilk|Chan|VGIW|SIMT)", "", name) for name in passes}

files = [path for folder in ("lib", "runtime/chan/src", "runtime/sim/src")
         for path in (source / folder).rglob("*")
         if path.suffix in (".cpp", ".h", ".def", ".S")]
stems = {path.stem for path in files}
wrong = 0

for path in sorted(files):
    # What only a neighbour uses is the neighbour's.
    if path.suffix != ".cpp" or path.stem in words | passes:
        continue
    if not path.stem.startswith(prefixes):
        print(f"docs/architecture does not name {path.relative_to(source)}")
        wrong += 1

# Files in the first column of a table.
everything = {path.stem for path in source.glob("[!b.]*/**/*.*")}
for row in re.findall(r"^\| ((?:`\w[\w./]*`(?:, )?)+) \|", page, re.MULTILINE):
    for name in re.findall(r"`([\w./]+)`", row):
        stem = pathlib.PurePath(name).name
        stem = stem.rsplit(".", 1)[0] if "." in stem else stem
        folder = (source / name).is_dir() or (source / "test" / name).is_dir()
        if not folder and stem[0].isupper() and stem not in everything and stem not in stems:
            print(f"docs/architecture names {name}, which is gone")
            wrong += 1
sys.exit(wrong != 0)
