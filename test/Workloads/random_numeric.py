# ===- random_numeric.py - Random recursive functions that compute ------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Writes one or two functions per program that spawn each other and compute with all
arithmetic types (random_values.py) before, between and behind their spawns: what runs in
lanes. Each activation has memory of its own, or none; the data that all read is constant."""

import random

from random_values import REALS, TYPES, Values, converted

MOST_CHILDREN = 3
DATA = 16
NARROW = ("i8", "u8", "i16", "u16", "i32", "u32")


def hashed(kind, text):
    """All bits of a value, as u32."""
    return f"hash_of({text})" if kind in REALS else f"(u32)({text})"


class Numeric:
    """The functions `name`0 and `name`1 and what calls them. `fuel` is the most
    activations."""

    def __init__(self, seed, name, fuel, spawn, sync):
        self.rng, self.name = random.Random(f"numeric {seed}"), name
        self.spawn, self.sync = spawn, sync
        self.odd = self.rng.random() < 0.25
        self.depth = 0
        while MOST_CHILDREN ** (self.depth + 2) < 2 * fuel:
            self.depth += 1
        rng = self.rng
        self.kinds = rng.choice([TYPES, TYPES + 5 * REALS, REALS, NARROW, ("i32", "u32", "float"), ("i64", "u64", "double")])
        self.results = [rng.choice(self.kinds) for _ in range(rng.choice([1, 1, 2]))]
        self.parameters = [(f"p{n}", rng.choice(self.kinds)) for n in range(rng.randint(0, 3))]
        if set(self.kinds) & set(REALS):
            # Which is never a constant, and not often exact.
            self.parameters.append(("real", rng.choice(sorted(set(self.kinds) & set(REALS)))))
        # A function of no result leaves it where its last parameter points to.
        self.outs = [rng.random() < 0.15 for _ in self.results]
        self.data = rng.choice(self.kinds) if rng.random() < 0.5 else None
        self.slots = rng.choice(self.kinds) if rng.random() < 0.25 else None
        self.struct = rng.random() < 0.2
        self.members = {"x": rng.choice(self.kinds), "y": rng.choice(self.kinds)}
        self.elements = rng.choice(self.kinds)
        self.helpers = [(f"{name}_help{n}", rng.choice(self.kinds), rng.choices(self.kinds, k=rng.randint(1, 2)))
                        for n in range(rng.choice([0, 0, 1, 2]))]  # fmt: skip

    def helper(self, number):
        """A function that does not spawn, and may call those before it."""
        name, result, parameters = self.helpers[number]
        values = Values(self.rng, self.helpers[:number], self.kinds, self.odd)
        values.scope = {f"a{n}": kind for n, kind in enumerate(parameters)}
        values.statements(1, 2)
        values.line(f"return {values.value(result)};")
        word = self.rng.choice(["", "", "__attribute__((noinline)) "])
        head = ", ".join(f"{kind} {a}" for a, kind in values.scope.items() if a[0] == "a")
        return "\n".join([f"static {word}{result} {name}({head}) {{", *values.lines, "}"])

    def head(self, number):
        parts = ["u32 seed", "i32 depth", *(f"{kind} {name}" for name, kind in self.parameters)]
        if self.struct:
            parts.append(f"{self.name}_s st")
        if self.data:
            parts.append(f"const {self.data} *data")
        if self.slots:
            parts.append(f"{self.slots} *slots")
        if self.outs[number]:
            parts.append(f"{self.results[number]} *out")
        result = "void" if self.outs[number] else self.results[number]
        return f"static {result} {self.name}{number}({', '.join(parts)})"

    def call(self, values, number, child, target):
        """A call of a function, which is the parent's child number `child`."""
        rng = self.rng
        self.kinds = rng.choice([TYPES, TYPES + 5 * REALS, REALS, NARROW, ("i32", "u32", "float"), ("i64", "u64", "double")])
        seed = rng.choice([f"mix(seed, {child})", f"seed * 5 + {child}", values.value("u32", 1)])
        depth = rng.choice(["depth - 1"] * 4 + ["depth / 2", f"depth - 1 - ({values.condition(0)})"])
        texts = [seed, depth]
        for name, kind in self.parameters:
            others = [f"{name} * {values.literal(kind)} + {values.leaf(kind)}"] if name == "real" else []
            texts.append(rng.choice([name, values.value(kind), *(others or [values.value(kind)])]))
        if self.struct:
            made = f"({self.name}_s){{{values.value(self.members['x'], 1)}, {{{values.leaf(self.elements)}}}, st.y}}"
            texts.append(rng.choice(["st", made]))
        texts += ["data"] if self.data else []
        # Four times as many slots as each child has.
        texts += [f"slots + 4 + {child} * (4 << 2 * depth - 2)"] if self.slots else []
        texts += [f"&{target}"] if self.outs[number] else []
        return f"{self.name}{number}({', '.join(texts)})"

    def assigned(self, values, number, child, target, spawned, operator="="):
        """A statement that has a child's result in `target`."""
        text = (self.spawn + " " if spawned else "") + self.call(values, number, child, target)
        return f"{text};" if self.outs[number] else f"{target} {operator} {text};"

    def children(self, values):
        """Spawns, each with a variable of its own. Returns what may be read then."""
        names, last = {}, self.rng.randint(1, MOST_CHILDREN)
        for child in range(last):
            number = self.rng.randrange(len(self.results))
            name, kind = f"x{child}", self.results[number]
            values.line(f"{kind} {name} = {values.value(kind, 1)};")
            spawned = self.rng.random() < 0.85
            write = lambda: values.line(self.assigned(values, number, child, name, spawned))  # noqa: E731
            if self.rng.random() < 0.3:
                values.block(f"if ({values.condition()})", write)
            else:
                write()
            if spawned:
                names[name] = kind
            else:
                values.scope[name] = kind
            if self.rng.random() < 0.3:
                values.statements(1, 1)
        return names, {}

    def array(self, values):
        """Spawns in a loop into an array."""
        number = self.rng.randrange(len(self.results))
        kind = self.results[number]
        values.line(f"{kind} all[4];")
        values.line("for (i32 i = 0; i < 4; ++i)")
        values.line(f"  all[i] = {values.value(kind, 1)};")
        self.loop(values, lambda: values.line(self.assigned(values, number, "i", "all[i]", True)))
        return {}, {"all": (kind, 4)}

    def compound(self, values):
        """Spawns in a loop whose results are combined with a variable as they come."""
        number = next(n for n, out in enumerate(self.outs) if not out)
        kind = self.results[number]
        values.line(f"{kind} all = {values.value(kind, 1)};")
        operators = ["+", "-", "*"] if kind in REALS else ["+", "-", "^", "|", "&"]
        # Sums of int may overflow.
        operator = self.rng.choice(operators if kind[0] != "i" else ["^", "|", "&"])
        self.loop(values, lambda: values.line(self.assigned(values, number, "i", "all", True, f"{operator}=")))
        return {"all": kind}, {}

    def loop(self, values, spawn):
        count = self.rng.choice(["seed % 4", "(depth & 3)", f"{values.variable('u32')} % 4", "3"])
        values.line(f"const u32 count = {count};")

        def write():
            # What the loop changes, the count of children does not depend on.
            if self.rng.random() < 0.4:
                values.statements(1, 1)
            if self.rng.random() < 0.25:
                values.line(f"if ({values.condition()}) {self.rng.choice(['break', 'continue', 'continue'])};")
            if self.rng.random() < 0.3:
                values.block(f"if ({values.condition()})", spawn)
            else:
                spawn()

        values.scope["i"] = "u32"
        values.fixed.add("i")
        values.block("for (u32 i = 0; i < count; ++i)", write)
        del values.scope["i"]

    def leave(self, values, number, results=()):
        """Returns something of the results of children, and of others."""
        kind = self.results[number]
        terms = [*results, values.value(kind, 3)]
        self.rng.shuffle(terms)
        if kind in REALS:
            words = self.rng.choice(["+", "+-", "+-*"])
            terms = [t if self.rng.random() < 0.5 else f"{t} * {values.variable(kind)}" for t in terms]
        else:
            words = self.rng.choice(["+", "*", "&|^+-"])
            wide = "u64" if kind[1:] == "64" else "u32"
            terms = [f"({wide}){term}" for term in terms]
        value = terms[0]
        for term in terms[1:]:
            value = f"{value} {self.rng.choice(words)} {term}"
        if self.outs[number]:
            values.line(f"*out = ({kind})({value});")
            values.line("return;")
        else:
            values.line(f"return ({kind})({value});")

    def maybe_leave(self, values, number):
        if self.rng.random() < 0.2:
            values.block(f"if ({values.condition()})", lambda: self.leave(values, number))

    def function(self, number):
        values = Values(self.rng, self.helpers, self.kinds, self.odd)
        values.scope = {"seed": "u32", "depth": "i32", **dict(self.parameters)}
        # The depth says when it ends.
        values.fixed |= {"depth"}
        if self.struct:
            values.scope.update({f"st.{name}": kind for name, kind in self.members.items()})
            values.arrays["st.v"] = (self.elements, 4)
            values.written |= {"st.v"}
        if self.data:
            values.arrays["data"] = (self.data, DATA)
        if self.slots:
            values.arrays["slots"] = (self.slots, 4)
            values.written |= {"slots"}
        if self.rng.random() < 0.3:
            values.statements(1, 1)
        ends = self.rng.choice(["depth <= 0"] * 3 + [f"depth <= 0 || ({values.condition(0)} && (seed & 4))"])

        def leaf():
            if self.rng.random() < 0.5:
                values.statements(2, 2)
            self.leave(values, number)

        values.block(f"if ({ends})", leaf)
        if self.rng.random() < 0.6:
            values.statements(2, 2)
        self.maybe_leave(values, number)
        forms = [self.children, self.children, self.array]
        if not all(self.outs):
            forms.append(self.compound)
        names, arrays = self.rng.choice(forms)(values)
        values.line(f"{self.sync};")
        values.scope.update(names)
        values.arrays.update(arrays)
        values.written |= set(arrays)
        if self.slots and self.rng.random() < 0.5:
            values.line(f"slots[seed & 3] = slots[4 + (4 << 2 * depth - 2)];")
        if self.rng.random() < 0.5:
            values.statements(2, 2)
        self.maybe_leave(values, number)
        # All that children return is used, by one operation or as bits.
        kind, own = self.results[number], []
        mixed = self.rng.random() < 0.5
        for name, other in names.items():
            if mixed:
                values.line(f"seed = mix(seed, {hashed(other, name)});")
            else:
                own.append(converted(kind, other, name))
        for name, (other, _) in arrays.items():
            if not mixed:
                values.line(f"{kind} total = {values.leaf(kind)};")
                own.append("total")
            values.line("for (u32 i = 0; i < count; ++i)")
            if mixed:
                values.line(f"  seed = mix(seed, {hashed(other, name + '[i]')});")
            elif kind in REALS:
                term = converted(kind, other, name + "[i]")
                values.line(f"  total = {self.rng.choice(['total', f'total * {values.literal(kind)}'])} + {term};")
            else:
                values.line(f"  total = ({kind})((u64)total + (u64){converted(kind, other, name + '[i]')});")
        if mixed:
            own.append(converted(kind, "u32", "(seed & 0xffffff)"))
        self.leave(values, number, own)
        return "\n".join([f"{self.head(number)} {{", *values.lines, "}"])

    def text(self):
        parts = []
        if self.struct:
            parts.append(f"typedef struct {{ {self.members['x']} x; {self.elements} v[4]; "
                         f"{self.members['y']} y; }} {self.name}_s;")  # fmt: skip
        parts += [self.helper(n) for n in range(len(self.helpers))]
        parts += [f"{self.head(n)};" for n in range(len(self.results))]
        parts += [self.function(n) for n in range(len(self.results))]
        return "\n".join(parts)

    def calls(self):
        """Statements that mix what it returns into `hash`: of one call, and of several."""
        rng, number = self.rng, self.rng.randrange(len(self.results))
        kind, count = self.results[number], rng.randint(2, 6)
        lines = []
        if self.data:
            first = ", ".join(str(rng.randrange(1, 100)) for _ in range(DATA))
            lines.append(f"static const {self.data} data[{DATA}] = {{{first}}};")
        if self.slots:
            lines.append(f"static {self.slots} slots[{4 ** (self.depth + 1)}];")
        if self.struct:
            lines.append(f"{self.name}_s st = {{1, {{(u8)hash, 2, 3, 4}}, 5}};")

        def call(depth, target):
            own = [f"({kind})(hash % {rng.randrange(20, 120)}){' / 7' if kind in REALS else ''}"
                   for _, kind in self.parameters]  # fmt: skip
            own += ["st"] * self.struct + ["data"] * bool(self.data) + ["slots"] * bool(self.slots)
            own += [f"&{target}"] * self.outs[number]
            text = f"{self.name}{number}({', '.join(['hash', depth, *own])})"
            return text if self.outs[number] else f"{target} = {text}"

        lines += [f"{kind} one = 0, all[{count}];", f"{call(str(self.depth), 'one')};",
                  f"hash = mix(hash, {hashed(kind, 'one')});"]  # fmt: skip
        if not self.slots:
            text = call(f"{self.depth - 1}", "all[i]").replace("(hash", "(hash + i", 1)
            text = text.replace("= ", f"= {self.spawn} ", 1) if "= " in text else f"{self.spawn} {text}"
            lines += [f"for (i32 i = 0; i < {count}; ++i)", f"  {text};", f"{self.sync};",
                      f"for (i32 i = 0; i < {count}; ++i)",
                      f"  hash = mix(hash, {hashed(kind, 'all[i]')});"]  # fmt: skip
        return "\n".join(["  {", *("    " + line for line in lines), "  }", ""])
