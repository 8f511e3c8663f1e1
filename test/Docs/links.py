#!/usr/bin/env python3
# test/Docs/links.py - Part of cilk2chan, under the Apache License v2.0 with
# LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks for the files and headings that documents link to.

usage: links.py DOCUMENT.md...

Links to other sites are not followed.  A heading has the name that GitHub gives
it: in small letters, without punctuation, with hyphens for blanks.  Exit status 1,
with the links that lead nowhere, if there are any, and if there is no link at all."""

import pathlib
import re
import sys

FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def prose(path):
    return FENCED.sub("", path.read_text())


def headings(path):
    """The names that links to headings of `path` may have."""
    names = set()
    for heading in re.findall(r"^#+ (.*)$", prose(path), re.MULTILINE):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        names.add(re.sub(r"[^\w\- ]", "", text).replace(" ", "-"))
    return names


def leads_nowhere(path, link):
    file, _, heading = link.partition("#")
    target = path.parent / file if file else path
    if not target.exists():
        return True
    return heading and target.suffix == ".md" and heading not in headings(target)


def main(*documents):
    count = broken = 0
    for path in map(pathlib.Path, documents):
        for link in LINK.findall(prose(path)):
            if link.startswith(("http:", "https:")):
                continue
            count += 1
            if leads_nowhere(path, link):
                print(f"{path}: error: leads nowhere: {link}")
                broken += 1
    if broken or not count:
        sys.exit(f"{broken} of {count} links lead nowhere")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
