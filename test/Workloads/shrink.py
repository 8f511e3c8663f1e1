# ===- shrink.py - Makes failing generated programs small ---------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Delta debugging (Zeller and Hildebrandt, 2002) by the structure of the program,
as in Hierarchical Delta Debugging (Misherghi and Su, 2006): first bodies of functions,
then statements, the outermost first, then blocks around statements, then expressions,
until nothing more can go.

A program is a list of lines, of one or several files. The caller's test must refuse
programs that are wrong by themselves. What it cannot see is a race, so no step makes
one: what held a sync leaves one behind, what is not done any more was allowed not to
be done, and no name comes to stand for another object.
"""

import re
from typing import NamedTuple

SYNC = re.compile(r"(?:cilk_)?sync;")
SPAWN = r"\b(?:cilk_)?spawn\b"
FILE = "//--- "  # in front of a file's name, as split-file has it
DECLARATION = re.compile(r"\s*(?!return)(?:\w+ )+\*?(\w+)(?:\[[^=]*\])?(?:(?: =|,).*)?;$")


class Unit(NamedTuple):
    """Lines start to end (exclusive) that are one statement or definition. `depth`
    counts the blocks around them; `owner` is the first line of the definition at file
    scope that they are in."""

    start: int
    end: int
    depth: int
    owner: int

    def is_block(self):
        return self.end - self.start > 1


class Edit(NamedTuple):
    """What comes instead of lines start to end."""

    start: int
    end: int
    lines: list


def units(lines):
    """All statements, blocks and definitions, in the order of their first lines. Lines
    belong together as long as a brace is open, or until a semicolon."""
    found, opened, begin = [], [], None
    for number, line in enumerate(lines):
        text = line.strip()
        if not text or text.startswith(FILE):
            continue
        begin = number if begin is None else begin
        owner = opened[0] if opened else begin
        rise = line.count("{") - line.count("}")
        if rise > 0:
            opened.append(begin)
        elif rise < 0 and opened:
            start = opened.pop()
            found.append(Unit(start, number + 1, len(opened), opened[0] if opened else start))
        elif text[-1] not in ";}:" and not text.startswith("#"):
            continue
        else:
            found.append(Unit(begin, number + 1, len(opened), owner))
        begin = None
    return sorted(found)


def apply(lines, edits):
    for start, end, text in sorted(edits, reverse=True):
        lines = lines[:start] + text + lines[end:]
    return lines


def most(lines, edits, fails):
    """The lines after as many of the disjoint edits as still fail: all at once, then
    halves, and so on to single ones."""
    taken, left, size = [], [e for e in edits if e.lines != lines[e.start : e.end]], len(edits)
    while size and left:
        rest = []
        for end in range(len(left), 0, -size):  # what uses a name comes behind it
            part = left[max(end - size, 0) : end]
            if fails(apply(lines, taken + part)):
                taken += part
            else:
                rest = part + rest
        left, size = rest, min(size, len(left)) // 2
    return apply(lines, taken)


# The steps. Each gives edits that are disjoint.


def fuel(lines):
    """Shorter runs and loops, which also make all that follows cheaper."""
    for number, line in enumerate(lines):
        for pattern, less in ((r"\(1500,", "(40,"), (r"(ix\d+(?:\+\+)? <) \d+(?=;|\))", r"\1 1")):
            if re.search(pattern, line):
                yield Edit(number, number + 1, [re.sub(pattern, less, line)])
                break


def bodies(lines):
    """Functions that return at once."""
    for unit in units(lines):
        head = re.match(r"(?:static )?([\w ]+?)(\*?)\b\w+\(.*\) \{$", lines[unit.start])
        if unit.depth == 0 and unit.end - unit.start > 3 and head:
            kind = head.group(1).strip()
            result = "return;" if kind == "void" else f"return ({kind}{head.group(2)}){{0}};"
            yield Edit(unit.start + 1, unit.end - 1, ["  " + result])


def shadows(lines, unit, whole):
    """Whether the unit declares a name that something else in its function has."""
    name = declared(lines[unit.start])
    if not name or unit.depth == 0:
        return False
    owner = next(u for u in whole if u.depth == 0 and u.start == unit.owner)
    return bool(re.search(rf"[ *]{name}[,)]", lines[owner.start])) or any(
        declared(lines[at]) == name for at in range(owner.start, owner.end) if at != unit.start
    )


def declared(line):
    """The name of the variable that a line declares, or None."""
    match = DECLARATION.match(line)
    return match and match.group(1)


def rest_of(text):
    """What must stay of deleted lines."""
    word = SYNC.search("\n".join(text))
    return ["  " + word.group()] if word else []


def needless(lines, unit, whole):
    """Whether a sync has nothing to wait for: no spawn is in the function, or the
    statement before it is a sync."""
    before = max((u for u in whole if u.end <= unit.start), key=lambda u: u.end, default=unit)
    if SYNC.fullmatch(lines[before.start].strip()) and before.end == unit.start:
        return before.depth == unit.depth
    owner = next(u for u in whole if u.depth == 0 and u.start == unit.owner)
    return not re.search(SPAWN, "\n".join(lines[owner.start : owner.end]))


def deletions(lines, depth):
    """Units at some depth go. A `break` alone would let a `case` run into the next."""
    whole = units(lines)
    for unit in whole:
        text = lines[unit.start : unit.end]
        first = text[0].strip()
        if unit.depth != depth or first == "break;":
            continue
        if SYNC.fullmatch(first):
            if needless(lines, unit, whole):
                yield Edit(unit.start, unit.end, [])
        elif unit.is_block() or not shadows(lines, unit, whole):
            yield Edit(unit.start, unit.end, rest_of(text) if depth else [])


def contents(lines, depth):
    """Blocks leave their contents; of a loop, the first turn. What waited for
    children at its end becomes a sync."""
    whole = units(lines)
    for unit in whole:
        if unit.depth != depth or not unit.is_block():
            continue
        head, body = lines[unit.start].strip(), lines[unit.start + 1 : unit.end - 1]
        loop = re.match(r"(cilk_)?for \((\w+ \**\w+ = [^;]*;)", head)
        sync = ["  cilk_sync;"] if head.startswith(("cilk_for", "cilk_scope")) else []
        plain = re.match(rf"(if|\{{|do\b|cilk_scope|{SPAWN} *\{{)", head)
        inside = [u for u in whole if unit.start < u.start and u.end < unit.end]
        hides = any(not u.is_block() and shadows(lines, u, whole) for u in inside)
        followed = unit.end < len(lines) and lines[unit.end].strip().startswith("else")
        if hides or followed:
            continue
        if loop:
            yield Edit(unit.start, unit.end, ["  " + loop.group(2), *body, *sync])
        elif plain:
            yield Edit(unit.start, unit.end, [*body, *sync])


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
    return sorted(found, key=lambda r: (r[0] - r[1], r[0]))


def operands(text):
    """What commas outside of parentheses divide."""
    found, depth = [""], 0
    for char in text:
        depth += {"(": 1, ")": -1, "[": 1, "]": -1}.get(char, 0)
        if char == "," and depth == 0:
            found.append("")
        else:
            found[-1] += char
    return [f.strip() for f in found]


def leaves(text):
    """The innermost operands of nested calls of mix."""
    if not text.startswith("mix("):
        return [text]
    return [leaf for part in operands(text[4:-1]) for leaf in leaves(part)]


def simpler(line):
    """A line with less in it, in the order to try."""
    for pattern, less in (
        (rf"^(\s*)[^=]*[^=<>!] = (?={SPAWN} )", r"\1"),  # no destination
        (rf"^(\s*[^=]*[^=+*/^|&<>!-] = |\s*){SPAWN} (?!\{{)", r"\1"),  # no spawn
        (r"^(\s*)if \(.*?\) (?=\w+ .?= |\w+\()", r"\1"),  # no condition
        (r"\b(s\d+_)([A-Z])s\[[^][]*\]\(", r"\1\g<2>0("),  # no table
    ):
        shorter = re.sub(pattern, less, line)
        if shorter != line:
            yield shorter
    for start, end in groups(line):
        inside = line[start:end]
        if end - start <= 3 or re.fullmatch(r"\(\w+( \*)?\)", inside):
            continue
        name = re.search(r"(?:\b(?:mix|c_busy|of_real)|\(u32\))$", line[:start])
        head = line[: name.start() if name else start]
        if re.search(r"[\w\]]$|\b(?:if|for|while|switch) $", head):
            continue
        # Less fuel ends sooner.
        yield head + ("0u" if inside.startswith("(fuel") else "1u") + line[end:]
    for start, end in groups(line):
        if line[:start].endswith("mix"):
            for leaf in leaves(line[start - 3 : end]):
                yield line[: start - 3] + leaf + line[end:]
            break
    for match in re.finditer(r"\b(fuel|\w+\.\w+|\w+->\w+)(?=[,)])", line):
        yield line[: match.start()] + "0" + line[match.end() :]


def expressions(lines, rank):
    """The simpler form of some rank of each line."""
    inner = {number for u in units(lines) if u.depth for number in range(u.start, u.end)}
    for number in sorted(inner):
        forms = list(simpler(lines[number]))
        if rank < len(forms):
            yield Edit(number, number + 1, [forms[rank]])


def deepest(lines):
    return max((u.depth for u in units(lines)), default=0)


def shrink(lines, test):
    """The smallest program found; `test(lines)` tells of each whether it still fails.
    The last lines of which it said so are the result, however this ends."""
    tried = set()

    def fails(lines):
        text = "\n".join(lines)
        return text not in tried and (tried.add(text), test(lines))[1]

    lines = most(lines, [Edit(i, i + 1, []) for i, t in enumerate(lines) if not t.strip()], fails)
    size = None
    while size != (size := (len(lines), sum(map(len, lines)))):
        lines = most(lines, list(fuel(lines)), fails)
        lines = most(lines, list(bodies(lines)), fails)
        for step in (deletions, contents):
            depth = 1
            while depth <= deepest(lines):
                lines = most(lines, list(step(lines, depth)), fails)
                depth += 1
        lines = most(lines, list(deletions(lines, 0)), fails)
        rank = 0
        while edits := list(expressions(lines, rank)):
            smaller = most(lines, edits, fails)
            rank += smaller == lines
            lines = smaller
        lines = most(lines, list(deletions(lines, 0)), fails)
    return lines
