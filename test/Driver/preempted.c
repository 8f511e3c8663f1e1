// A strong function of a shared library that the program defines again: what
// the library spawns, and calls where it spawns, is the library's, whoever runs
// it. Ordinary calls are the linker's choice, as with Clang; with
// -fsemantic-interposition all are.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: cilk2chan -O0 -fPIC -shared %t/library.c -o %t/O0.so
// RUN: cilk2chan -O2 -fPIC -shared %t/library.c -o %t/O2.so
// RUN: cilk2chan -O2 -fno-chan-batch -fPIC -shared %t/library.c -o %t/clones.so
// RUN: cilk2chan -O2 -fsemantic-interposition -fPIC -shared %t/library.c -o %t/chosen.so
// RUN: cilk2chan %t/program.c %t/O0.so -o %t/O0
// RUN: cilk2chan %t/program.c %t/O2.so -o %t/O2
// RUN: cilk2chan %t/program.c %t/clones.so -o %t/clones
// RUN: cilk2chan %t/program.c %t/chosen.so -o %t/chosen
// RUN: env CHAN_WORKERS=1 %t/O0 | FileCheck %s
// RUN: env CHAN_WORKERS=1 %t/O2 | FileCheck %s
// RUN: env CHAN_WORKERS=2 CHAN_WIDTH=64 %t/O2 | FileCheck %s
// RUN: env CHAN_WORKERS=8 %t/O2 | FileCheck %s
// RUN: env CHAN_WORKERS=1 %t/clones | FileCheck %s
// RUN: env CHAN_WORKERS=8 CHAN_WIDTH=64 %t/clones | FileCheck %s
// RUN: env CHAN_WORKERS=1 %t/chosen | FileCheck --check-prefix=CHOSEN %s
// RUN: env CHAN_WORKERS=8 %t/chosen | FileCheck --check-prefix=CHOSEN %s

// CHECK: 50251 100003 100005
// CHOSEN: 55349 100003 100005

//--- library.c
#include <cilk/cilk.h>

int leaf(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn leaf(n - 1);
  int b = leaf(n - 2);
  cilk_sync;
  return a + b;
}
int tree(int n) {
  if (n == 0)
    return leaf(15) & 1023;
  int v[3];
  cilk_for (int i = 0; i < 3; i++)
    v[i] = tree(n - 1) + i;
  int a = cilk_spawn leaf(n);
  int b = leaf(n + 1);
  cilk_sync;
  return (v[0] + v[1] * 2 + v[2] * 3 + a + b) & 0xffff;
}
int plain(int n) { return leaf(n); }

//--- program.c
#include <stdio.h>

int tree(int), plain(int);
int leaf(int n) { return 100000 + n; }
int main(void) { printf("%d %d %d\n", tree(9), leaf(3), plain(5)); }
