# ===- shrink_steps.py - Tests the steps of shrink.py -------------------------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Makes small programs smaller, with a search for words as the failure."""

import sys

sys.path.insert(0, sys.argv[1])
import shrink


def check(needed, text, small):
    """What is left when the needed parts must stay."""
    wrong = lambda lines: any(n not in "\n".join(lines) for n in needed)
    found = shrink.shrink(text.strip("\n").split("\n"), lambda lines: not wrong(lines))
    if found != small.strip("\n").split("\n"):
        sys.exit("found:\n" + "\n".join(found) + "\nnot:" + small)


# Blocks around it go, the loop as its first turn; the sync behind the spawn stays.
check(["x = spawn f("], """
//--- a.c
int g(void) {
  return 1;
}

void h(int n) {
  int x, y = 2;
  for (u32 ix1 = 0; ix1 < 3; ++ix1) {
    if (n) {
      x = spawn f((n + (y * 2)));
      y = 5;
      sync;
    }
  }
}
""", """
//--- a.c
void h(int n) {
      x = spawn f(1u);
      sync;
}
""")

# Two files stay two.
check(["//--- a.c\nint f", "//--- b.c\nint g"], """
//--- a.c
int f(void) {
  return mix(mix(1, 2), 3);
}
int unused;
//--- b.c
int g(void) {
  return 2;
}
""", """
//--- a.c
int f(void) {
}
//--- b.c
int g(void) {
}
""")

# What is left reads no more than it did; no index becomes another.
check(["return", "l1[", "= spawn"], """
//--- a.c
u32 f(u32 a) {
  l1[(a + 1)] = spawn s3_As[a % 2]((fuel - 1) / 2, (a * 3));
  cilk_sync;
  return mix(mix(a, l1[(a + 1)]), (a + 7));
}
""", """
//--- a.c
u32 f(u32 a) {
  l1[(a + 1)] = spawn s3_A0(0u / 2, 1u);
  cilk_sync;
  return 1u;
}
""")

# A declaration that hides another stays: without it the child would write the other.
check(["x = spawn f();", "x += 1"], """
//--- a.c
void h(u32 x) {
  x += 1;
  {
    u32 x = 1;
    x = spawn f();
    sync;
  }
}
""", """
//--- a.c
void h(u32 x) {
  x += 1;
  {
    u32 x = 1;
    x = spawn f();
    sync;
  }
}
""")

# The children of a scope are waited for without it too.
check(["x = spawn f();"], """
//--- a.c
void h(u32 n) {
  cilk_scope {
    x = spawn f();
  }
  return;
}
""", """
//--- a.c
void h(u32 n) {
    x = spawn f();
  cilk_sync;
}
""")

# So is what a deleted block waits for.
check(["x = spawn f();", "use(x)"], """
//--- a.c
void h(u32 n) {
  x = spawn f();
  if (n) {
    sync;
  }
  use(x);
}
""", """
//--- a.c
void h(u32 n) {
  x = spawn f();
  sync;
  use(x);
}
""")

# No case runs into the next.
check(["x = spawn f();", "x = spawn g();", "switch"], """
//--- a.c
void h(u32 n) {
  switch (n) {
  case 0: {
    x = spawn f();
    break;
  }
  default: {
    x = spawn g();
    break;
  }
  }
}
""", """
//--- a.c
void h(u32 n) {
  switch (n) {
  case 0: {
    x = spawn f();
    break;
  }
  default: {
    x = spawn g();
    break;
  }
  }
}
""")
