// A kernel of the runtime's calls what is spawned, by C's convention.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int __attribute__((ms_abi)) f(int);
int __attribute__((sysv_abi)) same(int);
int g(int n, int (*p)(int) __attribute__((preserve_most))) {
  // CHECK-NOT: error:
  n = spawn same(n);
  // CHECK: [[@LINE+1]]:13: error: a function of calling convention 'ms_abi' cannot be spawned
  n = spawn f(n);
  // CHECK: [[@LINE+1]]:9: error: a function of calling convention 'preserve_most' cannot be spawned
  spawn p(n);
  sync;
  // An ordinary call is the compiler's affair.
  // CHECK-NOT: error:
  return f(n);
}
