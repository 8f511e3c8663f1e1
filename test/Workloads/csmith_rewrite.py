# ===- csmith_rewrite.py - Fork-join programs out of csmith's -----------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Puts spawns, syncs, scopes, blocks and `cilk_for` into a csmith program, where the
effects of its parts (csmith_effects.py) allow:

    uint32_t func_1(void) {              uint32_t func_1(void) {
      int i;                               int i;
      int32_t l_2[4];                      int32_t l_2[4];
                                           int16_t t_1;
      for (i = 0; i < 4; i++)      ->      cilk_for (i = 0; i < 4; i++) { l_2[i] = 7L; }
        l_2[i] = 7L;                       t_1 = cilk_spawn func_9(g_4);
      g_5 = 3;                             cilk_spawn { g_5 = 3; }
      g_6 ^= l_2[1];                       g_6 ^= l_2[1];
                                           cilk_sync;
      return (g_7 & func_9(g_4));          return (g_7 & t_1);
    }                                    }

A child runs beside the statements up to the sync, so it may conflict with none of them:
what one writes, the other may not touch. A call leaves its expression only if that
evaluates it always, and nothing else in it conflicts with the call. So the program has no
determinacy race, and prints what the original prints.
"""

import random

import csmith_effects
from csmith_effects import NOTHING, Effect, callee, inner, kind, leaves, strip, type_of, walk
from csmith_loops import WRONG, Loops


class Item:
    """One statement of a list, as it will be written."""

    def __init__(self, lines, effect, jumps=False, returns=False, label=False, fixed=False, child=False):
        self.lines, self.effect = lines, effect
        self.jumps = jumps  # may leave the list, but not the function
        self.returns = returns  # may leave the function
        self.label = label  # may be jumped to
        self.fixed = fixed  # a declaration
        self.child = child  # is spawned
        self.free = True  # may stand in a spawned block or the body of another loop

    def still(self):
        """Whether control goes in at its beginning and out at its end."""
        return not (self.jumps or self.returns or self.label or self.fixed)


def indented(lines):
    return ["  " + line for line in lines]


def braced(head, lines):
    return [f"{head} {{".lstrip(), *indented(lines), "}"]


class Rewriter(Loops):
    """Writes the functions of one program anew."""

    def __init__(self, source, tree, seed):
        self.source = source.encode()
        self.program = csmith_effects.Program(tree)
        self.rng = random.Random(seed)
        self.names, self.counts, self.declare = 0, {}, []
        self.tied = 0  # loops so far that a spawned block cannot have
        self.called, self.checked = set(), set()  # by checks; that have checks
        # How often each is done, so that programs differ in kind.
        draw = self.rng.choice
        self.hoists, self.blocks = draw([0.2, 0.5, 0.9]), draw([0.1, 0.3, 0.6])
        self.groups, self.syncs = draw([0, 0.2, 0.4]), draw([0.05, 0.3])
        self.checks = draw([0, 0.05, 0.15])

    item = Item

    def chance(self, share):
        return self.rng.random() < share

    def count(self, what):
        """Counts what was put in."""
        self.counts[what] = self.counts.get(what, 0) + 1

    def fresh(self):
        """A new variable's name and object."""
        self.names += 1
        return f"t_{self.names}", self.program.bit({"id": f"t_{self.names}"})

    # Text.

    @staticmethod
    def begin(node):
        place = node["range"]["begin"]
        return place.get("expansionLoc", place)["offset"]

    @staticmethod
    def end(node):
        place = node["range"]["end"]
        place = place.get("expansionLoc", place)
        return place["offset"] + place["tokLen"]

    def text(self, node, instead=()):
        """The source of a node, in one line; `instead` has names for some calls in it."""
        at, parts = self.begin(node), []
        for call, name in sorted(instead, key=lambda pair: self.begin(pair[0])):
            parts += [self.source[at : self.begin(call)].decode(), name]
            at = self.end(call)
        parts.append(self.source[at : self.end(node)].decode())
        return " ".join("".join(parts).split())

    # Calls that are done before the statement that they are in.

    def calls(self, node):
        """The calls that are always evaluated where an expression is."""
        what, parts = kind(node), inner(node)
        if what == "CallExpr" and callee(node) in self.program.functions and type_of(node) != "void":
            yield node
        if what == "ConditionalOperator" or what == "BinaryOperator" and node["opcode"] in ("&&", "||"):
            parts = parts[:1]
        for part in parts:
            yield from self.calls(part)

    def around(self, node, call):
        """The effect of an expression without a call in it and what must follow that;
        whether the call is in it."""
        if node is call:
            return NOTHING, True
        own, found, place = NOTHING, False, 0
        for number, part in enumerate(inner(node)):
            effect, here = self.around(part, call)
            own, found, place = own | effect, found or here, number if here else place
        mine = self.program.own_effect(node)
        if found and (kind(node) == "CallExpr" or place and "Assign" in kind(node)):
            mine = Effect(mine.reads if kind(node) != "CallExpr" else 0, 0)
        elif found and place and kind(node) == "BinaryOperator" and node["opcode"] == "=":
            mine = NOTHING
        return own | mine, found

    def may_leave(self, root, call):
        return not self.program.effect(call).conflicts(self.around(root, call)[0])

    def hoisted(self, root, whole):
        """Calls of an expression that may be done before all else in it. What has a
        constant member can only be initialised."""
        chosen = []
        for call in self.calls(root):
            nested = any(n is call for other in chosen for n in walk(other))
            fits = whole or type_of(call) not in self.program.constant
            if fits and not nested and self.chance(self.hoists) and self.may_leave(root, call):
                chosen.append(call)
        return chosen

    def spawn(self, target, call):
        self.count("spawn")
        text, name = self.text(call), callee(call)
        if text.startswith(f"{name}(") and self.chance(0.05):
            pointer, _ = self.fresh()
            self.declare.append(f"static __typeof__({name}) *const volatile {pointer} = {name};")
            self.count("pointer")
            text = pointer + text[len(name) :]
        return f"{target}cilk_spawn {text};"

    def with_calls(self, root, make, whole=False):
        """The items before a statement with a full expression, its lines and its effect;
        `make` writes the statement from the expression's text, which is all of it or not."""
        effect, calls = self.program.effect(root), self.hoisted(root, whole)
        instead, lines, items, read = [], [], [], 0
        initialised = any(type_of(call) in self.program.constant for call in calls)
        initialised |= whole and self.chance(0.2)
        for call in calls:
            name, bit = self.fresh()
            instead.append((call, name))
            if initialised:
                lines.append(self.spawn(f"{type_of(call)} {name} = ", call))
                continue
            self.declare.append(f"{type_of(call)} {name};")
            read |= bit
            wrote = self.program.effect(call) | Effect(0, bit)
            items.append(Item([self.spawn(f"{name} = ", call)], wrote, child=True))
        line = make(self.text(root, instead))
        if lines:
            wait = [] if line.startswith("return ") and self.chance(0.5) else ["cilk_sync;"]
            return [], braced("", [*lines, *wait, line]), effect
        return items, [line], effect | Effect(read, 0)

    # Statements.

    def spawned(self, node):
        """A statement that is a call, or assigns its result: the item that spawns it."""
        root, target = strip(node), ""
        if kind(root) in ("BinaryOperator", "CompoundAssignOperator") and root["opcode"].endswith("="):
            left, right = inner(root)
            if root["opcode"] in ("==", "!=", "<=", ">=", "<<=", ">>=", "/=", "%="):
                return None
            target = f"{self.text(left)} {root['opcode']} "
            root = strip(right)
        if kind(root) != "CallExpr" or callee(root) not in {*self.program.functions, "transparent_crc"}:
            return None
        if not self.may_leave(node, root) or not self.chance(0.7):
            return None
        return Item([self.spawn(target, root)], self.program.effect(node), child=True)

    def statement(self, node):
        """The items for a statement."""
        what, (jumps, returns, label) = kind(node), leaves(node)
        effect = self.program.effect(node)
        if what == "LabelStmt":
            return [Item([f"{node['name']}:;"], NOTHING, label=True), *self.statement(inner(node)[-1])]
        if what == "DeclStmt":
            return [Item([self.text(node)], effect, fixed=True)]
        if what == "CompoundStmt":
            return [Item(braced("", self.body(node)), effect, jumps, returns, label)]
        if what == "IfStmt":
            condition, then, *other = inner(node)
            items, head, effect = self.with_calls(condition, lambda text: f"if ({text})")
            lines = braced(head[0], self.body(then))
            for part in other:
                lines += braced("else", self.body(part))
            effect |= self.program.effect(node)
            return [*items, Item(lines, effect, jumps, returns, label)]
        if what == "ForStmt":
            return self.loop(node, jumps, returns, label)
        if what == "ReturnStmt" and inner(node):
            value = inner(node)[0]
            items, lines, effect = self.with_calls(value, lambda text: f"return {text};", True)
            return [*items, Item(lines, effect, returns=True)]
        if what.endswith(("Expr", "Operator", "Literal")):
            child = self.spawned(node)
            if child:
                return [child]
            items, lines, effect = self.with_calls(node, lambda text: f"{text};", True)
            return [*items, Item(lines, effect)]
        if what in ("BreakStmt", "ContinueStmt", "GotoStmt", "ReturnStmt", "NullStmt"):
            return [Item([f"{self.text(node)};".replace(";;", ";")], NOTHING, jumps, returns)]
        raise csmith_effects.Unsupported(f"a statement of kind {what}")

    def body(self, node, waits=False, head=()):
        """The lines of the block that a statement is, or is put into. `waits` says that
        its end waits for children, `head` comes first."""
        outside, self.declare = self.declare, []
        items = []
        for part in inner(node) if kind(node) == "CompoundStmt" else [node]:
            before, new = self.tied, self.statement(part)
            for item in new:
                item.free &= self.tied == before
            items += new
            if self.chance(self.checks):
                items += self.check()
        first = next((n for n, item in enumerate(items) if not item.fixed), len(items))
        lines = [line for item in items[:first] for line in item.lines]
        rest = self.written(items[first:], waits)
        lines = [*head, *lines, *self.declare, *rest]
        self.declare = outside
        return lines

    # Lists of statements.

    def written(self, items, waits):
        """The lines of a list of statements, with children, groups and syncs."""
        items = self.grouped(items)
        for item in items:
            if not item.child and item.still() and item.free and self.chance(self.blocks):
                item.lines, item.child = braced("cilk_spawn", item.lines), True
                self.count("block")
        self.reorder(items)
        lines, running = [], NOTHING
        for item in items:
            last = kind_of_return(item) and self.chance(0.7)
            if running != NOTHING and not last:
                leaving = item.jumps and not (waits and self.chance(0.5))
                if leaving or running.conflicts(item.effect) or self.chance(self.syncs):
                    lines.append("cilk_sync;")
                    running = NOTHING
            elif running == NOTHING and not item.fixed and self.chance(self.syncs * 0.1):
                lines.append("cilk_sync;")
            lines += item.lines
            if running != NOTHING:
                self.count("beside")  # a child, or this with one, or both
            if item.child:
                running |= item.effect
        ends = not items or kind_of_return(items[-1])
        if running != NOTHING and not ends and not (waits and self.chance(0.5)):
            lines.append("cilk_sync;")
        return lines

    def reorder(self, items):
        """Starts children earlier."""
        for number in range(1, len(items)):
            at = number
            while at and items[at].child and items[at - 1].still() and self.chance(0.8):
                if items[at].effect.conflicts(items[at - 1].effect):
                    break
                items[at - 1], items[at] = items[at], items[at - 1]
                at -= 1

    def grouped(self, items):
        """The items, some runs of which are put into a construct."""
        result, at = [], 0
        while at < len(items):
            most = 0
            while at + most < len(items) and not items[at + most].fixed and not items[at + most].label:
                most += 1
            if not most or not self.chance(self.groups):
                result.append(items[at])
                at += 1
                continue
            size = self.rng.randint(1, most)
            result.append(self.group(items[at : at + size]))
            at += size
        return result

    def group(self, run):
        effect = NOTHING
        for item in run:
            effect |= item.effect
        still = all(item.still() and item.free for item in run)
        apart = not any(a.effect.conflicts(b.effect) for n, a in enumerate(run) for b in run[:n])
        ways = ["scope"] + ["block", "once"] * still + ["arms"] * (3 * (still and apart and len(run) > 1))
        way = self.rng.choice(ways)
        self.count(way)
        jumps, returns = any(i.jumps for i in run), any(i.returns for i in run)
        if way == "arms":
            lines = braced(self.once(len(run)), self.arms(run))
        else:
            head = {"scope": "cilk_scope", "block": "cilk_spawn", "once": self.once(1)}[way]
            lines = braced(head, self.written(run, True))
        group = Item(lines, effect, jumps, returns, child=way == "block")
        group.free = all(item.free for item in run)
        return group

    def once(self, trips):
        """The head of a loop."""
        name, _ = self.fresh()
        self.arm = name
        return f"cilk_for (int {name} = 0; {name} < {trips}; ++{name})"

    def arms(self, run):
        """The body of a loop each iteration of which does one statement."""
        lines, name = [], self.arm
        for number, item in enumerate(run):
            test = f"if ({name} == {number})" if not number else f"else if ({name} == {number})"
            lines += braced(test, self.written([item], True))
        return lines

    def rewritten(self):
        """The whole program."""
        out, at = [], 0
        for function in sorted(self.program.functions.values(), key=lambda f: self.begin(f.body)):
            self.function = function
            out += [self.source[at : self.begin(function.body)].decode().rstrip() + " {\n"]
            lines = self.body(function.body)
            out += ["\n".join(indented(lines)), "\n}"]
            at = self.end(function.body)
        text = "".join(out) + self.source[at:].decode()
        return WRONG + text


def kind_of_return(item):
    """Whether an item is a return, which waits for children before it evaluates."""
    return item.returns and len(item.lines) == 1
