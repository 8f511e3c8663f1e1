# tutorial.py - Part of cilk2chan, under the Apache License v2.0 with LLVM
# Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Does what docs/AddingAPass.md tells its reader to do, in a copy of the source.
#
#   tutorial.py SOURCE BUILD SCRATCH LIT
#
# 1. Copies the source to SCRATCH and applies the page: each code block behind a line
#    "New file `PATH`:" or "`PATH`, before|after the line `LINE`:".
# 2. Generates the declarations and the reference of the passes.
# 3. Compiles what has changed by the commands of BUILD, and links cilk2chan and
#    cilk2chan-opt with the libraries of BUILD.  That takes half a minute.
# 4. Runs the page's own tests with these tools, and those that notice what a
#    reader may have forgotten.

import json
import pathlib
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

source, build, scratch = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
lit = sys.argv[4]
page = source / "docs/AddingAPass.md"

BLOCK = re.compile(
    r"^(?:New file `(?P<new>[^`]+)`"
    r"|`(?P<path>[^`]+)`, (?P<where>before|after) the line `(?P<line>[^`]+)`):\n\n"
    r"```\w*\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


def apply():
    """Applies the page to the copy, and returns the paths of changed files."""
    contents = page.read_text()
    changed = set()
    for block in BLOCK.finditer(contents):
        at = f"{page}:{contents.count(chr(10), 0, block.start()) + 1}"
        path = scratch / (block["new"] or block["path"])
        changed.add(path)
        if block["new"]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block["text"])
            continue
        if not path.exists():
            sys.exit(f"{at}: there is no {block['path']}")
        text = path.read_text()
        line = block["line"] + "\n"
        if ("\n" + text).count("\n" + line) != 1:
            sys.exit(f"{at}: {block['path']} does not have this line once: {line}")
        position = ("\n" + text).index("\n" + line)
        if block["where"] == "after":
            position += len(line)
        path.write_text(text[:position] + block["text"] + text[position:])
    if len(changed) < 10:
        sys.exit(f"{page}: the steps of the page are not recognised")
    return changed


def run(command, **options):
    result = subprocess.run(command, text=True, capture_output=True, **options)
    if result.returncode:
        sys.exit(f"{command}\n{result.stdout}{result.stderr}")
    return result.stdout


def generate(tblgen):
    definitions = scratch / "include/cilk2chan/Dialect/Cilk/Passes.td"
    includes = ["-I", scratch / "include", "-I", tblgen.parent.parent / "include"]
    declarations = scratch / "build/include/cilk2chan/Dialect/Cilk/Passes.h.inc"
    declarations.parent.mkdir(parents=True)
    (declarations.parents[1] / "VGIW").symlink_to(build / "include/cilk2chan/Dialect/VGIW")
    run([tblgen, "-gen-pass-decls", "-name", "Cilk", *includes, definitions, "-o", declarations])
    reference = run([tblgen, "-gen-pass-doc", *includes, definitions])
    reference = re.sub(r"^\[TOC\]\n.*\n", "", reference, flags=re.MULTILINE)
    (scratch / "docs/Dialects/CilkPasses.md").write_text(reference)


def compile_changed(changed):
    """Compiles the units that have a changed source, and a new source by the
    command of its neighbours.  Returns the objects."""
    commands = json.loads((build / "compile_commands.json").read_text())
    neighbours = {}
    jobs = []
    for entry in commands:
        unit = pathlib.Path(entry["file"])
        if unit.is_relative_to(source / "lib"):
            names = [str(unit.relative_to(source))]
        elif unit.is_relative_to(build / "lib") and unit.suffix == ".cpp":
            names = re.findall(r'#include "(lib/[^"]+)"', unit.read_text())
        else:
            continue
        ours = [scratch / name for name in names]
        for path in ours:
            neighbours[path.parent] = entry
        if changed & set(ours):
            jobs.append((entry, ours))
    known = {path for _, paths in jobs for path in paths}
    for path in changed - known:
        if path.suffix == ".cpp":
            jobs.append((neighbours[path.parent], [path]))

    # As cmake/Cilk2chan.cmake has it: what compiled once is not compiled again.
    launcher = ""
    if ccache := shutil.which("ccache"):
        launcher = (f"env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR={source}"
                    f" CCACHE_NOHASHDIR=1 {ccache} ")

    def compile(number, entry, paths):
        unit, result = scratch / f"build/unit{number}.cpp", scratch / f"build/unit{number}.o"
        unit.write_text("".join(f'#include "{path}"\n' for path in paths))
        command = entry["command"].split(" -o ")[0]
        first = f" -I{scratch}/include -I{scratch}/build/include -I{scratch} "
        command = launcher + command.replace(" -I", first + "-I", 1)
        run(f"{command} -w -c {unit} -o {result}", shell=True, cwd=entry["directory"])
        return str(result)

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda job: compile(job[0], *job[1]), enumerate(jobs)))


def link(objects):
    archive = scratch / "build/libtutorial.a"
    run(["ar", "rcs", archive, *objects])
    (scratch / "build/bin").mkdir()
    for tool in (build / "bin").iterdir():
        if tool.name not in ("cilk2chan", "cilk2chan-opt"):
            (scratch / "build/bin" / tool.name).symlink_to(tool)
    (scratch / "build/lib").symlink_to(build / "lib")
    for tool in ("cilk2chan", "cilk2chan-opt"):
        commands = run(["ninja", "-C", build, "-t", "commands", tool], cwd=build)
        command = commands.strip().splitlines()[-1]
        new = scratch / "build/bin" / tool
        # What was compiled here comes before what the libraries have of it.
        command = command.replace(f" -o bin/{tool} ", f" -o {new} {archive} ", 1)
        run(command, shell=True, cwd=build)


def test(filters):
    config = (build / "test/lit.site.cfg.py").read_text()
    config = config.replace(f'"{build}"', f'"{scratch}/build"')
    config = config.replace(f'"{source}"', f'"{scratch}"')
    config = config.replace(str(source / "test"), str(scratch / "test"))
    (scratch / "build/test").mkdir()
    (scratch / "build/test/lit.site.cfg.py").write_text(config)
    print(run([lit, "-v", "-j2", "--filter", filters, scratch / "build/test"]))


def main():
    if scratch.exists():
        shutil.rmtree(scratch)
    for folder in ("benchmarks", "cmake", "docs", "include", "lib", "runtime", "test", "tools"):
        shutil.copytree(source / folder, scratch / folder)
    changed = apply()
    config = (build / "test/lit.site.cfg.py").read_text()
    tools = re.search(r'llvm_tools_dir = r"([^"]+)"', config)[1]
    generate(pathlib.Path(tools) / "mlir-tblgen")
    link(compile_changed(changed))
    test("CallLastChild|Docs/(references|diagnostics|architecture)|Driver/(help|print-passes)")


main()
