"""Prints the statistics of a simulated run, `NAME VALUE` each; those of the host
with `host` before."""

import json
import sys

with open(sys.argv[1]) as file:
    report = json.load(file)
for prefix, part in ("", "statistics"), ("host ", "host"):
    for counter in report[part]:
        print(f"{prefix}{counter['name']} {counter['value']}")
