// The jobs that -### and -v show are complete: run by hand they do the same.
//
// RUN: cilk2chan -### -c -fno-cilk-keywords -O1 -Wno-cilk-serial --dump-after=cilk -fcilk-serialize %s 2>&1 | FileCheck %s
// RUN: cilk2chan -v -c -fno-cilk-keywords -O1 -Wno-cilk-serial --dump-after=import -fcilk-serialize %s -o %t.o 2>&1 | FileCheck --check-prefix=VERBOSE %s
// CHECK: "-cc1" "-fno-cilk-keywords" "-Wno-cilk-serial" "--dump-after=cilk" "-fcilk-serialize" "-triple"
// VERBOSE: -cc1 -fno-cilk-keywords -Wno-cilk-serial --dump-after=import -fcilk-serialize -triple
//
// Clang has a say about -Weverything, too.
// RUN: cilk2chan -### -c -Weverything %s 2>&1 | FileCheck --check-prefix=BOTH %s
// BOTH: "-cc1" "-Weverything" {{.*}} "-Weverything"
//
// What is taken for granted is named, and so is what a .cilk file begins with.
// RUN: cilk2chan -### --emit=config %s 2>&1 | FileCheck --check-prefix=MACHINE %s
// MACHINE: "-cc1" "--emit=config" "--machine={{.*}}micro15-vgiw.json" "-triple"
// RUN: cp %s %t.cilk && cilk2chan -### -c %t.cilk 2>&1 | FileCheck --check-prefix=CILK %s
// CILK: "-cc1" "-D__CILK__=1" "-include" "{{.*}}/cilk.h" "-std=gnu89" "-triple"
// RUN: cilk2chan -### -c %s 2>&1 | FileCheck --check-prefix=PLAIN %s
// PLAIN: "-cc1" "-triple"
//
// RUN: cilk2chan --emit=mlir -DSPAWN %s -o %t.expected
// RUN: cilk2chan -### --emit=mlir -DSPAWN %s -o %t.mlir 2>&1 | grep -e -cc1 > %t.sh
// RUN: sh %t.sh && cmp %t.mlir %t.expected
// RUN: cilk2chan --emit=config %s -o %t.expected
// RUN: cilk2chan -### --emit=config %s -o %t.json 2>&1 | grep -e -cc1 > %t.sh
// RUN: sh %t.sh && cmp %t.json %t.expected
// RUN: cilk2chan -### -c %t.cilk -o %t.2.o 2>&1 | grep -e -cc1 > %t.sh
// RUN: sh %t.sh && test -s %t.2.o
//
// In a job by hand, too, a flag may be wrong.
// RUN: not cilk2chan -cc1 --emit=nothing -S %s -o %t.none 2>&1 | FileCheck --check-prefix=WRONG %s
// WRONG: error: invalid value 'nothing' in '--emit=nothing'

int f(int n) {
  int x = 0;
  if (n > 1) {
    x = cilk_spawn f(n - 1);
    x += f(n - 2);
    cilk_sync;
  }
  return x;
}
