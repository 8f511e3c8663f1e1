# switches.py - Part of cilk2chan, under the Apache License v2.0 with LLVM
# Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Says which options of the compiler the manual page does not have, and which
# `-fno-chan-NAME` no row of `switched-off.test` has.
#
#   switches.py SOURCE

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])


def options():
    """What lib/Driver/Options.cpp recognises, without values."""
    text = (source / "lib/Driver/Options.cpp").read_text()
    found = set(re.findall(r'argument == "(-[^"]+)"', text))
    found |= set(re.findall(r'consume_front\("(-[^"]+=)"\)', text))
    names = re.findall(r'^ *\{"([a-z-]+)", &CompileOptions::', text, re.MULTILINE)
    return found, names


def main():
    found, names = options()
    if len(found) < 15 or len(names) < 10:
        sys.exit("cannot read the options of lib/Driver/Options.cpp")
    page = (source / "docs/cilk2chan.1").read_text()
    page = re.sub(r"\\f.", "", page.replace("\\-", "-"))
    rows = (source / "test/Dev/switched-off.test").read_text()
    # These are the opposites of options that are documented.
    known = {"-help", "-fno-cilk-serialize", "-fcilk-keywords", "-static-libchan"}
    wrong = 0
    for option in sorted(found - known):
        if option.rstrip("=") not in page:
            print(f"docs/cilk2chan.1 does not have {option}")
            wrong += 1
    for name in names:
        if f"chan-{name}" not in page:
            print(f"docs/cilk2chan.1 does not have -fno-chan-{name}")
            wrong += 1
        if f"chan-{name} " not in rows:
            print(f"test/Dev/switched-off.test has no row for {name}")
            wrong += 1
    sys.exit(wrong != 0)


main()
