# ===- random_values.py - Random typed expressions and statements -------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Expressions of all arithmetic types and serial statements, for random_numeric.py.

None is undefined: signed sums are those of narrow values or of unsigned ones, counts of
shifts are in range, divisors are tested, and so is what becomes an integer. Floating
point is rounded at each step, and its answers may be compared because

* no bits of a NaN, whose sign nobody defines, go anywhere (`bits_of`), nor does the
  sign of a zero that comes from fmin and fmax;
* constants are small multiples of 1/8, so that a product of some is exact, and it does
  not matter whether a product and a sum of constants are folded as one or as two.
"""

INTEGERS = {"i8": 8, "u8": 8, "i16": 16, "u16": 16, "i32": 32, "u32": 32, "i64": 64, "u64": 64}
REALS = ("float", "double")
TYPES = (*INTEGERS, *REALS)

# What an expression may use besides the prelude of all programs.
PRELUDE = """\
typedef int32_t i32;
typedef int64_t i64;
static u64 bits_of(double d) {
  u64 bits = 99;
  if (d == d)
    memcpy(&bits, &d, sizeof bits);
  return bits;
}
static u32 hash_of(double d) {
  return (u32)(bits_of(d) ^ bits_of(d) >> 32);
}
static u32 bits_of_float(float f) {
  u32 bits = 77;
  if (f == f)
    memcpy(&bits, &f, sizeof bits);
  return bits;
}
"""
for _kind, _bits in INTEGERS.items():
    _least = f"-{float(1 << (_bits - 1))}" if _kind[0] == "i" else "0.0"
    _limit = float(1 << (_bits - (_kind[0] == "i")))
    PRELUDE += f"""\
static {_kind} {_kind}_of(double d) {{ return d >= {_least} && d < {_limit} ? ({_kind})d : 1; }}
static {_kind} {_kind}_of_float(float f) {{ return f >= {_least}f && f < {_limit}f ? ({_kind})f : 2; }}
"""


def unsigned(kind):
    return "u" + kind[1:]


def limits(kind):
    """The least and greatest value of an integer type."""
    bits = INTEGERS[kind]
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind[0] == "i" else (0, (1 << bits) - 1)


def converted(to, kind, text):
    """An expression of one type as another's."""
    if to == kind:
        return text
    if to in INTEGERS and kind in REALS:
        return f"{to}_of{'' if kind == 'double' else '_float'}({text})"
    return f"({to})({text})"


