"""Prints a program of many functions that spawn: stacks.py COUNT. Each function has two
stacks of channels. A small watchdog must not take a scheduler that looks at many of them
for one that has stopped."""

import sys

count = int(sys.argv[1])
print("#include <cilk/cilk.h>\n#include <stdio.h>\nint zero;")
for i in range(count):
    print(f"int f{i}(int n) {{")
    print("  if (n == 0) return 1;")
    print(f"  int x = cilk_spawn f{i}(n - 1);")
    print(f"  int y = f{i}(n - 1);")
    print(f"  cilk_sync;\n  return x + y + {i} % 2;\n}}")
print("int main() {\n  int sum = 0;")
for i in range(count):
    print(f"  if (zero == 0) sum += f{i}(zero + {2 if i % 64 == 0 else 0});")
print('  printf("%d\\n", sum);\n}')
