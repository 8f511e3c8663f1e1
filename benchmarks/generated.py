# ===- generated.py - Parts of a page that a script makes ----------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Replaces the parts of a page that stand between two marks:

    <!-- tables: by reproduction.py -->
    ...
    <!-- end of tables -->
"""

import re

from commands import Failure

END = "<!-- end of {} -->\n"


def page_with(document, texts, script):
    """The text of the page `document`, with the parts `texts` by name, which `script` made."""
    page = document.read_text(encoding="utf-8")
    for name, text in texts.items():
        begin, end = f"<!-- {name}: by {script} -->\n", END.format(name)
        part = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
        if not part.search(page):
            raise Failure(f"{document}: has no part '{name}'")
        page = part.sub(lambda _, new=begin + text + end: new, page)
    return page


def differing(files):
    """Those of `files`, texts by path, that are not on disk as they are here."""
    return {
        path: text
        for path, text in files.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }
