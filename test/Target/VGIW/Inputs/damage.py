"""damage.py FILE COPY OLD NEW: a copy with NEW over the first OLD, of the same size."""

import os
import sys

source, copy, old, new = sys.argv[1:]
with open(source, "rb") as file:
    data = file.read()
old, new = old.encode(), new.encode()
if old not in data:
    sys.exit(f"{source} has no {old}")
at = data.index(old)
with open(copy, "wb") as file:
    file.write(data[:at] + new + data[at + len(new) :])
os.chmod(copy, 0o755)
