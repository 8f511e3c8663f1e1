"""Compares the effects that csmith_effects.py finds with the comments of effects.c."""

import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
import csmith_effects  # noqa: E402

source = pathlib.Path(__file__).with_name("effects.c")
command = [sys.argv[2], "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", source]
tree = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
program = csmith_effects.Program(tree)
names = {program.bit(node): node["name"] for node in program.globals}


def words(objects):
    return {names[one] for one in csmith_effects.each(objects)}


found = re.findall(r"(\w+)\(.*\) \{ // reads(.*); writes(.*)", source.read_text())
assert len(found) == len(program.functions) > 10
for function, reads, writes in found:
    effect = program.functions[function].effect
    got = words(effect.reads), words(effect.writes)
    assert got == (set(reads.split()), set(writes.split())), f"{function}: {got}"
