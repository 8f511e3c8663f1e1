# ===- simulated.py - Runs on a simulated machine -----------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Commands that must succeed, and what the simulator counted, for rodinia/run.py and
isca14.py."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "test" / "Workloads"))

import harness  # noqa: E402


class Failure(Exception):
    """A command that did not do what it should."""


def checked(command, timeout, env=None):
    result = harness.run(command, env, timeout)
    if result.status != 0:
        line = harness.command_line(command, env)
        what = harness.describe(result.status)
        raise Failure(f"{what}: {line}\n{harness.shorten(result.stderr)}")
    return result


def counters(path, names):
    """The values of the counters `names`, or nothing if the target does not write them."""
    if not path.exists():
        return []
    values = {s["name"]: s["value"] for s in json.loads(path.read_text())["statistics"]}
    absent = set(names) - set(values)
    if absent:
        raise Failure(f"{path}: no counter {', '.join(sorted(absent))}")
    return [values[name] for name in names]
