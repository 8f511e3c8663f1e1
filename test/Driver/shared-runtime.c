// shared-runtime.c - With libchan.so a program and its libraries have one runtime.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Even where the library's symbols are its own, as after dlopen: what the
// program spawns there by its address is a child on the program's levels, not a
// nested call, which would need a C stack of its own.

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cilk2chan -O1 -Wno-cilk -shared-libchan -fPIC -shared -DLIBRARY %s -o library.so
// RUN: cilk2chan -O1 -Wno-cilk -shared-libchan %s -o program -Wl,-rpath,%build/lib
// RUN: llvm-nm -D --defined-only library.so program | FileCheck --implicit-check-not=chan_ %s
// RUN: for workers in 1 4; do CHAN_WORKERS=$workers CHAN_STACK=256K ./program ./library.so || exit 1; done
// CHECK: T descend

typedef long Step(long n, void *back);

#ifdef LIBRARY
long descend(long n, void *back) {
  long x = cilk_spawn((Step *)back)(n - 1, (void *)descend);
  cilk_sync;
  return x + 1;
}
#else
#include <dlfcn.h>

static long step(long n, void *back) {
  if (n <= 0)
    return 0;
  long x = cilk_spawn((Step *)back)(n - 1, (void *)step);
  cilk_sync;
  return x + 1;
}

int main(int argc, char **argv) {
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : 0;
  void *descend = library ? dlsym(library, "descend") : 0;
  return !descend || step(199999, descend) != 200000;
}
#endif
