// dlclose-memory.c - A library with a runtime of its own leaves nothing behind when it is closed.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neither address space, of which a worker reserves 1 GiB, nor memory: also where a thread that
// called into it lives on.  The C library keeps stacks of threads that have ended and heaps for new
// ones, so a turn costs address space at first.

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %s -lpthread -ldl -o program
// RUN: for level in 0 2; do cilk2chan -O$level -fPIC -shared -DLIBRARY %s -o library.so && for workers in 1 2 8; do CHAN_WORKERS=$workers ./program ./library.so || exit 1; done || exit 1; done

#ifdef LIBRARY
__attribute__((noinline)) int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1), y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}
#else
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_barrier_t barrier;
static int (*fib)(int);

static void check(int condition) {
  if (!condition)
    abort();
}

/// In KiB.
static long addressSpace(void) {
  char line[256];
  long size = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, status))
    sscanf(line, "VmSize: %ld", &size);
  fclose(status);
  return size;
}

static void *liveOn(void *unused) {
  for (;;) {
    pthread_barrier_wait(&barrier);
    check(fib(20) == 6765);
    pthread_barrier_wait(&barrier);
  }
  return unused;
}

static void turn(const char *name) {
  void *library = dlopen(name, RTLD_NOW);
  check(library != NULL);
  fib = (int (*)(int))dlsym(library, "fib");
  check(fib(20) == 6765);
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  dlclose(library);
  check(dlopen(name, RTLD_NOW | RTLD_NOLOAD) == NULL);
}

int main(int argc, char **argv) {
  pthread_t thread;
  check(argc == 2);
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&thread, NULL, liveOn, NULL);
  for (int i = 0; i < 10; ++i)
    turn(argv[1]);
  long spaceBefore = addressSpace();
  size_t memoryBefore = mallinfo2().uordblks;
  for (int i = 0; i < 40; ++i)
    turn(argv[1]);
  long space = (addressSpace() - spaceBefore) / 40;
  size_t memory = (mallinfo2().uordblks - memoryBefore) / 40;
  printf("%ld KiB, %zu bytes a turn\n", space, memory);
  // Eight heaps of 64 MiB may have been added in all.
  check(space < 32 << 10);
  check(memory < 1000);
}
#endif
