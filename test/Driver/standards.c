// standards.c - Every C that clang knows, and the flags of distributions.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: for std in c89 c90 iso9899:199409 c99 c11 c17 c23 c2y gnu89 gnu99 gnu11 gnu17 gnu23; do cilk2chan -std=$std -Wall -Wextra -pedantic-errors -Werror -Wno-comment %s -o program && ./program || { echo $std; exit 1; }; done
// RUN: for flags in -ansi -Os -Oz -Og -O3 -march=native "-march=x86-64-v2 -mtune=native" -fno-strict-aliasing -fwrapv -ffast-math "-O2 -g3 -gdwarf-4" -fno-builtin -funsigned-char -fshort-enums -fno-omit-frame-pointer -fomit-frame-pointer -fno-plt -fcf-protection=full -fsplit-stack -finstrument-functions -fzero-call-used-regs=used -mretpoline "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection -Wformat -Werror=format-security" "-ffile-prefix-map=/=/x -g" "-fvisibility=hidden -fdata-sections" -fexceptions -fno-asynchronous-unwind-tables -fxray-instrument -fpatchable-function-entry=4,2 -fno-pic\ -no-pie -pipe; do cilk2chan $flags %s -o program && ./program || { echo "$flags"; exit 1; }; done
// RUN: not cilk2chan -std=c42 %s 2>&1 | FileCheck --check-prefix=C42 %s
// RUN: not cilk2chan -m32 -ffreestanding -fsyntax-only %s 2>&1 | FileCheck --check-prefix=M32 %s
// C42: error: invalid value 'c42' in '-std=c42'
// M32: standards.c:[[@LINE+3]]:5: error: a function cannot spawn or sync on '{{.*}}': the runtime needs 64-bit

int fib(int n);
int fib(int n) {
  int x, y;
  if (n < 2)
    return n;
  x = cilk_spawn fib(n - 1);
  y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) { return fib(15) != 610; }
