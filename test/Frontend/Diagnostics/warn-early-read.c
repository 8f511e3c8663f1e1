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
int conditions(int n) {
  int x = spawn f(n), y = spawn f(n), z = spawn f(n), v = spawn f(n);
  // CHECK: [[@LINE+1]]:7: warning: 'x' is read before the sync
  if (x < 0)
    return -1;
  y = spawn f(n);
  // CHECK: [[@LINE+1]]:10: warning: 'y' is read before the sync
  while (y)
    break;
  z = spawn f(n);
  // CHECK: [[@LINE+1]]:19: warning: 'z' is read before the sync
  for (int i = 0; z > i; i++)
    sync;
  v = spawn f(n);
  // CHECK: [[@LINE+1]]:11: warning: 'v' is read before the sync
  switch (v) {
  case 1:
    return 2;
  }
  return 0;
}
// CHECK-NOT: warning:
int loops(int n) {
  int x = spawn f(n), y = spawn f(n);
  if (n) {
    sync;
    n = x;
  }
  do {
    sync;
  } while (x);
  for (;;)
    return x + y;
}
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
