// No parallelism from a spawn in a return statement.
//
// RUN: cilk2chan --emit=markers %s -o %t.ll 2>&1 | FileCheck %s

int f(int);
// CHECK: [[@LINE+1]]:23: warning: no parallelism from a 'spawn' in a return statement [-Wcilk-return]
int g(int n) { return spawn f(n); }
// CHECK-NOT: warning:
int h(int n) {
  if (n)
    return f(n);
  int m = spawn f(1);
  n += f(2);
  return n + m;
}