class Values:
    """Writes one function, mostly of values of types `kinds`; `odd` allows what keeps it from
    running in lanes. `scope` has the types of the variables that may be read, those in
    `fixed` may not be written; `arrays` has the types and lengths, which are powers of two,
    of arrays, `written` those of them that may be written; `helpers` are functions with
    their results' and parameters' types."""

    def __init__(self, rng, helpers=(), kinds=TYPES, odd=False):
        self.rng, self.helpers, self.kinds, self.odd = rng, helpers, kinds, odd
        self.scope, self.fixed, self.arrays, self.written = {}, set(), {}, set()
        self.lines, self.indent, self.counter, self.loops = [], 1, 0, 0

    def line(self, text):
        self.lines.append("  " * self.indent + text)

    def fresh(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    def block(self, head, write):
        """A block, whose variables nobody else sees."""
        self.line(head + " {")
        scope, arrays, written = dict(self.scope), dict(self.arrays), set(self.written)
        self.indent += 1
        write()
        self.indent -= 1
        self.scope, self.arrays, self.written = scope, arrays, written
        self.line("}")

    # Expressions. A `leaf` has no effect and is cheap to repeat.

    def literal(self, kind):
        if kind in REALS:
            return f"{self.rng.randrange(-40, 80) / 8 or 1.5}{'f' if kind == 'float' else ''}"
        least, most = limits(kind)
        if self.rng.random() < 0.2:
            value = self.rng.choice([least, most, most - 1, most // 2 + 1])
        else:
            value = self.rng.randrange(max(least, -20), min(most, 130))
        return f"({kind})({value + 1}l - 1)" if value < 0 else f"({kind}){value}{kind[0].strip('i')}l"

    def variable(self, kind):
        same = [n for n, t in self.scope.items() if t == kind]
        if same and self.rng.random() < 0.7:
            return self.rng.choice(same)
        name = self.rng.choice(list(self.scope))
        return converted(kind, self.scope[name], name)

    def element(self, name):
        """An element of an array, as an lvalue."""
        return f"{name}[{self.variable('u32')} & {self.arrays[name][1] - 1}]"

    def leaf(self, kind):
        chance = self.rng.random()
        if chance < 0.12:
            return self.literal(kind)
        if self.arrays and chance < 0.3:
            name = self.rng.choice(list(self.arrays))
            return converted(kind, self.arrays[name][0], self.element(name))
        return self.variable(kind)

    def value(self, kind, depth=2):
        if depth <= 0 or self.rng.random() < 0.15:
            return self.leaf(kind)
        if self.rng.random() < 0.12:
            other = self.rng.choice(self.kinds)
            return converted(kind, other, self.value(other, depth - 1))
        if self.rng.random() < 0.12:
            return f"({self.condition(depth - 1)} ? {self.value(kind, depth - 1)} : {self.value(kind, depth - 1)})"
        if self.helpers and self.rng.random() < 0.08:
            name, result, parameters = self.rng.choice(self.helpers)
            arguments = ", ".join(self.value(p, depth - 1) for p in parameters)
            return converted(kind, result, f"{name}({arguments})")
        return self.real(kind, depth) if kind in REALS else self.integer(kind, depth)

    def condition(self, depth=1):
        kind = self.rng.choice(self.kinds)
        a, b = self.value(kind, depth), self.leaf(kind)
        form = self.rng.randrange(8)
        if form == 0:
            return f"({self.variable('u32')} & {self.rng.randrange(1, 16)})"
        if form == 1 and depth > 0:
            word = self.rng.choice(["&&", "||"])
            return f"({self.condition(depth - 1)} {word} {self.condition(depth - 1)})"
        if form == 2:
            return f"!({a} > {b})"
        if form == 3:
            return f"({self.variable('u32')} % {self.rng.randrange(2, 6)}u == 1)"
        return f"({a} {self.rng.choice(['<', '<', '<=', '>', '>=', '==', '!='])} {b})"

    def integer(self, kind, depth):
        return f"({kind})({self.rng.choice(self.INTEGER)(self, kind, depth)})"

    def arithmetic(self, kind, depth):
        wide = "u64" if INTEGERS[kind] == 64 else "u32"
        a, b = self.value(kind, depth - 1), self.value(self.rng.choice(list(INTEGERS)), depth - 1)
        return f"({wide}){a} {self.rng.choice(['+', '-', '*', '^', '|', '&'])} ({wide}){b}"

    def promoted(self, _, depth):
        """Arithmetic of narrow values, as int."""
        a, b = (self.value(self.rng.choice(["i8", "u8", "i16"]), depth - 1) for _ in range(2))
        operator = self.rng.choice(["+", "-", "*", "^", "|", "&"])
        after = self.rng.choice(["", "", " >> 1", " / 3", " % 10", f" > {self.rng.randrange(-99, 300)}"])
        return f"({a} {operator} {b}){after}"

    def shift(self, kind, depth):
        bits = INTEGERS[kind]
        a = self.value(kind, depth - 1)
        count = f"({self.value('u32', depth - 1)} & {bits - 1})"
        count = self.rng.choice([count, str(self.rng.randrange(bits))])
        if self.rng.random() < 0.5:
            return f"{a} >> {count}"
        return f"({'u64' if bits == 64 else 'u32'}){a} << {count}"

    def rotate(self, kind, depth):
        bits, own = INTEGERS[kind], unsigned(kind)
        count = self.leaf("u8")
        if self.rng.random() < 0.3:
            return f"__builtin_rotate{self.rng.choice(['left', 'right'])}{bits}({self.value(own, depth - 1)}, {count})"
        a = f"({own}){self.leaf(kind)}"
        return f"{a} << ({count} & {bits - 1}) | {a} >> (-{count} & {bits - 1})"

    def divide(self, kind, depth):
        a, b = self.value(kind, depth - 1), self.leaf(kind)
        operator = self.rng.choice(["/", "%"])
        form = self.rng.randrange(3)
        if form == 0:
            return f"{a} {operator} ({kind}){self.rng.choice([2, 3, 5, 7, 10, 16, 100])}"
        if kind[0] == "u":
            return f"{a} {operator} ({b} | 1)" if form == 1 else f"{b} ? {a} {operator} {b} : {self.leaf(kind)}"
        if form == 1:
            return f"{a} {operator} (({b} & 15) + 2)"
        return f"{b} == 0 || {b} == -1 ? {a} : {a} {operator} {b}"

    def bits(self, _, depth):
        bits = self.rng.choice([32, 64])
        a, suffix = self.leaf(f"u{bits}"), "ll" * (bits == 64)
        b = self.value(f"u{bits}", depth - 1)
        return self.rng.choice([
            f"__builtin_popcount{suffix}({b})", f"__builtin_parity{suffix}({b})",
            f"{a} ? __builtin_clz{suffix}({a}) : {bits}", f"__builtin_ctz{suffix}({a} | 256u)",
            f"{a} ? __builtin_ctz{suffix}({a}) : 5", f"__builtin_bswap{bits}({b})",
            f"__builtin_bitreverse{bits}({b})", f"__builtin_ffs{suffix}({b})",
            f"({b}) & -({a})", f"({b}) & ({a} - 1)"])  # fmt: skip

    def saturated(self, kind, depth):
        a, b, own = self.leaf(kind), self.leaf(kind), unsigned(kind)
        least, most = limits(kind)
        if INTEGERS[kind] > 16:
            a, b = f"({own}){a}", f"({own}){b}"
            return self.rng.choice([f"{a} + {b} < {a} ? -1 : {a} + {b}", f"{a} > {b} ? {a} - {b} : 0"])
        total = f"{a} {self.rng.choice('+-')} {b}"
        return self.rng.choice([
            f"{total} > {most} ? {most} : {total} < {least} ? {least} : {total}",
            f"({a} + {b} + 1) >> 1", f"{a} > {b} ? {a} - {b} : {b} - {a}", f"{a} < 0 ? -{a} : {a}"])  # fmt: skip

    def least(self, kind, depth):
        a, b = self.leaf(kind), self.leaf(kind)
        return f"{a} {self.rng.choice(['<', '>', '<=', '>='])} {b} ? {a} : {b}"

    def logical(self, _, depth):
        return self.rng.choice([f"!{self.leaf('i32')}", self.condition(depth - 1)])

    def high(self, _, depth):
        a, b = self.value("u32", depth - 1), self.value("u32", depth - 1)
        c, d = self.leaf("i64"), self.leaf("i64")
        return self.rng.choice([f"(u64){a} * {b} >> 32", f"(i64)({a} & 0xffff) * (i32){b}",
                                f"(u64)((i128){c} * {d} >> 64)", f"(u64)((u128){c} * {d} >> 60)"])  # fmt: skip

    def image(self, _, depth):
        kind = self.rng.choice(REALS)
        return f"bits_of{'' if kind == 'double' else '_float'}({self.value(kind, depth - 1)})"

    INTEGER = [arithmetic] * 5 + [promoted] * 3 + [shift] * 2 + [rotate, divide, divide, bits, saturated,
               saturated, least, logical, high, image]  # fmt: skip

    def real(self, kind, depth):
        a, b = self.value(kind, depth - 1), self.value(kind, depth - 1)
        suffix = "f" if kind == "float" else ""
        form = self.rng.randrange(24)
        if form < 5:
            return f"({a} {self.rng.choice(['+', '-', '*'])} {b})"
        if form < 9:
            c = self.leaf(kind)
            return self.rng.choice([f"({a} * {b} + {c})", f"({c} - {a} * {b})", f"({a} * {b} - {c} * {self.leaf(kind)})"])
        if form < 11:
            return f"({a} / {self.variable(kind)})"
        x, y = self.leaf(kind), self.leaf(kind)
        if form < 13:
            return f"({x} {self.rng.choice(['<', '>', '<=', '>='])} {y} ? {self.rng.choice([x, a])} : {y})"
        if form == 13:
            return f"__builtin_sqrt{suffix}(__builtin_fabs{suffix}({self.variable(kind)}))"
        if form == 14:
            return f"__builtin_fabs{suffix}({a})"
        if form == 15:
            return f"(- {x})"
        if form == 16:
            return f"__builtin_{self.rng.choice(['floor', 'ceil', 'trunc', 'rint', 'round', 'nearbyint'])}{suffix}({a})"
        if form == 17:
            return f"(__builtin_f{self.rng.choice(['min', 'max'])}{suffix}({a}, {b}) + {'0.0' + suffix})"
        if form == 18:
            return f"__builtin_fma{suffix}({a}, {b}, {x})"
        if form == 19 and self.odd:
            name = self.rng.choice(["sin", "cos", "exp", "exp2", "log", "cbrt", "atan"])
            return f"__builtin_{name}{suffix}({self.variable(kind)})"
        if form == 21:
            return f"__builtin_copysign{suffix}({a}, ({kind}){self.variable('i32')})"
        if form > 21:
            return f"({kind}){self.value(self.rng.choice(list(INTEGERS)), depth - 1)}"
        return f"({a} * {self.variable(kind)} + {x})"

    # Statements.

    def declare(self, kind=None):
        kind, name = kind or self.rng.choice(self.kinds), self.fresh("v")
        self.line(f"{kind} {name} = {self.value(kind)};")
        self.scope[name] = kind
        return name

    def array(self):
        kind, name, length = self.rng.choice(self.kinds), self.fresh("w"), self.rng.choice([2, 4, 8, 16])
        index = self.fresh("k")
        own = not self.odd or self.rng.random() < 0.5
        self.line(f"{kind} {name}[{length}];" if own else
                  f"{kind} *{name} = ({kind} *)alloca({length} * sizeof({kind}));")  # fmt: skip
        self.scope[index] = "i32"
        value = self.value(kind, 1)
        self.line(f"for (i32 {index} = 0; {index} < {length}; ++{index})")
        self.line(f"  {name}[{index}] = {value};")
        del self.scope[index]
        self.arrays[name] = (kind, length)
        self.written.add(name)

    def target(self):
        """Something to write, and its type."""
        if self.written and self.rng.random() < 0.35:
            name = self.rng.choice(sorted(self.written))
            return self.element(name), self.arrays[name][0]
        names = [n for n in self.scope if n not in self.fixed]
        if not names:
            return self.declare(), None
        name = self.rng.choice(names)
        return name, self.scope[name]

    def assign(self):
        place, kind = self.target()
        if kind is None:
            return
        chance = self.rng.random()
        if kind in ("u32", "u64") and chance < 0.5:
            self.line(f"{place} {self.rng.choice(['+', '-', '*', '^', '|', '&'])}= {self.value(kind)};")
        elif kind in REALS and chance < 0.5:
            value = self.rng.choice([self.value(kind), f"{self.value(kind, 1)} * {self.leaf(kind)}"])
            self.line(f"{place} {self.rng.choice(['+', '-', '*'])}= {value};")
        elif kind in ("u8", "i8", "u16", "i16", "u32") and chance < 0.3:
            self.line(self.rng.choice([f"++{place};", f"--{place};", f"{place} ^= {self.leaf(kind)};"]))
        elif kind in INTEGERS and INTEGERS[kind] >= 32 and chance < 0.7 and "[" not in place:
            word = self.rng.choice(["add", "sub", "mul"])
            self.line(f"if (__builtin_{word}_overflow({self.value(kind, 1)}, {self.leaf(kind)}, &{place}))")
            self.line(f"  {place} = {self.leaf(kind)};")
        else:
            self.line(f"{place} = {self.value(kind)};")

    def branch(self, depth):
        self.block(f"if ({self.condition()})", lambda: self.statements(depth - 1, 2))
        if self.rng.random() < 0.5:
            self.block("else", lambda: self.statements(depth - 1, 2))

    def switch(self, depth):
        def cases():
            for label in sorted(self.rng.sample(range(-1, 7), self.rng.randint(2, 4))):
                def case():
                    self.statements(depth - 1, 2)
                    if self.rng.random() < 0.7:
                        self.line("break;")
                self.block(f"case {label}:" if label >= 0 else "default:", case)
        on = self.rng.choice([f"{self.variable('u32')} & 7", self.variable("i8"), f"{self.variable('u64')} % 5"])
        self.block(f"switch ({on})", cases)

    def loop(self, depth):
        """A loop that lanes leave at different times."""
        if self.loops == 2:
            return
        count, most = self.fresh("k"), self.rng.randrange(2, 9)
        kind = self.rng.choice(["i32", "u8", "i16", "u64"])
        self.loops += 1
        form = self.rng.randrange(3)
        counts = f"{count} < ({kind})({self.variable('u32')} % {most}u)"

        def write():
            if form == 1:
                self.line(f"++{count};")
            self.statements(depth - 1, 2)
            if self.rng.random() < 0.5:
                self.line(f"if ({self.condition()}) {self.rng.choice(['break', 'continue'])};")
                self.statements(depth - 1, 1)

        self.scope[count] = kind
        self.fixed.add(count)
        if form == 0:
            self.block(f"for ({kind} {count} = 0; {count} < {most}; ++{count})", write)
        elif form == 1:
            self.line(f"{kind} {count} = 0;")
            self.block(f"while ({count} < {most} && {self.condition()})", write)
        else:
            self.block(f"for ({kind} {count} = 0; {counts}; ++{count})", write)
        self.loops -= 1
        if form != 1:
            del self.scope[count]

    def statements(self, depth, most):
        for _ in range(self.rng.randint(1, most)):
            chance = self.rng.random()
            if depth <= 0 or chance < 0.5:
                self.assign()
            elif chance < 0.65:
                self.declare()
            elif chance < 0.72:
                self.array()
            elif chance < 0.85:
                self.branch(depth)
            elif chance < 0.9:
                self.switch(depth)
            else:
                self.loop(depth)
