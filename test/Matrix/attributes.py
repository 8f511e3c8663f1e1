# ===- attributes.py - Every attribute where it may stand, for matrix.py ------===#
#
# Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Small functions that spawn, with an attribute at one of PLACES.

Clang's own header has the list of attributes, so that a new one is tried without being
named here. A *use* is an attribute at a place:

  place     use of aligned(64)
  spawning  __attribute__((aligned(64))) int spawning7(int n) { ... cilk_spawn ... }
  local     int use8(void) { __attribute__((aligned(64))) int a = ...; cilk_spawn ... }

Clang says which uses are C (`valid_uses`). One file has many of them, and main calls
`useN` of each, which returns whether what was computed is right.
"""

import re
from typing import NamedTuple

# {A} is the attribute, {N} the number of the use. Each defines `int useN(void)`.
PLACES = {
    "spawning function": """
{A} int f{N}(int n) {{
  if (n < 2)
    return n;
  int a = cilk_spawn f{N}(n - 1);
  int b = f{N}(n - 2);
  cilk_sync;
  return a + b;
}}
int use{N}(void) {{
  int a = cilk_spawn f{N}(8), b = f{N}(9);
  __typeof__(f{N}) *p = f{N};
  int c = cilk_spawn p(7);
  cilk_sync;
  return a == 21 && b == 34 && c == 13;
}}""",
    "static spawning function": """
{A} static void f{N}(int *out, int n) {{
  if (n == 0)
    return;
  cilk_spawn f{N}(out, n - 1);
  out[n] = n * n;
  cilk_sync;
  out[0] += out[n];
}}
int use{N}(void) {{
  int out[6] = {{0}};
  cilk_spawn f{N}(out, 5);
  cilk_sync;
  return out[0] == 55;
}}""",
    "spawning function of pointers": """
{A} int *f{N}(int *p, int n) {{
  int *made = malloc(16 * sizeof *made), a, b;
  a = cilk_spawn plus(*p, n);
  b = plus(n, 1);
  cilk_sync;
  made[0] = a + b;
  return made;
}}
int use{N}(void) {{
  int x = 5;
  int *p = cilk_spawn f{N}(&x, 1);
  int *q = f{N}(&x, 2);
  cilk_sync;
  int right = *p == 8 && *q == 10;
  free(p);
  free(q);
  return right;
}}""",
    "callee": """
{A} int f{N}(int n) {{ return n * 3; }}
int use{N}(void) {{
  __typeof__(f{N}) *p = f{N};
  int a = cilk_spawn f{N}(4), b = cilk_spawn p(5), c = f{N}(6);
  cilk_sync;
  return a == 12 && b == 15 && c == 18;
}}""",
    "static callee": """
{A} static void f{N}(int *out, int n) {{ *out = n * 3; }}
int use{N}(void) {{
  int out[5];
  cilk_spawn f{N}(out, 4);
  cilk_for (int i = 1; i < 5; i++)
    f{N}(out + i, i);
  cilk_sync;
  return out[0] == 12 && out[1] == 3 && out[4] == 12;
}}""",
    "function with a loop": """
{A} int f{N}(int n) {{
  int part[20], sum = 0;
  cilk_for (int i = 0; i < n; i++)
    cilk_for (int j = 0; j < 2; j++)
      part[2 * i + j] = plus(i, j);
  for (int i = 0; i < 2 * n; i++)
    sum += part[i];
  return sum;
}}
int use{N}(void) {{ return f{N}(10) == 100; }}""",
    "inline function": """
{A} static inline int f{N}(int n) {{ return n + 1; }}
int use{N}(void) {{
  int a[3];
  a[0] = cilk_spawn f{N}(1);
  cilk_spawn {{ a[1] = f{N}(2); }}
  cilk_for (int i = 2; i < 3; i++)
    a[i] = f{N}(i);
  cilk_sync;
  return a[0] == 2 && a[1] == 3 && a[2] == 3;
}}""",
    "local": """
int use{N}(void) {{
  {A} int kept = seven, told = 1;
  {A} int result;
  result = cilk_spawn plus(kept, 1);
  cilk_spawn add(&told, 2);
  cilk_sync;
  cilk_spawn add(&told, kept);
  kept++;
  cilk_sync;
  return kept == 8 && told == 10 && result == 8;
}}""",
    "scalar": """
