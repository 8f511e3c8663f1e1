# ===- csmith_loops.py - Parallel loops in csmith's programs ------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Loops of a csmith program that may be parallel, and loops that are put in.

A loop that counts by constants becomes a `cilk_for` when an iteration writes nothing but
its own locals and elements `a[i]...` that the control variable chooses, and touches `a`
in no other way. Counters of loops within become locals of the iteration.

Functions that write nothing, and read nothing that any function writes, may be called
anywhere. So calls of them are put in, in parallel, and what they return is compared with
what plain calls return:

    { int8_t t_1[3];
      cilk_for (int t_2 = 0; t_2 < 3; ++t_2) { t_1[t_2] = func_9(7 + t_2); }
      for (int t_2 = 0; t_2 < 3; ++t_2) { if (t_1[t_2] != func_9(7 + t_2)) { t_wrong(4); } }
    }
"""

import re

import csmith_effects
from csmith_effects import NOTHING, Effect, inner, kind, strip, type_of, walk

INTEGERS = {"char": 8, "signed char": 8, "short": 16, "int": 32, "long": 64, "long long": 64}
INTEGERS.update({f"int{bits}_t": bits for bits in (8, 16, 32, 64)})
UNSIGNED = {f"u{name}": bits for name, bits in INTEGERS.items() if name.endswith("_t")}
UNSIGNED["unsigned int"] = 32
MOST_TRIPS = 1000

WRONG = """\
#include <stdio.h>
#include <stdlib.h>
static void t_wrong(int check) {
  printf("check %d is wrong\\n", check);
  exit(1);
}
"""


def constant(node):
    """The value of an integer constant, or None."""
    node = strip(node)
    if kind(node) == "UnaryOperator" and node["opcode"] == "-":
        value = constant(inner(node)[0])
        return None if value is None else -value
    if kind(node) == "CStyleCastExpr" and inner(node):
        return constant(inner(node)[0])
    return int(node["value"]) if kind(node) == "IntegerLiteral" else None


def variable(node):
    """The declaration that an expression names, or None."""
    node = strip(node)
    return node["referencedDecl"] if kind(node) == "DeclRefExpr" else None


def limits(name):
    """The values of an integer type, or None."""
    if name in UNSIGNED:
        return 0, (1 << UNSIGNED[name]) - 1
    if name in INTEGERS:
        return -(1 << INTEGERS[name] - 1), (1 << INTEGERS[name] - 1) - 1
    return None


def stride(step, control):
    """The stride of an increment of the control variable, or None."""
    if kind(step) == "UnaryOperator" and step["opcode"] in ("++", "--"):
        found = 1 if step["opcode"] == "++" else -1
    elif kind(step) == "CompoundAssignOperator" and step["opcode"] in ("+=", "-="):
        found = constant(inner(step)[1])
        found = -found if found and step["opcode"] == "-=" else found
    else:
        return None
    target = variable(inner(step)[0])
    return found if target and target["id"] == control["id"] else None


def trips(first, last, by, test, values):
    """How often a loop runs, or None where it wraps or runs long."""
    holds = {"<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__, "!=": int.__ne__}[test]
    away = by == 0 or test[0] == "<" and by < 0 or test[0] == ">" and by > 0
    if away or test == "!=" and ((last - first) % by or (last - first) // by < 0):
        return None
    count, value = 0, first
    while holds(value, last):
        count, value = count + 1, value + by
        if count > MOST_TRIPS or not values[0] <= value <= values[1]:
            return None
    return count


def control_of(node):
    """The control variable of a loop that C allows as a `cilk_for`, or None."""
    start, _, condition, step, _ = node["inner"]
    if not (start and condition and step):
        return None
    if kind(start) != "BinaryOperator" or start["opcode"] != "=":
        return None
    control, first = variable(inner(start)[0]), constant(inner(start)[1])
    condition = strip(condition)
    if not control or first is None or kind(condition) != "BinaryOperator":
        return None
    tested, last = variable(inner(condition)[0]), constant(inner(condition)[1])
    values, by = limits(type_of(control)), stride(step, control)
    if not tested or tested["id"] != control["id"] or last is None or not values or by is None:
        return None
    if condition["opcode"] not in ("<", "<=", ">", ">=", "!=") or not values[0] <= last <= values[1]:
        return None
    return control if trips(first, last, by, condition["opcode"], values) is not None else None


class Loops:
    """The part of the rewriter that knows loops."""

    def loop(self, node, jumps, returns, label):
        """The item for a `for`."""
        start, _, condition, step, body = node["inner"]
        parts = "; ".join(self.text(n) if n else "" for n in (start, condition, step))
        effect, head, own = self.program.effect(node), [], None
        word = "for"
        if not any(csmith_effects.leaves(body)):
            own = self.parallel(node)
        if own is not None:
            self.count("cilk_for")
            word, head = "cilk_for", [f"{type_of(v)} {v['name']};" for v in own]
        control = control_of(node) if own is not None else None
        private = control is not None and self.starts_in_loops(control) and self.chance(0.5)
        if private:
            parts = f"{type_of(control)} {parts}"
        before = self.tied
        lines = self.body(body, waits=word == "cilk_for", head=head)
        spawning = word == "cilk_for" and self.tied == before and self.chance(0.4)
        if spawning:  # a child for each iteration, for which something behind the loop waits
            word, lines = "for", ["cilk_spawn {", *("  " + line for line in lines), "}"]
        item = self.item([f"{word} ({parts}) {{", *("  " + line for line in lines), "}"],
                         effect, jumps, returns, label, child=spawning)  # fmt: skip
        if word == "cilk_for" and self.chance(0.3):
            item.lines.insert(0, f"#pragma cilk grainsize {self.rng.choice([1, 2, 5, 100])}")
        self.tied += word == "cilk_for" and not private
        return [item]

    def parallel(self, node):
        """The variables that iterations need copies of, if they may run together."""
        control, body = control_of(node), node["inner"][-1]
        if control is None or control["id"] not in self.local_ids() or "volatile" in type_of(control):
            return None
        bit = self.program.bit(control)
        effect, arrays = self.apart(body, control)
        own = [part for part in walk(body) if kind(part) == "VarDecl"]
        within, ids = 0, {declaration["id"] for declaration in own}
        for declaration in own:
            within |= self.program.bit(declaration)
        copies = [v for v in self.counters(body) if v["id"] not in ids and self.starts_in_loops(v)]
        for declaration in copies:
            within |= self.program.bit(declaration)
        effect = effect.without(within)
        # What has its address taken, a callee could see.
        if effect.writes or effect.reads & arrays or bit & self.reached():
            return None
        return copies

    def apart(self, node, control):
        """The effect of a loop's body without accesses of elements that belong to the
        iteration, and the arrays of these."""
        target = node
        reads = kind(node) == "ImplicitCastExpr" and node["castKind"] == "LValueToRValue"
        writes = kind(node) == "UnaryOperator" and node["opcode"] in ("++", "--")
        writes |= kind(node) == "CompoundAssignOperator"
        writes |= kind(node) == "BinaryOperator" and node["opcode"] == "="
        effect, arrays = self.program.own_effect(node), 0
        if reads or writes:
            target = inner(node)[0]
            array = self.chosen(target, control)
            if array is not None:
                effect, arrays = NOTHING, self.program.bit(array)
        for part in inner(node):
            more, others = self.apart(part, control)
            effect, arrays = effect | more, arrays | others
        return effect, arrays

    def chosen(self, node, control):
        """The array of an lvalue `a[i]...` whose first index is the control variable."""
        index = None
        while kind(node) in ("ArraySubscriptExpr", "MemberExpr", "ParenExpr", "ImplicitCastExpr"):
            if kind(node) == "MemberExpr" and node.get("isArrow"):
                return None
            if kind(node) == "ImplicitCastExpr" and node["castKind"] not in ("ArrayToPointerDecay", "NoOp"):
                return None
            if kind(node) == "ArraySubscriptExpr":
                index = inner(node)[1]
            node = inner(node)[0]
        named = variable(index) if index else None
        if kind(node) != "DeclRefExpr" or not named or named["id"] != control["id"]:
            return None
        array = node["referencedDecl"]
        # A union's or struct's member may be an array: the index must be the variable's own.
        return array if re.search(r"\[\d+\]$", type_of(array)) else None

    def counters(self, body):
        """The control variables of loops in a loop's body."""
        found = {}
        for part in walk(body):
            if kind(part) == "ForStmt" and part["inner"][0]:
                start = part["inner"][0]
                named = variable(inner(start)[0]) if inner(start) else None
                if named and named["id"] in self.local_ids():
                    found[named["id"]] = named
        return [v for v in found.values() if limits(type_of(v))]

    def local_ids(self):
        """The variables of the function that are no parameters."""
        if getattr(self, "known", None) is not self.function:
            self.known = self.function
            self.ids = {n["id"] for n in walk(self.function.body) if kind(n) == "VarDecl"}
            self.outside = set()
            self.find_outside(self.function.body, frozenset())
        return self.ids

    def find_outside(self, node, started):
        """Finds variables that are used where no loop around starts them."""
        if kind(node) == "DeclRefExpr" and node["referencedDecl"]["id"] not in started:
            self.outside.add(node["referencedDecl"]["id"])
        if kind(node) == "ForStmt" and node["inner"][0]:
            start = node["inner"][0]
            if kind(start) == "BinaryOperator" and start["opcode"] == "=" and variable(inner(start)[0]):
                started = started | {variable(inner(start)[0])["id"]}
        for part in inner(node):
            self.find_outside(part, started)

    def starts_in_loops(self, declaration):
        """Whether each use of a variable is in a loop that gives it its value."""
        return declaration["id"] in self.local_ids() and declaration["id"] not in self.outside

    def reached(self):
        """All objects that pointers lead to."""
        found = 0
        for places in self.program.points.values():
            found |= places
        return found

    # Calls that are put in.

    def below(self, name):
        """A function and all that it calls."""
        found, left = set(), [name]
        while left:
            name = left.pop()
            if name in self.program.functions and name not in found:
                found.add(name)
                left += self.program.functions[name].calls
        return found

    def check(self):
        """Items that compare parallel calls of a function with plain ones, if there is one."""
        # A function that is called here has no checks of its own, or time would explode.
        if self.function.name in self.called or self.function.name == "main":
            return []
        # The effects of statements and functions do not count what is put in.
        written = 0
        for function in self.program.functions.values():
            written |= function.effect.writes
        functions = [
            f for f in self.program.functions.values()
            if not f.effect.writes and not f.effect.reads & written and limits(f.type) and all(limits(type_of(p).replace("const ", "")) for p in f.parameters)
            and not self.below(f.name) & (self.checked | {self.function.name})
        ]  # fmt: skip
        if not functions:
            return []
        function = self.rng.choice(functions)
        self.called |= self.below(function.name)
        self.checked.add(self.function.name)
        self.count("check")
        array, index = self.fresh()[0], self.fresh()[0]
        n = self.rng.choice([1, 2, 3, 5, 9])
        arguments = []
        for parameter in function.parameters:
            name = type_of(parameter).replace("const ", "")
            low, high = limits(name)
            step = self.rng.choice(["", f" + {index}", f" ^ {index}"])
            arguments.append(f"({name})({self.rng.randint(low // 2, high // 2)}{step})")
        call = f"{function.name}({', '.join(arguments)})"
        header = f"(int {index} = 0; {index} < {n}; ++{index})"
        element = f"{array}[{index}]"
        forms = [
            ([f"cilk_for {header} {{ {element} = {call}; }}"]),
            ([f"cilk_for {header} {{ {element} = cilk_spawn {call}; }}"]),
            ([f"for {header} {{ {element} = cilk_spawn {call}; }}", "cilk_sync;"]),
            ([f"for {header} {{ cilk_spawn {{ {element} = {call}; }} }}", "cilk_sync;"]),
            ([f"cilk_scope {{ for {header} {{ {element} = cilk_spawn {call}; }} }}"]),
        ]
        wrong = f"t_wrong({self.names});"
        if self.chance(0.3):
            sign = self.rng.choice(["+=", "^="])
            lines = [f"uint64_t {array} = 0, {array}s = 0;",
                     f"for {header} {{ {array} {sign} cilk_spawn {call}; }}", "cilk_sync;",
                     f"for {header} {{ {array}s {sign} {call}; }}",
                     f"if ({array} != {array}s) {{ {wrong} }}"]  # fmt: skip
        else:
            lines = [f"{function.type} {array}[{n}];", *self.rng.choice(forms),
                     f"for {header} {{ if ({element} != {call}) {{ {wrong} }} }}"]  # fmt: skip
        return [self.item(["{", *("  " + line for line in lines), "}"], NOTHING)]
