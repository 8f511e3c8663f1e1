// A spawn in a condition.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
int g(int n) {
  // CHECK: [[@LINE+3]]:7: error: 'spawn' within a condition is not allowed
  // CHECK-NEXT: if (spawn f(n))
  // CHECK: note: assign the result to a variable and use that after a sync
  if (spawn f(n))
    n = 1;
  // CHECK: [[@LINE+1]]:14: error: 'spawn' within a condition is not allowed
  while (n < spawn f(n))
    n++;
  // CHECK: [[@LINE+1]]:10: error: 'spawn' within a condition is not allowed
  for (; spawn f(n);)
    n++;
  do
    n++;
  // CHECK: [[@LINE+1]]:10: error: 'spawn' within a condition is not allowed
  while (spawn f(n));
  // CHECK: [[@LINE+1]]:11: error: 'spawn' within a condition is not allowed
  switch (spawn f(n)) {
  case 1:
    break;
  }
  // CHECK: [[@LINE+1]]:11: error: 'spawn' within a condition is not allowed
  return (spawn f(n)) ? 1 : 2;
}
