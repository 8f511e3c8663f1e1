// SYNCHED is 1 where nothing was spawned since the last sync, and 1 everywhere
// in the serial elision, and in serial clones, which have called the children.
//
// RUN: cilk2chan -DMAIN -O1 -fno-discard-value-names --emit=markers -Wno-cilk %s -o - | FileCheck --check-prefix=MARKERS %s
// RUN: cilk2chan -DMAIN -O2 -fno-chan-serial-clones -Wno-cilk %s -o %t && %t | FileCheck %s
// RUN: cilk2chan -DMAIN -O2 -Wno-cilk %s -o %t && CHAN_WORKERS=1 %t | FileCheck --check-prefix=CLONES %s
// RUN: cilk2chan -DMAIN -O0 -fno-chan-serial-clones -Wno-cilk %s -o %t && CHAN_WORKERS=1 %t | FileCheck %s
// RUN: cilk2chan -DMAIN -O0 -Wno-cilk %s -o %t && CHAN_WORKERS=1 %t | FileCheck --check-prefix=CLONES %s
// RUN: cilk2chan -DMAIN -fcilk-serialize %s -o %t && %t | FileCheck --check-prefix=ELISION %s
// RUN: not cilk2chan -fsyntax-only -DOUTSIDE %s 2>&1 | FileCheck --check-prefix=OUTSIDE %s

// MARKERS-NOT: __cilk_synched
// MARKERS-LABEL: define internal i32 @ordinary(
// MARKERS-NOT: __cilk_if_synched
// MARKERS-LABEL: define internal i32 @phases(
// MARKERS: %[[FLAG:.*]] = load i32, ptr %synched
// MARKERS: call i32 @__cilk_if_synched(i32 %[[FLAG]])

#include <stdio.h>

#ifdef OUTSIDE
// OUTSIDE: [[@LINE+1]]:15: error: 'SYNCHED' outside a function
int outside = SYNCHED;
#endif

static void child(void) {}

static int ordinary(void) { return SYNCHED; }

static int phases(int n) {
  int seen = SYNCHED;
  if (n & 1)
    spawn child();
  seen = 10 * seen + SYNCHED;
  for (int i = 0; i < n; i++) {
    seen = 10 * seen + SYNCHED;
    spawn child();
    seen = 10 * seen + SYNCHED;
    if (n & 2)
      sync;
  }
  seen = 10 * seen + SYNCHED;
  sync;
  return 10 * seen + SYNCHED;
}

static int block(void) {
  int inside = 0;
  spawn { inside = SYNCHED; }
  int outside = SYNCHED;
  sync;
  return 10 * inside + outside;
}

/* One iteration must not be told of another's sync: no flag. */
// MARKERS-LABEL: define internal i32 @loop(
// MARKERS-NOT: %synched =
// MARKERS-LABEL: define internal i32 @variable(
static int loop(int n) {
  int wrong = 0;
  cilk_for (int i = 0; i < n; i++) {
    spawn child();
    if (SYNCHED)
      wrong = 1;
    sync;
  }
  return wrong;
}

static int variable(int SYNCHED) { return SYNCHED; }

#ifdef MAIN
int main(void) {
  // CHECK: 1
  // CLONES: 1
  // ELISION: 1
  printf("%d\n", ordinary());
  // CHECK-NEXT: 1111
  // CLONES-NEXT: 1111
  // ELISION-NEXT: 1111
  printf("%d\n", phases(0));
  // CHECK-NEXT: 100001
  // CLONES-NEXT: 111111
  // ELISION-NEXT: 111111
  printf("%d\n", phases(1));
  // CHECK-NEXT: 11101011
  // CLONES-NEXT: 11111111
  // ELISION-NEXT: 11111111
  printf("%d\n", phases(2));
  // CHECK-NEXT: 10
  // ELISION-NEXT: 11
  printf("%d\n", block());
  // CHECK-NEXT: 0
  // ELISION-NEXT: 1
  printf("%d\n", loop(1000));
  // CHECK-NEXT: 7
  printf("%d\n", variable(7));
  return 0;
}
#endif
