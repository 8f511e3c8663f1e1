// struct-results.c - Structs that spawns return are stored where they belong
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// In a serial clone a child stores its result in the variable itself, as in the
// serial elision, also where that is its parent's result.
// RUN: cilk2chan -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: cilk2chan -O2 -fno-chan-batch -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: define internal {{.*}} @passed.serial.body(
// CHECK-NOT: llvm.memcpy
// CHECK: {{^}$}}
// CHECK-LABEL: define internal {{.*}} @result.serial.body(
// CHECK-NOT: llvm.memcpy
// CHECK: {{^}$}}
// CHECK-LABEL: define internal {{.*}} @variable.serial.body(
// CHECK-NOT: llvm.memcpy
// CHECK: {{^}$}}

#include <cilk/cilk.h>

struct wide {
  long a, b, c, d;
};

struct wide variable(long n) {
  if (n < 2)
    return (struct wide){n, 1, 2, 3};
  struct wide x = cilk_spawn variable(n - 1);
  struct wide y = variable(n - 2);
  cilk_sync;
  return (struct wide){x.a + y.d, x.b ^ y.c, x.c + y.b, x.d - y.a};
}

struct wide result(long n) {
  if (n < 2)
    return (struct wide){n, 1, 2, 3};
  struct wide x = cilk_spawn result(n - 1);
  struct wide y = result(n - 2);
  cilk_sync;
  x.a += y.d;
  x.d -= y.a;
  return x;
}

__attribute__((noinline)) static struct wide both(struct wide x,
                                                  struct wide y) {
  return (struct wide){x.a + y.d, x.b ^ y.c, x.c + y.b, x.d - y.a};
}
struct wide passed(long n) {
  if (n < 2)
    return (struct wide){n, 1, 2, 3};
  struct wide x = cilk_spawn passed(n - 1);
  struct wide y = passed(n - 2);
  cilk_sync;
  return both(x, y);
}
