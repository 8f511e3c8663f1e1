// A result is read before its sync.
//
// RUN: cilk2chan --emit=markers %s -o %t.ll 2>&1 | FileCheck %s

int f(int);
int g(int n) {
  int x = spawn f(n), y;
  // CHECK: [[@LINE+1]]:7: warning: 'x' is read before the sync that makes the result of the spawn available [-Wcilk-early-read]
  y = x + 1;
  // CHECK: [[@LINE-3]]:11: note: spawned here
  sync;
  return x + y;
}
// CHECK-NOT: warning:
int fine(int n) {
  int x = spawn f(n), y = spawn f(n), *p = &x;
  x += spawn f(n);
  y = sizeof(x);
  if (n)
    sync;
  y = x;
  x = spawn f(x);
  return x + y + *p;
}
