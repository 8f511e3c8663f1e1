# ===- random_body.py - The body of a random function ------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Writes one function of a random program; random_program.py says how."""

from random_expressions import Expressions
from random_features import Features
from random_loops import Loops
from random_prelude import ARRAY, FEW, NARROW, ODD, REAL, SCALARS, SIGNATURES


class Body(Expressions, Loops, Features):
    """Writes the body of one function."""

    def __init__(self, rng, program, name, signature):
        self.rng, self.program, self.name = rng, program, name
        self.result, self.parameters = SIGNATURES[signature]
        self.types, self.state = {}, {}
        self.lines, self.indent = [], 1
        self.children, self.times = 0, 1
        self.counter = 0
        self.indices = []
        self.used = set()
        self.vlas = set()
        self.narrow = {}  # the element type and length of each narrow array
        self.in_block = False
        self.before = {}  # states that a sync here does not change

    # Calls.

    def callee(self, signature):
        """A function by name, or through its signature's table."""
        functions = self.program.by_signature(signature)
        if self.rng.random() < 0.3:
            return f"{self.program.prefix}{signature}s[{self.leaf()} % {len(functions)}]"
        return self.rng.choice(functions)

    def arguments(self, signature, spawned):
        """The argument list, or None where no object can be handed out. States of
        objects that a spawned child gets by address change."""
        texts, after = ["FUEL"], {}
        for kind, name in SIGNATURES[signature][1]:
            if name == "out":
                target = self.pick(["u32", "array", "S3"], ["free"])
                if not target:
                    return None
                access = {"u32": "", "array": f"[{self.rng.randrange(ARRAY)}]",
                          "S3": f".v[{self.rng.randrange(6)}]"}  # fmt: skip
                texts.append("&" + target + access[self.types[target]])
                after[target] = "pending"
            elif name == "inout":
                target = self.pick(["S3"], ["free"])
                if not target:
                    return None
                texts.append("&" + target)
                after[target] = "pending"
            elif name == "from":
                words = self.pick(["array", "words"], ["free", "reading"])
                texts.append(words or "table")
                if words:
                    after[words] = "reading"
            else:
                texts.append(self.of_type(kind))
        # An object read by value in this list and written through it is no race:
        # the arguments are evaluated in the parent, before the spawn.
        if spawned:
            self.state.update(after)
        return ", ".join(texts)

    def call(self, signature, spawned):
        """A call expression, or None."""
        callee = self.callee(signature)
        arguments = self.arguments(signature, spawned)
        if arguments is None:
            return None
        self.children += self.times
        word = self.program.spawn + " " if spawned else ""
        return f"{word}{callee}({arguments})"

    # Statements.

    ARRAYS = ("array", "narrow")
    DESTINATIONS = {"A": SCALARS + ODD + ARRAYS + ("Bits", "double", "ld", "S1", "S2", "S3", "*S3",
                                                   "M1", "U1", "S1s", "M1s", "U1s"),
                    "C": ("S3",), "D": ("double", "ld"), "F": SCALARS + ODD + ARRAYS,
                    "G": ("S1", "S1s"), "H": ODD + ARRAYS + ("u32", "u64", "Bits"),
                    "I": REAL, "J": ("ld",), "K": ("M1", "M1s"), "L": ("U1", "U1s")}  # fmt: skip

    def lvalue(self, name, signature):
        kind = self.types[name]
        if kind == "array":
            return f"{name}[{self.rng.randrange(ARRAY)}]"
        if kind == "narrow":
            return self.element(name)
        if kind in ("S1s", "M1s", "U1s"):
            name, kind = f"{name}[{self.rng.randrange(FEW)}]", kind[:-1]
        if kind == "U1" and signature == "A":
            return f"{name}.c[{self.rng.randrange(4)}]"
        if kind == "Bits" or (kind == "M1" and signature == "A"):
            return f"{name}.{self.rng.choice('abc')}"
        if kind in ("S1", "S2", "S3", "*S3") and signature == "A":
            arrow = "->" if kind == "*S3" else "."
            element = f"v[{self.rng.randrange(6)}]"
            members = {"S1": ["a", "b"], "S2": ["a"]}.get(kind, [element, "w"])
            return name + arrow + self.rng.choice(members)
        return name

    def spawn_or_call(self):
        signature = self.rng.choice(self.program.signatures)
        spawned = self.rng.random() < 0.75
        if signature in "BE":
            text = self.call(signature, spawned)
            if text and spawned and self.rng.random() < 0.15:
                self.line(f"{self.condition()} ? {text} : (void)0;")
            elif text:
                self.line(text + ";")
            return
        # A real result fits no integer type for certain.
        kinds = self.DESTINATIONS[signature]
        compound = signature in "ADFIJ" and self.rng.random() < 0.35
        if compound:
            kinds = [k for k in kinds if k not in ("i128", "i8", "i16")]
        target = self.pick(kinds, ["free", "compound"] if compound else ["free"])
        if not target or self.rng.random() < 0.05:
            text = self.call(signature, spawned)
            first = self.pick(["u32"], ["free"])
            comma = f"{first} ^= {self.leaf()}, " if first and not spawned else ""
            self.line(f"{comma}(void){text};")
            return
        place = self.lvalue(target, signature)
        operator = "="
        if compound:
            real = signature in "DIJ" or self.types[target] in REAL
            operators = ["+=", "-="] if real else ["+=", "-=", "*=", "^=", "|=", "&="]
            if self.types[target] == "bool_":
                operators = ["^=", "|=", "&="]
            operator = self.rng.choice(operators)
            # Evaluated without the target: with others pending it is no value.
            if not spawned and self.state[target] != "free":
                return
            if spawned:
                self.state[target] = "compound"
        text = self.call(signature, spawned)
        if spawned and not compound:
            self.state[target] = "pending"
        self.line(f"{place} {operator} {text};")

    def assign(self):
        target = self.pick(SCALARS + ODD + ("array", "S3", "Bits", "*S3", "narrow", "M1", "U1", "M1s", "U1s"), ["free"])
        if not target:
            return
        kind = self.types[target]
        place = self.lvalue(target, "A")
        operator = self.rng.choice(["=", "=", "+=", "^="])
        if kind in ODD and operator == "+=":
            operator = "="
        self.line(f"{place} {operator} {self.u32()};")

    def count(self):
        self.line(f"atomic_fetch_add(&{self.program.prefix}sum, {self.u32()} & 0xffff);")

    def branch(self, depth):
        before = dict(self.state)
        after = []

        def arm():
            self.state = dict(before)
            self.statements(depth - 1, 3)
            after.append(self.state)

        if self.rng.random() < 0.3:
            self.line(f"switch ({self.leaf()} % 4) {{")
            for label in ("case 0:", "case 1:", "default:"):
                self.block(label, lambda: (arm(), self.line("break;")))
            self.line("}")
        else:
            self.block(f"if ({self.condition()})", arm)
            if self.rng.random() < 0.5:
                self.block("else", arm)
            else:
                after.append(before)
        self.state = self.merged(after)

    def scope(self):
        """Locals of a block, initialised by spawns."""
        a, b = self.fresh("n"), self.fresh("n")
        target = self.pick(["u32", "u64"], ["free"])

        def write():
            first, second = self.call("A", True), self.call("A", self.rng.random() < 0.5)
            self.line(f"u32 {a} = {first}, {b} = {second};")
            self.sync()
            if target:
                self.line(f"{target} = mix({a}, {b});")

        self.block("", write)

    def leave(self):
        """An early return; its implicit sync allows it to read everything."""
        before = dict(self.state)

        def write():
            self.state = {name: "free" for name in self.state}
            self.finish()

        self.block(f"if ({self.condition()} && {self.leaf()} % 3 == 1)", write)
        self.state = before

    def statements(self, depth, most):
        for _ in range(self.rng.randint(1, most)):
            self.statement(depth)

    def statement(self, depth):
        chance = self.rng.random()
        if chance < 0.42:
            self.spawn_or_call()
        elif chance < 0.54:
            self.assign()
        elif chance < 0.64:
            self.sync()
        elif chance < 0.72 and self.times < 10:
            self.spawn_loop()
        elif chance < 0.76:
            self.count()
        elif chance < 0.79:
            self.leave()
        elif chance < 0.83:
            self.scope()
        elif chance < 0.93:
            self.feature(depth)
        elif depth > 0:
            self.branch(depth) if self.rng.random() < 0.6 else self.loop(depth)

    # The whole function.

    def locals(self):
        for _ in range(self.rng.randint(2, 6)):
            kind = self.rng.choice(
                SCALARS + ("u32", "array", "array", "double", "S1", "S2", "S3", "S3", "Bits", "M1", "U1",
                           "narrow", "narrow", "narrow", "narrow", "S1s", "M1s", "U1s") + ODD + REAL
            )
            name = self.fresh("l")
            if kind == "array":
                length = f"{ARRAY} + {self.leaf()} % 3" if self.rng.random() < 0.4 else f"{ARRAY}"
                if "%" in length:
                    self.vlas.add(name)
                self.line(f"u32 {name}[{length}];")
                self.line(f"memset({name}, (int)({self.leaf()} & 0xff), sizeof {name});")
            elif kind == "narrow":
                self.narrow_array(name)
            elif kind in ("S1s", "M1s", "U1s"):
                values = ", ".join(self.of_type(kind[:-1]) for _ in range(FEW))
                self.line(f"{kind[:-1]} {name}[{FEW}] = {{{values}}};")
            elif kind == "Bits":
                self.line(f"{kind} {name} = {{{self.leaf()} & 31, {self.leaf()} & 2047, 0}};")
            else:
                self.line(f"{kind} {name} = {self.of_type(kind)};")
            self.declare(name, kind)

    def narrow_array(self, name):
        """An array of which several elements, or all, are in one word of memory."""
        kind, length = self.rng.choice(NARROW), self.rng.choice([2, 3, 3, 3, 4, 5, 6, 7, 8, 11])
        self.narrow[name] = kind, length
        if self.rng.random() < 0.75:
            values = ", ".join(f"({kind})({self.leaf()})" for _ in range(min(length, 4)))
            self.line(f"{kind} {name}[{length}] = {{{values}}};")
            return
        index, more = self.fresh("ix"), self.leaf()
        self.vlas.add(name)
        self.line(f"{kind} {name}[{length} + {more} % 3];")
        self.line(f"for (u32 {index} = 0; {index} < sizeof {name} / sizeof *{name}; ++{index})")
        self.line(f"  {name}[{index}] = ({kind})({self.leaf()} + {index});")

    def finish(self):
        """Folds all the function knows into its result. A result that is stored
        rather than returned does not get the return's implicit sync."""
        spawned = any(self.program.spawn in line for line in self.lines)
        if self.result == "void" and spawned:
            self.line(self.program.sync + ";")
        value = "fuel"
        for name in self.types:
            value = f"mix({value}, {self.read(name)})"
        if self.result == "void":
            target = "*out" if self.pick(["*S3"], ["free"]) is None else "inout->v[0]"
            self.line(f"{target} = {value};")
            self.tail_spawn()
            self.line("return;")
            return
        results = {
            "u32": value, "u64": f"(u64){value} << 9 ^ fuel",
            "double": f"{value} % 4096 * 0.125", "S1": f"(S1){{(u8){value}, 99}}",
            "S3": f"(S3){{{{1, {value}, 2}}, {value}}}", "i128": f"(i128){value} << 40 ^ fuel",
            "float": f"{value} % 512 * 0.25f", "ld": f"{value} % 4096 * 0.125L",
            "M1": f"(M1){{{value}, (int){value}, 3}}", "U1": f"(U1){{.c = {{1, (u8){value}, 2, 3}}}}",
        }  # fmt: skip
        if self.result == "u32" and self.children and self.rng.random() < 0.1:
            self.children += 1
            # The implicit sync is behind this spawn, and so behind its arguments.
            self.line(self.program.sync + ";")
            self.line(f"return {self.program.spawn} {self.callee('A')}(FUEL, {value}, 5);")
            return
        self.line(f"return {results[self.result]};")

    def text(self):
        head = ", ".join(["u32 fuel"] + [f"{t} {n}" for t, n in self.parameters])
        for kind, name in self.parameters:
            kinds = {"S3 *": "*S3", "const u32 *": "words"}
            if name == "from":
                self.declare(name, "words", "reading")
            elif name != "out":
                self.declare(name, kinds.get(kind, kind))
        self.line(f"atomic_fetch_add(&{self.program.prefix}tasks, 1);")
        self.block("if (fuel == 0)", self.finish)
        self.locals()
        self.statements(2, 7)
        self.state = {name: "free" for name in self.state}
        if self.rng.random() < 0.5:
            self.line(self.program.sync + ";")
        self.finish()
        fuel = f"(fuel - 1) / {max(self.children, 1)}"
        body = "\n".join(self.lines).replace("FUEL", fuel)
        return f"{self.result} {self.name}({head}) {{\n{body}\n}}\n"
