// A spawn whose value is used.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
int g(int n, int *a) {
  // CHECK: [[@LINE+1]]:11: error: 'spawn' is not at statement level
  n = 1 + spawn f(n);
  // CHECK: [[@LINE+1]]:7: error: 'spawn' is not at statement level
  n = spawn f(n) + 1;
  // CHECK: [[@LINE+1]]:5: error: 'spawn' is not at statement level
  a[spawn f(n)] = 1;
  // CHECK: [[@LINE+1]]:15: error: 'spawn' is not at statement level
  int m = n = spawn f(n);
  // CHECK: [[@LINE+1]]:19: error: 'spawn' is not at statement level
  m = n ? 1 : 1 + spawn f(n);
  // CHECK: [[@LINE+1]]:12: error: 'spawn' is not at statement level
  m = n && spawn f(n);
  // CHECK: [[@LINE+1]]:10: error: 'spawn' is not at statement level
  m = ({ spawn f(n); });
  // CHECK: [[@LINE+1]]:15: error: 'spawn' in an initializer list is not allowed
  int b[2] = {spawn f(n), 1};
  return m + b[0];
}
