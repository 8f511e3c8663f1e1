# ===- random_program.py - Random race-free spawn/sync programs ---------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Writes the C text of one random program per seed.

A program is a handful of functions of twelve signatures that spawn and call each
other, directly and through tables. Two things hold by construction:

* No determinacy race. Every local object carries a state: a child may write it
  (`pending`), children's compound assignments to it are outstanding (`compound`),
  a child may read it (`reading`), or it is `free`. Statements are made only of
  what their objects' states allow, states of branches are merged to the stricter
  one, and a sync frees all. What a function writes through a parameter its caller
  has made pending. Globals are constant, or atomic sums.
* It ends. Each activation has fuel; its children get (fuel - 1) / k, where k is
  the most children that one activation can have, so the number of activations is
  at most the fuel of the first.

Arithmetic is unsigned, and floating point is only added and halved, so that no
answer depends on how it is compiled.
"""

import random

from random_arrays import Arrays
from random_blocks import Blocks
from random_body import Body
from random_fans import Fan
from random_members import Members
from random_narrow import Narrow
from random_numeric import Numeric
from random_prelude import HELPERS, PRELUDE, SIGNATURES
from random_totals import Totals
from random_tree import Tree
from random_types import Types
from random_values import PRELUDE as VALUES

START_FUEL = 1500
# A simulated machine takes some thousand times longer for a task.
MACHINE_FUEL = 150


class Program:
    """One random program. Its functions carry the seed in their names, so that several
    programs make one executable. `loops` allows cilk_for and cilk_scope; a `numeric`
    one has the functions of random_numeric.py and no others."""

    def __init__(self, seed, loops=False, fuel=START_FUEL, numeric=False):
        self.rng, self.fuel = random.Random(seed), fuel
        self.prefix, self.loops = f"s{seed}_", loops
        bare = self.rng.random() < 0.3
        self.spawn, self.sync = ("spawn", "sync") if bare else ("cilk_spawn", "cilk_sync")
        wanted = self.rng.sample("BCDFGHIJKL", self.rng.randint(1, 5))
        self.signatures = ["A", "A", "E", *wanted]
        self.functions = [(s, f"{self.prefix}{s}0") for s in sorted(set(self.signatures))]
        for number in range(self.rng.randint(1, 3)):
            signature = self.rng.choice(self.signatures)
            self.functions.append((signature, f"{self.prefix}{signature}{number + 1}"))
        if numeric:
            self.signatures, self.functions = [], []
        self.definitions = [Body(self.rng, self, n, s).text() for s, n in self.functions]
        tree = Tree(seed, f"{self.prefix}tree", fuel, self.spawn, self.sync)
        parts = [] if numeric else [tree]
        if seed % 2 == 0 or numeric:
            parts.append(Numeric(seed, f"{self.prefix}numeric", fuel, self.spawn, self.sync))
        # They take long to compile, as they are split three times.
        if seed % 5 == 0 and not numeric:
            parts.append(Arrays(seed, f"{self.prefix}arrays", fuel, self.spawn, self.sync))
        if seed % 5 == 1 and not numeric:
            parts.append(Totals(seed, f"{self.prefix}totals", fuel, self.spawn, self.sync))
        if seed % 3 == 1 and not numeric:
            parts.append(Members(seed, f"{self.prefix}members", fuel, self.spawn, self.sync, loops))
        if seed % 4 == 3 and not numeric:
            parts.append(Blocks(seed, f"{self.prefix}blocks", fuel, self.spawn, self.sync, loops))
        if seed % 3 == 2 and not numeric:
            parts.append(Types(seed, f"{self.prefix}types", fuel, self.spawn, self.sync, loops))
        if seed % 3 == 0 and loops and not numeric:
            parts.append(Fan(seed, f"{self.prefix}fan", fuel))
        # While the workers begin, they take work from serial clones, whose frames are copied.
        self.first = []
        if seed % 2 == 1 and not numeric:
            self.first.append(Narrow(seed, f"{self.prefix}narrow", fuel, self.spawn, self.sync, loops))
        texts = [part.text() for part in [*self.first, *parts]]
        self.definitions.append("\n".join([*texts, self.begin(), self.run(parts)]))

    def by_signature(self, signature):
        return [name for s, name in self.functions if s == signature]

    def declarations(self):
        """What each file of the program needs."""
        parts = [f"extern _Atomic u32 {self.prefix}sum, {self.prefix}tasks;",
                 f"extern u32 {self.prefix}phase;", f"void {self.prefix}run(void);"]  # fmt: skip
        parts += [f"void {self.prefix}begin(void);"] if self.first else []
        for signature in sorted(set(self.signatures)):
            result, parameters = SIGNATURES[signature]
            types = ", ".join(["u32"] + [t for t, _ in parameters])
            names = self.by_signature(signature)
            parts += [f"{result} {name}({types});" for name in names]
            table = f"{self.prefix}{signature}s"
            parts.append(f"static {result} (*const {table}[])({types}) = {{{', '.join(names)}}};")
        return "\n".join(parts)

    def begin(self):
        """The function that is called before all programs run."""
        if not self.first:
            return ""
        calls = "".join(part.calls() for part in self.first)
        return f"""\
