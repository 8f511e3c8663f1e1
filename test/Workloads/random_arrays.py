# ===- random_arrays.py - Random recursive functions that hand on arrays ------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Writes one function per program whose children get arrays that it fills, as in old
searches: they read them, and their results go to an array or are combined at once. Some
arrays are larger than what lanes have, some become so on the way down."""

import random

MOST_CHILDREN = 3


class Arrays:
    """The function `name` and what calls it. `fuel` is the most activations."""

    def __init__(self, seed, name, fuel, spawn, sync):
        self.rng, self.name = random.Random(f"arrays {seed}"), name
        self.spawn, self.sync = spawn, sync
        self.part = self.rng.choice(["signed char", "unsigned char", "unsigned short", "u32", "u64"])
        self.type = self.rng.choice(["unsigned char", "u32", "u32", "u64"])
        # Where results are multiplied, it is as int, which may overflow.
        self.operator = self.rng.choice("+++|^-")
        self.length = self.rng.choice([1, 2, 4, 8, 12, 15])
        self.depth = 0
        while MOST_CHILDREN ** (self.depth + 2) < 2 * fuel:
            self.depth += 1

    def read(self, array, length):
        """Something of an array."""
        return self.rng.choice([
            f"(u32){array}[0]", f"(u32){array}[{length} - 1]", f"(u32){array}[seed % {length}]",
            f"(u32)({array}[{length} / 2] * 3u)"])  # fmt: skip

    def search(self, array, length):
        """A loop through an array that sets `found`."""
        leave = self.rng.choice(["break;", "found += 5;", "{ found = 1; break; }"])
        test = self.rng.choice(["& 1", "== (seed & 7)", "> 9"])
        return [f"  for (int k = 0; k < {length}; ++k)",
                f"    if (((u32){array}[k] {test})) {leave}", "    else found += 2;"]  # fmt: skip

    def pairs(self):
        """A function that tests pairs of elements and leaves both loops early."""
        left, right = "(int)array[k]", "(int)array[l]"
        if self.part in ("u32", "u64"):
            left, right = "(u32)array[k]", "(u32)array[l]"
        apart = self.rng.choice(["(l - k)", "(l - k) * 2", "l", "120", "n"])
        tests = [f"{right} == {left}", f"{right} == {left} - {apart}", f"{left} + {apart} == {right}",
                 f"{right} - {left} != {apart} && array[k] == 7", f"{left} - {right} + k == l + 3"]  # fmt: skip
        if left.startswith("(int)"):
            tests.append(f"__builtin_abs({left} - {right}) == {apart}")
        test = " || ".join(self.rng.sample(tests, self.rng.choice([1, 2, 3])))
        result = self.rng.choice(["0", "k", "l + 1", "array[l] & 1"])
        first = self.rng.choice(["k + 1", "0", "k"])
        counter = self.rng.choice(["int", "int", "unsigned char"])
        return "\n".join([
            f"static u32 {self.name}_pairs(int n, const {self.part} *array) {{",
            f"  for ({counter} k = 0; k < n; ++k)", f"    for ({counter} l = {first}; l < n; ++l)",
            f"      if ({test}) return {result};", f"  return {self.rng.choice(['1', '3', 'n'])};", "}"])  # fmt: skip

    def fill(self):
        """A child's array: its parent's, and one more."""
        more = "length + 1"
        lines = [self.rng.choice([
            f"{self.part} *next = ({self.part} *)__builtin_alloca(({more}) * sizeof({self.part}));",
            f"{self.part} next[{more}];"])]  # fmt: skip
        lines.append(self.rng.choice([
            f"__builtin_memcpy(next, given, length * sizeof({self.part}));",
            "for (int k = 0; k < length; ++k) next[k] = given[k];",
            f"__builtin_memset(next, 3, length * sizeof({self.part})); next[0] = given[length - 1];"]))  # fmt: skip
        lines.append(f"next[length] = ({self.part})(seed >> i);")
        if self.rng.random() < 0.4:
            lines.append("next[seed % (length + 1)] ^= 5;")
        return lines

    def text(self):
        keeps = self.rng.random() < 0.6
        children = self.rng.choice(["(int)(seed % 4)", "(depth & 3)", "count"])
        body = self.fill()
        helper = []
        if self.rng.random() < 0.4:
            helper = [self.pairs()]
            body.append(f"if ({self.name}_pairs(length + 1, next))")
        elif self.rng.random() < 0.6:
            body += ["u32 found = 0;", *self.search("next", "length + 1"), "if (found & 3)"]
        place = "results[i] =" if keeps else f"all {self.operator}="
        body.append(f"  {place} {self.spawn} {self.name}(mix(seed, i), depth - 1, count, length + 1, next);")
        before, after = [], []
        if keeps:
            before = [self.rng.choice([
                f"{self.type} *results = ({self.type} *)__builtin_alloca((n + 1) * sizeof({self.type}));",
                f"{self.type} results[4];"])]  # fmt: skip
            before.append(f"for (int i = 0; i < n; ++i) results[i] = {self.rng.choice(['0', '0', '1'])};")
            end = self.rng.choice(["n", "n", "n - 1"])
            after = [f"for (int i = 0; i < {end}; ++i) all {self.operator}= results[i];"]
        leaf = self.rng.choice([[f"return {self.read('given', 'length')};"],
                                ["u32 found = seed;", *self.search("given", "length"), "return found;"]])  # fmt: skip
        lines = ["if (depth <= 0) {", *leaf, "}", f"const int n = {children};",
                 f"{self.type} all = {self.rng.choice(['0', 'seed', 'depth'])};", *before,
                 "for (int i = 0; i < n; ++i) {", *body, "}", f"{self.sync};", *after, "return all;"]  # fmt: skip
        head = f"static {self.type} {self.name}(u32 seed, int depth, int count, int length, const {self.part} *given) {{"
        return "\n".join([*helper, head, *("  " + line for line in lines), "}"])

    def calls(self):
        """Statements that mix what it returns into `hash`."""
        first = ", ".join(str(self.rng.randrange(100)) for _ in range(self.length))
        return f"""\
  {{
    {self.part} first[] = {{{first}}};
    hash = mix(hash, (u32){self.name}(hash, {self.depth}, 3, {self.length}, first));
    hash = mix(hash, (u32){self.name}(hash, {self.depth} - 1, 2, {self.length}, first));
  }}
"""
