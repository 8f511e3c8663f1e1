# ===- random_loops.py - Loops of random programs ----------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""The loops of a random function, serial and parallel."""

from random_prelude import ARRAY, WIDE


class Loops:
    """A part of Body (random_body.py), whose members it uses."""

    def spawn_loop(self):
        """Children into the elements of an array, or added up."""
        add = self.rng.random() < 0.4
        kinds = ["u32", "u64", "u16"] if add else ["array", "narrow"]
        target = self.pick(kinds, ["free", "compound"] if add else ["free"])
        if not target:
            return
        trips = self.rng.randint(1, self.narrow.get(target, ("", ARRAY))[1])
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

    def cilk_for(self):
        """Each iteration writes its own element, with a sync of its own."""
        target, own = self.elements()
        if not target:
            return
        index, a = self.fresh("ix"), self.fresh("n")
        head, place, value, after = self.parallel_header(target, index)
        self.state[target] = "pending"
        self.times *= ARRAY
        indices, self.indices = self.indices, [value]
        saved, block = dict(self.state), self.in_block
        self.in_block = True

        def write():
            self.line(f"u32 {a} = {self.call('A', True)};")
            # This iteration's sync: others go on, as do children from before.
            self.line(self.program.sync + ";")
            self.state = dict(saved)
            if self.rng.random() < 0.3:
                self.line(f"if ({self.condition()}) continue;")
            self.line(f"{place} = mix({a}, {self.leaf()});")

        self.block(f"cilk_for ({head})", write)
        if after:
            self.line(after)
        self.times //= ARRAY
        self.indices, self.in_block = indices, block
        self.state = {**saved, target: "free"}
        self.forget(target, own)

    def elements(self):
        """An array for a parallel loop, and whether it is the loop's own; or None."""
        target = self.pick(["array"], ["free"])
        if self.times > 3:
            return None, False
        if target and target not in self.vlas:
            return target, False
        name = self.fresh("w")
        self.line(f"u32 {name}[{ARRAY}];")
        self.line(f"memset({name}, {self.rng.randrange(9)}, sizeof {name});")
        self.declare(name, "array")
        return name, True

    def forget(self, name, own):
        """Folds an array that was the loop's own into the sum."""
        if own:
            hashed = f"c_sorted({name}, {ARRAY})"
            self.line(f"atomic_fetch_add(&{self.program.prefix}sum, {hashed} & 255);")
            del self.types[name], self.state[name]

    def parallel_header(self, target, index):
        """A header over the elements of an array, with the element of an iteration, the
        iteration as a number, and what follows the loop; writes what is before it."""
        place, after = f"{target}[{index}]", ""
        value = f"(u32){index}"
        form = self.rng.randrange(8)
        if form == 0:
            head = f"u32 {index} = 0; {index} != {ARRAY}; {index} += 2"
        elif form == 1:
            head = f"int {index} = {ARRAY - 1}; {index} >= 0; --{index}"
        elif form == 2:
            place, value = f"*{index}", f"(u32)({index} - {target})"
            head = f"u32 *{index} = {target}; {index} != {target} + {ARRAY}; {index}++"
        elif form == 3:
            stride = self.fresh("k")
            self.line(f"u32 {stride} = 1 + {self.leaf()} % 3;")
            head = f"u64 {index} = 0; {index} < {ARRAY}; {index} += {stride}"
        elif form == 4:
            limit = self.fresh("k")
            self.line(f"int {limit} = {self.leaf()} % {ARRAY};")
            head = f"int {index} = {limit}; 0 <= {index}; {index} -= 1 + {limit} % 2"
        elif form == 5:
            self.line(f"u16 {index};")
            head = f"{index} = 0; {index} < {ARRAY}; {index} = {index} + 1"
            after = f"atomic_fetch_add(&{self.program.prefix}sum, {index});"
        else:
            head = f"u32 {index} = 0; {index} < {ARRAY}; ++{index}"
        if self.rng.random() < 0.3:
            size = self.rng.choice(["2", "= 3", "(7)", f"= {self.leaf()} % 5"])
            self.line(f"#pragma cilk grainsize {size}")
        return head, place, value, after

    def nested_parallel(self):
        """A parallel loop in a parallel loop, with a scope between the two."""
        target, own = self.elements()
        if not target:
            return
        outer, inner, a = self.fresh("ix"), self.fresh("ix"), self.fresh("n")
        saved, indices, block = dict(self.state), self.indices, self.in_block
        self.state[target] = "pending"
        self.times *= ARRAY
        self.indices, self.in_block = [outer, inner], True

        def element():
            self.line(f"u32 {a} = {self.call('A', True)};")
            self.line(self.program.sync + ";")
            self.line(f"{target}[{outer} * 4 + {inner}] = {a};")

        def row():
            self.block(f"cilk_for (u32 {inner} = 0; {inner} < 4; ++{inner})", element)

        scope = self.rng.random() < 0.5
        self.block(
            f"cilk_for (u32 {outer} = 0; {outer} < {ARRAY // 4}; ++{outer})",
            (lambda: self.block("cilk_scope", row)) if scope else row,
        )
        self.times //= ARRAY
        self.indices, self.in_block = indices, block
        self.state = {**saved, target: "free"}
        self.forget(target, own)
