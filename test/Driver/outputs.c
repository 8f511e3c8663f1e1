// outputs.c - Where results cannot go, and several compilers in one directory.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir -p %t/directory && cd %t && cp %s f.c
// RUN: not cilk2chan f.c -o no/program 2>&1 | FileCheck --check-prefix=NODIR %s
// RUN: not cilk2chan -c f.c -o directory 2>&1 | FileCheck --check-prefix=DIRECTORY %s
// RUN: for flags in -c -S "-S -emit-llvm" --emit=mlir --emit=dot -E -MD\ -MF/dev/full\ -fsyntax-only; do not cilk2chan $flags f.c -o /dev/full 2>&1 | FileCheck --check-prefix=FULL %s || exit 1; done
// RUN: (not cilk2chan --emit=mlir f.c > /dev/full) 2>&1 | FileCheck --check-prefix=FULL %s
// RUN: ls | count 2
// NODIR: {{no/program.*No such file or directory}}
// DIRECTORY: error: unable to open output file 'directory': 'Is a directory'
// FULL: error: {{.*}}No space left on device

// Temporary names are not shared.
// RUN: for i in 1 2 3 4 5 6 7 8; do cilk2chan -O1 -DNUMBER=$i f.c -o p$i & done; wait
// RUN: for i in 1 2 3 4 5 6 7 8; do ./p$i || s=$?; test $s = $i; done
// RUN: ls | count 10

#ifndef NUMBER
#define NUMBER 0
#endif
int same(int n) { return n; }
int main(void) {
  int x = cilk_spawn same(NUMBER), y = cilk_spawn same(0);
  cilk_sync;
  return x + y;
}