int use{N}(void) {{
  {A} int kept = seven, sum = 1, result;
  int copies[3];
  result = cilk_spawn plus(kept, 1);
  for (int i = 0; i < 3; i++)
    sum += cilk_spawn plus(i, kept);
  kept++;
  cilk_sync;
  cilk_for (int i = 0; i < 3; i++)
    copies[i] = kept + i;
  return kept == 8 && sum == 25 && result == 8 && copies[2] == 10;
}}""",
    "captured": """
int use{N}(void) {{
  {A} int k = seven;
  {A} int of_block = 0;
  int got[4];
  cilk_spawn {{ of_block = plus(k, 1); }}
  cilk_for (int i = 0; i < 4; i++)
    got[i] = plus(k, i);
  cilk_sync;
  return of_block == 8 && got[3] == 10 && k == 7;
}}""",
    "array": """
int use{N}(void) {{
  {A} int cells[4] = {{1, 2, 3, 4}};
  {A} double more[3] = {{1, 2, 3}};
  cells[0] = cilk_spawn plus(cells[1], 1);
  cilk_spawn add(&cells[2], seven);
  cilk_sync;
  cilk_for (int i = 0; i < 3; i++)
    more[i] += cells[i];
  return cells[0] == 3 && more[2] == 13 && more[0] == 4;
}}""",
    "pointer": """
int use{N}(void) {{
  int cells[3] = {{1, 2, 3}};
  {A} int *p = cells + 1;
  p[1] = cilk_spawn plus(*p, 1);
  cilk_spawn add(p, seven);
  cilk_sync;
  cilk_for (int i = -1; i < 1; i++)
    p[i]++;
  return cells[0] == 2 && cells[1] == 10 && cells[2] == 3;
}}""",
    "parameter": """
int f{N}({A} int n, {A} int m) {{
  if (n == 0)
    return m;
  int a = cilk_spawn f{N}(n - 1, m);
  cilk_sync;
  return a + n;
}}
int use{N}(void) {{ return f{N}(4, seven) == 17; }}""",
    "pointer parameter": """
void f{N}({A} int *p, int n) {{
  if (n == 0)
    return;
  cilk_spawn f{N}(p + 1, n - 1);
  add(p, n);
  cilk_sync;
  cilk_for (int i = 0; i < n; i++)
    p[i] += n;
}}
int use{N}(void) {{
  int cells[4] = {{0}};
  cilk_spawn f{N}(cells, 3);
  cilk_sync;
  return cells[0] == 6 && cells[1] == 7 && cells[2] == 7;
}}""",
    "global": """
{A} int global{N};
{A} int more{N}[3];
int use{N}(void) {{
  global{N} = cilk_spawn plus(seven, 1);
  cilk_for (int i = 0; i < 3; i++)
    more{N}[i] = i;
  cilk_sync;
  cilk_spawn add(&more{N}[1], global{N});
  cilk_sync;
  return global{N} == 8 && more{N}[1] == 9;
}}""",
    "static": """
{A} static const int table{N}[3] = {{1, 2, 3}};
int use{N}(void) {{
  {A} static int kept = 2;
  int a = cilk_spawn plus(table{N}[seven - 5], 1);
  cilk_spawn add(&kept, table{N}[1]);
  cilk_sync;
  return a == 4 && kept == 4;
}}""",
    "thread-local": """
{A} __thread int mine{N} = 4;
static int f{N}(void) {{ return mine{N}; }}
int use{N}(void) {{
  int a = cilk_spawn f{N}();
  cilk_sync;
  return a == 4 && mine{N} == 4;
}}""",
    "member": """
struct s{N} {{
  char tag;
  {A} int m;
  double wide;
  {A} short n[3];
}};
static struct s{N} f{N}(struct s{N} by, int n) {{
  by.m += n;
  by.n[2]++;
  return by;
}}
int use{N}(void) {{
  struct s{N} s = {{'x', 1, 2.5, {{3, 4, 5}}}}, t;
  t = cilk_spawn f{N}(s, seven);
  s.m = cilk_spawn plus(seven, seven);
  cilk_sync;
  return t.m == 8 && t.n[2] == 6 && t.n[0] == 3 && t.tag == 'x' && t.wide == 2.5 && s.m == 14;
}}""",
    "bit-field": """
