// What takes a lock for its caller, or releases its caller's, says so.
//
// RUN: cilk2chan -Wno-cilk --dump-after=import -c %s -o /dev/null 2>&1 | FileCheck %s

#include <pthread.h>

static pthread_mutex_t m;
int fib(int);

static void take(int n) { n ? pthread_mutex_lock(&m) : pthread_mutex_trylock(&m); }
static void take_deep(int n) { n ? take_deep(n - 1) : take(n); }
static void give(void) { pthread_mutex_unlock(&m); }
static void keeps(int n) {
  take(n);
  if (n) {
    give();
    return;
  }
  give();
}

// CHECK-DAG: llvm.func @take_deep({{.*}}["cilk.lock", "acquires"]
// CHECK-DAG: llvm.func @give({{.*}}["cilk.lock", "releases"]
// CHECK-NOT: llvm.func @keeps({{.*}}"cilk.lock"
int f(int n) {
  int x = cilk_spawn fib(n);
  take_deep(n);
  x += fib(n);
  give();
  keeps(n);
  cilk_sync;
  return x;
}
