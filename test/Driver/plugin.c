// plugin.c - A program that exports its symbols shares its runtime with plugins.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy of the runtime that a plugin brings along is not used then, and must
// not end the program's when the plugin is closed.

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cilk2chan -O1 -fPIC -shared -DPLUGIN %s -o plugin.so
// RUN: cilk2chan -O1 -rdynamic %s -o program
// RUN: CHAN_WORKERS=4 ./program ./plugin.so

#ifdef PLUGIN
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
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static _Atomic(int) arrived;

// Returns whether another strand came in time.
static int meet(void) {
  struct timespec pause = {0, 1000000};
  ++arrived;
  for (int waited = 0; arrived < 2 && waited < 10000; ++waited)
    nanosleep(&pause, NULL);
  return arrived >= 2;
}

static int runsInParallel(void) {
  arrived = 0;
  int x = cilk_spawn meet(), y = cilk_spawn meet(), z = cilk_spawn meet();
  cilk_sync;
  return x && y && z;
}

int main(int argc, char **argv) {
  if (argc != 2 || !runsInParallel())
    return 1;
  void *plugin = dlopen(argv[1], RTLD_NOW);
  if (!plugin || ((int (*)(int))dlsym(plugin, "fib"))(15) != 610)
    return 2;
  dlclose(plugin);
  return runsInParallel() ? 0 : 3;
}
#endif
