// A Cilk lock that is held where other tasks may run is refused.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not cilk2chan -fcilk-serialize -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

#include <cilk-lib.cilkh>

int f(int);
Cilk_lockvar a, b;

void spawns(int n) {
  Cilk_lock(a);
  // CHECK: [[@LINE+1]]:3: error: 'spawn' while a Cilk lock is held
  spawn f(n);
  // CHECK: [[@LINE-3]]:3: note: taken here; call Cilk_unlock first
  Cilk_unlock(a);
  sync;
}

void loops(int n) {
  Cilk_lock(a);
  // CHECK: [[@LINE+1]]:3: error: 'cilk_for' while a Cilk lock is held
  cilk_for (int i = 0; i < n; i++)
    f(i);
  Cilk_unlock(a);
  cilk_for (int i = 0; i < n; i++) {
    Cilk_lock(a);
    f(i);
    Cilk_unlock(a);
  }
  Cilk_lock(a);
  Cilk_unlock(a);
}

int syncs(int n) {
  int x = cilk_spawn f(n);
  Cilk_lock(a);
  Cilk_lock(b);
  Cilk_unlock(b);
  // CHECK: [[@LINE+1]]:3: error: a sync while a Cilk lock is held
  cilk_sync;
  Cilk_unlock(a);
  return x;
}

void blocks(int n) {
  for (int i = 0; i < n; i++) {
    Cilk_lock(b);
    // CHECK: [[@LINE+1]]:5: error: a spawned block while a Cilk lock is held
    cilk_spawn {
      Cilk_lock(a);
      f(i);
      Cilk_unlock(a);
    }
    Cilk_unlock(b);
  }
}

void branches(int n) {
  if (n)
    Cilk_lock(a);
  else
    Cilk_lock(b);
  // CHECK: [[@LINE+1]]:11: error: 'spawn' while a Cilk lock is held
  int x = spawn f(n);
  sync;
}

// Nothing to wait for, nobody holds a lock, or nobody knows.
int fine(int n) {
  Cilk_lock(a);
  sync;
  Cilk_unlock(a);
  int x = spawn f(n), y;
  Cilk_lock(a);
  y = f(n);
  Cilk_unlock(a);
  sync;
  for (int i = 0; i < n; i++) {
    spawn {
      Cilk_lock(a);
      f(i);
      Cilk_unlock(a);
    }
    Cilk_lock(b);
    Cilk_unlock(b);
  }
  if (n)
    Cilk_lock(a);
  spawn f(n);
  if (n)
    Cilk_unlock(a);
  return x + y;
}
// CHECK: 5 errors generated
