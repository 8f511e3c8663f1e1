// link-kinds.c - Static, position-independent and shared, with every linker there is.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: for kind in -static -static-pie "-fPIE -pie" "-fno-pie -no-pie" -rdynamic -shared-libchan -flto -flto=thin "-flto -static" -fuse-ld=lld -fuse-ld=bfd "-Wl,--gc-sections -ffunction-sections" "-Wl,-z,relro,-z,now" "-nodefaultlibs -lc" -s -mcmodel=large; do \
// RUN:   echo "$kind"; libraries=; case $kind in -nodefaultlibs*) libraries="%build/lib/libchan.a -lgcc";; -shared-libchan) libraries=-Wl,-rpath,%build/lib;; esac; \
// RUN:   cilk2chan -O1 $kind %s $libraries -o program && ./program || exit 1; \
// RUN: done

// Objects for link-time optimisation are bitcode, and those of both kinds link.
// RUN: cilk2chan -flto -c %s -o lto.o && llvm-bcanalyzer lto.o | FileCheck --check-prefix=BITCODE %s
// RUN: cilk2chan -flto lto.o -o program && ./program
// BITCODE: LLVM IR

// A shared library is complete by itself, and shows no more of the runtime than
// what its kernels call.
// RUN: cilk2chan -fPIC -shared -Wl,-z,defs -DLIBRARY %s -o library.so
// RUN: llvm-nm -D --defined-only library.so | FileCheck --check-prefix=EXPORTS %s
// EXPORTS: chan_run
// EXPORTS-NOT: {{_ZN4chan}}
// EXPORTS: fib

int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1), y = fib(n - 2);
  cilk_sync;
  return x + y;
}
#ifndef LIBRARY
int main(void) { return fib(15) != 610; }
#endif
