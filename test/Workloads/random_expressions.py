# ===- random_expressions.py - Objects and values of a random function -------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""The objects of a random function, their states, and expressions of them."""

from random_prelude import ARRAY, FEW, ODD, REAL, SCALARS, STRICTNESS, WIDE


class Expressions:
    """A part of Body (random_body.py), whose members it uses."""

    # Text.

    def line(self, text):
        self.lines.append("  " * self.indent + text)

    def fresh(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    def block(self, head, write):
        self.line(head + " {")
        self.indent += 1
        write()
        self.indent -= 1
        self.line("}")

    # Objects.

    def declare(self, name, kind, state="free"):
        self.types[name], self.state[name] = kind, state

    def pick(self, kinds, states):
        """A random object of one of the types, in one of the states, or None."""
        names = [n for n, t in self.types.items()
                 if t in kinds and self.state[n] in states
                 and not (self.in_block and n in self.vlas)]  # fmt: skip
        return self.rng.choice(names) if names else None

    def sync(self):
        self.line(self.program.sync + ";")
        self.state = {n: self.before.get(n, "free") for n in self.state}

    def merged(self, states):
        """The strictest state of each object over several paths."""
        return {
            name: max((s[name] for s in states), key=STRICTNESS.index)
            for name in states[0]
        }

    # Expressions of type u32.

    def element(self, name):
        """Some element of a narrow array."""
        return f"{name}[{self.rng.randrange(self.narrow.get(name, (0, 1))[1])}]"

    def read(self, name):
        kind = self.types[name]
        self.used.add(name)
        if kind in SCALARS + ODD:
            return f"(u32){name}"
        if kind in ("S1s", "M1s", "U1s"):
            name, kind = f"{name}[{self.rng.randrange(FEW)}]", kind[:-1]
        choices = {
            "array": [f"{name}[{self.rng.randrange(ARRAY)}]"],
            "narrow": [f"(u32){self.element(name)}"],
            "words": [f"{name}[{self.rng.randrange(ARRAY)}]"],
            "double": [f"of_real({name})"],
            "float": [f"of_real({name})"],
            "ld": [f"of_real((double){name})"],
            "wide": [f"{name}[{self.rng.randrange(WIDE)}]"],
            "S1": [f"(u32){name}.a", f"(u32){name}.b"],
            "S2": [f"{name}.a", f"of_real({name}.b)"],
            "S3": [f"{name}.v[{self.rng.randrange(6)}]", f"(u32){name}.w"],
            "*S3": [f"{name}->v[{self.rng.randrange(6)}]", f"(u32){name}->w"],
            "Bits": [f"(u32){name}.a", f"(u32){name}.b", f"(u32){name}.c"],
            "M1": [f"(u32){name}.a", f"(u32){name}.b", f"(u32){name}.c"],
            "U1": [f"(u32){name}.c[{self.rng.randrange(4)}]"],
        }
        return self.rng.choice(choices[kind])

    def leaf(self):
        readable = [n for n in self.types if self.state[n] in ("free", "reading")
                    and not (self.in_block and n in self.vlas)]  # fmt: skip
        chance = self.rng.random()
        if chance > 0.97:
            return f"{self.program.prefix}phase"
        if self.indices and chance < 0.3:
            return self.rng.choice(self.indices)
        if readable and chance < 0.85:
            return self.read(self.rng.choice(readable))
        return f"{self.rng.randrange(1000)}u"

    def u32(self, depth=2):
        if depth == 0 or self.rng.random() < 0.3:
            return self.leaf()
        a, b = self.u32(depth - 1), self.u32(depth - 1)
        form = self.rng.randrange(9)
        if form < 3:
            return f"({a} {self.rng.choice(['+', '-', '*', '^', '|', '&'])} {b})"
        if form == 3:
            return f"({a} >> {self.rng.randrange(1, 20)})"
        if form == 4:
            return f"({self.condition()} ? {a} : {b})"
        if form == 7:
            return f"({a}, {b})"
        if form == 8:
            return f"c_busy({a})"
        if form == 5:
            return f"table[{a} % 16]"
        return f"mix({a}, {b})"

    def condition(self):
        a, b = self.leaf(), self.leaf()
        return self.rng.choice(
            [f"({a}) % {self.rng.randrange(2, 5)} == 0", f"({a}) < ({b})", f"({a}) & 4"]
        )

    def of_type(self, kind):
        """An expression of the type of a parameter that is passed by value."""
        if kind in SCALARS + ODD:
            return f"({kind})({self.u32()})"
        if kind in REAL:
            same = self.pick([kind], ["free", "reading"])
            if same and self.rng.random() < 0.5:
                self.used.add(same)
                return f"({kind})({same} * 0.5)"
            return f"({kind})({self.u32()} % 1000 * 0.25)"
        same = self.pick([kind], ["free", "reading"])
        if same and self.rng.random() < 0.7:
            self.used.add(same)
            return same
        fields = {
            "S1": "(u8)({}), (u16)({})",
            "S2": "{}, {} % 64 * 0.5",
            "S3": "{{{}, {}, 7}}, 5",
            "M1": "{}, (int){}, 3",
            "U1": ".c = {{(u8){}, (u8){}, 3, 4}}",
        }[kind]
        return f"({kind}){{{fields.format(self.leaf(), self.leaf())}}}"
