// A target for which the runtime's layouts are wrong.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -m32 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o
// RUN: not cilk2chan -mx32 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: cilk2chan -m32 -fcilk-serialize -c %s -o %t.o
// RUN: cilk2chan -m32 -DORDINARY -c %s -o %t.o

int f(int n);
int ordinary(int n) { return f(n); }
#ifndef ORDINARY
// CHECK: [[@LINE+1]]:5: error: a function cannot spawn or sync on '{{(i386|x86_64).*}}': the runtime needs 64-bit little-endian addresses
int g(int n) {
  int a = spawn f(n);
  sync;
  return a;
}
#endif
