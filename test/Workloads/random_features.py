# ===- random_features.py - Rarer statements of random programs ---------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""The statements of a random function that are not its daily bread."""

from random_prelude import ARRAY


class Features:
    """A part of Body (random_body.py), whose members it uses."""

    def feature(self, depth):
        choices = [self.block_spawn, self.side_effects, self.either, self.shadow,
                   self.callback, self.helper, self.wide_loop, self.phases,
                   self.operand, self.table, self.conditional, self.member,
                   self.variadic, self.search, self.neighbours, self.neighbours]  # fmt: skip
        if self.program.loops:
            choices += [self.cilk_for] * 3 + [self.nested_parallel]
            choices += [lambda: self.cilk_scope(depth), lambda: self.left_scope(depth)]
        self.rng.choice(choices)()

    def block_spawn(self):
        """A spawned block. What it reads, nobody may write until the sync."""
        target = self.pick(["u32", "u64", "v32"], ["free"])
        if not target or target in self.vlas:
            return
        self.state[target] = "pending"
        indices, self.indices, self.in_block = self.indices, [], True
        used, self.used = self.used, set()
        a, b = self.fresh("n"), self.fresh("n")

        def write():
            first, second = self.call("A", True), self.call("A", False)
            self.line(f"u32 {a} = {first}, {b} = {second};")
            self.line(self.program.sync + ";")
            self.line(f"{target} = mix({a}, {b}) + {self.leaf()};")

        self.block(self.program.spawn, write)
        for name in self.used:
            if self.state.get(name) == "free":
                self.state[name] = "reading"
        self.indices, self.in_block, self.used = indices, False, used

    def search(self):
        """Serial loops from two sides, each left in its middle; where they stood then is used."""
        target = self.pick(["u32"], ["free"])
        if not target:
            return
        low, high, key = self.fresh("k"), self.fresh("k"), self.fresh("k")
        self.line(f"u32 {key} = 2 + {self.leaf()} % 6;")
        self.line(f"int {low} = {self.leaf()} % 8, {high} = 8 + {self.leaf()} % 8;")

        def write():
            self.line(f"while (table[{low} & 15] < {key}) ++{low};")
            self.line(f"while (table[{high} & 15] > {key}) --{high};")
            self.line(f"if ({low} <= {high}) {{ {target} += table[{low}++ & 15]; --{high}; }}")

        self.block(f"while ({low} <= {high})", write)
        self.line(f"{target} = mix({target}, (u32)({low} * 64 + {high}));")

    def side_effects(self):
        """Destinations whose addresses change what is around them."""
        target = self.pick(["array"], ["free"])
        if not target:
            return
        self.state[target] = "pending"
        count, name = self.rng.randrange(1, 4), self.fresh("k")
        if self.rng.random() < 0.5:
            self.line(f"u32 {name} = {self.rng.randrange(4)};")
            place = f"{target}[{name}++]"
        else:
            self.line(f"u32 *{name} = {target};")
            place = f"*{name}++"
        for _ in range(count):
            self.line(f"{place} = {self.call('A', True)};")

    def neighbours(self):
        """Children for several elements of an array that lie in one word of memory."""
        target = self.pick(["narrow"], ["free"])
        if not target:
            return
        self.state[target] = "pending"
        length = self.narrow[target][1]
        for index in self.rng.sample(range(length), self.rng.randint(2, min(length, 4))):
            self.line(f"{target}[{index}] = {self.call('A', True)};")

    def either(self):
        """A destination chosen at run time."""
        first = self.pick(["u32"], ["free"])
        second = self.pick(["u32"], ["free"])
        if not first:
            return
        condition = self.condition()
        self.state[first] = self.state[second] = "pending"
        self.line(f"*({condition} ? &{first} : &{second}) = {self.call('A', True)};")

    def operand(self):
        """A spawn behind a comma."""
        first, second = self.pick(["u32"], ["free"]), self.pick(["u64"], ["free"])
        if first and second:
            value = self.u32()
            self.state[second] = "pending"
            self.line(f"{first} = {value}, {second} = {self.call('A', True)};")

    def shadow(self):
        """A block whose local hides one of the function's; the child that writes
        it may outlive the block."""
        name = self.pick(["u8", "u16", "u32", "u64"], ["free", "pending", "reading"])
        if not name or self.times > 1:
            return
        kind, state = self.types[name], self.state[name]

        def write():
            self.declare(name, "u32", "free")
            self.line(f"u32 {name} = {self.rng.randrange(99)};")
            self.state[name] = "pending"
            self.line(f"{name} = {self.call('A', True)};")
            if self.rng.random() < 0.6:
                self.statement(0)
                self.sync()
                self.line(f"atomic_fetch_add(&{self.program.prefix}sum, {name} & 255);")
                nonlocal state
                state = "free"

        self.block("", write)
        self.declare(name, kind, state)

    def callback(self):
        """C that calls spawning functions."""
        target = self.pick(["u32", "u64"], ["free"])
        if target:
            trips = self.rng.randrange(1, 4)
            self.children += self.times * trips
            callee = self.callee("A")
            self.line(f"{target} = c_each({callee}, FUEL, {trips}, {self.leaf()});")

    def helper(self):
        """C between a spawn and its sync, which idle workers may use."""
        words = self.pick(["array"], ["free"])
        if words and self.rng.random() < 0.5:
            self.line(f"{words}[0] = c_sorted({words}, {ARRAY});")
        else:
            self.line(f"atomic_fetch_add(&{self.program.prefix}sum, c_busy({self.leaf()}) & 255);")

    def table(self):
        """A static table of the function's own."""
        name = self.fresh("t")
        target = self.pick(["u32"], ["free"])
        if target:
            self.block("", lambda: (
                self.line(f"static const u32 {name}[4] = {{5, 7, 11, 13}};"),
                self.line(f"{target} ^= {name}[{self.leaf()} % 4];")))  # fmt: skip

    def tail_spawn(self):
        """A spawn that nothing follows."""
        if self.children and self.rng.random() < 0.4:
            self.children += 1
            self.line(f"{self.program.spawn} {self.callee('A')}(FUEL, {self.leaf()}, 9);")

    def cilk_scope(self, depth):
        """A sync in the scope waits for what was spawned in it."""
        state, before = dict(self.state), self.before
        self.before = state
        self.block("cilk_scope", lambda: self.statements(max(depth - 1, 0), 3))
        self.state, self.before = state, before

    def left_scope(self, depth):
        """A scope that is left early; this is also a sync of its children."""
        state, before = dict(self.state), self.before
        way = self.rng.choice(["goto", "break", "continue", "return"])
        label, index = self.fresh("out"), self.fresh("ix")

        def scope():
            self.before = state
            self.statements(max(depth - 1, 0), 2)
            if way == "return":
                self.leave()
            else:
                go = f"goto {label}" if way == "goto" else way
                self.line(f"if ({self.condition()}) {go};")
            self.statements(max(depth - 1, 0), 2)
            self.before = before

        if way in ("break", "continue"):
            self.times *= 2
            self.block(f"for (u32 {index} = 0; {index} < 2; ++{index})",
                       lambda: self.block("cilk_scope", scope))  # fmt: skip
            self.times //= 2
        else:
            self.block("cilk_scope", scope)
        if way == "goto":
            self.line(f"{label}:;")
        self.state = state

    def conditional(self):
        """A spawn, or a value, as the condition says."""
        target = self.pick(["u32", "u64"], ["free"])
        if target:
            condition, other = self.condition(), self.leaf()
            call = self.call("A", True)
            self.state[target] = "pending"
            first, second = self.rng.sample([call, other], 2)
            self.line(f"{target} = {condition} ? {first} : {second};")

    def member(self):
        """A callee in a struct, whose variable changes after the spawn."""
        target, name = self.pick(["u32", "S3"], ["free"]), self.fresh("o")
        if not target:
            return
        pointer = self.rng.random() < 0.5
        self.line(f"Ops {name} = {{{self.callee('A')}, {self.leaf()}}};")
        arguments = self.arguments("A", True)
        self.children += self.times
        callee = f"(&{name})->op" if pointer else f"{name}.op"
        place = self.lvalue(target, "A")
        self.state[target] = "pending"
        self.line(f"{place} = {self.program.spawn} {callee}({arguments});")
        self.line(f"{name}.op = 0;")

    def variadic(self):
        """A child that takes any number of arguments, and does not spawn."""
        target = self.pick(["u32", "u64", "Bits"], ["free"])
        if target:
            values = [self.leaf() for _ in range(self.rng.randrange(1, 9))]
            place = self.lvalue(target, "H")
            self.state[target] = "pending"
            texts = ", ".join(f"(u32){v}" for v in values)
            self.line(f"{place} = {self.program.spawn} c_sum({len(values)}, {texts});")
