// profile.c - Profiles, coverage and reports of the compiler's own time.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t && cd %t

// Coverage by line, in gcov's form and in clang's.  Counters are not atomic (-fprofile-update=atomic
// makes them so): exact with one worker.
// RUN: cilk2chan --coverage -O1 -c %s -o c.o && cilk2chan --coverage c.o -o covered && ./covered && llvm-cov gcov -t c.gcda | FileCheck --check-prefix=GCOV %s
// RUN: cilk2chan -fprofile-instr-generate -fcoverage-mapping %s -o mapped && CHAN_WORKERS=1 LLVM_PROFILE_FILE=m.profraw ./mapped && llvm-profdata merge m.profraw -o m.profdata
// RUN: llvm-cov show ./mapped -instr-profile=m.profdata | FileCheck --check-prefix=MAPPED %s
// GCOV: {{[0-9]+}}:{{.*}}int x = cilk_spawn fib(n - 1)
// MAPPED: {{[0-9]+}}|{{ *}}986|{{.*}}int x = cilk_spawn fib(n - 1)

// Optimisation by profile, of both kinds.
// RUN: cilk2chan -O2 -g -fprofile-instr-use=m.profdata %s -o used && ./used
// RUN: cilk2chan -O2 -fprofile-generate %s -o counted && LLVM_PROFILE_FILE=c.profraw ./counted && llvm-profdata merge c.profraw -o c.profdata
// RUN: cilk2chan -O2 -fprofile-use=c.profdata -Werror=profile-instr-out-of-date %s -o used && ./used
// RUN: cilk2chan -pg %s -o pg && ./pg && test -s gmon.out

// Where the compiler spends its time, what took longest first.
// RUN: cilk2chan -ftime-report -c %s -o t.o 2>&1 | FileCheck --check-prefix=REPORT %s
// RUN: cilk2chan -ftime-trace -c %s -o t.o && FileCheck --check-prefix=TRACE %s < t.json
// RUN: not cilk2chan -ftime-trace=no/such -c %s -o t.o 2>&1 | FileCheck --check-prefix=NOTRACE %s
// NOTRACE: error: unable to open output file 'no/such'
// REPORT: Pass execution timing report
// REPORT: Clang time report
// REPORT-NOT: {{[0-9]{6}\.}}
// REPORT-DAG: Front end
// REPORT-DAG: Machine code generation
// TRACE: "traceEvents"
// TRACE: "name":"Frontend"

// Files between the steps.
// RUN: cilk2chan -save-temps -c %s -o s.o && ls profile.i profile.bc profile.s
// RUN: cilk2chan -g -gsplit-dwarf -c %s -o split.o && test -s split.dwo

int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1), y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) { return fib(15) != 610; }
