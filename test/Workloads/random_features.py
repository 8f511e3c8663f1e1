# ===- random_features.py - Rarer statements of random programs ---------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""The statements of a random function that are not its daily bread."""

from random_prelude import ARRAY, WIDE


class Features:
    """A part of Body (random_body.py), whose members it uses."""

    def feature(self, depth):
        choices = [self.block_spawn, self.side_effects, self.either, self.shadow,
                   self.callback, self.helper, self.wide_loop, self.phases,
                   self.operand, self.table]  # fmt: skip
        if self.program.loops:
            choices += [self.cilk_for, self.cilk_for, lambda: self.cilk_scope(depth)]
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

    def wide_loop(self):
        """More children than a narrow channel has room for."""
        if self.times > 1 or self.rng.random() < 0.5:
            return
        name, index = self.fresh("w"), self.fresh("ix")
        trips = self.rng.randrange(65, WIDE)
        self.line(f"u32 {name}[{WIDE}];")
        self.line(f"memset({name}, 1, sizeof {name});")
        self.declare(name, "wide", "pending")
        self.times *= trips
        self.indices.append(index)
        self.block(f"for (u32 {index} = 0; {index} < {trips}; ++{index})",
                   lambda: self.line(f"{name}[{index}] = {self.call('A', True)};"))  # fmt: skip
        self.times //= trips
        self.indices.pop()
        self.sync()
        self.line(f"atomic_fetch_add(&{self.program.prefix}sum, c_sorted({name}, {WIDE}) & 255);")
        del self.types[name], self.state[name]

    def phases(self):
        """A loop with a switch around a spawn and its sync."""
        target = self.pick(["u32", "u16", "v32"], ["free"])
        if not target:
            return
        index = self.fresh("ix")
        self.times *= 3
        self.indices.append(index)

        def cases():
            self.line(f"case 0: {target} = {self.call('A', True)};")
            self.state[target] = "pending"
            self.line(f"case 1: {self.program.sync}; break;")
            self.line(f"default: (void){self.call('A', True)};")

        def write():
            self.block(f"switch ({index} % 3)", cases)
            self.sync()

        self.block(f"for (u32 {index} = 0; {index} < 3; ++{index})", write)
        self.times //= 3
        self.indices.pop()

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

    def cilk_for(self):
        """Each iteration writes its own element, with a sync of its own."""
        target = self.pick(["array"], ["free"])
        if not target or target in self.vlas or self.times > 1:
            return
        index, a = self.fresh("ix"), self.fresh("n")
        self.state[target] = "pending"
        self.times *= ARRAY
        indices, self.indices = self.indices, [index]
        saved = dict(self.state)
        self.in_block = True

        def write():
            self.line(f"u32 {a} = {self.call('A', True)};")
            # This iteration's sync: others go on, as do children from before.
            self.line(self.program.sync + ";")
            self.state = dict(saved)
            if self.rng.random() < 0.3:
                self.line(f"if ({self.condition()}) continue;")
            self.line(f"{target}[{index}] = mix({a}, {self.leaf()});")

        head = self.rng.choice([
            f"u32 {index} = 0; {index} < {ARRAY}; ++{index}",
            f"u32 {index} = 0; {index} != {ARRAY}; {index} += 2",
            f"int {index} = {ARRAY - 1}; {index} >= 0; --{index}",
        ])  # fmt: skip
        self.block(f"cilk_for ({head})", write)
        self.times //= ARRAY
        self.indices, self.in_block = indices, False
        self.state = {**saved, target: "free"}

    def cilk_scope(self, depth):
        """A sync in the scope waits for what was spawned in it."""
        state, before = dict(self.state), self.before
        self.before = state
        self.block("cilk_scope", lambda: self.statements(max(depth - 1, 0), 3))
        self.state, self.before = state, before
