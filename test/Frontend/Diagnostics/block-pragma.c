// The number of elements of blocks.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: not cilk2chan -fcilk-serialize -c %s -o %t.o 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: test ! -e %t.o
// RUN: not cilk2chan -fchan-block=abc -c %s -o %t.o 2>&1 | FileCheck --check-prefix=FLAG -DVALUE=abc %s
// RUN: not cilk2chan -fchan-block=0 -c %s -o %t.o 2>&1 | FileCheck --check-prefix=FLAG -DVALUE=0 %s
// RUN: not cilk2chan -fchan-block=-1 -c %s -o %t.o 2>&1 | FileCheck --check-prefix=FLAG -DVALUE=-1 %s
// RUN: not cilk2chan -fchan-block= -c %s -o %t.o 2>&1 | FileCheck --check-prefix=FLAG -DVALUE= %s
// RUN: not cilk2chan -fchan-block=1048577 -c %s -o %t.o 2>&1 | FileCheck --check-prefix=FLAG -DVALUE=1048577 %s
// FLAG: error: invalid value '[[VALUE]]' in '-fchan-block=[[VALUE]]'; expected a number from 1 to 1048576

// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck --check-prefix=OTHER %s
// RUN: not cilk2chan -Wno-unknown-pragmas -c %s -o %t.o 2>&1 | FileCheck --check-prefix=QUIET %s
// RUN: not cilk2chan -Werror=unknown-pragmas -c %s -o %t.o 2>&1 | FileCheck --check-prefix=STRICT %s
// QUIET-NOT: unknown pragma
// STRICT: error: unknown pragma ignored; {{.*}}[-Werror,-Wunknown-pragmas]

void g(int);

// CHECK: [[@LINE+1]]:20: error: expected '#pragma chan block(N)' with a number from 1 to 1048576
#pragma chan block(-1)
// CHECK: [[@LINE+1]]:21: error: expected '#pragma chan block(N)'
#pragma chan block(0)
// CHECK: [[@LINE+1]]:20: error: expected '#pragma chan block(N)'
#pragma chan block(x)
// CHECK: [[@LINE+1]]:20: error: expected '#pragma chan block(N)'
#pragma chan block(1.5)
// CHECK: [[@LINE+1]]:20: error: expected '#pragma chan block(N)'
#pragma chan block()
// CHECK: [[@LINE+1]]:19: error: expected '#pragma chan block(N)'
#pragma chan block
// CHECK: [[@LINE+1]]:20: error: expected '#pragma chan block(N)'
#pragma chan block 64
// CHECK: [[@LINE+1]]:22: error: expected '#pragma chan block(N)'
#pragma chan block(64
// CHECK: [[@LINE+1]]:27: error: expected '#pragma chan block(N)'
#pragma chan block(1048577)
// CHECK: [[@LINE+1]]:24: error: nothing may follow '#pragma chan block(64)' in its line
#pragma chan block(64) block
void f(int n) { cilk_spawn g(n); }

// CHECK: [[@LINE+1]]:14: error: '#pragma chan block' stands in front of the definition of a function that spawns, and nowhere else
#pragma chan block(64)
void declared(int);

// CHECK: [[@LINE+1]]:14: error: '#pragma chan block' stands
#pragma chan block(64)
int variable;

// CHECK: [[@LINE+1]]:14: error: '#pragma chan block' stands
#pragma chan block(64)
int serial(int n) { return n + 1; }

// One each.
#pragma chan block(64)
// CHECK: [[@LINE+1]]:14: error: '#pragma chan block' stands
#pragma chan block(32)
void two(int n) {
  cilk_spawn g(n);
// CHECK: [[@LINE+1]]:14: error: '#pragma chan block' stands
#pragma chan block(16)
  cilk_spawn g(n);
}

// OTHER: [[@LINE+2]]:14: warning: unknown pragma ignored; expected '#pragma chan block(N)' [-Wunknown-pragmas]
// OTHER: [[@LINE+3]]:13: warning: unknown pragma ignored
#pragma chan blok(16)
void misspelt(int n) { cilk_spawn g(n); }
#pragma chan

#define NUMBER 0x40
#pragma chan block(NUMBER)
void good(int n) { cilk_spawn g(n); }

// CHECK: [[@LINE+1]]:14: error: '#pragma chan block' stands
#pragma chan block(8)
