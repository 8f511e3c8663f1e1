// Calls through pointers that -fsanitize=cfi-icall checks.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -flto -fvisibility=hidden -fsanitize=cfi -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o
// RUN: cilk2chan -flto -fvisibility=hidden -fsanitize=cfi -fno-sanitize=cfi-icall -c %s -o %t.o
// RUN: cilk2chan -fsanitize=kcfi -c %s -o %t.o
//
// A callee that is named needs no check.
// RUN: cilk2chan -DNO_POINTERS -flto -fvisibility=hidden -fsanitize=cfi -c %s -o %t.o

int ordinary(int (*f)(int)) { return f(1); }

long direct(int n) {
  if (n < 2)
    return n;
  long x = spawn direct(n - 1), y[1];
  *y = spawn direct(n - 2);
  sync;
  return x + *y;
}

__attribute__((no_sanitize("cfi-icall"))) int exempt(int (*f)(int), int n) {
  int a = spawn f(n), b = f(n);
  sync;
  return a + b;
}

#ifndef NO_POINTERS
int g(int (*f)(int), int n) {
  int a, b;
  // CHECK: [[@LINE+2]]:13: error: a function that spawns or syncs cannot call or spawn through a pointer that '-fsanitize=cfi-icall' checks
  // CHECK: note: use '-fsanitize=kcfi', or give the function the attribute 'no_sanitize("cfi-icall")'
  a = spawn f(n);
  // CHECK: [[@LINE+1]]:7: error: a function that spawns or syncs cannot call or spawn through a pointer that '-fsanitize=cfi-icall' checks
  b = f(n);
  a += spawn ordinary(f);
  sync;
  return a + b;
}
#endif
// CHECK: 2 errors generated
