// promote.c - Pointers that may be to functions of the file.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O1 --emit=cilk -Wno-cilk %s | FileCheck %s
// RUN: cilk2chan -O1 -g --emit=cilk -Wno-cilk %s | FileCheck %s
// RUN: cilk2chan -O0 --emit=cilk -Wno-cilk %s | FileCheck %s --check-prefix=NOT
// RUN: cilk2chan -O1 -fno-chan-call-promotion --emit=cilk -Wno-cilk %s \
// RUN:   | FileCheck %s --check-prefix=NOT
// RUN: cilk2chan -O1 --target=vgiw --emit=cilk -Wno-cilk %s \
// RUN:   | FileCheck %s --check-prefix=NOT
// RUN: cilk2chan -O1 -Rpass=chan-call-promotion -c -o /dev/null -Wno-cilk %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: cilk2chan -O2 -w -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=LINKED
// RUN: cilk2chan -O2 -fPIC -DEXPORTED= --emit=cilk -Wno-cilk %s \
// RUN:   | FileCheck %s --check-prefix=NOT
// NOT-LABEL: @add(
// NOT-NOT: cilk.spawn @
// NOT: cilk.spawn %
// NOT-NOT: cilk.spawn @
// NOT-LABEL: @other(

#ifndef EXPORTED
#define EXPORTED static
#endif
struct node { long (*op)(const struct node *); const struct node *kid[2]; };

EXPORTED long multiply(const struct node *n);

// CHECK-LABEL: llvm.func {{.*}}@add(
// CHECK-DAG: %[[MULTIPLY:.*]] = llvm.mlir.addressof @multiply
// CHECK-DAG: %[[ADD:.*]] = llvm.mlir.addressof @add
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %[[OP:.*]], %[[MULTIPLY]]
// CHECK: llvm.cond_br %[[FIRST]]
// CHECK: cilk.spawn @multiply(
// CHECK: llvm.icmp "eq" %[[OP]], %[[ADD]]
// CHECK: cilk.spawn @add(
// CHECK: cilk.spawn %[[OP]](
// What is called is part of the recursion.
// CHECK: cilk.call @multiply(
// CHECK: cilk.call @add(
// CHECK: llvm.call %
// REMARK: promote.c:[[#@LINE+4]]:{{.*}} remark: this spawn is compared with, and calls directly, 'multiply' or 'add'
// REMARK: promote.c:[[#@LINE+4]]:{{.*}} remark: this call is compared with, and calls directly, 'multiply' or 'add'
EXPORTED long add(const struct node *n) {
  if (!n->kid[0]) return 1;
  long a = cilk_spawn n->kid[0]->op(n->kid[0]);
  long b = n->kid[1]->op(n->kid[1]);
  cilk_sync;
  return a + b;
}

EXPORTED long multiply(const struct node *n) {
  if (!n->kid[0]) return 2;
  long a = cilk_spawn n->kid[0]->op(n->kid[0]), b = n->kid[1]->op(n->kid[1]);
  cilk_sync;
  return a * b;
}

// One of another type is no candidate.
static int other(const struct node *n) {
  int a = cilk_spawn other(n), b = cilk_spawn other(n);
  cilk_sync;
  return a + b;
}

// One that is only called by its name, is no candidate either.
static long unknown(const struct node *n) {
  long a = cilk_spawn unknown(n), b = cilk_spawn unknown(n);
  cilk_sync;
  return a + b;
}

const void *const table[] = {multiply, add, other};
long start(const struct node *n) { return unknown(n); }

// More than four are too many.
// CHECK-LABEL: llvm.func internal @one(
// CHECK-NOT: cilk.spawn @
// CHECK: cilk.spawn %
static char (*volatile next)(short);
#define SPAWNING(TYPE, NAME, NEXT)                                             \
  static TYPE NAME(short n) {                                                  \
    TYPE a = cilk_spawn NEXT(n);                                               \
    cilk_sync;                                                                 \
    return a;                                                                  \
  }
SPAWNING(char, one, next)
SPAWNING(char, two, next)
SPAWNING(char, three, next)
SPAWNING(char, four, next)
SPAWNING(char, five, next)
void *const many[] = {one, two, three, four, five};

// One that does not spawn is too many, too.
// CHECK-LABEL: llvm.func internal @oneOfTwo(
// CHECK-NOT: cilk.spawn @
// CHECK: cilk.spawn %
static float (*volatile either)(short);
static float ordinary(short n) { return n; }
SPAWNING(float, oneOfTwo, either)
SPAWNING(float, otherOfTwo, either)
void *const all[] = {oneOfTwo, otherOfTwo, ordinary};

// Of a weak function's calls, those are of the one that is here which the linker
// has chosen.
// CHECK-LABEL: llvm.func {{.*}}@replaceable.weak(
// CHECK-DAG: %[[HERE:.*]] = llvm.mlir.addressof @replaceable.weak
// CHECK-DAG: %[[AT:.*]] = llvm.mlir.addressof @replaceable.address
// CHECK: %[[WHICH:.*]] = llvm.load %[[AT]]
// CHECK: llvm.icmp "eq" %[[WHICH]], %[[HERE]]
// REMARK: promote.c:[[#@LINE+5]]:{{.*}} remark: this spawn is compared with the definition in this file, which is called directly
// CHECK: cilk.spawn @replaceable.weak(
// CHECK: cilk.spawn %[[WHICH]](
__attribute__((weak)) short replaceable(short n) {
  if (n < 2) return n;
  short a = cilk_spawn replaceable(n - 1), b = replaceable(n - 2);
  cilk_sync;
  return a + b;
}

// It is the linker that has.
// LINKED: @replaceable = weak {{.*}}alias i16 (i16), ptr @replaceable.weak
// LINKED: define internal {{.*}}@replaceable.weak.serial.body(
// LINKED: icmp eq ptr @replaceable, @replaceable.weak
// LINKED: call {{.*}}@replaceable.weak.serial.body(
