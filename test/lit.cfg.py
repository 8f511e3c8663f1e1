# test/lit.cfg.py - Part of cilk2chan, under the Apache License v2.0 with LLVM
# Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Configures lit for the compiler's tests.  Run it on a build tree:
#
#   lit -v build/test                        the whole suite
#   lit -v build/test --filter Driver        what matches a pattern
#   lit -v build/test --filter base-case-hoisting.c --param without=-fno-chan-hoist
#                                            whether a test notices that
#                                            something is left out: it must fail
#
# Substitutions: cilk2chan, cilk2chan-opt, cilk2chan-lsp-server, chansim, FileCheck, not,
# count, split-file and mlir-tblgen stand for their full paths, %clang and
# %clangxx for the Clang that the build uses, %python for Python, %source and
# %build for the two roots, %include for what `#include <cilk/cilk.h>` and
# `<chan/graph.h>` need.

import os
import re
import shutil
import sys

import lit.formats
import lit.util

config.name = "cilk2chan"
config.suffixes = [".c", ".mlir", ".test", ".cilk", ".ll"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.cilk2chan_build_root, "test")

# bash, for here-documents, loops and VAR=value prefixes.
config.test_format = lit.formats.ShTest(execute_external=True)

# Run by runners of their own, or input of other tests.
config.excludes = ["Workloads", "Language", "Matrix", "Unit", "Support", "Inputs"]

tools = os.path.join(config.cilk2chan_build_root, "bin")


def substitute_tool(name, directory):
    """Makes `name`, as a word of its own, stand for the file in `directory`.

    It is left alone inside paths, options and longer names: `/src/cilk2chan/x`,
    `--cilk2chan`, `cilk2chan-opt`, `cilk2chan.h`."""
    pattern = r"(?<![\w./=-])%s(?![\w/=-]|\.\w|:)" % re.escape(name)
    path = os.path.join(directory, name)
    if name == "cilk2chan" and "without" in lit_config.params:
        path = "%s '%s' %s" % (
            os.path.join(config.test_source_root, "Support/without.sh"),
            lit_config.params["without"],
            path,
        )
    config.substitutions.append((pattern, path))


for name in ["cilk2chan", "cilk2chan-opt", "cilk2chan-translate", "cilk2chan-lsp-server", "chansim"]:
    substitute_tool(name, tools)
for name in ["FileCheck", "not", "count", "split-file", "mlir-tblgen"]:
    substitute_tool(name, config.llvm_tools_dir)
clang = shutil.which(config.clang) or config.clang
config.substitutions += [
    (r"%machine\b", os.path.join(config.cilk2chan_source_root, "runtime/sim/machines/micro15-vgiw.json")),
    (r"%clangxx\b", os.path.join(config.llvm_tools_dir, "clang++")),
    (r"%clang\b", clang),
    (r"%python\b", config.python),
    (r"%source\b", config.cilk2chan_source_root),
    (r"%build\b", config.cilk2chan_build_root),
    (r"%llvm_include\b", os.path.join(os.path.dirname(config.llvm_tools_dir), "include")),
    (r"%lit\b", os.path.abspath(sys.argv[0])),
    (
        r"%include\b",
        "-I" + os.path.join(config.cilk2chan_source_root, "runtime/chan/include"),
    ),
]

# Tools are found by name too where no substitution reaches: in scripts, and
# behind `env` or `not`.
config.environment["PATH"] = os.pathsep.join(
    [tools, config.llvm_tools_dir, config.environment["PATH"]]
)
for variable, value in os.environ.items():
    if variable.startswith("CHAN_") or variable.endswith("SAN_OPTIONS"):
        config.environment[variable] = value

for tool in ["gdb", "mkdocs", "qemu-x86_64", "valgrind"]:
    if shutil.which(tool):
        config.available_features.add(tool)

# A program that deadlocks fails its test instead of holding up the suite.
if lit.util.killProcessAndChildrenIsSupported()[0]:
    lit_config.maxIndividualTestTime = lit_config.maxIndividualTestTime or 120
