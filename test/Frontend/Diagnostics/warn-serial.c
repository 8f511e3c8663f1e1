// A function that never spawns in parallel.
//
// RUN: cilk2chan --emit=markers %s -o %t.ll 2>&1 | FileCheck %s

int f(int);
int g(int n) {
  // CHECK: [[@LINE+1]]:7: warning: no parallelism from a 'spawn' that is the only one of its function and is synced at once [-Wcilk-serial]
  n = spawn f(n);
  sync;
  return n;
}
// CHECK-NOT: warning:
void loop(int n) {
  while (n--)
    spawn f(n);
  sync;
}
int beside(int n) {
  int x = spawn f(n);
  n = f(n);
  sync;
  return x + n;
}
int main(void) {
  int x = spawn f(1);
  sync;
  return x;
}
