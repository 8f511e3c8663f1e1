// warn-lock.c - Spawns and syncs while a lock is held.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -Wno-cilk-serial -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: cilk2chan -Wno-cilk-serial -Wno-cilk-lock -fsyntax-only %s 2>&1 | count 0
// RUN: not cilk2chan -Wno-cilk-serial -Werror -fsyntax-only %s 2>&1 | FileCheck --check-prefix=ERROR %s
// ERROR: error: 'spawn' while lock 'm' is held [-Werror,-Wcilk-lock]

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>

pthread_mutex_t m, other;
struct node {
  mtx_t lock;
  pthread_rwlock_t rw;
  struct node *next;
};
int f(int);

void across_both(int n) {
  pthread_mutex_lock(&m);
  // CHECK: warn-lock.c:[[@LINE+3]]:3: warning: 'spawn' while lock 'm' is held [-Wcilk-lock]
  // CHECK-NEXT: spawn f(n);
  // CHECK: warn-lock.c:[[@LINE-3]]:3: note: acquired here; release it before, or take it in the children
  spawn f(n);
  // CHECK: warn-lock.c:[[@LINE+1]]:3: warning: 'sync' while lock 'm' is held [-Wcilk-lock]
  sync;
  pthread_mutex_unlock(&m);
  spawn f(n);
}

// Held on every path, whatever the paths look like.
int paths(struct node *p, int n) {
  int x = 0, y = 0;
  if (n)
    mtx_lock(&p->lock);
  else
    mtx_lock(&p->lock);
  for (int i = 0; i < n; i++) {
    if (i & 1) {
      mtx_unlock(&p->lock);
      mtx_lock(&p->lock);
    }
    // CHECK: [[@LINE+1]]:10: warning: 'spawn' while lock 'p->lock' is held
    x += spawn f(i);
  }
  mtx_unlock(&p->lock);
  pthread_rwlock_rdlock(&p->rw);
  // CHECK: [[@LINE+1]]:11: warning: 'spawn' while lock 'p->rw' is held
  y = n ? spawn f(n) : 0;
  pthread_rwlock_unlock(&p->rw);
  return x + y;
}

// An attempt that has succeeded; a lock whose result is looked at.
int tested(int n) {
  int result;
  if (pthread_mutex_trylock(&m) == 0) {
    // CHECK: [[@LINE+1]]:5: warning: 'spawn' while lock 'm' is held
    spawn f(n);
    pthread_mutex_unlock(&m);
  }
  while ((result = mtx_trylock((mtx_t *)&other)) != thrd_success)
    f(result);
  // CHECK: [[@LINE+1]]:3: warning: 'spawn' while lock 'other' is held
  spawn f(n);
  mtx_unlock((mtx_t *)&other);
  if (pthread_mutex_lock(&m))
    return 1;
  // CHECK: [[@LINE+1]]:3: warning: 'cilk_spawn' while lock 'm' is held
  cilk_spawn { f(n); }
  // CHECK: [[@LINE+1]]:3: warning: 'cilk_sync' while lock 'm' is held
  cilk_sync;
  pthread_mutex_unlock(&m);
  return 0;
}

// A semaphore that is posted by whoever waits for it.
void semaphore(sem_t *s, int n) {
  sem_wait(s);
  // CHECK: [[@LINE+1]]:3: warning: 'spawn' while lock 's' is held
  spawn f(n);
  sem_post(s);
}

// The program's own locks, by Clang's attributes.
struct __attribute__((capability("mutex"))) own {
  int taken;
};
struct own global;
void take(struct own *lock) __attribute__((acquire_capability(lock)));
void give(struct own *lock) __attribute__((release_capability(*lock)));
int try_take(struct own *lock)
    __attribute__((try_acquire_capability(1, lock)));
void take_global(void) __attribute__((acquire_capability(global)));
void give_global(void) __attribute__((release_capability(global)));

void annotated(struct own *lock, int n) {
  take(lock);
  // CHECK: [[@LINE+1]]:3: warning: 'spawn' while lock 'lock' is held
  spawn f(n);
  give(lock);
  take_global();
  // CHECK: [[@LINE+1]]:3: warning: 'spawn' while lock 'global' is held
  spawn f(n);
  give_global();
  if (!try_take(lock))
    return;
  // CHECK: [[@LINE+1]]:3: warning: 'spawn' while lock 'lock' is held
  spawn f(n);
  give(lock);
}
// CHECK: [[@LINE+3]]:3: warning: 'spawn' while lock 'global' is held
// CHECK: [[@LINE+1]]:6: note: the caller of 'required' holds it
void required(int n) __attribute__((requires_capability(global))) {
  spawn f(n);
  give_global();
  spawn f(n);
  take_global();
}

