# report.py - Checks a page of `chansim report` against the files of `chansim run`.
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""report.py PAGE STATS TIMELINE ANNOTATED [PART...]

The page has the parts of these ids, in this order, and no others; it needs no other
file; its pictures are well-formed and no text covers another; and it has the numbers
of the three files:

  report.py fib.html stats.json timeline.json annotated.txt timeline caches lines
"""
import json
import re
import sys
import xml.etree.ElementTree as tree

page, stats, timeline, annotated = (open(name).read() for name in sys.argv[1:5])
expected = sys.argv[5:]
stats = json.loads(stats)
value = {s["name"]: s["value"] for s in stats["statistics"]}
timeline = json.loads(timeline)


def check(condition, what):
    if not condition:
        sys.exit(f"{sys.argv[1]}: {what}")


def full(number):
    return f"{number:,}"


# Parts.
found = re.findall(r'<section id="(\w+)">', page)
check(found == expected, f"has the parts {found}, not {expected}")
part = dict(
    re.findall(r'<section id="(\w+)">(.*?)</section>', page, re.DOTALL))

# By itself, in both colours.
for word in ("http:", "https:", "src=", "href=", "url(", "<link", "<script", "@import"):
    check(word not in page, f"has '{word}'")
check("prefers-color-scheme: dark" in page, "has no dark colours")

# Pictures.
pictures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
check(pictures, "has no picture")
for picture in pictures:
    root = tree.fromstring(picture)
    check(root.get("aria-label"), "has a picture without a label")
    _, _, width, height = map(float, root.get("viewBox").split())
    boxes = []
    for text in root.iter("text"):
        x, y = float(text.get("x")), float(text.get("y"))
        style = text.get("class").split()
        wide = 7 * len(text.text)
        left = x - wide if "end" in style else x - wide / 2 if "middle" in style else x
        check(-10 <= left and left + wide <= width + 10 and 0 < y <= height,
              f"'{text.text}' is not in its picture")
        for other, (a, b, c) in boxes:
            check(abs(y - c) >= 11 or left >= b or left + wide <= a,
                  f"'{text.text}' covers '{other}'")
        boxes.append((text.text, (left, left + wide, y)))

# The timeline: its samples, and what one of them says.
samples = re.findall(r"<title>cycles ([\d,]+) to ([\d,]+)\n(.*?)</title>",
                     part["timeline"], re.DOTALL)
ends = timeline["ends"]
check([end for _, end, _ in samples] == [full(end) for end in ends],
      "has other samples than the timeline")
check(32 <= len(ends) < 256, f"has {len(ends)} samples")
check(ends[-1] == value["run.cycles"], "ends too early")
for name in ("dram.reads", "core.tiles"):
    check(sum(timeline["rises"][name]) == value[name], f"has other {name}")
reads = timeline["rises"]["dram.reads"]
most = max(range(len(ends)), key=lambda i: reads[i])
begin = ends[most - 1] if most else 0
shown = re.search(r"DRAM lines in 1000 cycles, read: ([\d.]+)", samples[most][2])
rate = reads[most] * 1000 / (ends[most] - begin)
check(shown and abs(float(shown[1]) - rate) < 0.001 * rate + 0.001,
      "has other lines of DRAM")

# Utilisation, of each core.
cores = stats["parameters"]["cores"]
for core in range(cores):
    busy = value.get(f"core.{core}.busy_cycles",
                     value.get("simt.cycles", value.get("bbs.cycles")))
    share = 100 * busy / value["run.cycles"]
    check(f"core {core}, cycles with a tile: {full(busy)} cycles ({share:.1f} %)"
          in part["utilisation"], f"has not the cycles of core {core}")

# Caches: parts of a bar are all of it.
for name in ("L1", "L2"):
    accesses = value[f"{name.lower()}.accesses"]
    parts = re.findall(rf"<title>{name}, [^:]*: ([\d,]+) accesses", part["caches"])
    check(sum(int(p.replace(",", "")) for p in parts) == accesses,
          f"has {parts} of {accesses} accesses to {name}")

# Cycles: so are those.
bars = re.findall(r"<title>([\w']+)[^:]*: ([\d,]+) cycles", part["cycles"])
whole = value["run.cycles"] * cores * stats["parameters"].get("simt.schedulers", 1)
if "bbs.cycles" in value:
    whole = value["run.cycles"] * cores
ours = sum(int(n.replace(",", "")) for name, n in bars if not name.startswith("agg"))
check(ours == whole, f"has {ours} of {whole} cycles")

# The line that costs most is that of `chansim annotate`.
rows = re.findall(r'<td class="number">([\d,]+)</td><td class="number">([\d.]+) %',
                  part["lines"])
costs = [float(c) for c in re.findall(r"^ +(\d+) +[\d.]+ +\d+  .* %", annotated,
                                      re.MULTILINE)]
check(costs, "is compared with nothing")
check(int(rows[0][0].replace(",", "")) == max(costs),
      f"has {rows[0][0]} cycles of the first line, not {max(costs)}")
