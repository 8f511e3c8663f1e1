# glossary.py - Part of cilk2chan, under the Apache License v2.0 with LLVM
# Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks docs/Glossary.md against itself, the code and the other documents.
#
#   glossary.py SOURCE

import collections
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
page = (source / "docs/Glossary.md").read_text()
faults = []

# Words that were replaced, and by what.
REPLACED = {
    "parcel": "task block",
    "outbox": "steal queue",
    "loan": "reservation",
    "lent": "reserved",
    "junior": "deeper frame",
    "seniority": "promotion order",
    "deaf": "backing off",
    "make way": "promote to tasks",
    "makes way": "is promoted",
}


def rows(text):
    """The cells of the tables' rows, without heads."""
    for head, body in re.findall(r"^\|(.*)\|\n\|[-| ]+\|\n((?:\|.*\|\n)+)", text, re.MULTILINE):
        for line in body.splitlines():
            yield [cell.strip() for cell in line.strip("|").split("|")]


papers_text, terms_text = page.split("## The program")
papers = {cells[0] for cells in rows(papers_text)}
terms = list(rows("## The program" + terms_text))
if len(terms) < 100 or len(papers) < 20:
    sys.exit("docs/Glossary.md: cannot read the tables")

names = [name.strip() for cells in terms for name in cells[0].split(",")]
for name, count in collections.Counter(names).items():
    if count > 1:
        faults.append(f"'{name}' is defined {count} times")
for cells in terms:
    if not cells[-1]:
        faults.append(f"'{cells[0]}' has no source")
    for paper in re.findall(r"[A-Z][A-Za-z]+'\d\d|Cilk-5", cells[-1]):
        if paper not in papers:
            faults.append(f"'{cells[0]}' has the source {paper}, which the table of sources lacks")

# Symbols and attributes.
defined = re.compile(r'\b\w*(?:Attribute|AttributeName|Annotation|Suffix)\s*=\s*"([^"]+)"')
for folder in ("include", "lib"):
    for path in sorted((source / folder).rglob("*.[hc]*")):
        for name in defined.findall(path.read_text()):
            if name.startswith(".") or name.startswith(("chan.", "cilk.")):
                if not any(entry.endswith(name + "`") for entry in names):
                    faults.append(f"'{name}' of {path.relative_to(source)} has no entry")
code = "".join(path.read_text() for folder in ("include", "lib")
               for path in (source / folder).rglob("*.*")
               if path.suffix in (".h", ".cpp", ".td"))
for name in names:
    if match := re.fullmatch(r"`((?:chan|cilk)\.[\w.-]+)`", name):
        if f'"{match[1]}"' not in code and match[1] not in code:
            faults.append(f"'{match[1]}' is not in the code")

# Words that were replaced.
replaced = re.compile(r"\b(" + "|".join(REPLACED) + r")s?\b", re.IGNORECASE)
for pattern in ("include/**/*.*", "lib/**/*.*", "runtime/**/*.*", "tools/**/*.*", "docs/*.md", "README.md"):
    for path in sorted(source.glob(pattern)):
        if path.suffix not in (".h", ".hpp", ".cpp", ".td", ".md"):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for word in replaced.findall(line):
                faults.append(f"{path.relative_to(source)}:{number}: '{word}' is now '{REPLACED[word.lower()]}'")

if faults:
    sys.exit("\n".join(f"docs/Glossary.md: {fault}" for fault in faults))
