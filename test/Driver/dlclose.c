// dlclose.c - A library with a runtime of its own can be unloaded.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that called into the library outlive it, those of the program's own
// runtime among them, and nothing that is left of it handles signals.

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cilk2chan -O1 -fPIC -shared -DLIBRARY %s -o library.so
// RUN: cilk2chan -O1 %s -ldl -o spawning
// RUN: %clang -DPLAIN %s -lpthread -ldl -o plain
// RUN: CHAN_WORKERS=4 ./spawning ./library.so
// RUN: CHAN_WORKERS=1 ./plain ./library.so
// RUN: CHAN_WORKERS=4 ./plain ./library.so

#ifdef LIBRARY
int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1), y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}
#else
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static pthread_barrier_t barrier;
static int (*fib)(int);

static void check(int condition) {
  if (!condition)
    abort();
}

static int both(int n) {
#ifdef PLAIN
  return fib(n) + fib(n - 1);
#else
  int x = cilk_spawn fib(n), y = cilk_spawn fib(n - 1);
  cilk_sync;
  return x + y;
#endif
}

static void *outlive(void *unused) {
  check(both(15) == 987);
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(int argc, char **argv) {
  check(argc == 2);
  pthread_barrier_init(&barrier, NULL, 2);
  for (int round = 0; round < 20; ++round) {
    void *library = dlopen(argv[1], RTLD_NOW);
    check(library != NULL);
    fib = (int (*)(int))dlsym(library, "fib");
    pthread_t thread;
    check(pthread_create(&thread, NULL, outlive, NULL) == 0);
    check(both(16) == 1597);
    pthread_barrier_wait(&barrier);
    dlclose(library);
    check(dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) == NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
  }
#ifdef PLAIN
  struct sigaction action;
  sigaction(SIGSEGV, NULL, &action);
  check(action.sa_handler == SIG_DFL);
#endif
}
#endif
