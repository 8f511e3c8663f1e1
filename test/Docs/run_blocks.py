#!/usr/bin/env python3
# test/Docs/run_blocks.py - Part of cilk2chan, under the Apache License v2.0 with
# LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does what a document tells its reader to do, and compares what it promises.

usage: run_blocks.py DOCUMENT.md DIRECTORY

Fenced blocks of the document count when a comment stands on the line before:

  <!-- file: NAME -->  the block is written to DIRECTORY/NAME
  <!-- run -->         bash runs the block in DIRECTORY; a command that fails
                       fails the test
  <!-- prints -->      the last block that ran printed exactly this

Exit status 1, with the line of the document, at the first difference."""

import pathlib
import re
import subprocess
import sys

MARKED_BLOCK = re.compile(
    r"^<!-- (file: (?P<name>\S+)|run|prints) -->\n```\w*\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


def run(text, directory):
    """Returns exit status and standard output of the commands in `text`.  An
    error in a line that begins with `!` would not stop bash: such a line is
    made a condition."""
    script = re.sub(r"^! (.*)$", r"if \1; then exit 1; fi", text, flags=re.MULTILINE)
    result = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=directory,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    return result.returncode, result.stdout


def main(document, directory):
    document, directory = pathlib.Path(document), pathlib.Path(directory)
    contents = document.read_text()
    blocks_run = 0
    printed = None

    def fail(block, message):
        line = contents.count("\n", 0, block.start("text")) + 1
        sys.exit(f"{document}:{line}: error: {message}")

    for block in MARKED_BLOCK.finditer(contents):
        text = block["text"]
        if block["name"]:
            (directory / block["name"]).write_text(text)
        elif block[1] == "run":
            status, printed = run(text, directory)
            if status != 0:
                fail(block, f"exit status {status}; printed:\n{printed}")
            blocks_run += 1
        elif printed != text:
            fail(block, f"the commands before printed this instead:\n{printed}")

    if blocks_run != len(re.findall(r"^<!-- run -->$", contents, re.MULTILINE)):
        sys.exit(f"{document}: error: a marked block is not a fenced one")
    if blocks_run == 0:
        sys.exit(f"{document}: error: nothing to run")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
