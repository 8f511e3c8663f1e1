# ===- random_prelude.py - What all random programs share --------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""The C text before the programs, and the signatures of their functions."""

PRELUDE = """\
#include <alloca.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef __int128 i128;
typedef unsigned __int128 u128;
typedef long double ld;
typedef _Bool bool_;
typedef volatile uint32_t v32;
typedef struct { u8 a; u16 b; } S1;
typedef struct { u32 a; double b; } S2;
typedef struct { u32 v[6]; u64 w; } S3;
typedef unsigned _BitInt(48) b48;
typedef struct { u32 (*op)(u32, u32, u32); u32 w; } Ops;
typedef struct { u32 a : 5, b : 11; u64 c : 40; } Bits;
typedef struct { u64 a; int b, c; } M1;
typedef union { u32 w; u8 c[4]; } U1;

static const u32 table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

static u32 of_real(double d) {
  u64 bits;
  memcpy(&bits, &d, sizeof bits);
  return (u32)(bits ^ bits >> 32);
}
static u32 mix(u32 a, u32 b) {
  a = (a ^ (b + 0x7feb352du + (a << 6) + (a >> 2))) * 0x9e6c63d1u;
  return a ^ a >> 15;
}
u32 c_busy(u32 a);
u32 c_each(u32 (*f)(u32, u32, u32), u32 fuel, u32 n, u32 seed);
u32 c_sorted(u32 *v, u32 n);
u32 c_sum(u32 n, ...);
"""

# Ordinary C that the programs call; the compiler knows nothing of it where it is
# called, and it calls back.
HELPERS = """\
static int compare(const void *a, const void *b) {
  u32 x = *(const u32 *)a, y = *(const u32 *)b;
  return (x > y) - (x < y);
}
u32 c_busy(u32 a) {
  for (u32 i = 0; i < 40; ++i)
    a = mix(a, i);
  return a;
}
u32 c_each(u32 (*f)(u32, u32, u32), u32 fuel, u32 n, u32 seed) {
  for (u32 i = 0; i < n; ++i)
    seed = mix(seed, f(fuel, seed, i));
  return seed;
}
u32 c_sum(u32 n, ...) {
  u32 hash = n;
  va_list list;
  va_start(list, n);
  while (n-- > 0)
    hash = mix(hash, va_arg(list, u32));
  va_end(list);
  return hash;
}
u32 c_sorted(u32 *v, u32 n) {
  qsort(v, n, sizeof *v, compare);
  u32 hash = n;
  for (u32 i = 0; i < n; ++i)
    hash = mix(hash, v[i]);
  return hash;
}
"""

# Parameters (C type, name) after the fuel, and the result. A parameter `out` or
# `inout` is the callee's alone; `from` may be read by others at the same time.
SIGNATURES = {
    "A": ("u32", [("u32", "a"), ("u32", "b")]),
    "B": ("void", [("u32", "a"), ("u32 *", "out")]),
    "C": ("S3", [("S3", "s"), ("u32", "a")]),
    "D": ("double", [("double", "x"), ("S2", "t")]),
    "E": ("void", [("S3 *", "inout"), ("const u32 *", "from")]),
    "F": ("u64", [("u8", "a"), ("u16", "b"), ("u64", "c"), ("S1", "r"),
                  ("float", "y"), ("u32", "e"), ("b48", "f"), ("u32", "g"),
                  ("S3", "s"), ("double", "x")]),
    "G": ("S1", [("S1", "r")]),
    "H": ("i128", [("ld", "x"), ("bool_", "p"), ("i8", "c"), ("i128", "w")]),
    "I": ("float", [("float", "y"), ("i16", "h")]),
    "J": ("ld", [("ld", "x"), ("u128", "w")]),
    "K": ("M1", [("M1", "m"), ("u32", "a")]),
    "L": ("U1", [("U1", "c")]),
}  # fmt: skip

SCALARS = ("u8", "u16", "u32", "u64")
ODD = ("i8", "i16", "i128", "u128", "bool_", "v32", "b48")
REAL = ("float", "double", "ld")
NARROW = ("char", "i8", "u8", "i16", "u16", "int")
FEW = 3  # elements of the arrays S1s, M1s and U1s
STRICTNESS = ["free", "reading", "compound", "pending"]
ARRAY = 8
WIDE = 400
