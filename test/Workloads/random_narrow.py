# ===- random_narrow.py - Random recursive functions with results side by side -===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Writes one or two functions per program whose children's results lie side by side in
the words of memory: in arrays of narrow types, in structs of several widths, with bit
fields and padding, in unions, and in arrays of these. Their parent writes and reads
what is beside a result before it is there.

No race: of an object, only what children do not write is touched until the sync; bit
fields beside each other are one. Of a union one member is used, always the same, and
with it perhaps its bytes; so padding is never read, but is written where the union's
other member has it."""

import random

BYTES = {"char": 1, "i8": 1, "u8": 1, "bool_": 1, "i16": 2, "u16": 2, "int": 4, "u32": 4,
         "float": 4, "u64": 8, "double": 8}  # fmt: skip
REALS = ("float", "double")
BYTE = ["char", "i8", "u8"]
NARROW = [*BYTE, *BYTE, "bool_", "i16", "u16", "i16", "u16", "int", "u32"]
# What functions return in registers of several members, or with padding; the last ones
# have padding beside words of several members.
SHAPES = [("u64", "int", "int"), ("char", "i16", "char"), ("double", "char"), ("int", "u64", "u16", "u16"),
          ("i8", "u64", "int", "int"), ("u16", "u64", "u8", "i8", "i16"), ("int", "int", "u8")]  # fmt: skip
MOST_CHILDREN = 12


class Type:
    """A type, and the parts of an object of it that are written and read, each with
    what an access to it appends to the object's name."""

    def __init__(self, name, parts=(), length=0, bits=0):
        self.name, self.parts, self.length, self.bits = name, parts, length, bits
        self.seen = []  # what else of an object may be read
        self.is_long = bool(length) and (isinstance(length, str) or length > 3)  # for single statements

    def declared(self, name):
        suffix = f"[{self.length}]" if self.length else f" : {self.bits}" if self.bits else ""
        return f"{self.name} {name}{suffix}"

    def nodes(self, path):
        """All objects in an object that are no arrays, and their types."""
        if not self.length:
            yield path, self
        for part, kind in self.parts:
            yield from kind.nodes((*path, part))

    def leaves(self, path):
        return [(p, kind) for p, kind in self.nodes(path) if not kind.parts]

    def value(self, text):
        """An operand, which is u32, as a value of this scalar type."""
        if self.name in REALS:
            return f"{text} % 256 * 0.5{'f' if self.name == 'float' else ''}"
        if self.bits:
            return f"{text} & {(1 << self.bits) - 1}"
        return f"({self.name})({text} & 1)" if self.name == "bool_" else f"({self.name}){text}"


def array(element, length, known=None):
    """An array of `length`, of which so many elements are known to be there."""
    kind = Type(element.name, [(f"[{k}]", element) for k in range(known or length)], length)
    kind.element = element
    return kind


def read(place, kind):
    """A scalar as u32."""
    return f"of_real({place})" if kind.name in REALS else f"(u32){place}"


def each(index, length, lines, word="for"):
    """A loop over the elements of an array."""
    head = f"{word} (int {index} = 0; {index} < {length}; ++{index})"
    lines = ["  " + line for line in lines]
    return [head, *lines] if len(lines) == 1 else [head + " {", *lines, "}"]


def is_index(part):
    return part[0] == "["


def touch(one, other):
    """Whether one of two places may be in the other."""
    def may(a, b):
        return a == b or (is_index(a) and is_index(b) and not (a[1:-1].isdigit() and b[1:-1].isdigit()))

    return all(may(a, b) for a, b in zip(one, other))


def key(path, kind):
    """A place, or all bit fields of its struct."""
    return (*path[:-1], ".bits") if kind.bits else path


