# ===- random_totals.py - Random recursive functions that leave totals --------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Writes one function per program whose children leave something where pointers point
to, each in a place of its own, which their parent combines and leaves in turn. Some of
it can be combined in one place (Totals.h), some must not be."""

import random

MOST_CHILDREN = 3
TYPES = ["signed char", "unsigned char", "short", "u16", "int", "u32", "int64_t", "u64"]


class Total:
    """An out-parameter, and the objects that children have for it."""

    def __init__(self, rng, number, loops):
        self.rng, self.loops = rng, loops
        self.to, self.place = f"to{number}", f"place{number}_"
        # What is narrower than int cannot be combined in a loop.
        self.type = rng.choice(TYPES[rng.choice([0, 4, 4]) if loops else 0 :])
        # The last two are none that come in any order.
        some = ["+", "+", "|", "^"] if loops else ["&", "<", ">"]
        self.by = rng.choice(["+", "|", "^", *some, *some, "*", "twice"])
        self.operator = {"twice": "+"}.get(self.by, self.by)
        # Sums of int must not overflow.
        self.mask = "1" if self.by in "+twice" and self.type in ("int", "int64_t") else "~0u"

    def combine(self, other):
        """Combines `other` with what is there."""
        there = f"*{self.to}"
        if self.operator in "<>":
            return f"{there} = {there} {self.operator} {other} ? {there} : {other};"
        word = "(u64)" if self.operator == "*" else ""
        return f"{there} = {word}{there} {self.operator} {other};"

    def leave(self):
        """Sets what an activation has by itself, in one of several ways."""
        there, values = f"*{self.to}", ["seed", "mix(seed, depth)", "seed + i * 9", "bound[1]"]
        one, other = (f"({self.type})(({self.rng.choice(values)}) & {self.mask})" for _ in range(2))
        if self.rng.random() < 0.1:
            return [f"{there} = {one} & 15;", f"while ({there} < 9) {there} += 7;"]
        return self.rng.choice([
            [f"{there} = {one};"], [f"{there} = {one};", f"{there} ^= 1;"],
            [f"if (seed & 2) {there} = {one}; else {there} = {other};"],
            [f"{there} = 3;", f"if ({there} + (seed & 1) > 3) {there} = {one};"]])  # fmt: skip

    def declare(self):
        if not self.loops:
            return f"{self.type} {self.place}0 = 0, {self.place}1 = 0, {self.place}2 = 0;"
        array = f"{self.type} {self.place}[4]"
        return self.rng.choice([
            f"{array} = {{0}};", f"{array} = {{0}};", f"{array} = {{0, 1}};",
            f"{array}; for (int k = 0; k < 4; ++k) {self.place}[k] = 0;",
            f"{array}; __builtin_memset({self.place}, 0, sizeof {self.place});"])  # fmt: skip

    def collect(self, end):
        """Combines what children left."""
        lines = self.leave() if self.rng.random() < 0.6 else [f"*{self.to} = {-(self.by == '&')};"]
        if self.loops:
            twice = f" *{self.to} ^= {self.place}[k] & 2;" if self.by == "twice" else ""
            each = self.combine(f"{self.place}[k]")
            return [*lines, f"for (int k = 0; k < {end}; ++k) {{ {each}{twice} }}"]
        lines += [self.combine(f"{self.place}{i}") for i in range(MOST_CHILDREN)]
        return lines + ([f"if ({self.place}0 > 5) *{self.to} ^= 2;"] if self.by == "twice" else [])


def merge(rng, one, other=()):
    """The lines of two lists, each in its order."""
    one, other, lines = list(one), list(other), []
    while one or other:
        lines.append((one if not other or (one and rng.random() < 0.5) else other).pop(0))
    return lines


class Totals:
    """The function `name` and what calls it. `fuel` is the most activations."""

    def __init__(self, seed, name, fuel, spawn, sync):
        self.rng, self.name = random.Random(f"totals {seed}"), name
        self.spawn, self.sync = spawn, sync
        self.loops, self.returns = self.rng.random() < 0.5, self.rng.random() < 0.4
        # A child's result goes to memory that its parent reads before and after.
        self.keeps = self.returns and not self.loops and self.rng.random() < 0.5
        self.totals = [Total(self.rng, n, self.loops) for n in range(self.rng.choice([1, 1, 2]))]
        self.depth = 0
        while MOST_CHILDREN ** (self.depth + 2) < 2 * fuel:
            self.depth += 1

    def spawned(self, index):
        places = [f"&{t.place}[{index}]" if self.loops else f"&{t.place}{index}" for t in self.totals]
        # Four times as many slots as each child has.
        slots = "slots + 1 + i * (1 << 2 * depth - 2)"
        call = f"{self.name}({', '.join(['mix(seed, i)', 'depth - 1', 'bound', slots, *places])});"
        result = "slots[0] = " if self.keeps and index == 0 else "nodes += " if self.returns else ""
        return f"{self.rng.choice(['', '', 'if (seed >> i & 3) '])}{result}{self.spawn} {call}"

    def text(self):
        count = self.rng.choice(["*bound", "depth % 4", "(int)(seed & 3)"])
        end = self.rng.choice(["end", "end", "*bound"])
        lines = ["int i = 0; u32 nodes = 1;", *(t.declare() for t in self.totals), "if (depth <= 0) {"]
        lines += merge(self.rng, *(t.leave() for t in self.totals))
        lines += ["return nodes;" if self.returns else "return;", "}", f"const int end = {count};"]
        lines += ["nodes = slots[0];"] if self.keeps else []
        if self.rng.random() < 0.2:
            lines += ["u32 *more = (u32 *)__builtin_alloca((depth * 4 + 1) * sizeof(u32));",
                      "more[depth] = depth; nodes += more[depth];"]  # fmt: skip
        if self.loops:
            lines.append(f"for (; i < {end}; ++i) {self.spawned('i')}")
        else:
            lines += [line for k in range(MOST_CHILDREN) for line in (self.spawned(k), "++i;")]
        last = end if self.rng.random() < 0.8 else "4"
        lines += [f"{self.sync};", *merge(self.rng, *(t.collect(last) for t in self.totals))]
        lines += ["nodes += slots[0] * 3;"] if self.keeps else []
        lines += ["return nodes;"] if self.returns else []
        parameters = ["u32 seed", "int depth", "const int *bound", "u32 *slots"]
        parameters += [f"{t.type} *{t.to}" for t in self.totals]
        head = f"static {'u32' if self.returns else 'void'} {self.name}({', '.join(parameters)}) {{"
        return "\n".join([head, *("  " + line for line in lines), "}"])

    def calls(self):
        """Statements that mix what it leaves into `hash`."""
        lines = [f"const int bound[] = {{3, {self.rng.randrange(100)}}};"]
        lines += [f"static u32 slots[{4**self.depth}];"]
        lines += [f"{t.type} {t.to} = 0;" for t in self.totals]
        args = ["hash", f"{self.depth}", "bound", "slots", *(f"&{t.to}" for t in self.totals)]
        call = f"{self.name}({', '.join(args)})"
        lines.append(f"hash = mix(hash, {call});" if self.returns else f"{call};")
        lines += [f"hash = mix(hash, (u32){t.to});" for t in self.totals]
        return "\n".join(["  {", *("    " + line for line in lines), "  }", ""])
