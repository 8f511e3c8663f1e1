# ===- random_blocks.py - Random functions that spawn blocks ------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Writes one function per program that spawns blocks. A block has the value at the spawn
of a scalar that it only reads, whatever its type and wherever it is declared; the parent
goes on changing that scalar. For instance:

  int i;
  double _Complex c = 1;
  for (i = 0; i < 4; i++) {
    cilk_spawn { r[i] = mix(i, (u32)__real__ c); }
    __real__ c += 1;
  }
  cilk_sync;

No race: each block writes to places of its own, and what it reads by reference, arrays
and structs, is not changed before the sync."""

import random

ATTRIBUTES = ["noinline", "cold", "hot", "minsize", "flatten", "aligned(64)", "noinline, optnone", "disable_tail_calls",
              'section(".text.own")', "no_stack_protector", "nothrow", "nodebug", 'zero_call_used_regs("used")',
              "patchable_function_entry(2)", "no_instrument_function", 'annotate("some")', "used"]  # fmt: skip


def attribute(rng):
    """One that says nothing of what a function computes, now and then."""
    return f"__attribute__(({rng.choice(ATTRIBUTES)})) " if rng.random() < 0.3 else ""


class Scalar:
    """A variable: how it is declared, changed and read as a u32. {} stands for its name."""

    def __init__(self, declared, changed, read):
        self.declared, self.changed, self.read = declared, changed, read


KINDS = [
    Scalar("u32 {} = seed", "{} = mix({}, 3)", "{}"),
    Scalar("int {} = (int)(seed & 1023)", "{} -= 7", "(u32){}"),
    Scalar("char {} = 5", "{} ^= 9", "(u32){}"),
    Scalar("_Bool {} = seed & 1", "{} = !{}", "(u32){}"),
    Scalar("u64 {} = seed", "{} = {} * 33 + 1", "(u32)({} >> 9)"),
    Scalar("i128 {} = seed", "{} += (i128)1 << 70", "(u32)({} >> 68) + (u32){}"),
    Scalar("b48 {} = seed", "{} += 1", "(u32){}"),
    Scalar("_BitInt(129) {} = seed & 255", "{} <<= 1", "(u32)({} >> 3)"),
    Scalar("float {} = seed & 255", "{} += 0.5f", "(u32)(int)({} * 2)"),
    Scalar("double {} = seed & 255", "{} += 0.5", "(u32)(int)({} * 2)"),
    Scalar("long double {} = seed & 255", "{} += 0.5", "(u32)(int)({} * 2)"),
    Scalar("double _Complex {} = seed & 255", "__real__ {} += 1", "(u32)(int)__real__ {} + (u32)(int)__imag__ {}"),
    Scalar("float _Complex {} = seed & 255", "__imag__ {} += 1", "(u32)(int)__real__ {} + (u32)(int)__imag__ {}"),
    Scalar("long double _Complex {} = 2", "__real__ {} += 3", "(u32)(int)__real__ {}"),
    Scalar("_Atomic u32 {} = seed", "{} += 3", "{}"),
    Scalar("_Atomic(double) {} = 4", "{} += 2", "(u32)(int){}"),
    Scalar("volatile u32 {} = seed", "{} = {} + 5", "{}"),
    Scalar("volatile double {} = 1", "{} = {} + 1", "(u32)(int){}"),
    Scalar("const u32 *{} = table", "{} += {} < table + 15", "*{}"),
    Scalar("enum {{ zero, one, two }} {} = one", "{} = ({} + 1) % 3", "(u32){}"),
    Scalar("u32 (*{})(u32, u32) = mix", "{} = {} == mix ? &mix : &mix", "{}(1, 2)"),
]


class Blocks:
    """The function `name` and what calls it. `fuel` is the most activations."""

    def __init__(self, seed, name, fuel, spawn, sync, loops):
        self.rng, self.name = random.Random(f"blocks {seed}"), name
        self.spawn, self.sync, self.loops = spawn, sync, loops
        self.children = self.rng.randint(2, 4)
        self.scalars = [(f"v{n}", kind) for n, kind in enumerate(self.rng.sample(KINDS, self.rng.randint(1, 5)))]
        self.depth = 0
        while (self.children + 1) ** (self.depth + 2) < fuel:
            self.depth += 1

    def change(self, some=0.5):
        """Statements that change scalars."""
        return [kind.changed.replace("{}", name) + ";" for name, kind in self.scalars if self.rng.random() < some]

    def operand(self, counter):
        """Something that a block reads."""
        rng = self.rng
        name, kind = rng.choice(self.scalars)
        reads = kind.read.replace("{}", name)
        return rng.choice([reads, reads, reads, counter, f"(u32){counter} * 5", "fixed[1]", "pair.a", "seed", "(u32)depth",
                           f"sizeof {name} * 0", f"(0, {reads})"])  # fmt: skip

    def body(self, place, counter, nesting):
        """The statements of a block that sets `place`."""
        rng, mixed = self.rng, "1"
        for _ in range(rng.randint(1, 3)):
            mixed = f"mix({mixed}, {self.operand(counter)})"
        lines = [f"{place} = {mixed};"]
        if rng.random() < 0.4:
            lines = [f"u32 own = {self.operand(counter)};", "for (u32 k = 0; k < 3; ++k)",
                     f"  own += k * ({self.operand(counter)});", f"{place} = mix(own, {mixed});"]  # fmt: skip
        if rng.random() < 0.5:
            lines.append(f"{place} += {self.name}(mix(seed, (u32){counter}), depth - 1, {self.operand(counter)});")
        if nesting and rng.random() < 0.3:  # Its results are its own.
            inner = self.body("inner[1]", counter, nesting - 1)
            lines += ["u32 inner[2] = {0, 0};", *self.block(inner), f"inner[0] = {self.operand(counter)};", f"{self.sync};",
                      f"{place} += inner[0] ^ inner[1];"]  # fmt: skip
        return lines

    def block(self, lines):
        return [f"{self.spawn} {{", *("  " + line for line in lines), "}"]

    def loop(self, counter, kind, lines):
        """A loop of all children over `counter`, which is declared in front of it, or in it."""
        rng, n = self.rng, self.children
        lines = ["  " + line for line in lines]
        form = rng.choice(["for", "for", "own", "while", "do"])
        if form == "own":
            return [f"for ({kind} {counter} = 0; {counter} < {n}; {counter}++) {{", *lines, "}"]
        declared = f"{kind} {counter}{' = 0' if form != 'for' else ''};"
        if form == "for":
            return [declared, f"for ({counter} = 0; {counter} < {n}; {counter}++) {{", *lines, "}"]
        if form == "while":
            return [declared, f"while ({counter} < {n}) {{", *lines, f"  ++{counter};", "}"]
        return [declared, "do {", *lines, f"}} while (++{counter} < {n});"]

    def text(self):
        rng, lines = self.rng, []
        kind = rng.choice(["int", "int", "u32", "long", "u8", "volatile int"])
        block = self.block(self.body("r[i]", "i", 1))
        spawns = [*self.change(0.3), *block, *self.change()]
        if rng.random() < 0.3:  # Straight on, each with a place of its own.
            for child in range(self.children):
                lines += [*self.block(self.body(f"r[{child}]", f"{child}", 1)), *self.change()]
        else:
            lines += self.loop("i", kind, spawns)
        lines += [f"{self.sync};"]
        if self.loops and rng.random() < 0.4:
            inner = ["u32 c = at * 3;", *self.block(self.body("r[at]", "c", 0)), "c += 100;"]
            lines += [f"cilk_for (u32 at = 0; at < {self.children}; ++at) {{", *("  " + line for line in inner), "}"]
        declared = [kind.declared.replace("{}", name).replace("{{", "{").replace("}}", "}") + ";" for name, kind in self.scalars]
        head = f"{attribute(rng)}static u32 {self.name}(u32 seed, int depth, u32 number) {{"
        body = ["if (depth <= 0)", "  return mix(seed, number);", *declared, f"u32 r[{self.children}];",
                "u32 fixed[3] = {1, seed, 3};", "S2 pair = {seed, 1};", "pair.a += 1;",
                *lines, "u32 hash = number;", f"for (int j = 0; j < {self.children}; ++j)", "  hash = mix(hash, r[j]);",
                *(f"hash = mix(hash, {kind.read.replace('{}', name)});" for name, kind in self.scalars), "return hash;"]  # fmt: skip
        return "\n".join([head, *("  " + line for line in body), "}"])

    def calls(self):
        """Statements that mix what it returns into `hash`."""
        return f"  hash = mix(hash, {self.name}(hash, {self.depth}, 3));\n"
