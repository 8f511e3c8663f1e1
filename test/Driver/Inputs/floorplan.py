# floorplan.py - Part of cilk2chan, under the Apache License v2.0 with LLVM
# Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# floorplan.py PICTURE CONFIGURATION: an SVG of floorplans is well-formed XML, and has the blocks of the
# configuration, with as many units in use, ways and replicas.

import json
import re
import sys
import xml.etree.ElementTree as ElementTree

L1_CYCLES = 35  # of the machine that ships
SVG = "{http://www.w3.org/2000/svg}"
picture = ElementTree.parse(sys.argv[1]).getroot()
with open(sys.argv[2]) as file:
    configuration = json.load(file)

blocks = [
    (kernel["name"], block) for kernel in configuration["kernels"] for block in kernel["blocks"]
]
plans = picture.findall(SVG + "svg")
assert len(plans) == len(blocks), f"{len(plans)} pictures of {len(blocks)} blocks"
top = int(plans[0].get("y"))  # below the overview
covered, bottom = set(), top
for plan, (name, block) in zip(plans, blocks):
    x, y, width, height = (int(plan.get(key)) for key in ("x", "y", "width", "height"))
    assert x % width == 0 and (y - top) % height == 0 and (x, y) not in covered, "pictures overlap"
    assert block["id"] or (x == 0 and y == bottom), "a kernel begins a row"
    assert x + width <= int(picture.get("width")), "a picture is cut off"
    covered.add((x, y))
    bottom = max(bottom, y + height)
    what = f"{name}, block {block['id']}"
    texts = [text.text for text in plan.iter(SVG + "text")]
    assert any(text.startswith(what + " of ") for text in texts), f"no title of {what}"
    labelled = [unit for unit in plan.iter(SVG + "rect") if unit.find(SVG + "title") is not None]
    assert len(labelled) == len(block["units"]), f"{what}: {len(labelled)} units"
    ways = [path for path in plan.iter(SVG + "path") if path.get("class") == "way"]
    assert len(ways) == sum(len(unit["out"]) for unit in block["units"]), f"{what}: {len(ways)} ways"
    links = sum(int(re.search(r", (\d+) link", way.find(SVG + "title").text)[1]) for way in ways)
    # A way's first link leaves a unit, each other one a switch.
    settings = sum(len(switch["map"]) for switch in block["switches"])
    assert links == len(ways) + settings, f"{what}: {links} links"
    longest = int(next(re.search(r"longest way (\d+)", text)[1] for text in texts if "longest way" in text))
    if any(unit["op"].startswith(("load", "store")) for unit in block["units"]):
        assert longest > L1_CYCLES, f"{what}: a longest way of {longest} cycles"
    replicas = sum(text.startswith("replica ") for text in texts)
    assert replicas == block["replicas"], f"{what}: {replicas} replicas"
assert int(picture.get("height")) == bottom
