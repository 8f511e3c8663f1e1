#!/usr/bin/env python3
# test/Docs/diagnostics.py - Part of cilk2chan, under the Apache License v2.0 with
# LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks for each message of the front end in a text that should have it.

usage: diagnostics.py DIRECTORY TEXT...

The messages are the string literals of two words and more in the C++ files of
DIRECTORY (not below it).  A message is found if some TEXT has it with anything in
place of its %0 and %select{...}0; white space does not count.  Exit status 1, with
those not found, if there are any, and if there is no message at all."""

import pathlib
import re
import sys

LITERALS = re.compile(r'"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*')
PLACEHOLDER = re.compile(r"%(?:select\{(.*?)\})?\d")


def messages(path):
    """The messages in a C++ file, with the lines they are on."""
    source = path.read_text()
    code = re.sub(r"//.*|^#.*", lambda found: " " * len(found[0]), source, flags=re.M)
    for found in LITERALS.finditer(code):
        text = "".join(re.findall(r'"((?:\\.|[^"\\\n])*)"', found[0]))
        text = text.replace('\\"', '"')
        if re.search(r"\w[\w']* +\S*\w", PLACEHOLDER.sub("x", text)):
            yield source.count("\n", 0, found.start()) + 1, text


def pattern(message):
    """What finds a message in a text without white space."""
    parts = PLACEHOLDER.split(message)[::2]
    return ".{1,60}?".join(re.escape(re.sub(r"\s+", "", part)) for part in parts)


def main(directory, *texts):
    contents = "".join(pathlib.Path(text).read_text() for text in texts)
    contents = re.sub(r"\s+|\|", "", contents)
    count = missing = 0
    for path in sorted(pathlib.Path(directory).glob("*.cpp")):
        for line, message in messages(path):
            count += 1
            if not re.search(pattern(message), contents):
                print(f"{path}:{line}: error: not found: {message}")
                missing += 1
    if missing or not count:
        sys.exit(f"{missing} of {count} messages are missing")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
