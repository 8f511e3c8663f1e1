# ===- random_types.py - Random recursive functions of all types of C ---------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Writes one function per program that passes, returns and keeps objects of types whose
size, alignment or padding is unusual: long double, __int128, complex numbers, _Float16,
__bf16, vectors, _BitInt, bit fields; in structs that may be packed, over-aligned, empty,
or end in a flexible array, in unions and in arrays. For instance:

  struct s1_o0 { long double a; unsigned _BitInt(24) b[3]; };
  static __int128 s1_types(u32 seed, int depth, struct s1_o0 p0, const struct s1_o0 *q) {
    if (depth <= 0) ...
    struct s1_o0 r[2];                          results, at places that may not be in order
    r[0] = cilk_spawn s1_make(...);             locals that live across the sync
    ...

Each type has a function that fills an object with what a number says, and one that reads
all of it but its padding back as a number. Values are small integers or halves, so that no
answer depends on how it is computed.

No race: an object whose address a child has is not changed before the sync, and each child
has a place of its own for its result."""

import random

from random_blocks import attribute

VECTORS = [("int", 4), ("int", 2), ("short", 8), ("signed char", 16), ("signed char", 8), ("float", 4), ("double", 2),
           ("long", 4), ("double", 4), ("float", 8), ("int", 16), ("signed char", 64)]  # fmt: skip
ODD_VECTORS = [("float", 3), ("int", 3), ("double", 3), ("signed char", 3), ("short", 5)]
PLAIN = ["char", "short", "int", "unsigned", "long", "float", "double", "_Bool"]
WIDE = ["long double", "__int128", "unsigned __int128", "_Float16", "long double"]
COMPLEX = ["float _Complex", "double _Complex", "long double _Complex", "_Float16 _Complex"]
BITS = [3, 7, 12, 17, 24, 33, 48, 63, 65, 100, 128, 129, 200, 257]


class Scalar:
    """A type with a name; `declares` writes it with a declared name."""

    def __init__(self, name):
        self.name = name

    def declares(self, name):
        return f"{self.name} {name}"

    def fill(self, place, number):
        """Statements that give the object at `place` a value that `number`, a u32, says."""
        if self.name == "_Bool":
            return [f"{place} = {number} & 1;"]
        if self.name == "__bf16":  # By its bits, as Debian's libgcc does not convert it.
            return [f"memcpy(&{place}, &(u16){{{number} & 0x3fff}}, 2);"]
        if self.name.endswith("_Complex"):
            return [f"__real__ {place} = {number} & 255;", f"__imag__ {place} = {number} >> 8 & 255;"]
        if self.name in ("float", "double", "long double", "_Float16"):
            return [f"{place} = ({self.name})(({number} & 255) * 0.5);"]
        if "__int128" in self.name:
            return [f"{place} = ({self.name})((unsigned __int128){number} << 64 | {number} * 7u);"]
        return [f"{place} = ({self.name})({number});"]

    def read(self, place):
        """Statements that mix the object's value into `hash`."""
        if self.name.endswith("_Complex"):
            return [f"hash = mix(hash, (u32)(int)(__real__ {place}) * 3 + (u32)(int)(__imag__ {place}));"]
        if self.name == "__bf16":
            return [f"{{ u16 bits; memcpy(&bits, &{place}, 2); hash = mix(hash, bits); }}"]
        if self.name in ("float", "double", "long double", "_Float16"):
            return [f"hash = mix(hash, (u32)(int)((double){place} * 2));"]
        if "__int128" in self.name:
            return [f"hash = mix(hash, (u32)({place} >> 64) + (u32){place});"]
        return [f"hash = mix(hash, (u32){place});"]


class BitInt(Scalar):
    def __init__(self, bits, signed):
        super().__init__(f"{'' if signed else 'unsigned '}_BitInt({bits})")
        self.bits = bits

    def fill(self, place, number):
        high = f" | ({self.name})({number} & 1023) << {self.bits - 12}" if self.bits > 33 else ""
        return [f"{place} = ({self.name})({number}){high};"]

    def read(self, place):
        shift = max(0, self.bits - 30)
        return [f"hash = mix(hash, (u32){place} + (u32)({place} >> {shift}));"]


class Vector(Scalar):
    def __init__(self, name, element, length):
        super().__init__(name)
        self.element, self.length = Scalar(element), length

    def each(self, statements):
        return [f"for (int k = 0; k < {self.length}; ++k) {{", *("  " + s for s in statements), "}"]

    def fill(self, place, number):
        return self.each(self.element.fill(f"{place}[k]", f"({number} + k)"))

    def read(self, place):
        return self.each(self.element.read(f"{place}[k]"))


class Aggregate(Scalar):
    """A struct or union; `members` are triples of a name, a type and an array's length,
    0 for none. Only those in `used` are written and read."""

    def __init__(self, name, members, used):
        super().__init__(name)
        self.members, self.used = members, used

    def walk(self, place, what):
        lines = []
        for at, (name, kind, length) in enumerate(self.used):
            if length:
                index = "abcde"[place.count("[") % 5]
                inner = what(kind, f"{place}.{name}[{index}]", f"{at * 11} + {index}")
                lines += [f"for (int {index} = 0; {index} < {length}; ++{index}) {{", *("  " + s for s in inner), "}"]
            else:
                lines += what(kind, f"{place}.{name}", f"{at * 11}")
        return lines

    def fill(self, place, number):
        return self.walk(place, lambda kind, at, more: kind.fill(at, f"({number} + {more})"))

    def read(self, place):
        return self.walk(place, lambda kind, at, more: kind.read(at))


class BitField(Scalar):
    def __init__(self, name, bits):
        super().__init__(name)
        self.bits = bits

    def declares(self, name):
        return f"{self.name} {name} : {self.bits}"

    def fill(self, place, number):
        return [f"{place} = {number} & {(1 << (self.bits - 1)) - 1};"]


class Types:
    """The function `name` and what calls it. `fuel` is the most activations."""

    def __init__(self, seed, name, fuel, spawn, sync, loops):
        self.rng, self.name = random.Random(f"types {seed}"), name
        self.spawn, self.sync, self.loops = spawn, sync, loops
        self.lines, self.count = [], 0
        self.kinds = [self.aggregate(2) for _ in range(self.rng.randint(1, 3))]
        self.kinds += [self.scalar() for _ in range(self.rng.randint(1, 2))]
        self.result = self.rng.choice(self.kinds)
        self.parameters = [self.rng.choice(self.kinds) for _ in range(self.rng.randint(1, 3))]
        self.pointed = self.rng.choice(self.kinds)
        self.kept = [self.rng.choice(self.kinds) for _ in range(2)]
        self.children = self.rng.randint(2, 3)
        self.depth = 0
        while (self.children + 1) ** (self.depth + 2) < 2 * fuel:
            self.depth += 1

    def scalar(self):
        chance = self.rng.random()
        if chance < 0.2:
            return Scalar(self.rng.choice(PLAIN))
        if chance < 0.45:
            return Scalar(self.rng.choice(WIDE))
        if chance < 0.6:
            return Scalar(self.rng.choice(COMPLEX))
        if chance < 0.8:
            return BitInt(self.rng.choice(BITS), self.rng.random() < 0.5)
        odd = self.rng.random() < 0.4
        element, length = self.rng.choice(ODD_VECTORS if odd else VECTORS)
        name = self.new("v")
        size = {"char": 1, "signed char": 1, "short": 2, "int": 4, "float": 4}.get(element, 8)
        attribute = f"ext_vector_type({length})" if odd else f"vector_size({length * size})"
        self.lines.append(f"typedef {element} {name} __attribute__(({attribute}));")
        return Vector(name, element, length)

    def new(self, letter):
        self.count += 1
        return f"{self.name}_{letter}{self.count}"

    def aggregate(self, nesting):
        """A struct, now and then empty, packed or over-aligned, or a union."""
        rng, members = self.rng, []
        for number in range(rng.choice([0, 1, 2, 2, 3, 3, 4])):
            if nesting and rng.random() < 0.2:
                kind = self.aggregate(nesting - 1)
            elif rng.random() < 0.15:
                kind = BitField("unsigned", rng.randint(2, 20))
            else:
                # Debian's libgcc has not what a __bf16 by itself is passed with.
                kind = Scalar("__bf16") if rng.random() < 0.05 else self.scalar()
            length = 0 if isinstance(kind, BitField) else rng.choice([0, 0, 0, 1, 2, 3])
            members.append((f"m{number}", kind, length))
        word = "union" if members and rng.random() < 0.15 else "struct"
        used = members if word == "struct" else [rng.choice(members)]
        name = f"{word} {self.new('o')}"
        attributes = [a for a, p in (("packed", 0.2), (f"aligned({rng.choice([16, 32, 64])})", 0.15)) if rng.random() < p]
        fields = []
        for member, kind, length in members:
            aligned = f" __attribute__((aligned({rng.choice([8, 16, 32])})))" if rng.random() < 0.1 else ""
            fields.append(f"{kind.declares(member)}{f'[{length}]' if length else ''}{aligned};")
        # What ends in an array without a length is a member of nothing.
        if nesting == 2 and word == "struct" and fields and rng.random() < 0.1:
            fields.append(f"{rng.choice(['long double', '__int128', 'char', '_BitInt(24)'])} rest[];")
        self.lines.append(f"{name} {{ {' '.join(fields)} }}" + (f" __attribute__(({', '.join(attributes)}))" if attributes else "") + ";")  # fmt: skip
        return Aggregate(name, members, used)

    def helpers(self):
        """make_N and read_N for each type."""
        lines = []
        for number, kind in enumerate(self.kinds):
            lines += [f"static {kind.name} {self.name}_make{number}(u32 seed) {{",
                      f"  {kind.name} made;", "  memset(&made, 0, sizeof made);",
                      *("  " + s for s in kind.fill("made", "seed")), "  return made;", "}",
                      f"__attribute__((noinline)) static u32 {self.name}_read{number}(const {kind.name} *from) {{",
                      "  u32 hash = 1;", *("  " + s for s in kind.read("(*from)")), "  return hash;", "}"]  # fmt: skip
        return lines

    def make(self, kind, seed):
        return f"{self.name}_make{self.kinds.index(kind)}({seed})"

    def read(self, kind, place):
        return f"{self.name}_read{self.kinds.index(kind)}(&{place})"

    def call(self, seed, arguments, pointer):
        return f"{self.name}(mix(seed, {seed}), depth - 1, {', '.join([*arguments, pointer])})"

    def spawns(self):
        """Statements that spawn all children, each with its result at a place of its own,
        and the places."""
        rng, lines, places = self.rng, [], []
        parameters = [f"p{n}" for n in range(len(self.parameters))]
        pointers = ["q", "&own"]
        form = rng.choice(["single", "single", "array", "loop"] + ["cilk_for"] * bool(self.loops))
        if form in ("array", "loop", "cilk_for"):
            lines.append(f"{self.result.name} results[{self.children}];")
            places = [f"results[{n}]" for n in range(self.children)]
        if form in ("loop", "cilk_for"):
            word = "for" if form == "loop" else "cilk_for"
            spawn = self.spawn + " " if form == "loop" else ""
            body = [f"results[i] = {spawn}{self.call('i', parameters, rng.choice(pointers))};"]
            if form == "cilk_for":
                kind = rng.choice(self.kinds)
                body = [f"{kind.name} each = {self.make(kind, 'seed + i')};", *body,
                        f"if ({self.read(kind, 'each')} == 77) abort();"]  # fmt: skip
            lines += [f"{word} (int i = 0; i < {self.children}; ++i) {{", *("  " + s for s in body), "}"]
            return lines, places
        for child in range(self.children):
            if form == "single":
                place = f"x{child}"
                lines.append(f"{self.result.name} {place} = {self.spawn} {self.call(child, parameters, rng.choice(pointers))};"
                             if rng.random() < 0.5 else
                             f"{self.result.name} {place}; {place} = {self.spawn} {self.call(child, parameters, rng.choice(pointers))};")  # fmt: skip
                places.append(place)
            else:
                lines.append(f"{places[child]} = {self.spawn} {self.call(child, parameters, rng.choice(pointers))};")
            if rng.random() < 0.5:  # Parameters are the activation's own.
                which = rng.randrange(len(self.parameters))
                lines += self.parameters[which].fill(f"p{which}", f"(seed * {child + 3})")
        return lines, places

    def text(self):
        rng = self.rng
        parameters = [f"{kind.name} p{n}" for n, kind in enumerate(self.parameters)]
        head = (f"{attribute(rng)}static {self.result.name} {self.name}(u32 seed, int depth, {', '.join(parameters)}, "
                f"const {self.pointed.name} *q) {{")  # fmt: skip
        hashes = [f"hash = mix(hash, {self.read(kind, f'p{n}')});" for n, kind in enumerate(self.parameters)]
        pointed = [f"hash = mix(hash, {self.name}_read{self.kinds.index(self.pointed)}(q));"]
        spawns, places = self.spawns()
        lines = ["u32 hash = seed;", "if (depth <= 0) {", *("  " + s for s in rng.sample(hashes + pointed, len(hashes) + 1)),
                 f"  return {self.make(self.result, 'hash')};", "}",
                 f"{self.pointed.name} own = {self.make(self.pointed, 'seed + 5')};"]  # fmt: skip
        for number, kind in enumerate(self.kept):
            lines.append(f"{kind.name} kept{number}[2] = {{{self.make(kind, 'seed')}, {self.make(kind, 'seed + 1')}}};")
        lines += [*spawns, f"{self.sync};", *hashes]
        lines += [f"hash = mix(hash, {self.read(self.result, place)});" for place in places]
        lines += [f"hash = mix(hash, {self.read(kind, f'kept{n}[seed & 1]')});" for n, kind in enumerate(self.kept)]
        lines += [f"return {self.make(self.result, 'hash')};"]
        return "\n".join([*self.lines, *self.helpers(), head, *("  " + line for line in lines), "}"])

    def calls(self):
        """Statements that mix what it returns into `hash`."""
        arguments = [self.make(kind, f"{n}u") for n, kind in enumerate(self.parameters)]
        lines = [f"{self.pointed.name} first = {self.make(self.pointed, '3u')};",
                 f"{self.result.name} last = {self.name}(hash, {self.depth}, {', '.join(arguments)}, &first);",
                 f"hash = mix(hash, {self.read(self.result, 'last')});"]  # fmt: skip
        return "\n".join(["  {", *("    " + line for line in lines), "  }", ""])