struct s{N} {{
  unsigned a : 3;
  {A} unsigned b : 7;
  {A} unsigned c : 20;
}};
int use{N}(void) {{
  struct s{N} s = {{1, 2, 3}};
  s.b = cilk_spawn plus(seven, 50);
  s.c += cilk_spawn plus(seven, 500);
  cilk_sync;
  return s.a == 1 && s.b == 57 && s.c == 510;
}}""",
    "flexible member": """
struct s{N} {{
  int count;
  int items[] {A};
}};
int use{N}(void) {{
  struct s{N} *s = malloc(sizeof *s + 4 * sizeof(int));
  s->count = 4;
  cilk_for (int i = 0; i < s->count; i++)
    s->items[i] = i;
  s->items[1] = cilk_spawn plus(seven, 1);
  cilk_spawn add(&s->items[2], 5);
  cilk_sync;
  int right = s->items[1] == 8 && s->items[2] == 7 && s->items[3] == 3;
  free(s);
  return right;
}}""",
    "struct": """
struct {A} s{N} {{
  char tag;
  int m;
  double d;
}};
static struct s{N} f{N}(struct s{N} by, int n) {{
  struct s{N} mine = by;
  mine.m = cilk_spawn plus(by.m, n);
  mine.d += 1;
  cilk_sync;
  return mine;
}}
int use{N}(void) {{
  struct s{N} s = {{'x', 1, 2}}, t, u[2];
  t = cilk_spawn f{N}(s, seven);
  u[1] = cilk_spawn f{N}(s, 1);
  cilk_sync;
  return t.m == 8 && t.d == 3 && t.tag == 'x' && u[1].m == 2;
}}""",
    "union": """
typedef union {A} {{
  int *i;
  float *f;
}} u{N};
static int f{N}(u{N} by) {{ return *by.i + 1; }}
int use{N}(void) {{
  u{N} u = {{&seven}}, v;
  v = u;
  int a = cilk_spawn f{N}(u);
  int b = cilk_spawn f{N}(v);
  cilk_sync;
  return a == 8 && b == 8;
}}""",
    "enum": """
enum {A} e{N} {{ none{N}, one{N}, four{N} = 4 }};
static enum e{N} f{N}(enum e{N} e) {{ return e == one{N} ? four{N} : none{N}; }}
int use{N}(void) {{
  enum e{N} a = cilk_spawn f{N}(one{N}), b = cilk_spawn f{N}(four{N});
  cilk_sync;
  return a == four{N} && b == none{N};
}}""",
    "typedef": """
typedef int t{N} {A};
static t{N} f{N}(t{N} n) {{ return n + 1; }}
int use{N}(void) {{
  t{N} a, b = seven;
  t{N} c[2] = {{0, 0}};
  a = cilk_spawn f{N}(b);
  c[1] = cilk_spawn f{N}(1);
  cilk_sync;
  cilk_for (t{N} i = 0; i < 2; i++)
    c[i] += (int)b;
  return (int)a == 8 && (int)c[1] == 9;
}}""",
    "pointed-to": """
static void f{N}(int {A} *p, int n) {{ *p += n; }}
int use{N}(void) {{
  int cells[2] = {{1, 2}};
  int {A} *p = (int {A} *)cells;
  cilk_spawn f{N}(p, seven);
  p[1] = cilk_spawn plus(seven, 1);
  cilk_sync;
  cilk_for (int i = 0; i < 2; i++)
    p[i]++;
  return cells[0] == 9 && cells[1] == 9;
}}""",
    "function type": """
typedef int t{N}(int) {A};
static int f{N}(int n) {{ return n + 2; }}
int use{N}(void) {{
  t{N} *p = (t{N} *)f{N};
  int a = cilk_spawn p(seven);
  int b = p(1);
  cilk_sync;
  return a == 9 && b == 3;
}}""",
    "spawn": """
int use{N}(void) {{
  int a, b = 0;
  {A} a = cilk_spawn plus(seven, 1);
  {A} cilk_spawn add(&b, 2);
  {A} cilk_sync;
  {A} return a == 8 && b == 2;
}}""",
    "loop": """
