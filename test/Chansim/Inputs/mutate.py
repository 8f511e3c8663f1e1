# mutate.py - Gives chansim files that are damaged in many ways.
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python mutate.py INPUTS MACHINE: reports in the folder INPUTS, and the file of a
machine, are cut off, and their values replaced by others. chansim reads what is left
with status 0, or says what is wrong with which file and ends with status 1."""

import json
import os
import pathlib
import random
import re
import subprocess
import sys

inputs, machine = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
random.seed(48)

VALUES = [
    None, True, -1, 0, 1.5, 2**32, 2**63, 2**64 - 1, 10**30, 1e308, "", "x:0", "x:-1", ":",
    "sum.c:18446744073709551615", "sum.c:4294967295", "sum.c:99999999999999999999", [], {}, [[]],
    {"name": 3},
]  # fmt: skip
TEXTS = [b"", b" ", b"{", b"[]", b"null", b'"', b"\xff\xfe", b"\0" * 9, b"{}" * 2, b"1e999"]


def paths(value, path=()):
    yield path
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, member in items:
            yield from paths(member, path + (key,))


def replaced(root, path, value):
    if not path:
        return value
    copy = dict(root) if isinstance(root, dict) else list(root)
    copy[path[0]] = replaced(root[path[0]], path[1:], value)
    return copy


def without(root, path):
    if len(path) > 1:
        return replaced(root, path[:1], without(root[path[0]], path[1:]))
    copy = dict(root) if isinstance(root, dict) else list(root)
    del copy[path[0]]
    return copy


def variants(text, count):
    yield from TEXTS
    for _ in range(count // 4):
        yield text[: random.randrange(len(text))]
    root = json.loads(re.sub(rb"//.*", b"", text))
    places = [path for path in paths(root) if path]
    for _ in range(count):
        path = random.choice(places)
        change = random.choice([None, *VALUES] if random.random() < 0.1 else VALUES)
        root_of = without(root, path) if random.random() < 0.2 else replaced(root, path, change)
        yield json.dumps(root_of).encode()


def check(name, *command):
    done = subprocess.run(["chansim", *command], capture_output=True, timeout=60)
    says = done.stderr.decode(errors="replace")
    if done.returncode not in (0, 1) or (done.returncode == 1 and name not in says):
        sys.exit(f"chansim {' '.join(command)}: status {done.returncode}, {says!r}")
    return done.returncode


failed = 0
for source, command in [
    (inputs / "lines.json", ["annotate", f"--source={inputs}", "bad.json"]),
    (inputs / "a.json", ["compare", "bad.json", str(inputs / "b.json")]),
    (machine, ["parameters", "--machine=bad.json"]),
]:
    for text in variants(source.read_bytes(), int(os.environ.get("COUNT", "16"))):
        pathlib.Path("bad.json").write_bytes(text)
        failed += check("bad.json", *command)
os.mkdir("folder.json")
for name in "folder.json", "none.json":
    failed += check(name, "annotate", name)
    failed += check(name, "compare", name, name)
    failed += check(name, "parameters", f"--machine={name}")
assert failed > 40, f"only {failed} files were refused"
