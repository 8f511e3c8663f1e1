# ===- links.py - Links of the documents ---------------------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Finds dead links in a source tree: links.py ROOT.

* A link of a Markdown file must lead to a file, and its anchor to one heading.
* A document that a source, a script or a test names (as a path below docs) must exist.
* Each page of docs must stand in the navigation of mkdocs.yml.
"""

import collections
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "docs"))
sys.dont_write_bytecode = True

from site_hooks import LINK, slug  # noqa: E402

FENCE = re.compile(r"^\s*(```|~~~)")
HEADING = re.compile(r"^#+\s+(.*?)\s*#*$")
CODE = re.compile(r"(`+).*?\1")
NAMED = re.compile(r"\bdocs/[\w/-]+\.(?:md|1)\b")
INPUT = "links.test"  # names documents that are not there
FOLDERS = ["include", "lib", "tools", "runtime", "benchmarks", "test", "cmake", "docs"]

dead = []


def lines(path):
    """The numbered lines of a Markdown file that are no code."""
    code = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if FENCE.match(line):
            code = not code
        elif not code:
            yield number, line


def anchors(path, known={}):
    """How many headings have each anchor."""
    if path not in known:
        headings = [HEADING.match(line) for _, line in lines(path)]
        texts = [LINK.sub(r"\1", heading[1]) for heading in headings if heading]
        known[path] = collections.Counter(slug(text) for text in texts)
    return known[path]


def check_page(page):
    for number, line in lines(page):
        for _, target in LINK.findall(CODE.sub(r"\1\1", line)):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = (page.parent / name).resolve() if name else page
            if not file.exists():
                problem = "there is no such file"
            elif anchor and file.suffix == ".md" and anchors(file)[anchor] != 1:
                problem = f"{anchors(file)[anchor]} headings have this anchor"
            else:
                continue
            dead.append(f"{page.relative_to(root)}:{number}: {target}: {problem}")


def check_names(file):
    try:
        text = file.read_text()
    except UnicodeDecodeError:
        return
    for number, line in enumerate(text.splitlines(), 1):
        for name in NAMED.findall(line):
            if not (root / name).exists():
                dead.append(f"{file.relative_to(root)}:{number}: {name}: there is no such file")


def check_navigation():
    docs = root / "docs"
    stand = set(re.findall(r"[\w/]+\.md", (root / "mkdocs.yml").read_text()))
    there = {str(page.relative_to(docs)) for page in docs.rglob("*.md")}
    dead.extend(f"mkdocs.yml: {name}: there is no such page" for name in sorted(stand - there))
    dead.extend(f"docs/{name}: is not in the navigation of mkdocs.yml" for name in sorted(there - stand))


pages = [*root.glob("*.md"), *(root / "docs").rglob("*.md")]
for page in sorted(pages):
    check_page(page)
for folder in FOLDERS:
    for file in sorted((root / folder).rglob("*")):
        if file.is_file() and file.name != INPUT and file.suffix not in (".svg", ".pyc"):
            check_names(file)
if (root / "mkdocs.yml").exists():
    check_navigation()
print("\n".join([*dead, f"{len(pages)} pages, {len(dead)} dead links"]))
sys.exit(bool(dead))
