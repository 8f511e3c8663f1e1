# ===- shrink.py - Makes failing generated programs small ---------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Deletes statements, blocks and functions, then simplifies expressions, as long as
the program still fails.

The caller's test must refuse programs that are wrong by themselves. What it cannot
see is a race, so none is made here: what held a sync leaves one behind, and
expressions become constants, which only reads less.
"""

import re

SYNC = re.compile(r"\b(?:cilk_sync|sync);")


def units(lines):
    """All ranges of lines that are one statement, block or definition, the largest
    first. Lines belong together as long as a brace or parenthesis is open."""
    found = []
    open_lines, depth = [], 0
    for number, line in enumerate(lines):
        opened = line.count("{") - line.count("}")
        if opened > 0:
            open_lines.append(number)
        elif opened < 0 and open_lines:
            found.append((open_lines.pop(), number + 1))
        elif line.strip():
            found.append((number, number + 1))
        depth += opened
    return sorted(found, key=lambda r: (r[0] - r[1], r[0]))


def without(lines, start, end):
    syncs = SYNC.search("\n".join(lines[start:end]))
    return lines[:start] + ([f"  {syncs.group()}"] if syncs else []) + lines[end:]


def delete_runs(lines, fails):
    """Halving runs of lines, as delta debugging does, for what is flat."""
    size = max(len(lines) // 4, 1)
    while size >= 1:
        at = 0
        while at < len(lines):
            part = lines[at : at + size]
            balanced = sum(p.count("{") - p.count("}") for p in part) == 0
            smaller = without(lines, at, at + size)
            if balanced and smaller != lines and fails(smaller):
                lines = smaller
            else:
                at += size
        size //= 2
    return lines


def delete_units(lines, fails):
    again = True
    while again:
        again = False
        for start, end in units(lines):
            for smaller in (without(lines, start, end), unwrapped(lines, start, end)):
                if smaller and smaller != lines and fails(smaller):
                    lines, again = smaller, True
                    break
            if again:
                break
    return lines


def unwrapped(lines, start, end):
    """A block's contents in its place."""
    if end - start < 3 or not re.match(r"\s*(if|\{|cilk_scope)", lines[start]):
        return None
    return lines[:start] + lines[start + 1 : end - 1] + lines[end:]


def groups(line):
    """The parenthesised parts of a line, the largest first; none inside brackets,
    where a constant could make two children write one element."""
    found, stack, square = [], [], 0
    for at, char in enumerate(line):
        square += {"[": 1, "]": -1}.get(char, 0)
        if char == "(" and not square:
            stack.append(at)
        elif char == ")" and not square and stack:
            found.append((stack.pop(), at + 1))
    return sorted(found, key=lambda r: r[0] - r[1])


def simplify(lines, fails):
    for number in range(len(lines)):
        again = True
        while again:
            again = False
            line = lines[number]
            for start, end in groups(line):
                name = re.search(r"\b(mix|c_busy|of_real)$", line[:start])
                head = line[: name.start() if name else start]
                shorter = head + "1u" + line[end:]
                smaller = lines[:number] + [shorter] + lines[number + 1 :]
                if end - start > 3 and fails(smaller):
                    lines, again = smaller, True
                    break
    return lines


def shrink(text, fails):
    """The smallest text found that still fails. `fails(text)` tells."""
    test = lambda lines: fails("\n".join(lines) + "\n")
    lines, size = text.splitlines(), None
    while size != (size := sum(map(len, lines))):
        lines = delete_runs(lines, test)
        lines = delete_units(lines, test)
        lines = simplify(lines, test)
    return "\n".join(lines) + "\n"
