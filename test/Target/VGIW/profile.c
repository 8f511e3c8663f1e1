// profile.c - Profiles and coverage of programs for a machine.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What kernels count is in the profile, exactly.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cilk2chan -O1 --target=vgiw -fprofile-instr-generate -fcoverage-mapping %s -o mapped
// RUN: env LLVM_PROFILE_FILE=m.profraw ./mapped && llvm-profdata merge m.profraw -o m.profdata
// RUN: llvm-cov show ./mapped -instr-profile=m.profdata | FileCheck --check-prefix=MAPPED %s
// MAPPED: {{ 21\|    return n;}}
// MAPPED: {{ 20\|  int x = cilk_spawn fib\(n - 1\)}}
// MAPPED: {{ 20\|    all\[i\] = twice\(i\)}}
// RUN: cilk2chan --coverage -DLOOP=for -O1 --target=vgiw -c %s -o c.o && cilk2chan --coverage --target=vgiw c.o -o covered && ./covered
// RUN: llvm-cov gcov -t c.gcda | FileCheck --check-prefix=GCOV %s
// GCOV: {{^ +21: +[0-9]+:    return n;}}
// GCOV: {{^ +20: +[0-9]+:  return x \+ y;}}
// RUN: cilk2chan -O0 --target=vgiw -fprofile-instr-generate -fcoverage-mcdc -fcoverage-mapping -mllvm -enable-value-profiling %s -o values && ./values

// Of the host's code alone: what the back end adds.
// RUN: cilk2chan -O2 --target=vgiw -fprofile-generate %s -o counted && env LLVM_PROFILE_FILE=c.profraw ./counted && llvm-profdata merge c.profraw -o c.profdata
// RUN: cilk2chan -O2 --target=vgiw -fprofile-use=c.profdata %s -o used && ./used
// RUN: cilk2chan -O2 --target=vgiw -fprofile-instr-use=m.profdata %s -o used && ./used
// RUN: cilk2chan -O2 --target=vgiw -pg %s -o pg && ./pg && test -s gmon.out
// RUN: cilk2chan -O2 --target=vgiw -finstrument-functions -DCOUNTS %s -o entered && ./entered
// RUN: cilk2chan -O2 --target=vgiw -fxray-instrument %s -o xray && ./xray

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1), y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static int twice(int n) { return 2 * n; }

#ifndef LOOP
#define LOOP cilk_for
#endif
#ifdef COUNTS
static int entries;
#define LEFT_ALONE __attribute__((no_instrument_function))
LEFT_ALONE void __cyg_profile_func_enter(void *function, void *site) { ++entries; }
LEFT_ALONE void __cyg_profile_func_exit(void *function, void *site) {}
#else
static int entries = 1;
#endif

int main(void) {
  int all[20];
  LOOP(int i = 0; i < 20; i++)
    all[i] = twice(i);
  int sum = fib(7) - 13;
  for (int i = 0; i < 20; i++)
    sum += all[i] - 2 * i;
  return sum || !entries;
}
