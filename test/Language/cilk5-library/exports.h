/* exports.h - Part of cilk2chan, under the Apache License v2.0 with LLVM
 * Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <cilk.h>

struct pair {
  long a, b;
};

long EXPORT(fib)(CilkContext *const, int n);
struct pair EXPORT(halves)(CilkContext *context, struct pair p, float scale);
extern void EXPORT(store)(CilkContext *, long *where, int n);
/* Not called, and not there. */
int EXPORT(elsewhere)(CilkContext *);
long fromHere(CilkContext *context, int n);
