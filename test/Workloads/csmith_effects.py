# ===- csmith_effects.py - What each part of a csmith program touches ---------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Reads and writes of a C program, from the syntax tree that clang dumps.

Objects are variables; an access of a part of one is an access of all of it. Where pointers
lead is Andersen's analysis (Andersen, 1994) without fields, elements and the order of
statements. Of `g = *p + f()`, with `p` possibly the address of `a` or `b`:

    reads {p, a, b} and what f reads; writes {g} and what f writes

Sets of objects are the bits of an integer. The analysis holds for what csmith writes: no
recursion, no function pointers, no heap, no pointers made of integers; calls of anything
that it does not know touch everything.
"""

import json
import re
from typing import NamedTuple

EVERYTHING = -1  # all bits


class Effect(NamedTuple):
    reads: int = 0
    writes: int = 0

    def __or__(self, other):
        return Effect(self.reads | other.reads, self.writes | other.writes)

    def conflicts(self, other):
        """Whether the two may not run at once, or change places."""
        return bool(self.writes & (other.reads | other.writes) or other.writes & self.reads)

    def without(self, objects):
        return Effect(self.reads & ~objects, self.writes & ~objects)


NOTHING = Effect()
UNKNOWN = Effect(EVERYTHING, EVERYTHING)


class Unsupported(Exception):
    """The program has something that the analysis does not know."""


def inner(node):
    return [n for n in node.get("inner", []) if n]


def kind(node):
    return node.get("kind", "")


def walk(node):
    """The node and all below it."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(inner(node))


def type_of(node):
    return node.get("type", {}).get("qualType", "")


def carries_pointers(node):
    """Whether a value of the expression's type may hold addresses."""
    names = node.get("type", {})
    text = names.get("desugaredQualType", names.get("qualType", ""))
    return "*" in text or "struct" in text or "union" in text


def strip(node):
    """Without parentheses and the casts that clang adds."""
    while kind(node) in ("ParenExpr", "ImplicitCastExpr", "ConstantExpr"):
        node = inner(node)[0]
    return node


def callee(call):
    """The name of the function that is called, or an empty text."""
    target = strip(inner(call)[0])
    return target["referencedDecl"]["name"] if kind(target) == "DeclRefExpr" else ""


def leaves(node):
    """Whether control may leave a statement by a jump, or the function, and whether it may
    come in by one."""
    jumps = returns = label = False
    stack = [(node, False)]
    while stack:
        node, looped = stack.pop()
        what = kind(node)
        jumps |= what == "GotoStmt" or what in ("BreakStmt", "ContinueStmt") and not looped
        returns |= what == "ReturnStmt"
        label |= what == "LabelStmt"
        looped |= what in ("ForStmt", "WhileStmt", "DoStmt")
        stack += [(n, looped) for n in inner(node)]
    return jumps, returns, label


class Function:
    """A function with a body in the program's own file."""

    def __init__(self, node):
        self.node, self.name = node, node["name"]
        self.parameters = [n for n in inner(node) if kind(n) == "ParmVarDecl"]
        self.body = next((n for n in inner(node) if kind(n) == "CompoundStmt"), None)
        self.type = type_of(node).split("(")[0].strip()
        self.locals, self.calls, self.effect = 0, set(), NOTHING


