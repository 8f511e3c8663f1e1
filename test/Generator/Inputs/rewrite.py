"""Rewrites rewrite.c in many ways, and looks at what each made of it."""

import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
import csmith_rewrite  # noqa: E402

source = pathlib.Path(__file__).with_name("rewrite.c")
command = [sys.argv[2], "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", source]
tree = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
texts = [csmith_rewrite.Rewriter(source.read_text(), tree, seed).rewritten() for seed in range(60)]
assert texts[5] == csmith_rewrite.Rewriter(source.read_text(), tree, 5).rewritten()


def sometimes(pattern):
    assert any(re.search(pattern, text) for text in texts), pattern


def never(pattern):
    found = [match.group() for text in texts for match in [re.search(pattern, text)] if match]
    assert not found, f"{pattern}: {found[0]}"


# Of loops, only independent iterations run together.
sometimes(r"cilk_for \((int32_t )?i = 0; i < 4")
sometimes(r" for \((int32_t )?i = 0; i < 4; i \+= 1\) \{\n\s*cilk_spawn")
sometimes(r"cilk_for \((int32_t )?i = 0; i < 3")
never(r"int32_t j;\s*int32_t j;")
never(r"cilk_for \((int32_t )?i = 0; i (< [568]|!= 7)")
# A parent syncs before it changes what a child reads.
sometimes(r"cilk_spawn (func_2|t_\d+)\(1\)")
between = r"\s*(\w+ = [^;]*;\s*|cilk_spawn \{\s*)*g_1 = 2;"
never(r"cilk_spawn \w+\(1\);" + between)
never(r"cilk_spawn \{\s*g_11 = \w+\(1\);\s*\}" + between)
# Calls leave their expressions where that changes nothing.
never(r"(cilk_spawn|volatile t_\d+ =) func_3")
sometimes(r"t_\d+ = cilk_spawn func_2\(2\)")
sometimes(r"g_14 = g_3 \+ t_\d+;")
# All constructs are there.
for word in ("cilk_scope {", "cilk_spawn {", "cilk_sync;", "t_wrong(", "cilk_for (int t_", "else if (t_"):
    assert any(word in text for text in texts), word
