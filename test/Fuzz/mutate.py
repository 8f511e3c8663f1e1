# ===- mutate.py - Wrong programs out of right ones ----------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Mutations of C source, of its tokens and of its bytes, and their shrinking.

Sources are `bytes`: what a mutation leaves need not be text.
"""

import re

TOKEN = re.compile(
    rb"//[^\n]*|/\*.*?\*/"  # comments
    rb'|"(?:\\.|[^"\\\n])*"|' + rb"'(?:\\.|[^'\\\n])*'"
    rb"|[ \t]*\n[ \t]*#[^\n]*"  # directives, with the line's beginning
    rb"|\w+|\s+|<<=|>>=|\.\.\.|->|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|>>|.",
    re.DOTALL,
)

# What the language adds, what it is written around, and what it must refuse.
WORDS = """
spawn sync cilk cilk_spawn cilk_sync _Cilk_spawn _Cilk_sync cilk_for _Cilk_for
cilk_scope _Cilk_scope inlet abort SYNCHED Cilk_alloca cilk_reducer _Hyperobject
cilk_spawn{ spawn{ ;sync; __extension__ _Generic( sizeof( typeof( ({ }) ( ) { } [ ]
; , : ? = += |= && || * & . -> ... # ## 0 1 -1 9223372036854775807 1e400 "" ''
if else for while do switch case default: goto return break continue label:
int void char short long float double signed unsigned _Bool struct union enum
const volatile restrict register static extern inline typedef auto _Atomic
_Thread_local _Noreturn _Complex _BitInt(7) alignas(64) __asm__("") main alloca
setjmp longjmp __builtin_alloca __builtin_frame_address(0) __builtin_setjmp &&label
__attribute__((noinline)) __attribute__((musttail)) __attribute__((naked))
__attribute__((vector_size(16))) __attribute__((cleanup(f))) __attribute__((weak))
__attribute__((aligned(128))) __attribute__((noreturn)) [[clang::musttail]]
""".split()
DICTIONARY = [word.encode() for word in WORDS] + [
    b"\n#pragma STDC FENV_ACCESS ON\n",
    b"\n#if 1\n",
    b"\n#endif\n",
    b"\n#define f(x) spawn f(x)\n",
    b"\n#define spawn cilk_spawn\n",
    b" _Static_assert(sizeof(spawn f(1)), 0);",
]


def tokens(source):
    return TOKEN.findall(source)


def matching(parts, start):
    """The index after the bracket that closes the one at `start`."""
    depth = 0
    for i in range(start, len(parts)):
        if parts[i] in (b"(", b"{", b"["):
            depth += 1
        elif parts[i] in (b")", b"}", b"]"):
            depth -= 1
            if depth == 0:
                return i + 1
    return len(parts)


def piece(random, parts):
    """A run of tokens: one, a few, or all between two brackets."""
    start = random.randrange(len(parts))
    if random.random() < 0.3:
        opens = [i for i, part in enumerate(parts) if part in (b"(", b"{", b"[")]
        if opens:
            start = random.choice(opens)
            return start, matching(parts, start)
    return start, min(len(parts), start + random.choice([1, 1, 1, 2, 3, 8]))


def mutate_tokens(random, parts, others):
    """One change of `parts`, in place; `others` are the tokens of another file."""
    kind = random.randrange(9)
    start, end = piece(random, parts)
    if kind == 0:
        del parts[start:end]
    elif kind == 1:
        parts[start:start] = parts[start:end]
    elif kind == 2:
        other, last = piece(random, parts)
        parts[start:end] = parts[other:last]
    elif kind == 3:
        other, last = piece(random, others)
        parts[start:end] = others[other:last]
    elif kind == 4:
        parts[start:start] = [b" ", random.choice(DICTIONARY), b" "]
    elif kind == 5:
        parts[start:end] = [b" ", random.choice(DICTIONARY), b" "]
    elif kind == 6:
        parts[start:end] = [b"({ ", *parts[start:end], b"; })"]
    elif kind == 7:
        # A name for another keeps most programs whole.
        names = [i for i, part in enumerate(parts) if re.match(rb"[A-Za-z_]", part)]
        if names:
            parts[random.choice(names)] = parts[random.choice(names)]
    elif random.random() < 0.5:
        del parts[start:]
    else:
        other, _ = piece(random, others)
        parts[start:] = others[other:]


def mutate_bytes(random, source):
    data = bytearray(source)
    place = random.randrange(len(data) + 1)
    kind = random.randrange(4)
    if kind == 0:
        del data[place:]
    elif kind == 1:
        del data[place : place + random.randrange(1, 20)]
    elif kind == 2:
        data[place:place] = bytes(random.choices(range(256), k=random.randrange(1, 5)))
    elif place < len(data):
        data[place] ^= 1 << random.randrange(8)
    return bytes(data)


def mutate(random, source, other):
    """A few changes of `source`, some of them with parts of `other`."""
    parts, others = tokens(source), tokens(other)
    for _ in range(random.choice([1, 1, 2, 2, 3, 5, 9])):
        if parts and others:
            mutate_tokens(random, parts, others)
    result = b"".join(parts)
    return mutate_bytes(random, result) if random.random() < 0.2 else result


def shrink(source, fails, tries=400):
    """A smaller source of which `fails` still is true: without whole lines, then
    without tokens."""
    for split in (lambda text: text.splitlines(keepends=True), tokens):
        parts = split(source)
        size = max(1, len(parts) // 2)
        while size and tries:
            start = 0
            while start < len(parts) and tries:
                rest = parts[:start] + parts[start + size :]
                tries -= 1
                if fails(b"".join(rest)):
                    parts = rest
                else:
                    start += size
            size //= 2
        source = b"".join(parts)
    return source
