// plain-reasons.c - What keeps a function from lanes is said where it stands.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 -mavx512f -Wno-cilk -c %s -o %t.o -Rpass-missed='chan-(batch|simd)' 2> %t.err
// RUN: FileCheck --implicit-check-not='children the' --implicit-check-not='base cases of the' --implicit-check-not='remark: calls of the' --implicit-check-not="calls of 'ends'" %s < %t.err

#include <alloca.h>

long other(long n);
void fill_in(long *a);
struct pair { long a, b; };

// Of an object of each iteration's own it is not known how many there are.
long loops(char *board, int n) {
  board[2] = n;
  if (n == 0)
    return board[0];
  long sum = 0;
  for (int i = 0; i < 3; ++i) {
    // CHECK-DAG: plain-reasons.c:[[# @LINE + 1]]:18: remark: 'loops' has no batch form: it calls alloca in a loop; an array with an element for each iteration may stand in front of the loop
    char *copy = alloca(100);
    copy[0] = board[1] + i;
    copy[1] = board[0];
    sum += cilk_spawn loops(copy, n - 1);
  }
  cilk_sync;
  return sum;
}

long scopes(struct pair *from, int n) {
  from->a += n;
  if (n == 0)
    return from->a;
  long sum = 0;
  for (int i = 0; i < 3; ++i) {
    // CHECK-DAG: plain-reasons.c:[[# @LINE + 1]]:5: remark: 'scopes' has no batch form: each iteration of a loop has an object of its own here that a child has the address of; an array of them may stand in front of the loop
    struct pair own = {from->b + i, other(from->a)};
    sum += cilk_spawn scopes(&own, n - 1);
  }
  cilk_sync;
  return sum;
}

long branches(int n) {
  if (n == 0)
    return 0;
  // CHECK-DAG: plain-reasons.c:[[# @LINE + 1]]:15: remark: 'branches' has no batch form: it calls alloca behind a branch; a local variable may be in lanes
  long *own = alloca(sizeof *own);
  fill_in(own);
  long x = cilk_spawn branches(n - 1);
  cilk_sync;
  return x + other(*own);
}

// CHECK-DAG: plain-reasons.c:[[# @LINE + 3]]:3: remark: 'several' has no batch form: it has more than one cilk_for
void several(long *a, long n) {
  cilk_for (long i = 0; i < n; i++) a[i] = other(i);
  cilk_for (long i = 0; i < n; i++) a[i] = other(a[i]);
}

void again(long *a, long n) {
  for (int turn = 0; turn < n; turn++)
    // CHECK-DAG: plain-reasons.c:[[# @LINE + 1]]:5: remark: 'again' has no batch form: it waits for a cilk_for in a loop
    cilk_for (long i = 0; i < n; i++) a[i] = other(i);
}

void calls(long n) {
  if (n == 0)
    return;
  for (int i = 0; i < n; i++)
    // CHECK-DAG: plain-reasons.c:[[# @LINE + 1]]:5: remark: 'calls' has no batch form: it calls 'calls', which spawns, in a loop, and waits for it each time
    calls(i);
  cilk_spawn calls(n - 1);
}

void nest(long *a, long n) {
  cilk_for (long i = 0; i < n; i++)
    // CHECK-DAG: plain-reasons.c:[[# @LINE + 1]]:5: remark: the body of the cilk_for has no batch form: the next iteration waits for the cilk_for inside this one
    cilk_for (long j = 0; j < n; j++) a[i * n + j] = other(i);
}

// What returns nothing waits if it has something to do behind a sync.
static long counted;
void ends(long n) {
  if (n == 0)
    return;
  cilk_spawn ends(n - 1);
  cilk_spawn ends(n - 2);
}
void goes_on(long *a, long n) {
  if (n == 0)
    return;
  cilk_spawn goes_on(a, n / 2);
  cilk_spawn goes_on(a + n / 2, n / 3);
  // CHECK-DAG: plain-reasons.c:[[# @LINE + 1]]:3: remark: calls of 'goes_on' must wait for their children: the function goes on behind this sync
  cilk_sync;
  a[n] = a[n / 2];
}

// Why a call stays one. These loop, so they are not quick.
__attribute__((noinline)) static long kept(long n) {
  while (n & counted)
    n = n / 2 + 1;
  return n;
}
static long counts(long n) {
  while (n & counted)
    n = __atomic_add_fetch(&counted, n, 0);
  return n;
}
static long asks(long n) { return other(n) + 1; }
#define TREE(name, callee)                                                     \
  long name(long n) {                                                          \
    if (n < 2)                                                                 \
      return callee(n);                                                        \
    long x = cilk_spawn name(n - 1);                                           \
    long y = name(n - 2);                                                      \
    cilk_sync;                                                                 \
    return x + y;                                                              \
  }
// CHECK-DAG: it calls 'kept', which is not to be inlined [
// CHECK-DAG: it calls 'counts', which has an atomic operation [
// CHECK-DAG: it calls 'asks', which calls 'other' [
// CHECK-DAG: it calls 'other', which is not in this file [
TREE(tree1, kept)
TREE(tree2, counts)
TREE(tree3, asks)
TREE(tree4, other)

// Whom it spawns.
// CHECK-DAG: 'starts' has no batch form: it spawns 'other', which is not in this file [
void starts(long n) { cilk_spawn other(n); cilk_sync; counted = n; }
// CHECK-DAG: 'begins' has no batch form: it spawns 'asks', which does not spawn itself; a plain call of it may be in lanes [
void begins(long n) { cilk_spawn asks(n); cilk_sync; counted = n; }

// What lanes lose most by.
struct node { long value; struct node *left, *right; };
// CHECK-DAG: 'fill.batch.0' is not used for batches: that takes about {{.*}}; they lose most by accesses to memory at addresses of their own, as in line [[# @LINE + 7]] [
void fill(struct node *a, short *sums, long n, long from) {
  if (n == 1)
    return;
  cilk_spawn fill(a, sums, n / 2, 2 * from);
  cilk_spawn fill(a, sums, n - n / 2, 2 * from + 1);
  cilk_sync;
  sums[sums[from] & 63] = sums[from * 5] + sums[from * from] + sums[from / 3];
}
