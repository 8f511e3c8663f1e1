"""Checks that at least 95 % of a program's accesses to L1 hit, or wait for a line
that is on its way:

    python3 ranges.c.py STATISTICS.json
"""

import json
import sys

with open(sys.argv[1]) as file:
    values = {one["name"]: one["value"] for one in json.load(file)["statistics"]}
near = values["l1.hits"] + values["l1.merged"]
share = near / values["l1.accesses"]
print(f"{share:.3f} of the accesses hit or wait for a line on its way")
sys.exit(share < 0.95)
