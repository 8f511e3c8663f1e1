# ===- random_fans.py - Random recursive functions of a parallel loop ---------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Writes one function per program whose parallel loop, or nest of two, comes to it
again: mostly as the last thing in an iteration, so that its function may spawn that;
now and then something comes behind. Iterations may pass on an array of their own."""

import random

MOST_CHILDREN = 4


class Fan:
    """The function `name` and what calls it. `fuel` is the most activations."""

    def __init__(self, seed, name, fuel):
        self.rng, self.name = random.Random(f"fan {seed}"), name
        self.type = self.rng.choice(["unsigned char", "unsigned short", "u32", "u32", "u64"])
        self.nested = self.rng.random() < 0.25
        self.array = self.rng.choice(["char", "short", "u32", "u64"]) if self.rng.random() < 0.4 else None
        self.elements = self.rng.choice([2, 3, 4, 8, 8, 16, 17])
        self.writes = self.rng.random() < 0.15
        self.depth = 0
        while MOST_CHILDREN ** (self.depth + 2) < 2 * fuel:
            self.depth += 1

    def head(self, index, end):
        """A loop of at most `end` iterations, whose index is less than MOST_CHILDREN."""
        kind = self.rng.choice(["int", "int", "unsigned", "long", "unsigned char"])
        loops = [f"0; {index} < {end}; {index}++"] * 3 + [f"0; {index} != {end}; ++{index}", f"0; {index} < {end}; {index} += 2"]
        if kind in ("int", "long"):
            loops += [f"{end} - 1; {index} >= 0; {index}--"] * 2
        return f"cilk_for ({kind} {index} = {self.rng.choice(loops)})"

    def number(self):
        """How many there are, at most MOST_CHILDREN."""
        return self.rng.choice([str(MOST_CHILDREN), "(int)(seed % 5)", "(int)(1 + (seed >> 3) % 4)", "(depth & 3)",
                                "number"])  # fmt: skip

    def fill(self, which):
        """Makes the array of the child `which`, of that of its parent."""
        each = f"for (int k = 0; k < {self.elements}; k++)"
        at = self.rng.choice(["0", f"(depth & 255) % {self.elements}", f"{which} % {self.elements}"])
        return self.rng.choice([
            [f"{self.array} next[{self.elements}];", "memcpy(next, array, sizeof next);", f"next[{at}] = {which};"],
            [f"{self.array} next[{self.elements} + (depth < 0)];", "memcpy(next, array, sizeof next);", f"next[{at}] += {which};"],
            [f"{self.array} *next = __builtin_alloca(({self.elements} + (depth < 0)) * sizeof *next);", each,
             f"  next[k] = array[k] - k * {which};"],
            [f"{self.array} next[{self.elements}];", each, f"  next[k] = array[k] + k * {which};"],
            [f"{self.array} next[{self.elements}] = {{array[1], array[0] ^ {which}}};"]])  # fmt: skip

    def iteration(self, place, which):
        """What is done with the child `which`, whose result goes to `place`."""
        passed = ""
        if self.array:
            passed = ", array" if not self.writes and self.rng.random() < 0.1 else ", next"
        seed = self.rng.choice([f"mix(seed, {which})", f"seed * 5 + (u32){which}", "own"])
        call = f"{self.name}({seed}, depth - 1{passed})"
        lines = [f"u32 own = seed ^ (u32){which} << 3;"] if "own" in call else []
        if "next" in passed:
            lines += self.fill(which)
            if self.rng.random() < 0.4:
                known = self.rng.choice(["next", "array"])
                lines += [f"u32 differ = {which};", f"for (int k = 0; k < {self.elements}; k++)",
                          f"  differ += {known}[k] != ({self.array})({which} * 3);"]  # fmt: skip
        if self.rng.random() < 0.1:
            return [*lines, f"u32 some[2] = {{seed, (u32){which}}};", f"{place} = {self.name}(some[depth & 1], depth - 1{passed});"]
        if self.rng.random() < 0.4:
            lines.append(f"{place} = {self.rng.choice(['0', '0', 'depth', 'seed'])};")
        computed = self.rng.choice([call] * 3 + [f"7 - {call}", f"~{call}", f"{call} * 3 + (u32){which}", f"(seed >> {which}) + {call}"])
        if self.rng.random() < 0.2:
            computed = self.rng.choice([f"seed >> {which} & 1 ? {computed} : 0", f"{which} == 1 ? seed : {computed}"])
        last = [f"{place} = {computed};"]
        if self.rng.random() < 0.1:
            last.append(f"{place} ^= 5;")
        if self.rng.random() < 0.4:
            known = ["differ & 1"] * 3 if any("differ" in line for line in lines) else []
            condition = self.rng.choice([f"seed >> {which} & 1", f"{which} != 2", "depth > 1", *known])
            last = [f"if ({condition}) {{", *("  " + line for line in last), "}"]
        return [*lines, *last]

    def text(self):
        length = MOST_CHILDREN // 2 if self.nested else MOST_CHILDREN
        variable = not self.nested and self.rng.random() < 0.4
        size = "number + 1" if variable else f"{length}][{length}" if self.nested else str(length + 1)
        lines = [f"int number = {self.rng.choice(['seed & 3', 'seed % 4', '2'])};" if not self.nested else "int number = 2;",
                 f"{self.type} got[{size}];"]  # fmt: skip
        ends = "number" if variable else str(length)
        if self.nested:
            lines += ["for (int i = 0; i < 4; i++)", "  got[i / 2][i % 2] = (u32)i ^ seed;",
                      f"{self.head('i', 'number')}",
                      f"  {self.head('j', self.rng.choice(['number', '2', '(int)i + 1']))} {{",
                      *("    " + line for line in self.iteration("got[i][j]", "(2 * i + j)")), "  }"]  # fmt: skip
            read = "got[i / 2][i % 2]"
            ends = "4"
        else:
            lines += [f"for (int i = 0; i < {ends}; i++)", "  got[i] = (u32)i;"] if self.rng.random() < 0.6 else [
                "memset(got, 0, sizeof got);"]  # fmt: skip
            end = "number" if variable else self.number()
            lines += [self.head("i", end) + " {", *("  " + line for line in self.iteration("got[i]", "i")), "}"]
            read = "got[i]"
        combine = self.rng.choice([f"sum += {read}", f"sum += {read}", f"sum ^= {read}", f"sum = sum * 3 + {read}",
                                   f"sum = {read} > sum ? {read} : sum"])  # fmt: skip
        lines += [f"{self.type} sum = {self.rng.choice(['0', '1', 'seed'])};", f"for (int i = 0; i < {ends}; i++)",
                  f"  {combine};", "return sum;"]  # fmt: skip
        ending = self.rng.choice(["depth <= 0", "depth <= 0 || seed % 7 == 3"])
        results = [f"seed ^ array[{self.elements - 1}]", "array[0] + depth"] if self.array else ["seed", "1", "depth + seed % 9"]
        parameter = f", {'' if self.writes else 'const '}{self.array} *array" if self.array else ""
        write = [f"  array[{self.rng.randrange(2)}] += depth;"] if self.array and self.writes else []
        return "\n".join([
            f"static {self.type} {self.name}(u32 seed, int depth{parameter}) {{", *write, f"  if ({ending})",
            f"    return {self.rng.choice(results)};",
            *("  " + line for line in lines), "}"])  # fmt: skip

    def calls(self):
        """Statements that mix what it returns into `hash`."""
        if not self.array:
            return f"  hash = mix(hash, (u32){self.name}(hash, {self.depth}));\n"
        return (f"  {self.array} of_{self.name}[{self.elements}] = {{3, 1}};\n"
                f"  hash = mix(hash, (u32){self.name}(hash, {self.depth}, of_{self.name}));\n")  # fmt: skip
