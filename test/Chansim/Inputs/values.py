"""Prints aggregator counters of a file of statistics, one a line: values.py FILE NAME..."""

import json
import sys

with open(sys.argv[1]) as file:
    counters = {one["name"]: one["value"] for one in json.load(file)["statistics"]}
for name in sys.argv[2:]:
    print(name, counters["aggregator." + name])
