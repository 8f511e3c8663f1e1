# ===- random_members.py - Random recursive functions that hand on objects ----===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Writes one function per program whose children get objects that it fills, as boards in
searches: they only read them, so that members may go by value (ObjectMembers.h). Members
are of several sizes, arrays of these, and structs; objects are copied whole or in part,
and written where an index is known at run time only.

No race: what a child reads is its own, in an iteration of a parallel loop, or in memory
that nobody writes before the sync. All of an object but its padding has a value. Floating
point is a few multiples of a half, so that sums are exact."""

import random

MOST_CHILDREN = 4
MOST_BYTES = 64  # of what goes by value
BYTES = {"signed char": 1, "u8": 1, "short": 2, "u16": 2, "int": 4, "u32": 4, "float": 4, "int64_t": 8, "u64": 8,
         "double": 8}  # fmt: skip
REALS = ("float", "double")


class Leaf:
    """What is read and written of an object: scalars of type `kind`. `path` leads to one of
    them; if there are several, `length` is not 1, and {} in it an index."""

    def __init__(self, path, length, kind):
        self.path, self.length, self.kind = path, length, kind

    def at(self, thing, index):
        return thing + self.path.format(index)

    def read(self, thing, index):
        """One of them as u32."""
        return f"(u32){'(int)' if self.kind in REALS else ''}{self.at(thing, index)}"

    def each(self, statement):
        """Statements about all of them; `statement` is told an index."""
        if self.length == 1:
            return [statement("0")]
        return [f"for (u32 k = 0; k < {self.length}; ++k)", f"  {statement('k')}"]


def value(kind, text):
    """An operand, which is u32, as a value of a type."""
    if kind in REALS:
        return f"({kind})(({text}) & 255) * 0.5{'f' if kind == 'float' else ''}"
    return f"({kind})({text})"


class Members:
    """The function `name` and what calls it. `fuel` is the most activations."""

    def __init__(self, seed, name, fuel, spawn, sync, loops):
        self.rng, self.name = random.Random(f"members {seed}"), name
        self.spawn, self.sync = spawn, sync
        self.struct, self.inner = f"struct {name}_object", f"struct {name}_inner"
        # Where nothing speaks against it, members go by value.
        self.plain = self.rng.random() < 0.6
        self.make_struct()
        # An iteration's own object is gone when the iteration ends; what __builtin_alloca
        # makes is not.
        self.form = self.rng.choice(["cilk_for"] * (4 * loops) + ["allocated", "several"] + ["synced", "array"] * (not self.plain))
        self.type = self.rng.choice(["u8", "u16", "u32", "u32", "u64"])
        self.operator = self.rng.choice("++|^-")
        self.depth = 0
        while MOST_CHILDREN ** (self.depth + 2) < 2 * fuel:
            self.depth += 1

    def scalar(self):
        return self.rng.choice(list(BYTES))

    def make_struct(self):
        """Draws members until they have 16 to 64 bytes, now and then more."""
        most = MOST_BYTES if self.rng.random() < 0.95 else MOST_BYTES + 8
        while True:
            self.parts = [("low", self.scalar()), ("high", self.scalar())]
            inner = [BYTES[kind] for _, kind in self.parts]
            self.members, size, widest = [], 0, 1
            for number in range(self.rng.randint(2, 6)):
                kind, length = self.scalar(), self.rng.choice([1, 1, 1, 2, 3, 4, 5, 8, 12, 16])
                bytes_, align = BYTES[kind], BYTES[kind]
                if self.rng.random() < (0.08 if self.plain else 0.2):
                    kind, length = self.inner, self.rng.choice([1] if self.plain else [1, 1, 2, 3])
                    align = max(inner)
                    bytes_ = -(-(-(-inner[0] // inner[1]) * inner[1] + inner[1]) // align) * align
                self.members.append((kind, f"m{number}", length))
                size, widest = -(-size // align) * align + bytes_ * length, max(widest, align)
            if 16 <= -(-size // widest) * widest <= most:
                break
        self.leaves = []
        for kind, name, length in self.members:
            path = f".{name}[{{}}]" if length > 1 else f".{name}"
            parts = [(f".{part}", of) for part, of in self.parts] if kind == self.inner else [("", kind)]
            self.leaves += [Leaf(path + part, length, of) for part, of in parts]
        self.every = list(self.leaves)
        if self.rng.random() < 0.5:  # It is copied with the others, and nothing else.
            self.leaves.remove(self.rng.choice(self.leaves))

    def declarations(self):
        """The types."""
        lines = [f"{self.inner} {{ " + " ".join(f"{kind} {part};" for part, kind in self.parts) + " };"]
        members = [f"{kind} {name}{f'[{length}]' if length > 1 else ''};" for kind, name, length in self.members]
        return [*lines, f"{self.struct} {{ " + " ".join(members) + " };", *self.ordinary()]

    def ordinary(self):
        """A function that is told all of an object."""
        each = [line for part in self.every
                for line in part.each(lambda k, part=part: f"all = all * 31 + {part.read('(*object)', k)};")]  # fmt: skip
        return [f"__attribute__((noinline)) static u32 {self.name}_all(const {self.struct} *object) {{",
                *("  " + line for line in ["u32 all = 1;", *each, "return all;"]), "}"]  # fmt: skip

    def index(self, leaf, thing, i):
        """Of one scalar: known when this is compiled, or only later, and now and then read
        of the object itself."""
        n, rng = leaf.length, self.rng
        scalars = [s for s in self.leaves if s.length == 1]
        if scalars and rng.random() < 0.4:
            return f"({rng.choice(scalars).read(thing, 0)}) % {n}"
        return rng.choice([f"{rng.randrange(n)}", f"(seed + {i}) % {n}", f"(u32)depth % {n}", f"{i} % {n}",
                           f"(seed >> {rng.randrange(20)}) % {n}"])  # fmt: skip

    def read(self, thing, i):
        leaf = self.rng.choice(self.leaves)
        return leaf.read(thing, self.index(leaf, thing, i))

    def operand(self, things, i):
        some = [self.read(thing, i) for thing in things]
        return self.rng.choice([f"{i}", "(u32)depth", "seed", f"seed >> {self.rng.randrange(1, 28)}", *some, *some])

    def copy_all(self, to, copied):
        """A member after the other; of those that `copied` does not want zeros."""
        lines = [] if len(copied) == len(self.members) else [f"memset(&{to}, 0, sizeof {to});"]
        for kind, name, length in copied:
            if length == 1:
                lines.append(f"{to}.{name} = (*given).{name};")
            elif self.rng.random() < 0.4:
                lines.append(f"memcpy({to}.{name}, (*given).{name}, sizeof {to}.{name});")
            else:
                lines += [f"for (u32 k = 0; k < {length}; ++k)", f"  {to}.{name}[k] = (*given).{name}[k];"]
        return lines

    def begin(self, to, i):
        """Gives all members of an object values."""
        member = self.rng.choice(self.members)
        upto = f"__builtin_offsetof({self.struct}, {member[1]})"
        half = self.rng.choice([upto, f"{upto} + sizeof {to}.{member[1]}"])
        whole = [
            [f"{to} = *given;"],
            [f"{to} = *given;"],
            [f"memcpy(&{to}, given, sizeof {to});"],
            [f"memset(&{to}, {self.rng.choice([0, 0, 3])}, sizeof {to});"],
            [f"{to} = ({self.struct}){{0}};"]]  # fmt: skip
        if self.plain:
            return self.rng.choice(whole)
        return self.rng.choice([
            *whole,
            [f"memset(&{to}, 0, sizeof {to});", f"memcpy(&{to}, given, {half});"],
            [f"if ({self.operand(['(*given)'], i)} & 1)", f"  {to} = *given;", "else", f"  memset(&{to}, 0, sizeof {to});"],
            [f"{self.struct} other = *given;", *self.write("other", i), f"{to} = other;", *self.write("other", i)],
            self.copy_all(to, self.members),
            self.copy_all(to, [m for m in self.members if self.rng.random() < 0.6])])  # fmt: skip

    def write(self, to, i):
        """Statements that write a scalar, all of an array, or a struct in it."""
        leaf, operand = self.rng.choice(self.leaves), self.operand([to, "(*given)"], i)
        inner = [name for kind, name, length in self.members if kind == self.inner and length == 1]
        if inner and not self.plain and self.rng.random() < 0.2:
            name = self.rng.choice(inner)
            return [f"{to}.{name} = (*given).{name};"]
        if leaf.length > 1 and self.rng.random() < 0.3:
            other = self.rng.choice([leaf.read("(*given)", f"(k + {i}) % {leaf.length}"), leaf.read(to, "k"), "seed"])
            return leaf.each(lambda k: f"{leaf.at(to, k)} = {value(leaf.kind, f'{other} + {k} * {i}')};")
        place = leaf.at(to, self.index(leaf, to, i))
        by = self.rng.choice(["=", "=", "+="] if leaf.kind in REALS else ["=", "=", "+=", "^="])
        # Sums of narrow types are of int, which is wide enough, others of u32 or u64.
        if by == "+=" and leaf.kind not in REALS:
            wide = "u64" if BYTES[leaf.kind] == 8 else "u32"
            return [f"{place} = ({leaf.kind})(({wide}){place} + ({operand}));"]
        return [f"{place} {by} {value(leaf.kind, operand)};"]

    def copy_part(self, to):
        """A struct in the object, or some scalars that follow each other, as a whole: they
        are copied from the same place in another object, from elsewhere there, or set."""
        rng = self.rng
        structs = [f".{name}{'' if length == 1 else f'[{k}]'}" for kind, name, length in self.members
                   if kind == self.inner for k in range(length)]  # fmt: skip
        if structs and rng.random() < 0.5:
            return [f"{to}{rng.choice(structs)} = (*given){rng.choice(structs)};"]
        arrays = [(kind, name, length) for kind, name, length in self.members if kind != self.inner and length > 1]
        if not arrays:
            return self.write(to, "1")
        kind, name, length = rng.choice(arrays)
        other, others = rng.choice([(n, l) for k, n, l in arrays if k == kind])
        count = rng.randint(1, min(length, others))
        at, source = rng.randint(0, length - count), rng.randint(0, others - count)
        size = f"{count} * sizeof({kind})"
        if rng.random() < 0.2:
            return [f"memset({to}.{name} + {at}, 0, {size});"]
        return [f"memcpy({to}.{name} + {at}, (*given).{other} + {source}, {size});"]

    def fill(self, to, i):
        lines = self.begin(to, i)
        for _ in range(self.rng.randint(1, 4)):
            lines += self.copy_part(to) if self.rng.random() < 0.2 else self.write(to, i)
        if self.rng.random() < (0.1 if self.plain else 0.3):
            leaf = self.rng.choice(self.leaves)
            at = leaf.at(to, f"(k + {i}) % {leaf.length}")
            lines += ["for (u32 k = 0; k < (seed & 3); ++k)", f"  {at} = {value(leaf.kind, f'k * 5 + {i}')};"]
        return lines

    def search(self, thing, i):
        """Sets `found` to what some parts of the object say."""
        lines = ["u32 found = 0;"]
        for leaf in self.rng.sample(self.leaves, min(2, len(self.leaves))):
            operand = self.operand([thing], i)
            test = self.rng.choice([f"== ({operand})", "& 1", "> 9", "> 9"])
            lines += leaf.each(lambda k, leaf=leaf, test=test: f"found += ({leaf.read(thing, k)}) {test};")
        return lines

    def child(self, to, passed, place, i):
        """Fills the object `to` and spawns the child that has its address, `passed`."""
        lines, condition = self.fill(to, i), ""
        if self.rng.random() < 0.4:
            lines += self.search(self.rng.choice([to, to, "(*given)"]), i)
            condition = "found & 1"
        elif self.rng.random() < 0.3:
            condition = self.rng.choice([f"seed >> {i} & 1", f"{i} != 1", self.operand([to], i) + " & 3"])
        spawn = "" if self.form == "cilk_for" else self.spawn + " "
        if not self.plain and self.rng.random() < 0.06:
            passed = "given"
        call = f"{self.name}(mix(seed, {i}), depth - 1, number, {passed})"
        if not condition:
            return [*lines, f"{place} {spawn}{call};"]
        return [*lines, f"if ({condition})", f"  {place} {spawn}{call};"]

    def children(self):
        """All children, and statements that combine their results with `all`."""
        combine = [f"for (u32 i = 0; i < end; ++i) all {self.operator}= results[i];"]
        results = [f"{self.type} results[{MOST_CHILDREN}];",
                   f"for (u32 i = 0; i < {MOST_CHILDREN}; ++i) results[i] = {self.rng.choice(['0', '0', 'i'])};"]  # fmt: skip
        place = "results[i] ="
        keeps = self.form == "cilk_for" or self.rng.random() < 0.6
        if not keeps:
            results, combine, place = [], [], f"all {self.operator}="
        sync = [f"{self.sync};"]
        if self.form in ("several", "array"):
            objects = [f"{self.struct} next[{MOST_CHILDREN}];"]
            if self.form == "several":
                objects = [f"{self.struct} {', '.join(f'next{k}' for k in range(MOST_CHILDREN))};"]
            lines = []
            for k in range(MOST_CHILDREN):
                to = f"next{k}" if self.form == "several" else f"next[{k}]"
                lines += [f"if ({k} < end) {{", f"  const u32 i = {k};"]
                lines += ["  " + line for line in self.child(to, f"&{to}", place.replace("i]", f"{k}]"), "i")] + ["}"]
            return [*objects, *results, *lines, *sync, *combine]
        own, to, passed = f"{self.struct} next;", "next", "&next"
        if self.form == "allocated":
            own, to, passed = f"{self.struct} *next = ({self.struct} *)__builtin_alloca(sizeof *next);", "(*next)", "next"
        body = self.child(to, passed, place, "i")
        if self.form == "cilk_for":
            kind = self.rng.choice(["u32", "int", "u64"])
            bound = "(int)end" if kind == "int" else "end"
            head = f"cilk_for ({kind} at = 0; at < {bound}; ++at) {{"
            body = ["const u32 i = (u32)at;", own, *body]
            if not self.plain and self.rng.random() < 0.3:
                body.append(f"results[i] += {self.read('next', 'i')};")
            return [*results, head, *("  " + line for line in body), "}", *combine]
        body = [own, *body, *(sync if self.form == "synced" else [])]
        return [*results, "for (u32 i = 0; i < end; ++i) {", *("  " + line for line in body), "}", *sync, *combine]

    def text(self):
        end = self.rng.choice(["number", "number", "seed % 4", str(MOST_CHILDREN), "(u32)depth & 3"])
        ending = self.rng.choice(["depth <= 0"] * 3 + ["depth <= 0 || seed % 7 == 3"])
        reads = [f"({self.read('(*given)', 0)}) * {k}u" for k in (1, 3, 5)]
        leaf = [f"return {' ^ '.join(reads)};"]
        if self.rng.random() < 0.7:
            all_parts = [line for part in self.leaves for line in part.each(
                lambda k, part=part: f"found = found * 31 + {part.read('(*given)', k)};")]  # fmt: skip
            some = self.search("(*given)", "1")
            leaf = [*self.rng.choice([some, ["u32 found = 0;", *all_parts]]), "return found;"]
        if self.rng.random() < 0.4:
            leaf = [f"{self.struct} copy = *given;", f"return {self.name}_all(&copy);"]
        result = f"all + ({self.read('(*given)', '1')})" if self.rng.random() < 0.4 else "all"
        lines = [f"if ({ending}) {{", *("  " + line for line in leaf), "}", f"const u32 end = {end};",
                 f"{self.type} all = {self.rng.choice(['0', 'seed', '(u32)depth'])};", *self.children(),
                 f"return {result};"]  # fmt: skip
        head = f"static {self.type} {self.name}(u32 seed, int depth, u32 number, const {self.struct} *given) {{"
        return "\n".join([*self.declarations(), head, *("  " + line for line in lines), "}"])

    def calls(self):
        """Statements that mix what it returns into `hash`."""
        lines = [f"{self.struct} first;", "memset(&first, 0, sizeof first);"]
        for leaf in self.every:
            least = self.rng.randrange(60)
            lines += leaf.each(lambda k, leaf=leaf, least=least: f"{leaf.at('first', k)} = {value(leaf.kind, f'{least} + {k}')};")
        for less in (0, 1):
            call = f"{self.name}(hash, {max(self.depth - less, 0)}, {MOST_CHILDREN - less}, &first)"
            lines.append(f"hash = mix(hash, (u32){call});")
        return "\n".join(["  {", *("    " + line for line in lines), "  }", ""])