class Types:
    """The structs and unions of one program, with functions that make them."""

    def __init__(self, rng, prefix):
        self.rng, self.prefix = rng, prefix
        self.lines, self.made = [], []

    def scalar(self, reals=0.1):
        return Type(self.rng.choice(REALS if self.rng.random() < reals else [*NARROW, *["u64"] * 4]))

    def define(self, word, members, visible):
        name = f"{self.prefix}_{word[0]}{len(self.made)}"
        fields = " ".join(f"{kind.declared(member)};" for member, kind in members)
        self.lines.append(f"typedef {word} {{ {fields} }} {name};")
        kind = Type(name, [(f".{member}", kind) for member, kind in members if member in visible])
        self.made.append(kind)
        return kind

    def structure(self, plain=False):
        """A struct; a plain one has integers and arrays of them only."""
        members = []
        if self.rng.random() < (0.8 if plain else 0.4):
            shape = self.rng.choice([s for s in SHAPES if not plain or not set(s) & set(REALS)])
            members = [(f"m{number}", Type(name)) for number, name in enumerate(shape)]
        for number in range(0 if members else self.rng.randint(2, 5)):
            chance, member = self.rng.random(), f"m{number}"
            if chance < 0.15:
                members.append((member, array(Type(self.rng.choice(NARROW)), self.rng.choice([2, 3, 3, 5]))))
            elif chance < 0.4 and not plain and not any(kind.bits for _, kind in members):
                width = self.rng.randint(1, 7)
                members += [(f"{member}a", Type("u32", bits=width)), (f"{member}b", Type("u32", bits=13 - width))]
            elif chance < 0.52 and not plain:
                members.append((member, self.union(simple=True)))
            else:
                members.append((member, self.scalar(0 if plain else 0.1)))
        return self.define("struct", members, [member for member, _ in members])

    def union(self, simple=False):
        """A union of which one member is used. A simple one has no structs."""
        if not simple and self.rng.random() < 0.6:
            whole = self.structure(plain=True)
            parts = array(Type(self.rng.choice(BYTE)), self.rng.choice([8, 12, 16, 24]))
        else:
            whole = Type(self.rng.choice(["u16", "int", "u32", "u64", "u64", "double"]))
            part = Type(self.rng.choice([n for n in NARROW if BYTES[n] < BYTES[whole.name]]))
            more = self.rng.choice([0, 0, 0, 1])
            parts = array(part, BYTES[whole.name] // BYTES[part.name] + more)
        visible = self.rng.choice(["whole", "parts", "parts", "parts"])
        kind = self.define("union", [("whole", whole), ("parts", parts)], [visible])
        if visible == "whole" and parts.name == "u8" and whole.name in BYTES:
            kind.seen = [f".parts[{k}]" for k in range(BYTES[whole.name])]
        return kind

    def fill(self, path, kind, text):
        """Statements that write all of an object."""
        if kind.is_long:
            index = f"k{len(path)}"
            return each(index, kind.length, self.fill((*path, f"[{index}]"), kind.element, f"({text} + {index} * 5)"))
        if kind in self.made and path != ("made",) and self.rng.random() < 0.7:
            return [f"{''.join(path)} = {kind.name}_make({text});"]
        if not kind.parts:
            return [f"{''.join(path)} = {kind.value(text)};"]
        lines = []
        for part, inner in kind.parts:
            own = f"({text} {self.rng.choice(['+', '>>', '^'])} {self.rng.randrange(1, 9)})"
            lines += self.fill((*path, part), inner, own)
        return lines

    def makers(self):
        """A function for each that makes one of a number."""
        lines = []
        for kind in self.made:
            lines += [f"static {kind.name} {kind.name}_make(u32 seed) {{", f"  {kind.name} made;"]
            lines += ["  " + line for line in self.fill(("made",), kind, "seed")]
            lines += ["  return made;", "}"]
        return lines


class Function:
    """One of the functions of `owner`. `result` is its type."""

    def __init__(self, owner, number):
        self.owner, self.rng, self.types = owner, owner.rng, owner.types
        self.name, self.result = f"{owner.name}{number}", owner.results[number]
        self.objects, self.pending = {}, []
        self.children, self.lines = 0, []

    def add(self, lines):
        self.lines += ["  " + line for line in lines]

    def line(self, text):
        self.add([text])

    # Objects.

    def local(self):
        """A local object with values."""
        name, rng = f"v{len(self.objects)}", self.rng
        chance, made = rng.random(), self.types.made
        if chance < 0.4:
            kind = array(Type(rng.choice(NARROW)), rng.choice([2, 3, 3, 3, 4, 5, 6, 7, 8, 9, 12]))
            if rng.random() < 0.2:
                self.line(f"const int n{name} = {len(kind.parts)} + (seed & 3);")
                kind = array(kind.element, f"n{name}", len(kind.parts))
        elif chance < 0.6:
            kind = array(rng.choice([*made, made[-1]]), rng.choice([2, 2, 3, 3, 4]))
        elif chance < 0.92:
            kind = rng.choice([*made, made[-1]])
        else:
            kind = Type(rng.choice(NARROW))
        self.line(f"{kind.declared(name)};")
        self.objects[name] = kind
        self.add(self.types.fill((name,), kind, rng.choice(["seed", "(seed >> 3)", "(seed * 7)"])))

    def is_free(self, path, kind):
        return not any(touch(key(path, kind), other) for other in self.pending)

    def free_leaves(self):
        return [(p, kind) for name, object in self.objects.items()
                for p, kind in object.leaves((name,)) if self.is_free(p, kind)]  # fmt: skip

    # Values.

    def leaf(self):
        leaves = self.free_leaves()
        if leaves and self.rng.random() < 0.5:
            path, kind = self.rng.choice(leaves)
            return read("".join(path), kind)
        return self.rng.choice(["seed", "seed", "(u32)depth", f"{self.rng.randrange(99)}u"])

    def arguments(self, index):
        other = index or str(self.rng.randrange(9))
        seed = self.rng.choice([f"mix(seed, {other})", f"seed * 5 + {other}", f"mix({self.leaf()}, seed + {other})"])
        return f"{seed}, {self.rng.choice(['depth - 1'] * 5 + ['depth / 2'])}"

    # Statements.

    def guard(self, index):
        bits = self.rng.randrange(1, 8)
        return f"if (seed >> {index or 2} & {bits}) " if self.rng.random() < 0.25 else ""

    def fitting(self, kind):
        """The functions whose results fit a place."""
        def fits(result):
            if result.parts or kind.parts:
                return result.name == kind.name
            return kind.name in REALS or result.name not in REALS

        return [n for n, result in enumerate(self.owner.results) if fits(result)]

    def places(self, objects):
        """What of some objects children may still write: of structs and unions all, or
        their parts."""
        places = [node for node in objects if self.fitting(node[1]) and self.is_free(*node)]
        whole = [place for place in places if place[1].parts]
        return whole if whole and self.rng.random() < 0.3 else places

    def assigned(self, path, kind, word, index=None):
        """A child's result goes to a place."""
        number, operator = self.rng.choice(self.fitting(kind)), "="
        if not kind.parts and kind.name not in REALS and self.rng.random() < 0.15:
            # Sums of int may overflow.
            sums = "int" not in (kind.name, self.owner.results[number].name)
            operator = self.rng.choice(["^=", "|=", "&=", *["+=", "-="] * sums])
        call = f"{self.owner.name}{number}({self.arguments(index)})"
        return f"{self.guard(index)}{''.join(path)} {operator} {word}{call};"

    def neighbours(self, most):
        """Children for places beside each other, in any order."""
        some = [name for name, kind in self.objects.items() if self.places(kind.nodes((name,)))]
        name = self.rng.choice(some) if some else None
        for _ in range(self.rng.randint(1, most)):
            places = self.places(self.objects[name].nodes((name,))) if name else []
            if not places:
                return
            place, spawned = self.rng.choice(places), self.rng.random() < 0.85
            self.line(self.assigned(*place, self.owner.spawn + " " if spawned else ""))
            self.children += 1
            self.pending += [key(*place)] * spawned
            self.between()

    def loop(self, most):
        """A child, or two, for each element of an array."""
        arrays = [(name, kind) for name, kind in self.objects.items() if kind.length and len(kind.parts) <= most
                  and self.places(kind.element.nodes((name, "[i]")))]  # fmt: skip
        if not arrays:
            self.neighbours(most)
            return
        name, kind = self.rng.choice(arrays)
        known = len(kind.parts)
        last = f"{known - 1}" if isinstance(kind.length, str) else f"{kind.length} - 1"
        index = self.rng.choice(["[i]", "[i]", f"[{last} - i]"])
        parallel = self.owner.loops and self.rng.random() < 0.15
        before, chosen = list(self.pending), []
        for _ in range(self.rng.choice([1, 1, 2]) if 2 * known <= most else 1):
            if places := self.places(kind.element.nodes((name, index))):
                chosen.append(self.rng.choice(places))
                # The arguments of one are those of the next iteration's as well.
                self.pending.append(key(*chosen[-1]))
        self.children += known * len(chosen)
        word = "" if parallel and self.rng.random() < 0.5 else self.owner.spawn + " "
        count = self.rng.choice([f"{known}", f"{known}", f"1 + (int)(seed % {known})"])
        texts = [self.assigned(*place, word, "i") for place in chosen]
        if texts:
            self.add(each("i", count, texts, "cilk_for" if parallel else "for"))
        # The iterations of a parallel loop wait for their own children.
        if parallel:
            self.pending = before

    def between(self):
        """What the parent does beside its children."""
        leaves = self.free_leaves()
        chance = self.rng.random()
        if not leaves or chance > 0.5:
            return
        path, kind = self.rng.choice(leaves)
        place = "".join(path)
        if chance < 0.25:
            self.line(f"{place} = {kind.value(self.leaf())};")
        else:
            self.line(f"seed ^= {read(place, kind)};")

    def gather(self, path, kind):
        """Statements that take all of an object into the seed."""
        if kind.is_long:
            index = f"k{len(path)}"
            return each(index, kind.length, self.gather((*path, f"[{index}]"), kind.element))
        if kind.parts:
            lines = [line for part, inner in kind.parts for line in self.gather((*path, part), inner)]
            return lines + [f"seed ^= {''.join(path)}{part};" for part in kind.seen]
        value = read("".join(path), kind)
        return [self.rng.choice([f"seed = mix(seed, {value});", f"seed = seed * 31 + {value};"])]

    def phase(self, most):
        before = self.children
        for _ in range(self.rng.randint(1, 3)):
            left = most - (self.children - before)
            if left > 0:
                self.rng.choice([self.loop, self.neighbours])(left)
                self.between()
        self.line(f"{self.owner.sync};")
        self.pending = []

    def text(self):
        if self.rng.random() < 0.5:
            self.leave("depth <= 0")
        else:
            self.leave(f"depth <= 0 || seed % 8 == {self.rng.randrange(8)}")
        for _ in range(self.rng.randint(1, 3)):
            self.local()
        self.phase(MOST_CHILDREN * 2 // 3)
        if self.rng.random() < 0.3:
            self.between()
            self.phase(MOST_CHILDREN // 3)
        # What the results are read into may be part of what is returned.
        for name, kind in self.objects.items():
            self.add(self.gather((name,), kind))
        same = [path for name, object in self.objects.items() for path, kind in object.nodes((name,))
                if kind.name == self.result.name and not kind.bits]  # fmt: skip
        if same and self.rng.random() < 0.4:
            place = "".join(self.rng.choice(same))
            path, kind = self.rng.choice(self.result.leaves((place,)))
            if kind.name not in REALS and not kind.bits:
                self.line(f"{''.join(path)} ^= {kind.value('seed')};")
            self.line(f"return {place};")
        else:
            self.line(f"return {self.made('seed')};")
        head = f"static {self.result.name} {self.name}(u32 seed, int depth) {{"
        return "\n".join([head, *self.lines, "}"])

    def made(self, text):
        return f"{self.result.name}_make({text})" if self.result.parts else self.result.value(text)

    def leave(self, condition):
        self.line(f"if ({condition})")
        self.line(f"  return {self.made(self.rng.choice(['seed', 'mix(seed, depth)', '(seed * 3 + depth)']))};")


class Narrow:
    """The functions `name`0 and `name`1 and what calls them. `fuel` is the most
    activations; `loops` allows cilk_for."""

    def __init__(self, seed, name, fuel, spawn, sync, loops):
        self.rng, self.name, self.loops = random.Random(f"narrow {seed}"), name, loops
        self.spawn, self.sync = spawn, sync
        self.types = Types(self.rng, name)
        for _ in range(self.rng.randint(1, 2)):
            self.rng.choice([self.types.structure, self.types.union])()
        # One returns a scalar, which fits many places.
        self.results = [Type(self.rng.choice(NARROW))]
        if self.rng.random() < 0.7:
            self.results.append(self.rng.choice([*self.types.made, *self.types.made, self.types.scalar()]))
        self.functions = [Function(self, n) for n in range(len(self.results))]
        self.texts = [function.text() for function in self.functions]
        children = max(2, *(function.children for function in self.functions))
        self.depth = 1
        while children ** (self.depth + 2) < 2 * fuel:
            self.depth += 1

    def text(self):
        heads = [text.partition(" {")[0] + ";" for text in self.texts]
        return "\n".join([*self.types.lines, *self.types.makers(), *heads, *self.texts])

    def calls(self):
        """Statements that mix what they return into `hash`: one, and several at once."""
        lines = ["u32 seed = hash;"]
        for number, kind in enumerate(self.results):
            count = self.rng.choice([3, 3, 5, 6])
            lines += [f"{kind.name} one{number} = {self.name}{number}(seed, {self.depth});",
                      f"{kind.name} all{number}[{count}];", f"for (int i = 0; i < {count}; ++i)",
                      f"  all{number}[i] = {self.spawn} {self.name}{number}(seed + i, {self.depth} - 1);",
                      f"{self.sync};", *self.functions[number].gather((f"one{number}",), kind),
                      *self.functions[number].gather((f"all{number}",), array(kind, count))]  # fmt: skip
        lines.append("hash = mix(hash, seed);")
        return "\n".join(["  {", *("    " + line for line in lines), "  }", ""])
