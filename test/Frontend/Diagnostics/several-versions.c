// A spawning function in several versions.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
// CHECK: [[@LINE+1]]:53: error: a function that spawns or syncs cannot have several versions
__attribute__((target_clones("avx2,default"))) void g(int n) {
  spawn f(n);
}