u32 {self.prefix}first;
void {self.prefix}begin(void) {{
  u32 hash = 1;
{calls}  {self.prefix}first = hash;
}}"""

    def run(self, parts):
        """The function that starts all others and prints the checksum. Its global
        `phase` changes only while nothing runs."""
        roots = self.by_signature("A")
        spawn = self.rng.choice(["", self.spawn + " "])
        calls = f"  u32 part[{len(roots)}];\n" if roots else ""
        for index, name in enumerate(roots):
            calls += f"  part[{index}] = {spawn}{name}({self.fuel}, 1, {index});\n"
        calls += f"  {self.sync};\n" if spawn else ""
        if roots:
            calls += f"  for (int i = 0; i < {len(roots)}; ++i)\n    hash = mix(hash, part[i]);\n"
        calls += f"  {self.prefix}phase = hash % 97;\n"
        for name in self.by_signature("E"):
            calls += f"  {name}({self.fuel}, &state, table);\n"
        calls += "".join(part.calls() for part in parts)
        return f"""\
_Atomic u32 {self.prefix}sum, {self.prefix}tasks;
u32 {self.prefix}phase = 3;
void {self.prefix}run(void) {{
  u32 hash = {f"{self.prefix}first" if self.first else 1};
  S3 state = {{{{1, 2, 3, 4, 5, 6}}, 7}};
{calls}  for (int i = 0; i < 6; ++i)
    hash = mix(hash, state.v[i]);
  hash = mix(hash, (u32)state.w);
  printf("seed {self.prefix[1:-1]}: %08x %08x %u\\n", (unsigned)hash,
         (unsigned){self.prefix}sum, (unsigned){self.prefix}tasks);
  fflush(stdout);
}}
"""


def translation_units(seeds, files=1, loops=False, spawning_main=False, fuel=START_FUEL,
                      numeric=False):  # fmt: skip
    """The texts of the C files that together are the programs of all `seeds`."""
    programs = [Program(seed, loops, fuel, numeric) for seed in seeds]
    header = "\n".join([PRELUDE, VALUES] + [p.declarations() for p in programs])
    texts = [[header] for _ in range(files)]
    for program in programs:
        for number, definition in enumerate(program.definitions):
            texts[number % files].append(definition)
    word = "cilk_spawn " if spawning_main else ""
    names = [f"{p.prefix}begin" for p in programs if p.first] + [f"{p.prefix}run" for p in programs]
    runs = "\n".join(f"  {word}{name}();" + ("\n  cilk_sync;" if word else "") for name in names)
    texts[0].append(f"{HELPERS}\nint main(void) {{\n{runs}\n  return 0;\n}}\n")
    return ["\n".join(text) for text in texts]