// A loop waits for its iterations, which may want the lock.
void loop(int n) {
  pthread_mutex_lock(&m);
  // CHECK: [[@LINE+2]]:3: warning: 'cilk_for' while lock 'm' is held
  // CHECK: [[@LINE-2]]:3: note: acquired here; release it before, or take it in the children
  cilk_for (int i = 0; i < n; i++)
    f(i);
  pthread_mutex_unlock(&m);
  cilk_for (int i = 0; i < n; i++) {
    pthread_mutex_lock(&m);
    f(i);
    pthread_mutex_unlock(&m);
  }
}

// CHECK-NOT: warning:
void sometimes(int n) {
  if (n)
    pthread_mutex_lock(&m);
  spawn f(n);
  if (n)
    pthread_mutex_unlock(&m);
  if (pthread_mutex_trylock(&m)) {
    spawn f(n);
    sync;
  }
  int failed = pthread_mutex_trylock(&m);
  spawn f(failed);
  if (pthread_mutex_lock(&m) != 0)
    spawn f(n);
}
void children_lock(int n) {
  spawn pthread_mutex_lock(&m);
  cilk_spawn {
    pthread_mutex_lock(&other);
    f(n);
    pthread_mutex_unlock(&other);
  }
  sync;
}
void other_names(struct node *p, int n) {
  struct node *q = p;
  mtx_lock(&p->lock);
  mtx_unlock(&q->lock);
  spawn f(n);
}
void release_m(void) { pthread_mutex_unlock(&m); }
void release_node(struct node *);
void elsewhere(struct node *p, int n) {
  pthread_mutex_lock(&m);
  release_m();
  spawn f(n);
  mtx_lock(&p->lock);
  release_node(p);
  spawn f(n);
}
void by_scope(pthread_mutex_t **lock);
void scoped(int n) {
  {
    pthread_mutex_lock(&m);
    __attribute__((cleanup(by_scope))) pthread_mutex_t *guard = &m;
    f(n);
  }
  spawn f(n);
}
void signalled(sem_t *ready, int n) {
  sem_wait(ready);
  spawn f(n);
}
void never_reached(int n) {
  while (1) {
    pthread_mutex_lock(&m);
    if (0)
      spawn f(n);
    pthread_mutex_unlock(&m);
  }
  spawn f(n);
}
void released_by_jump(int n) {
  pthread_mutex_lock(&m);
  if (n)
    goto out;
  pthread_mutex_unlock(&m);
  spawn f(n);
  return;
out:
  pthread_mutex_unlock(&m);
}

// A call of what spawns waits as a sync does, unless the compiler knows the lock
// and does not split there (Language/locks.c). These come last: what spawns is
// known at the end only.
void later(int n), releases_and_spawns(int n);
void calls(struct own *lock, int n) {
  take(lock);
  f(n);
  // CHECK: [[@LINE+2]]:3: warning: call of 'later', which spawns, while lock 'lock' is held [-Wcilk-lock]
  // CHECK: [[@LINE-3]]:3: note: acquired here; release it before, or take it in the children
  later(n);
  give(lock);
  later(n);
  spawn later(n);
  pthread_mutex_lock(&m);
  later(n);
  pthread_mutex_unlock(&m);
  // A block is warned of as a whole, but for the locks that it takes itself.
  spawn {
    take_global();
    // CHECK: [[@LINE+1]]:5: warning: call of 'later', which spawns, while lock 'global' is held
    later(n);
    give_global();
  }
}
// CHECK: [[@LINE+3]]:7: warning: call of 'later', which spawns, while lock 'global' is held
// CHECK: [[@LINE+1]]:6: note: the caller of 'requires' holds it
void requires(int n) __attribute__((requires_capability(global))) {
  if (later(n), n)
    return;
  give_global();
  spawn f(n);
}
void later(int n) {
  spawn f(n);
  take_global();
  releases_and_spawns(n);
}
void releases_and_spawns(int n) {
  give_global();
  spawn f(n);
}
// CHECK-NOT: warning:
