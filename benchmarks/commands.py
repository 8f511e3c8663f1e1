# ===- commands.py - Commands that must succeed -------------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Runs commands for all scripts of this folder and below."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "test" / "Workloads"))

import harness  # noqa: E402


class Failure(Exception):
    """A command that did not do what it should."""


def checked(command, timeout=600, env=None):
    result = harness.run(command, env, timeout)
    if result.status != 0:
        line = harness.command_line(command, env)
        what = harness.describe(result.status)
        raise Failure(f"{what}: {line}\n{harness.shorten(result.stderr)}")
    return result
