"""A report like the one in the file, of 25 blocks that differ in their cycles."""

import json
import sys

with open(sys.argv[1]) as file:
    report = json.load(file)
node = {"line": "", "op": "add", "units": 1, "firings": 1, "queued": 0, "working": 1,
        "moving": 0, "refusals": {}}  # fmt: skip
block = report["blocks"][0] | {"kernel": "b", "nodes": [node]}
report["blocks"] = [block | {"block": i, "streaming": 1000 + i} for i in range(25)]
json.dump(report, sys.stdout)
