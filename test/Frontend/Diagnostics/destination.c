// Results with nowhere to go.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

typedef float vector __attribute__((vector_size(16)));
int f(int);
void g(int n) {
  vector v;
  // CHECK: [[@LINE+1]]:3: error: the result of 'spawn' cannot be stored in an element of a vector
  v[1] = spawn f(n);
  register long pinned __asm__("rbx");
  // CHECK: [[@LINE+1]]:3: error: the result of 'spawn' cannot be stored in a variable in a named register
  pinned = spawn f(n);
  int __attribute__((address_space(1))) *far = 0;
  // CHECK: [[@LINE+1]]:3: error: the result of 'spawn' cannot be stored in another address space
  far[1] = spawn f(n);
  // CHECK: [[@LINE+1]]:3: error: the result of 'spawn' cannot be stored in an expression that spawns
  *({ spawn f(n); &n; }) = spawn f(n);
  // CHECK: [[@LINE+1]]:3: error: a statement expression cannot say where the result of a conditional spawn goes
  *({ f(n); &n; }) = n ? spawn f(n) : 0;
}