class Program:
    """The functions of a program, and the effects of their parts."""

    # They compute with their arguments alone.
    PURE = re.compile(r"safe_\w+|__builtin_(?!prefetch)\w+|platform_main_\w+")

    def __init__(self, tree):
        self.bits, self.functions, self.globals = {}, {}, []
        self.points, self.results = {}, {}  # where variables and results of functions lead
        self.cache = {}
        self.constant = set()  # types that cannot be assigned to
        for node in inner(tree):
            own = "includedFrom" not in json.dumps(node.get("loc", {}))
            if kind(node) == "RecordDecl" and own:
                members = [type_of(n) for n in inner(node) if kind(n) == "FieldDecl"]
                if any(word in m for m in members for word in ("const", *self.constant)):
                    self.constant.add(f"{node['tagUsed']} {node['name']}")
            elif kind(node) == "VarDecl" and own:
                self.globals.append(node)
            elif kind(node) == "FunctionDecl" and own:
                function = Function(node)
                if function.body:
                    self.functions[function.name] = function
        self.follow_pointers()
        self.summarise()

    def bit(self, declaration):
        """The object of a declaration."""
        return 1 << self.bits.setdefault(declaration["id"], len(self.bits))

    # Where pointers lead.

    def follow_pointers(self):
        flows = []  # (node of the left side, or a name of a function, node of the value)
        for node in self.globals:
            if inner(node):
                flows.append((node, inner(node)[-1]))
        for function in self.functions.values():
            for node in walk(function.body):
                flows += self.flows(function, node)
        changed = True
        while changed:
            changed = False
            for target, value in flows:
                places = self.value(value)
                if not places:
                    continue
                if isinstance(target, str):
                    old = self.results.get(target, 0)
                    self.results[target] = old | places
                    changed |= old | places != old
                    continue
                objects = self.bit(target) if kind(target).endswith("VarDecl") else self.objects(target)
                for one in each(objects):
                    old = self.points.get(one, 0)
                    self.points[one] = old | places
                    changed |= old | places != old

    def flows(self, function, node):
        """The flows of addresses that one node makes."""
        what = kind(node)
        if what == "VarDecl" and inner(node):
            return [(node, inner(node)[-1])]
        if what in ("BinaryOperator", "CompoundAssignOperator") and node["opcode"].endswith("="):
            left, right = inner(node)
            if node["opcode"] not in ("==", "!=", "<=", ">=") and carries_pointers(right):
                return [(left, right)]
        if what == "ReturnStmt" and inner(node) and carries_pointers(inner(node)[0]):
            return [(function.name, inner(node)[0])]
        if what == "CallExpr" and callee(node) in self.functions:
            called = self.functions[callee(node)]
            pairs = zip(called.parameters, inner(node)[1:])
            return [(p, argument) for p, argument in pairs if carries_pointers(argument)]
        return []

    def objects(self, node):
        """The objects that an lvalue may stand for."""
        what = kind(node)
        if what == "DeclRefExpr":
            return self.bit(node["referencedDecl"])
        if what in ("ParenExpr", "ImplicitCastExpr", "CStyleCastExpr"):
            return self.objects(inner(node)[0])
        if what == "ArraySubscriptExpr" or what == "MemberExpr" and node.get("isArrow"):
            return self.value(inner(node)[0])
        if what == "MemberExpr":
            return self.objects(inner(node)[0])
        if what == "UnaryOperator" and node["opcode"] == "*":
            return self.value(inner(node)[0])
        if what == "CallExpr":  # a member of what a function returns
            return 0
        raise Unsupported(f"an lvalue of kind {what}")

    def value(self, node):
        """Where a value may lead, if it is or holds an address."""
        what, parts = kind(node), inner(node)
        if what in ("ImplicitCastExpr", "CStyleCastExpr"):
            if node["castKind"] == "LValueToRValue":
                return self.contents(self.objects(parts[0])) if carries_pointers(node) else 0
            if node["castKind"] == "ArrayToPointerDecay":
                return 0 if kind(strip(parts[0])) == "StringLiteral" else self.objects(parts[0])
            return self.value(parts[0])
        if what in ("ParenExpr", "ConstantExpr"):
            return self.value(parts[0])
        if what == "UnaryOperator":
            if node["opcode"] == "&":
                return self.objects(parts[0])
            if node["opcode"] in ("++", "--") and carries_pointers(node):
                return self.contents(self.objects(parts[0]))
            return 0
        if what in ("BinaryOperator", "CompoundAssignOperator") and carries_pointers(node):
            if node["opcode"] in ("=", ","):
                return self.value(parts[1])
            left = parts[0]
            old = self.contents(self.objects(left)) if "Assign" in what else self.value(left)
            return old | self.value(parts[1])
        if what == "ConditionalOperator":
            return self.value(parts[1]) | self.value(parts[2])
        if what == "CallExpr":
            return self.results.get(callee(node), 0)
        if what == "InitListExpr":
            found = 0
            for part in parts + node.get("array_filler", []):
                found |= self.value(part)
            return found
        return 0

    def contents(self, objects):
        """Where the values of some objects lead."""
        found = 0
        for one in each(objects):
            found |= self.points.get(one, 0)
        return found

    # What is read and written.

    def summarise(self):
        """The effects of functions that their callers see."""
        for function in self.functions.values():
            for node in walk(function.node):
                if kind(node) in ("VarDecl", "ParmVarDecl"):
                    if node.get("storageClass") == "static":
                        raise Unsupported("a static variable in a function")
                    function.locals |= self.bit(node)
                elif kind(node) == "CallExpr":
                    function.calls.add(callee(node))
        done = set()
        while len(done) < len(self.functions):
            ready = [f for f in self.functions.values()
                     if f.name not in done and not (f.calls & self.functions.keys()) - done]  # fmt: skip
            if not ready:
                raise Unsupported("recursion")
            for function in ready:
                # Each activation has its own locals, and no caller sees them.
                function.effect = self.effect(function.body).without(function.locals)
                done.add(function.name)

    def call_effect(self, node):
        """The effect of a call, without that of its arguments."""
        name = callee(node)
        if name in self.functions:
            return self.functions[name].effect
        return NOTHING if self.PURE.fullmatch(name) else UNKNOWN

    def own_effect(self, node):
        """The effect of a node, without those below it."""
        what = kind(node)
        if what == "ImplicitCastExpr" and node["castKind"] == "LValueToRValue":
            return Effect(self.objects(inner(node)[0]), 0)
        if what == "UnaryOperator" and node["opcode"] in ("++", "--"):
            objects = self.objects(inner(node)[0])
            return Effect(objects, objects)
        if what == "CompoundAssignOperator":
            objects = self.objects(inner(node)[0])
            return Effect(objects, objects)
        if what == "BinaryOperator" and node["opcode"] == "=":
            return Effect(0, self.objects(inner(node)[0]))
        if what == "VarDecl":
            return Effect(0, self.bit(node))
        if what == "CallExpr":
            return self.call_effect(node)
        if what in ("GCCAsmStmt", "StmtExpr", "AtomicExpr", "VAArgExpr"):
            raise Unsupported(what)
        return NOTHING

    def effect(self, node):
        """The effect of a node and all below it."""
        key = id(node)
        if key not in self.cache:
            found = self.own_effect(node)
            for part in inner(node):
                found |= self.effect(part)
            self.cache[key] = found
        return self.cache[key]


def each(objects):
    """The single bits of a set."""
    while objects > 0:
        one = objects & -objects
        yield one
        objects ^= one
