// Functions that kernels could not call in C's calling convention.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

__attribute__((ms_abi)) int f(int n);
__attribute__((preserve_most)) void g(int n);
__attribute__((sysv_abi)) int ours(int n);
int (*pointer)(int) __attribute__((ms_abi));

int h(int n) {
  int a, b;
  a = spawn ours(n);
  // CHECK: [[@LINE+1]]:13: error: a function of calling convention 'ms_abi' cannot be spawned
  a = spawn f(n);
  // CHECK: [[@LINE+1]]:13: error: a function of calling convention 'ms_abi' cannot be spawned
  b = spawn pointer(n);
  // CHECK: [[@LINE+1]]:9: error: a function of calling convention 'preserve_most' cannot be spawned
  spawn g(n);
  sync;
  return a + b;
}
// CHECK: 3 errors generated