int use{N}(void) {{
  int a[9];
  {A} cilk_for (int i = 0; i < 9; i++)
    a[i] = i;
  {A} for (int i = 0; i < 9; i++)
    a[i] = cilk_spawn plus(a[i], 1);
  cilk_sync;
  return a[8] == 9;
}}""",
    "block": """
int use{N}(void) {{
  int a = 0;
  {A} {{
    a = cilk_spawn plus(seven, 1);
    cilk_sync;
  }}
  if (a == 8) {A} {{
    a = cilk_spawn plus(seven, 2);
  }}
  cilk_sync;
  return a == 9;
}}""",
}

PRELUDE = """
#include <stdlib.h>
#include <stdio.h>
int seven = 7;
int zero;
static int plus(int a, int b) { return a + b; }
static void add(int *p, int n) { *p += n; }
static void cleaned(void *p) { (void)p; }
int target_of_alias(int n) { return n * 3; }
struct __attribute__((capability("mutex"))) mutex { int m; };
struct mutex a_mutex;
"""

# Arguments for attributes that need some, or have several kinds; {N} is a use's number.
ARGUMENTS = {
    "acquire_capability": ["(a_mutex)"],
    "acquired_after": ["(a_mutex)"],
    "acquired_before": ["(a_mutex)"],
    "address_space": ["(0)", "(1)", "(3)"],
    "align_value": ["(4)"],
    "aligned": ["", "(1)", "(2)", "(16)", "(64)", "(4096)"],
    "alloc_align": ["(1)", "(2)"],
    "alloc_size": ["(2)"],
    "annotate": ['("note")', '("note", 1, "two")'],
    "annotate_type": ['("note")'],
    "assume_aligned": ["(16)"],
    "assume": ["(seven == 7)"],
    "availability": ["(macos, introduced=10.4)"],
    "btf_decl_tag": ['("tag")'],
    "btf_type_tag": ['("tag")'],
    "blocks": ["(byref)"],
    "callback": ["(1)"],
    "capability": ['("mutex")'],
    "cfi_salt": ['("salt")'],
    "cleanup": ["(cleaned)"],
    "code_align": ["(32)"],
    "counted_by": ["(count)"],
    "counted_by_or_null": ["(count)"],
    "deprecated": ['("old")'],
    "diagnose_if": ['(0, "never", "warning")'],
    "enable_if": ['(1, "always")'],
    "enforce_tcb": ['("base")'],
    "enum_extensibility": ["(open)", "(closed)"],
    "error": ['("called")'],
    "ext_vector_type": ["(4)"],
    "external_source_symbol": ['(language="C")'],
    "format": ["(printf, 1, 2)"],
    "format_arg": ["(1)"],
    "function_return": ['("keep")'],
    "guarded_by": ["(a_mutex)"],
    "lock_returned": ["(a_mutex)"],
    "locks_excluded": ["(a_mutex)"],
    "malloc": [""],
    "matrix_type": ["(2, 2)"],
    "min_vector_width": ["(256)"],
    "mode": ["(SI)", "(DI)", "(TI)", "(QI)", "(word)", "(pointer)"],
    "model": ['("large")', '("small")'],
    "no_builtin": ["", '("memcpy")'],
    "no_sanitize": ['("address")', '("all")', '("undefined", "thread")'],
    "nonnull": ["", "(1)"],
    "ownership_holds": ["(malloc, 1)"],
    "ownership_returns": ["(malloc)"],
    "ownership_takes": ["(malloc, 1)"],
    "pass_dynamic_object_size": ["(0)"],
    "pass_object_size": ["(0)", "(3)"],
    "patchable_function_entry": ["(4)", "(6, 2)"],
    "preferred_type": ["(int)"],
    "release_capability": ["(a_mutex)"],
    "requires_capability": ["(a_mutex)"],
    "section": ['(".named{N}")'],
    "sentinel": ["", "(1)"],
    "sized_by": ["(count)"],
    "swift_name": ['("name")'],
    "swift_attr": ['("name")'],
    "target": ['("avx2")', '("avx")', '("sse4.2,popcnt")', '("arch=haswell")', '("tune=skylake")', '("no-avx")',
               '("branch-protection=none")'],
    "target_clones": ['("avx2", "default")'],
    "tls_model": ['("global-dynamic")', '("local-dynamic")', '("initial-exec")', '("local-exec")'],
    "unavailable": ['("gone")'],
    "vector_size": ["(4)", "(16)", "(32)"],
    "visibility": ['("hidden")', '("protected")', '("internal")', '("default")'],
    "warning": ['("called")'],
    "xray_log_args": ["(1)"],
    "zero_call_used_regs": ['("used")', '("all")', '("skip")'],
}

# Those that make the programs of PLACES wrong: they do not do what these promise.
PROMISES = {
    "noreturn": "the functions return",
    "interrupt": "only for what an interrupt calls",
    "constructor": "it is called without arguments (test/Language/attributes.c)",
    "destructor": "the same",
}

# What is not spelled __attribute__, with the places that Clang would not think of.
KEYWORDS = [
    "_Alignas(16)", "_Alignas(64)", "_Alignas(4096)", "_Atomic", "volatile", "const", "register", "extern",
    "__forceinline", "_Nonnull", "_Nullable", "restrict", "__unaligned", "__ptr32",
    "[[nodiscard]]", "[[maybe_unused]]", "[[deprecated]]", "[[fallthrough]]", "[[unsequenced]]",
    "[[reproducible]]", "[[clang::likely]]", "[[clang::unlikely]]", "[[clang::always_inline]]",
    "[[clang::noinline]]", "[[clang::nomerge]]", "[[clang::musttail]]", "[[clang::code_align(32)]]",
    "[[gnu::cold]]", "[[gnu::hot]]", "[[gnu::unused]]", "[[clang::opencl_unroll_hint(4)]]",
    '[[clang::annotate("note", 1)]]', '[[clang::annotate_type("note")]]', "[[clang::noconvergent]]",
    "[[clang::convergent]]", "[[clang::no_sanitize_address]]", '[[clang::suppress("reason")]]',
    "[[clang::loader_uninitialized]]", "[[clang::require_constant_initialization]]",
]  # fmt: skip


# How Clang is asked which uses are C and mean something.
CHECK = [
    "-std=gnu23", "-fsyntax-only", "-ferror-limit=0", "-fno-caret-diagnostics", "-Wno-everything",
    "-Wattributes", "-Wignored-attributes", "-Wunknown-attributes", "-Wnullability-declspec",
    "-Winvalid-noreturn", "-Wincompatible-pointer-types",
]  # fmt: skip


class Use(NamedTuple):
    number: int
    attribute: str
    place: str

    def __str__(self):
        return f"{self.attribute} on a {self.place}"

    def text(self):
        attribute = self.attribute.replace("{N}", str(self.number))
        return PLACES[self.place].format(A=attribute, N=self.number).strip() + "\n"


def spellings(header):
    """The attributes that Clang has for x86-64, from its header of __has_attribute."""
    text = header.read_text().split("AS_GNU:")[1].split("case AttributeCommonInfo")[0]
    for name, condition in re.findall(r'\.Case\("(\w+)", \((.*)\)\)', text):
        if "getArch" not in condition or "x86_64" in condition:
            yield name


def all_uses(header):
    written = [
        f"__attribute__(({name}{arguments}))"
        for name in sorted(set(spellings(header)) - set(PROMISES))
        for arguments in ARGUMENTS.get(name, [""])
    ]
    pairs = [(a, place) for a in written + KEYWORDS for place in PLACES]
    return [Use(number, *pair) for number, pair in enumerate(pairs)]


def source_of(uses):
    """A file of some uses. Each is a file by itself, useN, to the diagnostics."""
    parts = [PRELUDE]
    for use in uses:
        parts.append(f'#line 1 "use{use.number}"\n' + use.text())
    parts.append('#line 1 "main"\nint main(void) {\n  int wrong = 0;\n')
    for use in uses:
        n = use.number
        parts.append(f'  if (!use{n}())\n    wrong = printf("use{n} is wrong\\n");\n')
    parts.append('  if (!wrong)\n    printf("ok\\n");\n  return wrong != 0;\n}\n')
    return "".join(parts)


def valid_uses(uses, compile):
    """Those that Clang takes and does not ignore; `compile` gives what it says of a
    file's text."""
    said = compile(source_of(uses))
    wrong = set(re.findall(r"^use(\d+):.*(?:error|warning): ", said, re.MULTILINE))
    return [use for use in uses if str(use.number) not in wrong]
