# ===- refusals.py - What matrix.py expects to be refused ----------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Which flags and attributes are refused for functions that spawn, and by which words.

A pattern is searched in a cell's words, "FLAGS: PROGRAM LEVEL TARGET" or
"ATTRIBUTE on a PLACE: LEVEL TARGET". What is refused and not here fails the test, and so
does what is here and not refused. docs/Language.md has the messages.
"""

import re

SPAWNED = "(spawning function|callee|static callee|inline function|spawning function of pointers|static spawning function)"
SPLIT = "(spawning function|spawning function of pointers|static spawning function|function with a loop)"

REFUSALS = [
    # Shadow memory of what the runtime, too, writes.
    ("-fsanitize=(memory|dataflow|type|hwaddress)", "which the runtime is not built for"),
    # Checks by metadata, in the program that calls through a pointer.
    (r"-fsanitize=cfi(-icall)? .*results\.c", "pointer that '-fsanitize=cfi-icall' checks"),
    # A function with a parallel loop is not inlined, so that the call stays.
    (r"error\(\"called\"\)\)\) on a function with a loop: -O[123]", "declared with 'error' attribute"),
    # Where a function that is split computes with floating-point numbers.
    (r"^(-ffp-(model|exception-behavior)=(strict|maytrap)|-frounding-math|-ftrapping-math): results\.c", "strict semantics"),
    ("only: -emit-ast", "which cannot be precompiled"),
    # Kernels call children as C does.
    (rf"\b(intel_ocl_bicc|ms_abi|preserve_all|preserve_most|preserve_none|regcall|swiftasynccall|swiftcall|vectorcall)"
     rf"\)\) on a ({SPAWNED}|function type):", "function of calling convention"),
    (rf"returns_twice\)\) on a {SPAWNED}:", "cannot call"),
    (rf"target_clones.* on a {SPLIT}:", "cannot have several versions"),
    (r"mode\(TI\)\)\) on a typedef", "more than 64 bits"),
    (r"address_space\([13]\)\)\) on a pointed-to", "another address space"),
]  # fmt: skip


def message(cell):
    """What the refusal of a cell has to say; nothing if it is not to be refused."""
    for pattern, words in REFUSALS:
        if re.search(pattern, str(cell)):
            return words
    return ""
