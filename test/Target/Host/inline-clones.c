// inline-clones.c - Small clones do two levels of their recursion at a time.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O3 -Werror -fno-chan-batch -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s
// RUN: cilk2chan -O2 -g -Werror -fno-chan-batch -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s
// RUN: cilk2chan -Os -Werror -fno-chan-batch -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=ONCE
// RUN: cilk2chan -O3 -Werror -fno-chan-batch -DNOINLINE -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=NOINLINE
// RUN: cilk2chan -O3 -Werror -fno-chan-batch -DMANY -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=ONCE
// RUN: cilk2chan -O3 -Werror -fno-chan-batch -DSTACK -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=ONCE
// RUN: cilk2chan -O3 -Werror -fno-chan-batch -DLOOP -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=ONCE

// RUN: cilk2chan -O3 -Werror -fno-chan-batch -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=ASKS

// The answer is right, with several workers, too.
// RUN: cilk2chan -O3 -fno-chan-batch %s -o %t -DMAIN
// RUN: env CHAN_WORKERS=1 %t
// RUN: env CHAN_WORKERS=4 %t
// RUN: cilk2chan -O3 -fno-chan-batch -fchan-stats %s -o %t -DMAIN
// RUN: env CHAN_WORKERS=1 CHAN_STATS=levels %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COUNT

#include <cilk/cilk.h>
#include <stdlib.h>

#ifdef NOINLINE
#define KIND __attribute__((noinline))
#else
#define KIND
#endif

struct node {
  struct node *left, *right;
  long value;
};

#ifdef MANY
#define PARAMETERS , long a, long b, long c
#define ARGUMENTS , a + 1, b, c
#else
#define PARAMETERS
#define ARGUMENTS
#endif

void read_all(const long *);

// One question for an activation, and those of its children that are no leaves.
// CHECK: define {{.*}} @sum.serial.body
// CHECK: @chan_promote.near(
// CHECK-COUNT-4: call {{.*}}@sum.serial.body(
// CHECK-NOT: call {{.*}}@{{sum.serial|chan_promote}}
// CHECK: {{^}}}
// ASKS: define {{.*}} @sum.serial.body
// ASKS: @chan_promote.near(
// ASKS-NOT: @chan_promote.near(
// ASKS: {{^}}}
// ONCE: define {{.*}} @sum.serial.body
// ONCE: @chan_promote.near(
// ONCE-COUNT-2: call {{.*}}@sum.serial.body(
// ONCE-NOT: call {{.*}}@sum.serial
// ONCE: {{^}}}
// Without a guard, so that its clone is one function and calls itself.
// NOINLINE: define {{.*}} @sum.serial(
// NOINLINE-COUNT-2: call {{.*}}@sum.serial(
// NOINLINE-NOT: call {{.*}}@sum.serial
// NOINLINE: {{^}}}
KIND long sum(struct node *tree PARAMETERS) {
#ifdef NOINLINE
  long left = 0, right = 0;
  if (tree->left)
    left = cilk_spawn sum(tree->left);
  if (tree->right)
    right = cilk_spawn sum(tree->right);
#else
  if (!tree)
    return 0;
  long left = cilk_spawn sum(tree->left ARGUMENTS);
  long right = cilk_spawn sum(tree->right ARGUMENTS);
#endif
  cilk_sync;
#ifdef LOOP
  for (int i = 0; i < 100; i++)
    left ^= left << 7 | right >> 9;
#endif
#ifdef STACK
  long both[9] = {left, right};
  read_all(both);
#endif
#ifdef MANY
  left += a * b * c;
#endif
  return left + right + tree->value;
}

// Both levels are counted.
// COUNT: of 511 tasks 0.00 % in kernels, {{.*}} 100.00 % in serial clones
#ifdef MAIN
int main(void) {
  enum { count = 511 };
  struct node *nodes = calloc(count, sizeof *nodes);
  for (int i = 0; i < count; i++) {
    nodes[i].value = i;
    if (2 * i + 2 < count) {
      nodes[i].left = &nodes[2 * i + 1];
      nodes[i].right = &nodes[2 * i + 2];
    }
  }
  return sum(nodes) != (long)count * (count - 1) / 2;
}
#endif
