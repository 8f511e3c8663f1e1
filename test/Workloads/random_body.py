# ===- random_body.py - The body of a random function ------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Writes one function of a random program; random_program.py says how."""

from random_features import Features
from random_prelude import ARRAY, ODD, REAL, SCALARS, SIGNATURES, STRICTNESS, WIDE


class Body(Features):
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
        self.in_block = False
        self.before = {}  # states that a sync here does not change

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

    def read(self, name):
        kind = self.types[name]
        self.used.add(name)
        if kind in SCALARS + ODD:
            return f"(u32){name}"
        choices = {
            "array": [f"{name}[{self.rng.randrange(ARRAY)}]"],
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
        }[kind]
        return f"({kind}){{{fields.format(self.leaf(), self.leaf())}}}"

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

    DESTINATIONS = {"A": SCALARS + ODD + ("array", "Bits", "double", "ld", "S3"),
                    "C": ("S3",), "D": ("double", "ld"), "F": SCALARS + ODD + ("array",),
                    "G": ("S1",), "H": ODD + ("u32", "u64", "array", "Bits"),
                    "I": REAL, "J": ("ld",)}  # fmt: skip

    def lvalue(self, name, signature):
        kind = self.types[name]
        if kind == "array":
            return f"{name}[{self.rng.randrange(ARRAY)}]"
        if kind == "Bits":
            return f"{name}.{self.rng.choice('abc')}"
        if kind == "S3" and signature == "A":
            return f"{name}.v[{self.rng.randrange(6)}]"
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
        target = self.pick(SCALARS + ODD + ("array", "S3", "Bits", "*S3"), ["free"])
        if not target:
            return
        kind = self.types[target]
        place = self.lvalue(target, "A")
        if kind == "*S3":
            place = f"{target}->v[{self.rng.randrange(6)}]"
        operator = self.rng.choice(["=", "=", "+=", "^="])
        if kind in ODD and operator == "+=":
            operator = "="
        self.line(f"{place} {operator} {self.u32()};")

    def count(self):
        self.line(f"atomic_fetch_add(&{self.program.prefix}sum, {self.u32()} & 0xffff);")

    def spawn_loop(self):
        """Children into the elements of an array, or added up."""
        trips = self.rng.randrange(1, ARRAY + 1)
        add = self.rng.random() < 0.4
        kinds = ["u32", "u64", "u16"] if add else ["array"]
        target = self.pick(kinds, ["free", "compound"] if add else ["free"])
        if not target:
            return
        self.state[target] = "compound" if add else "pending"
        index = self.fresh("ix")
        self.indices.append(index)
        self.times *= trips
        place = f"{target} {self.rng.choice(['+', '^', '*'])}=" if add else f"{target}[{index}] ="
        own = self.rng.random() < 0.4

        def write():
            if own:
                # New memory in each iteration, which the child reads.
                memory = self.fresh("p")
                self.line(f"S3 *{memory} = alloca(sizeof(S3));")
                self.line(f"memset({memory}, (int)({self.u32(1)} & 0x7f), sizeof(S3));")
                self.line(f"{self.program.spawn} {self.program.prefix}E0(FUEL, {memory}, table);")
                self.children += self.times
            guard = self.rng.random() < 0.3
            text = self.call("A", True)
            self.line((f"if ({self.condition()}) " if guard else "") + f"{place} {text};")

        self.block(f"for (u32 {index} = 0; {index} < {trips}; ++{index})", write)
        self.times //= trips
        self.indices.pop()

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

    def loop(self, depth):
        """A loop whose every turn ends in a sync; the first begins as it is."""
        trips = self.rng.randrange(1, 4)
        index = self.fresh("ix")
        before, exits = dict(self.state), []
        self.indices.append(index)
        self.times *= trips
        kind = self.rng.choice(["for", "do", "goto", "while"])

        def write():
            self.statements(depth - 1, 2)
            if kind != "goto" and self.rng.random() < 0.3:
                exits.append(dict(self.state))
                self.line(f"if ({self.condition()}) break;")
            elif kind == "for" and self.rng.random() < 0.3:
                self.line(f"if ({self.condition()}) {{ {self.program.sync}; continue; }}")
            self.statements(depth - 1, 2)
            self.sync()

        if kind == "while":
            self.line(f"u32 {index} = 0;")
            self.block(f"while ({index}++ < {trips})", write)
        elif kind == "for":
            self.block(f"for (u32 {index} = 0; {index} < {trips}; ++{index})", write)
        else:
            self.line(f"u32 {index} = 0;")
            if kind == "do":
                self.block("do", write)
                self.lines[-1] += f" while (++{index} < {trips});"
            else:
                label = self.fresh("again")
                self.line(f"{label}:;")
                write()
                self.line(f"if (++{index} < {trips}) goto {label};")
        self.times //= trips
        self.indices.pop()
        self.state = self.merged([before, self.state] + exits)

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
        elif chance < 0.92:
            self.feature(depth)
        elif depth > 0:
            self.branch(depth) if self.rng.random() < 0.6 else self.loop(depth)

    # The whole function.

    def locals(self):
        for _ in range(self.rng.randint(2, 6)):
            kind = self.rng.choice(
                SCALARS + ("u32", "array", "array", "double", "S1", "S2", "S3", "S3", "Bits") + ODD + REAL
            )
            name = self.fresh("l")
            if kind == "array":
                length = f"{ARRAY} + {self.leaf()} % 3" if self.rng.random() < 0.4 else f"{ARRAY}"
                if "%" in length:
                    self.vlas.add(name)
                self.line(f"u32 {name}[{length}];")
                self.line(f"memset({name}, (int)({self.leaf()} & 0xff), sizeof {name});")
            elif kind == "Bits":
                self.line(f"{kind} {name} = {{{self.leaf()} & 31, {self.leaf()} & 2047, 0}};")
            else:
                self.line(f"{kind} {name} = {self.of_type(kind)};")
            self.declare(name, kind)

    def finish(self):
        """Folds all the function knows into its result. A result that is stored
        rather than returned does not get the return's implicit sync."""
        if self.result == "void" and self.children:
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
