# bounds.py - Part of cilk2chan, under the Apache License v2.0 with LLVM
# Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# bounds.py TABLE CONFIGURATION: the table has the blocks of the configuration, with their replicas and
# the units of each, and its rates are their products.
import json
import sys

table, configuration = sys.argv[1:]
with open(configuration) as file:
    blocks = [b for kernel in json.load(file)["kernels"] for b in kernel["blocks"]]
with open(table) as file:
    lines = [line.split() for line in file if line.strip()[:1].isdigit()]
assert len(lines) == len(blocks)
for line, block in zip(lines, blocks):
    number, replicas, instructions, rate = map(int, line[:4])
    units = sum(map(int, line[5:11]))
    assert number == block["id"] and replicas == block["replicas"], line
    assert units * replicas == len(block["units"]), line
    assert rate == replicas * instructions and line[4] == f"{rate / 32:.2f}", line
