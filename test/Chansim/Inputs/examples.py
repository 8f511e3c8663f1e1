# examples.py - Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes the blocks of code of one language in a page, one behind the other.
#
#   examples.py PAGE LANGUAGE OUTPUT

import pathlib
import re
import sys

page, language, output = sys.argv[1:]
blocks = re.findall(rf"^```{language}\n(.*?)^```$", pathlib.Path(page).read_text(), re.M | re.S)
if not blocks:
    sys.exit(f"{page} has no example in {language}")
pathlib.Path(output).write_text("".join(blocks))
