# yields.py - Whether the report of lines has the cycles of yields.
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""yields.py TRACE LINES ANNOTATED: compares the cycles in which states were saved and
restored in the trace with those of nodes, and adds up what `chansim annotate` prints."""

import json
import re
import sys

moves = sum(
    round(event["dur"] * 1000)
    for event in json.load(open(sys.argv[1]))
    if event["ph"] == "X" and event["name"].startswith(("save ", "restore "))
)
blocks = json.load(open(sys.argv[2]))["blocks"]
nodes = [node for block in blocks for node in block["nodes"]]
yielding = sum(node.get("yielding", 0) for node in nodes)
assert moves == yielding > 0, (moves, yielding)
assert all(node["op"] == "yield" for node in nodes if "yielding" in node)

text = open(sys.argv[3]).read()
total = int(re.search(r": (\d+) cycles of tiles", text)[1])
assert total == sum(block["streaming"] for block in blocks)
# Rows of lines and of what has no line come after the table of blocks.
rows = re.findall(r"^ +(\d+) +\d+\.\d ", text.split("\n\n", 2)[2], re.M)
assert abs(sum(map(int, rows)) - total) <= len(rows), (rows, total)
