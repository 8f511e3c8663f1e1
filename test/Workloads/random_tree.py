# ===- random_tree.py - Random recursive functions with little of their own ---===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Writes one function per program of the kind that runs as batches: it spawns itself,
and mostly combines what comes back with something of its own, by one operation, so
that batches may accumulate; now and then it does something else with a result."""

import functools
import random

MOST_CHILDREN = 3


class Tree:
    """The function `name` and what calls it. `fuel` is the most activations."""

    def __init__(self, seed, name, fuel, spawn, sync):
        self.rng, self.name = random.Random(f"tree {seed}"), name
        self.spawn, self.sync = spawn, sync
        self.operator = self.rng.choice("++++*&|^<>")
        types = ["unsigned char", "u32", "u32", "u64"]
        # Where these are multiplied, it is as int, which may overflow.
        self.type = self.rng.choice(types + ["unsigned short"] * (self.operator != "*"))
        self.depth = 0
        while MOST_CHILDREN ** (self.depth + 2) < 2 * fuel:
            self.depth += 1

    def own(self):
        """Something that an activation has by itself."""
        return self.rng.choice([
            "seed", "depth", "(seed >> depth)", "(seed & 15)", "mix(seed, 7)", "~seed",
            str(self.rng.randrange(100)), "(seed & 4 ? depth : 1)"])  # fmt: skip

    def child(self, number):
        seed = self.rng.choice([f"mix(seed, {number})", f"seed * 5 + {number}", f"seed >> {number}"])
        depth = self.rng.choice(["depth - 1"] * 3 + ["depth / 2"])
        return f"{self.name}({seed}, {depth})"

    def spawned(self, number):
        return f"{self.spawn} {self.child(number)}"

    def cast(self):
        """Now and then to a type that may hold less than a result has."""
        types = ["unsigned char", "unsigned short", "u32", "u64"]
        return f"({self.rng.choice(types)})" if self.rng.random() < 0.1 else ""

    def loop(self):
        """Compound assignments to one variable."""
        lines = [f"  {self.type} all = {self.own()};"]
        children = self.rng.choice(["seed % 4", "depth & 3", "(seed >> 2) % 3 + 1"])
        lines.append(f"  for (u32 i = 0; i < {children}; ++i)")
        if self.rng.random() < 0.3:
            lines.append(f"    if (seed >> i & {self.rng.randrange(1, 8)})")
        lines.append(f"      all {self.operator}= {self.cast()}{self.spawned('i')};")
        return lines, ["all"]

    def combined(self, terms):
        """All of `terms`, one after the other, by the operator or as the one that is `best`."""
        if self.operator not in "<>":
            return f" {self.operator} ".join(terms)
        return functools.reduce(lambda one, other: f"{self.name}_best({one}, {other})", terms)

    def best(self):
        """Of two, the less or the greater."""
        choice = self.rng.choice([f"return a {self.operator} b ? a : b;",
                                  f"if (a {self.operator}= b)\n    return a;\n  return b;"])  # fmt: skip
        return f"static {self.type} {self.name}_best({self.type} a, {self.type} b) {{\n  {choice}\n}}\n"

    def variables(self):
        """A variable for each child, of which there may be none."""
        lines, names = [], []
        for number in range(self.rng.randint(1, MOST_CHILDREN)):
            x = f"x{number}"
            names.append(x)
            lines.append(f"  {self.type} {x} = {self.own()};")
            if self.rng.random() < 0.3:
                lines.append(f"  if (seed & {1 << self.rng.randrange(4)})")
            last = self.rng.random() < 0.2
            lines.append(f"    {x} = {self.cast()}{self.child(number) if last else self.spawned(number)};")
        return lines, names

    def twist(self, names):
        """What may keep results from being accumulated."""
        x, y = self.rng.choice(names), self.rng.choice(names)
        return self.rng.choice([
            f"  {x} = {x} + {y};", f"  {x} = {self.own()} - {x};", f"  {x} >>= 1;",
            f"  if ({x} > 9)\n    {x} = {y};", f"  {x} = {self.own()};",
            f"  if (seed & 8)\n    return {y};", f"  {x} *= 3;"])  # fmt: skip

    def text(self):
        forms = [self.loop, self.variables] if self.operator not in "<>" else [self.variables]
        lines, names = self.rng.choice(forms)()
        ends = self.rng.choice(["depth <= 0", "depth <= 0", "depth <= 0 || seed % 5 == 2"])
        after = [self.twist(names)] if self.rng.random() < 0.25 else []
        terms = [*names, *([self.own()] if self.rng.random() < 0.5 else [])]
        self.rng.shuffle(terms)
        result = self.combined(terms)
        return "\n".join([
            *([self.best()] if self.operator in "<>" else []),
            f"static {self.type} {self.name}(u32 seed, int depth) {{",
            f"  if ({ends})", f"    return {self.own()};", *lines, f"  {self.sync};", *after,
            f"  return {result};", "}"])  # fmt: skip

    def calls(self):
        """Statements that mix what some trees return into `hash`: one, and several at once."""
        count = self.rng.randint(2, 5)
        return f"""\
  hash = mix(hash, (u32){self.name}(hash, {self.depth}));
  {{
    {self.type} trees[{count}];
    for (int i = 0; i < {count}; ++i)
      trees[i] = {self.spawn} {self.name}(hash + i, {self.depth} - i);
    {self.sync};
    for (int i = 0; i < {count}; ++i)
      hash = mix(hash, (u32)trees[i]);
  }}
"""
