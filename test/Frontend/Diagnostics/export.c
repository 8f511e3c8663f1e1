// EXPORT declares what a procedure takes and returns, behind a CilkContext.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

#include <cilk.h>

// CHECK: [[@LINE+1]]:6: error: 'mt_work' takes a CilkContext and what 'work' takes, and returns the same
long EXPORT(work)(CilkContext *context, int n);
// CHECK: [[@LINE+1]]:10: note: declared here
cilk int work(int n) {
  spawn work(n - 1);
  return n;
}

int EXPORT(fine)(CilkContext *context, int n);
// Called by nobody.
void EXPORT(other)(CilkContext *context);
int other(int n);
// Something else of such a name.
int mt_else(int n);

long use(CilkContext *context) {
  return EXPORT(work)(context, 1) + EXPORT(fine)(context, 2);
}
// CHECK: 1 error generated
